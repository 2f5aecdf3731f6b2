/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what of a run may still be asked for after a cut (docs/roles-proof.md, "All sequences of output tiles"). */
#include "happens_before/queues.h"
#include "verify/roles_state.h"

#include <stdlib.h>

/* --- What may be asked for --- */

/* Of an op that reads all along a tile, the last one in each thread tells for those before. */
static bool is_last_of_tile(const swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_step *steps = w->run->steps[instance];
    int next = step + 1;
    while (next < w->latest[instance] &&
           (steps[next].op->tag != steps[step].op->tag || steps[next].tile != steps[step].tile))
        next++;
    for (int which = 0; which < swp_happens_threads_of(&steps[step]); which++) {
        const int thread = swp_happens_thread_of(instance, which);
        if (swp_happens_issued(w->run, thread, step) &&
            (next >= w->latest[instance] || !swp_happens_issued(w->run, thread, next)))
            return true;
    }
    return false;
}

bool swp_verify_role_operand_matters(const swp_role_state_writer *w, int instance, int step,
                                     const swp_role_operand *operand)
{
    const swp_role_model *m = w->judge->model;
    const swp_role_value *value = &m->values[operand->value];
    const swp_happens_step *at = &w->run->steps[instance][step];
    const int op = swp_loop_op_of_tag(at->op->tag);
    if (!value->is_shared || value->makers == 0 ||
        swp_verify_role_version(w->judge, at, operand) <
            w->value_low[operand->value] - value->slots)
        return false;
    return !swp_verify_role_reads_all_along(m, op, operand->value) ||
           is_last_of_tile(w, instance, step);
}

/* Whether there is a wait for the same phase, in the same threads at least, among those steps of the instance. */
static bool is_among(const swp_role_state_writer *w, int instance, int wait, int from, int end)
{
    const swp_happens_step *steps = w->run->steps[instance];
    const swp_happens_places *waits = &w->run->phases[steps[wait].phase].waits;
    for (size_t k = 0; k < waits->count; k++)
        if (waits->items[k].instance == instance && waits->items[k].step >= from &&
            waits->items[k].step < end &&
            swp_happens_threads_of(&steps[waits->items[k].step]) >=
                swp_happens_threads_of(&steps[wait]))
            return true;
    return false;
}

/* Whether the thread of the wait has all arrivals on the object: those on the phase after, if there are any to come, come after the wait. */
static bool is_of_arriver(const swp_role_state_writer *w, int instance,
                          const swp_happens_step *wait)
{
    const swp_happens_tiles *tiles = w->run->tiles;
    return tiles && tiles->alone && swp_happens_threads_of(wait) == 1 &&
           tiles->arrivers[wait->op->object] == swp_happens_thread_of(instance, 0);
}

/* Whether it has still to be asked that the wait returns before the phase after its own. The last wait for a phase tells for all. */
static bool may_be_held(const swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_step *at = &w->run->steps[instance][step];
    const int after = w->run->phases[at->phase].after;
    return (after < 0 || !w->run->phases[after].completed) && !is_of_arriver(w, instance, at) &&
           !is_among(w, instance, step, step + 1, w->earliest[instance]);
}

/* Who knows of any wait for a phase knows of the first one. Tiles without passes may wait for the same phase again and again. */
bool swp_verify_role_wait_matters(const swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_step *at = &w->run->steps[instance][step];
    return swp_happens_waits_for_phase(at->op) && w->phases[at->phase] &&
           (!is_among(w, instance, step, 0, step) || may_be_held(w, instance, step));
}

bool swp_verify_role_part_matters(const swp_role_state_writer *w, const swp_happens_step *step)
{
    return step->barrier >= 0 && step->meeting >= w->fewest[step->barrier] - 1;
}

bool swp_verify_role_is_alone(const swp_role_state_writer *w, int kind)
{
    return w->run->tiles && w->run->tiles->alone && w->run->tiles->alone[kind];
}

int swp_verify_role_kind_of_part(const swp_role_state_writer *w, const swp_happens_step *step)
{
    return swp_happens_kind_of_object(w->run, w->run->barriers[step->barrier].object);
}

