/* SPDX-License-Identifier: Apache-2.0 */
/* What the queues of a thread are to whatever may follow a cut of a loop without warp roles, and what work is done. */
#include "happens_before/queues.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "verify/roles_state.h"

#include <stdlib.h>

/* --- Accesses --- */

static const swp_role_op *op_of(const swp_role_state_writer *w, const swp_happens_step *step)
{
    return &w->judge->model->ops[swp_loop_op_of_tag(step->op->tag)];
}

/* The number of the place of an operand. */
static int place_of(const swp_role_state_writer *w, const swp_happens_step *step,
                    const swp_role_operand *operand)
{
    const swp_role_value *value = &w->judge->model->values[operand->value];
    return value->first + (int)swp_happens_rest(step->iteration - operand->distance, value->slots);
}

/* Whether a step takes the place of another that makes a register, or reads it, in whatever asks for those. */
static bool replaces(const swp_role_state_writer *w, const swp_happens_step *earlier, bool makes,
                     int place, const swp_happens_step *step)
{
    const swp_role_op *op = step->work ? op_of(w, step) : NULL;
    for (int t = 0; op && t < op->register_count; t++) {
        const swp_role_operand *operand = &op->operands[op->registers[t]];
        if (place_of(w, step, operand) != place)
            continue;
        if (swp_verify_role_makes(operand->kind) && !swp_ir_loop_is_conditional(step->work))
            return true;
        if (!makes && swp_ir_loop_reads_in_flight(step->work) && step->queue == earlier->queue)
            return true;
    }
    return false;
}

static bool is_replaced(const swp_role_state_writer *w, int instance, int s,
                        const swp_role_operand *operand)
{
    const swp_happens_step *steps = w->run->steps[instance];
    const int place = place_of(w, &steps[s], operand);
    for (int later = s + 1; later < w->earliest[instance]; later++)
        if (replaces(w, &steps[s], swp_verify_role_makes(operand->kind), place, &steps[later]))
            return true;
    return false;
}

/* Whether anything asks for the access by that register: by what it makes, or what it reads in flight and another op makes. */
static bool holds_register(const swp_role_state_writer *w, const swp_happens_step *step,
                           const swp_role_operand *operand)
{
    return w->judge->model->values[operand->value].makers > 0 &&
           (swp_verify_role_makes(operand->kind) || swp_ir_loop_reads_in_flight(step->work));
}

static bool is_seen(const swp_role_state_writer *w, int instance, int step)
{
    for (size_t i = 0; i < w->seen.count; i++)
        if (w->seen.items[i].at.instance == instance && w->seen.items[i].at.step == step)
            return true;
    return false;
}

bool swp_verify_role_access_matters(const swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_step *at = &w->run->steps[instance][step];
    const swp_role_op *op = op_of(w, at);
    if (swp_verify_role_operands_matter(w, instance, step) || is_seen(w, instance, step))
        return true;
    for (int t = 0; t < op->register_count; t++) {
        const swp_role_operand *operand = &op->operands[op->registers[t]];
        if (holds_register(w, at, operand) && !is_replaced(w, instance, step, operand))
            return true;
    }
    return false;
}

int swp_verify_role_accesses_behind(const swp_role_state_writer *w, int instance, int s)
{
    const swp_happens_step *steps = w->run->steps[instance];
    const swp_sync_object queue = steps[s].queue;
    const int largest = swp_ir_sync_largest(&w->judge->model->schedule->machine, queue);
    const int most = largest > 0 ? largest + 1 : w->lists->most_groups;
    int count = 0;
    for (int later = s + 1; later < w->earliest[instance]; later++)
        if (steps[later].queue == queue)
            count += steps[later].work->accesses;
    return count < most ? count : most;
}

swp_status swp_verify_role_put_access(swp_role_state_writer *w, int instance,
                                      const swp_role_flight *flight)
{
    const swp_happens_step *at = &w->run->steps[instance][flight->step];
    const int rest = flight->step - w->earliest[instance];
    SWP_TRY(swp_verify_role_put(w, at->op->tag));
    SWP_TRY(swp_verify_role_put(w, at->iteration - w->now[SWP_PASS_CLOCK]));
    SWP_TRY(swp_verify_role_put(w, flight->commits));
    return swp_verify_role_put(w, rest < 0 ? -1 : rest);
}

/* --- Work --- */

