/* SPDX-License-Identifier: Apache-2.0 */
/* What steps that may still be asked for are to whatever may follow a cut, in numbers relative to it. */
#include "happens_before/queues.h"
#include "verify/roles_state.h"

#include <stdlib.h>

swp_status swp_verify_role_put_returns(swp_role_state_writer *w, int kind, int instance, int s)
{
    const swp_happens_step *step = &w->run->steps[instance][s];
    for (int which = 0; which < swp_happens_threads_of(step); which++) {
        const int thread = swp_happens_thread_of(instance, which);
        SWP_TRY(swp_verify_role_put_moment(w, kind, thread, swp_happens_returned(w->run, thread, s),
                                           swp_happens_return(s)));
    }
    return SWP_OK;
}

int swp_verify_role_fence_of_access(const swp_happens_run *run, int instance, int which, int step)
{
    return run->program->uses_queue[SWP_MATRIX_GROUP]
               ? swp_happens_fence_behind(run, instance, which, step)
               : -1;
}

/* Each thread knows the end of what is in its own queue, or in that of its warp group. */
static swp_status put_own_ends(swp_role_state_writer *w, int value, int instance, int s)
{
    const int end = swp_happens_own_end(&w->run->steps[instance][s]);
    const int threads = swp_happens_ends_for_all(w->run, instance, s)
                            ? SWP_HAPPENS_THREADS
                            : SWP_HAPPENS_DISTINCT_THREADS;
    for (int which = 0; which < threads; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        const int fence = swp_verify_role_fence_of_access(w->run, instance, which, s);
        SWP_TRY(swp_verify_role_put_moment(w, value, thread,
                                           swp_happens_has_come(w->run, thread, end), end));
        SWP_TRY(swp_verify_role_put_moment(w, value, thread,
                                           fence >= 0 && swp_happens_issued(w->run, thread, fence),
                                           swp_happens_issue(fence)));
    }
    return SWP_OK;
}

swp_status swp_verify_role_put_end(swp_role_state_writer *w, int value, int instance, int s)
{
    const swp_happens_run *run = w->run;
    const swp_happens_step *step = &run->steps[instance][s];
    if (swp_happens_is_queued(step))
        return put_own_ends(w, value, instance, s);
    if (swp_happens_is_copy(step)) {
        const swp_happens_phase *phase = &run->phases[step->phase];
        SWP_TRY(swp_verify_role_put(w, phase->object));
        return swp_verify_role_put(w, phase->turn -
                                          w->now[swp_verify_role_object_clock(w, phase->object)]);
    }
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        const int wait = step->retired_by;
        const int fence = swp_happens_fence_behind(run, instance, which, s);
        if (swp_happens_is_of_group(step)) {
            const bool tells =
                wait >= 0 && which < swp_happens_threads_of(&run->steps[instance][wait]);
            SWP_TRY(swp_verify_role_put_moment(w, value, thread,
                                               tells && swp_happens_returned(run, thread, wait),
                                               swp_happens_return(wait)));
            continue;
        }
        SWP_TRY(swp_verify_role_put_moment(w, value, thread, swp_happens_issued(run, thread, s),
                                           swp_happens_issue(s)));
        SWP_TRY(swp_verify_role_put_moment(w, value, thread,
                                           fence >= 0 && swp_happens_issued(run, thread, fence),
                                           swp_happens_issue(fence)));
    }
    return SWP_OK;
}

/* A part of a step: what is of one kind. */
typedef struct part_of_step {
    int kind;
    int step;
    const swp_role_operand *operand; /* NULL: a part in a meeting */
    int number;                      /* of the operand */
} part_of_step;

typedef struct parts_of_steps {
    part_of_step *items;
    size_t count;
    size_t capacity;
} parts_of_steps;

static swp_status find_parts(swp_role_state_writer *w, int instance, int s, parts_of_steps *parts)
{
    const swp_happens_step *step = &w->run->steps[instance][s];
    const swp_role_op *op =
        step->work ? &w->judge->model->ops[swp_loop_op_of_tag(step->op->tag)] : NULL;
    if (swp_verify_role_part_matters(w, step))
        SWP_TRY(SWP_PUSH(w->run->ctx, parts,
                         ((part_of_step){swp_verify_role_kind_of_part(w, step), s, NULL, 0})));
    for (int t = 0; op && t < op->operand_count; t++)
        if (swp_verify_role_operand_matters(w, instance, s, &op->operands[t]))
            SWP_TRY(SWP_PUSH(w->run->ctx, parts,
                             ((part_of_step){op->operands[t].value, s, &op->operands[t], t})));
    return SWP_OK;
}

static int compare_parts(const void *a, const void *b)
{
    const part_of_step *x = a;
    const part_of_step *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->step != y->step ? (x->step > y->step) - (x->step < y->step) : x->number - y->number;
}

static swp_status put_part(swp_role_state_writer *w, int instance, const part_of_step *part)
{
    enum { PART = 1, TOUCH = 2 };
    const swp_happens_step *step = &w->run->steps[instance][part->step];
    if (!part->operand) {
        SWP_TRY(swp_verify_role_put(w, PART));
        SWP_TRY(swp_verify_role_put(w, step->barrier));
        SWP_TRY(swp_verify_role_put(w, step->meeting - w->fewest[step->barrier]));
        return swp_verify_role_put_returns(w, part->kind, instance, part->step);
    }
    SWP_TRY(swp_verify_role_put(w, TOUCH));
    SWP_TRY(swp_verify_role_put(w, step->op->tag));
    SWP_TRY(swp_verify_role_put(w, part->number));
    SWP_TRY(swp_verify_role_put(w, swp_verify_role_version(w->judge, step, part->operand) -
                                       w->now[swp_verify_role_value_clock(w, part->kind)]));
    SWP_TRY(swp_verify_role_put(w, swp_verify_role_in_flight(w, instance, part->step)));
    return swp_verify_role_put_end(w, part->kind, instance, part->step);
}

/*
 * They are written kind by kind. How those of different kinds lie between one another their numbers say, but not where a clock
 * has a row for each kind.
 */
swp_status swp_verify_role_put_steps(swp_role_state_writer *w, int instance)
{
    parts_of_steps parts = {0};
    for (int s = 0; s < w->latest[instance]; s++)
        SWP_TRY(find_parts(w, instance, s, &parts));
    if (parts.count > 0)
        qsort(parts.items, parts.count, sizeof *parts.items, compare_parts);
    for (size_t i = 0; i < parts.count; i++)
        SWP_TRY(put_part(w, instance, &parts.items[i]));
    return swp_verify_role_put(w, -1);
}