static const swp_role_op *op_of(const swp_role_state_writer *w, const swp_happens_step *step)
{
    return step->work ? &w->judge->model->ops[swp_loop_op_of_tag(step->op->tag)] : NULL;
}

bool swp_verify_role_operands_matter(const swp_role_state_writer *w, int instance, int step)
{
    const swp_role_op *op = op_of(w, &w->run->steps[instance][step]);
    for (int t = 0; op && t < op->operand_count; t++)
        if (swp_verify_role_operand_matters(w, instance, step, &op->operands[t]))
            return true;
    return false;
}

/* In each rank to which an operation goes. */
static void mark_phases(swp_role_state_writer *w, const swp_happens_step *step)
{
    for (int rank = 0; rank < w->run->program->ranks; rank++)
        if (swp_happens_reaches(w->run, step, rank))
            w->phases[swp_happens_phase_in(w->run, step->phase, rank)] = true;
}

/* Those that may be named, and those that copies complete on whose versions may be; with all later ones of the slot. */
static swp_status find_phases(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->phase_count, &w->phases));
    for (int p = 0; p < run->phase_count; p++) {
        const swp_role_object *object = &w->judge->model->schedule->objects[run->phases[p].object];
        w->phases[p] = run->phases[p].turn >= w->object_low[run->phases[p].object] - object->slots;
    }
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < w->latest[i]; s++)
            if (run->steps[i][s].phase >= 0 && swp_happens_is_copy(&run->steps[i][s]) &&
                swp_verify_role_operands_matter(w, i, s))
                mark_phases(w, &run->steps[i][s]);
    for (int p = 0; p < run->phase_count; p++)
        if (w->phases[p] && run->phases[p].after >= 0)
            w->phases[run->phases[p].after] = true;
    return SWP_OK;
}

bool swp_verify_role_clock_matters(const swp_role_state_writer *w, int phase)
{
    const swp_happens_phase *of = &w->run->phases[phase];
    return of->turn >= w->wait_low[of->object] || !of->completed || of->after < 0 ||
           !w->run->phases[of->after].completed;
}

static int parts_of(const swp_happens_run *run, const swp_happens_barrier *barrier, int instance)
{
    const swp_happens_numbers *parts = &barrier->parts[instance];
    int fewest = (int)parts->count;
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
        int count = 0;
        while (count < (int)parts->count &&
               swp_happens_issued(run, swp_happens_thread_of(instance, which), parts->items[count]))
            count++;
        if (count < fewest)
            fewest = count;
    }
    return fewest;
}

static swp_status find_meetings(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->barrier_count, &w->fewest));
    for (int b = 0; b < run->barrier_count; b++) {
        w->fewest[b] = (int)run->barriers[b].meetings.count;
        for (int i = 0; i < run->program->count; i++) {
            const int parts = run->barriers[b].takes_part[i] ? parts_of(run, &run->barriers[b], i)
                                                             : (int)run->barriers[b].meetings.count;
            if (parts < w->fewest[b])
                w->fewest[b] = parts;
        }
    }
    return SWP_OK;
}

/* --- Moments --- */

static swp_status add(swp_role_state_writer *w, int kind, int thread, bool is_past, int moment)
{
    swp_role_moments *known = &w->known[swp_happens_place_in_clock(w->run, kind, thread)];
    return is_past && !swp_verify_role_is_alone(w, kind) ? SWP_PUSH(w->run->ctx, known, moment)
                                                         : SWP_OK;
}

static swp_status add_returns(swp_role_state_writer *w, int kind, int instance, int step)
{
    const int threads = step < 0 ? 0 : swp_happens_threads_of(&w->run->steps[instance][step]);
    for (int which = 0; which < threads; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        SWP_TRY(add(w, kind, thread, swp_happens_returned(w->run, thread, step),
                    swp_happens_return(step)));
    }
    return SWP_OK;
}