/* The least iteration that an entry to come names of an op, from its base. */
static void find_least(const swp_happens_program *p, int64_t *least)
{
    for (int i = 0; i < p->count; i++)
        for (swp_phase list = SWP_KERNEL; list <= SWP_EPILOGUE; list++)
            for (int k = 0; k < p->instances[i].lengths[list]; k++) {
                const swp_happens_step step = swp_happens_step_in(p, &p->instances[i], list, k, 0);
                int64_t *of = step.work ? &least[swp_loop_op_of_tag(step.op->tag)] : NULL;
                if (of && step.op->iteration < *of)
                    *of = step.op->iteration;
            }
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of an instance and an op: whether those before `first` are done, and the iterations from there on, in order. */
static swp_status put_done(swp_role_state_writer *w, int instance, int op, int64_t first)
{
    const swp_happens_run *run = w->run;
    int64_t next = 0;
    while (next < first && swp_happens_find_work(run, instance, op, next) >= 0)
        next++;
    SWP_TRY(swp_verify_role_put(w, next >= first));
    const int tag = swp_tag_of_loop_op(op);
    int64_t *done = NULL;
    size_t count = 0;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->lengths[instance], &done));
    for (int s = 0; s < run->lengths[instance]; s++)
        if (run->steps[instance][s].op->tag == tag && run->steps[instance][s].iteration >= first)
            done[count++] = run->steps[instance][s].iteration - w->now[SWP_PASS_CLOCK];
    if (count > 0)
        qsort(done, count, sizeof *done, compare);
    SWP_TRY(swp_verify_role_put(w, (int64_t)count));
    for (size_t i = 0; i < count; i++)
        SWP_TRY(swp_verify_role_put(w, done[i]));
    return SWP_OK;
}

swp_status swp_verify_role_put_work(swp_role_state_writer *w)
{
    const size_t ops = w->judge->model->loop->op_count;
    int64_t *least = NULL;
    SWP_TRY(SWP_TAKE(w->run->ctx, ops, &least));
    for (size_t op = 0; op < ops; op++)
        least[op] = w->judge->model->schedule->loop.min_tiles;
    for (int f = 0; f < w->judge->form_count; f++)
        find_least(w->judge->forms[f], least);
    for (int i = 0; i < w->run->program->count; i++)
        for (size_t op = 0; op < ops; op++)
            SWP_TRY(put_done(w, i, (int)op, w->now[SWP_PASS_CLOCK] + least[op]));
    return SWP_OK;
}

/* --- Writes and reads in sight --- */

static swp_status note(void *user, const swp_role_seen *seen)
{
    swp_role_state_writer *w = user;
    return SWP_PUSH(w->run->ctx, &w->seen, *seen);
}

swp_status swp_verify_role_find_seen(swp_role_state_writer *w)
{
    swp_role_judge judge = *w->judge;
    return w->judge->is_seen ? swp_verify_role_see(&judge, note, w) : SWP_OK;
}

static swp_status put_event(swp_role_state_writer *w, const swp_role_seen *seen)
{
    const swp_happens_at at = seen->at;
    SWP_TRY(swp_verify_role_put(w, (int)seen->sort));
    SWP_TRY(swp_verify_role_put_content(w, seen->value, seen->tile));
    SWP_TRY(swp_verify_role_put(w, seen->overlapped));
    SWP_TRY(swp_verify_role_put(w, seen->told));
    SWP_TRY(swp_verify_role_put(w, at.step < 0));
    if (at.step < 0)
        return SWP_OK;
    const swp_happens_step *step = swp_happens_step_of(w->run, at.instance, at.step);
    SWP_TRY(swp_verify_role_put(w, step->op->tag));
    SWP_TRY(swp_verify_role_put(w, step->iteration - w->now[SWP_PASS_CLOCK]));
    return swp_verify_role_put_end(w, seen->value, at.instance, at.step);
}

/* The places in an order of their own, from that of the version to come. */
swp_status swp_verify_role_put_seen(swp_role_state_writer *w)
{
    const swp_role_model *m = w->judge->model;
    for (int v = 0; v < (int)m->loop->value_count && w->judge->is_seen; v++)
        for (int k = 0; k < m->values[v].slots; k++) {
            const int64_t slot = swp_happens_rest(w->now[SWP_PASS_CLOCK] + k, m->values[v].slots);
            for (size_t i = 0; i < w->seen.count; i++)
                if (w->seen.items[i].value == v && w->seen.items[i].slot == slot)
                    SWP_TRY(put_event(w, &w->seen.items[i]));
            SWP_TRY(swp_verify_role_put(w, -1));
        }
    return SWP_OK;
}