/* Each thread knows the end of what is in its own queue, or in that of its warp group. */
static swp_status add_own_ends(swp_role_state_writer *w, int value, int instance, int step)
{
    const int end = swp_happens_own_end(&w->run->steps[instance][step]);
    const int threads = swp_happens_ends_for_all(w->run, instance, step)
                            ? SWP_HAPPENS_THREADS
                            : SWP_HAPPENS_DISTINCT_THREADS;
    for (int which = 0; which < threads; which++) {
        const int thread = swp_happens_thread_of(instance, which);
        const int fence = swp_verify_role_fence_of_access(w->run, instance, which, step);
        SWP_TRY(add(w, value, thread, swp_happens_has_come(w->run, thread, end), end));
        SWP_TRY(add(w, value, thread, fence >= 0 && swp_happens_issued(w->run, thread, fence),
                    swp_happens_issue(fence)));
    }
    return SWP_OK;
}

static swp_status add_operand(swp_role_state_writer *w, int value, int instance, int step)
{
    const swp_happens_run *run = w->run;
    const swp_happens_step *at = &run->steps[instance][step];
    if (swp_happens_is_queued(at))
        return add_own_ends(w, value, instance, step);
    if (swp_happens_tracker(at) != SWP_NO_OBJECT)
        return add_returns(w, value, instance, at->retired_by);
    for (int which = 0; which < swp_happens_threads_of(at); which++) {
        const int thread = swp_happens_thread_of(instance, which);
        const int fence = swp_happens_fence_behind(run, instance, which, step);
        SWP_TRY(
            add(w, value, thread, swp_happens_issued(run, thread, step), swp_happens_issue(step)));
        SWP_TRY(add(w, value, thread, fence >= 0 && swp_happens_issued(run, thread, fence),
                    swp_happens_issue(fence)));
    }
    return SWP_OK;
}

static swp_status add_operands(swp_role_state_writer *w, int instance, int step)
{
    const swp_role_op *op = op_of(w, &w->run->steps[instance][step]);
    for (int t = 0; op && t < op->operand_count; t++)
        if (swp_verify_role_operand_matters(w, instance, step, &op->operands[t]))
            SWP_TRY(add_operand(w, op->operands[t].value, instance, step));
    return SWP_OK;
}

static swp_status add_step(swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_run *run = w->run;
    const swp_happens_step *at = &run->steps[instance][step];
    if (swp_verify_role_wait_matters(w, instance, step))
        SWP_TRY(add_returns(w, swp_happens_kind_of_object(run, at->op->object), instance, step));
    if (swp_verify_role_part_matters(w, at))
        SWP_TRY(add_returns(w, swp_verify_role_kind_of_part(w, at), instance, step));
    if (at->is_for_all && step >= w->earliest[instance])
        SWP_TRY(add_returns(w, swp_happens_kind_of_groups(run), instance, step));
    return add_operands(w, instance, step);
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a;
    const int y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort(swp_role_moments *moments)
{
    size_t kept = 0;
    if (moments->count == 0)
        return;
    qsort(moments->items, moments->count, sizeof *moments->items, compare);
    for (size_t i = 0; i < moments->count; i++)
        if (i == 0 || moments->items[i] != moments->items[i - 1])
            moments->items[kept++] = moments->items[i];
    moments->count = kept;
}

static swp_status find_moments(swp_role_state_writer *w)
{
    const swp_happens_run *run = w->run;
    SWP_TRY(SWP_TAKE(run->ctx, swp_happens_width(run), &w->known));
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < w->latest[i]; s++)
            SWP_TRY(add_step(w, i, s));
    for (size_t i = 0; i < w->seen.count; i++)
        if (w->seen.items[i].at.step >= 0)
            SWP_TRY(add_operand(w, w->seen.items[i].value, w->seen.items[i].at.instance,
                                w->seen.items[i].at.step));
    for (size_t i = 0; i < swp_happens_width(run); i++) {
        sort(&w->known[i]);
        if (w->known[i].count > 0)
            SWP_TRY(SWP_PUSH(run->ctx, &w->places, (int)i));
    }
    return SWP_OK;
}

swp_status swp_verify_role_window(swp_role_state_writer *w)
{
    SWP_TRY(swp_verify_role_reach(w));
    SWP_TRY(find_meetings(w));
    SWP_TRY(find_phases(w));
    SWP_TRY(swp_verify_role_find_seen(w));
    SWP_TRY(swp_verify_role_find_flights(w));
    return find_moments(w);
}
