/* SPDX-License-Identifier: Apache-2.0 */
/* Prices an order of issue by the largest cycle ratio of a step, whatever its slots and their unrolling. */
#include "pipeline/issue_lanes.h"

#include "ir/loop_issue.h"
#include "pipeline/stages.h"

#include <string.h>

bool swp_pipeline_issue_is_same_wait(swp_sync_object a, swp_sync_object b)
{
    return a != SWP_NO_OBJECT && b != SWP_NO_OBJECT &&
           swp_ir_sync_object_row(a)->wait == swp_ir_sync_object_row(b)->wait;
}

swp_status swp_pipeline_issue_model_new(swp_context *ctx, const swp_machine *machine,
                                        const swp_loop *loop, const int *slots,
                                        swp_issue_model *out)
{
    *out = (swp_issue_model){.ctx = ctx, .loop = loop, .machine = machine};
    SWP_TRY(swp_ir_loop_build_problem(ctx, loop, slots, 0, &out->problem));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &out->objects));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &out->critical));
    SWP_TRY(SWP_TAKE(ctx, out->problem.problem.edge_count, &out->waits));
    for (size_t i = 0; i < loop->op_count; i++)
        out->objects[i] = swp_ir_loop_object_of(loop, &loop->ops[i]);
    for (size_t i = 0; i < loop->op_count; i++)
        for (size_t j = 0; j < i; j++)
            out->mixes_objects |= out->objects[i] != out->objects[j] &&
                                  swp_pipeline_issue_is_same_wait(out->objects[i], out->objects[j]);
    return swp_pipeline_issue_list_lanes(out);
}

swp_issued swp_pipeline_issue_before(const swp_issue_builder *b, swp_issued issued)
{
    return swp_pipeline_issued_before(b->order, b->model->loop->op_count, issued);
}

static int op_count(const swp_issue_builder *b)
{
    return (int)b->model->loop->op_count;
}

static bool is_access(const swp_issue_builder *b, int op)
{
    return b->with_waits && b->model->objects[op] != SWP_NO_OBJECT;
}

int swp_pipeline_issue_grant_of(const swp_issue_builder *b, int op)
{
    const bool has_own_grant = is_access(b, op) && !swp_ir_loop_states_issue(b->model->loop);
    return has_own_grant ? op_count(b) + 2 * op : op;
}

int swp_pipeline_issue_end_of(const swp_issue_builder *b, int op)
{
    return op_count(b) + 2 * op + 1;
}

swp_status swp_pipeline_issue_constrain(swp_issue_builder *b, int from, int to, int64_t cycles,
                                        int64_t steps)
{
    const swp_timing_constraint item = {from, to, cycles, (int)steps};
    return swp_solve_constrain(b->model->ctx, &b->model->constraints, item);
}

/* Without waits, ops may share a cycle as long as they then stand in this order. */
static swp_status add_issues(swp_issue_builder *b)
{
    const int count = op_count(b);
    for (int k = 0; k < count; k++) {
        const int op = b->order->ops[k];
        const int next = b->order->ops[(k + 1) % count];
        const bool wraps = k + 1 == count;
        int64_t cycles = b->model->machine->issue_cycles;
        if (!b->with_waits)
            cycles = wraps || !swp_pipeline_ties_before(b->order->stage, op, next);
        if (b->model->loop->ops[op].issue > cycles)
            cycles = b->model->loop->ops[op].issue;
        SWP_TRY(swp_pipeline_issue_constrain(b, op, next, cycles, wraps));
    }
    return SWP_OK;
}

/* Units serve in the order of issue. An op gets a unit once the newest op that leaves it no room has left. */
static swp_status hold_by_unit(swp_issue_builder *b, int op, int unit)
{
    int64_t cycles = 0;
    int64_t sum = swp_pipeline_issue_held_of_unit(b, op, unit, &cycles);
    if (sum == 0)
        return SWP_OK;
    for (swp_issued o = swp_pipeline_issue_before_in_unit(b, unit, (swp_issued){op, 0});
         o.steps < SWP_MOST_ISSUE_STEPS; o = swp_pipeline_issue_before_in_unit(b, unit, o)) {
        sum += swp_pipeline_issue_held_of_unit(b, o.op, unit, &cycles);
        if (sum > b->model->loop->units[unit].capacity)
            return swp_pipeline_issue_constrain(b, swp_pipeline_issue_grant_of(b, o.op),
                                                swp_pipeline_issue_grant_of(b, op), cycles,
                                                o.steps);
    }
    return SWP_OK;
}

/* Accesses of an object end in order, and one for which there is no room holds up the wave. */
static swp_status hold_by_object(swp_issue_builder *b, int op)
{
    const swp_sync_object object = b->model->objects[op];
    const int most = b->model->machine->counter_full == SWP_COUNTER_STALLS
                         ? swp_ir_sync_largest(b->model->machine, object)
                         : 0;
    int64_t sum = b->model->loop->ops[op].accesses;
    bool is_newest = true;
    for (swp_issued o = swp_pipeline_issue_before_in_object(b, (swp_issued){op, 0});
         o.steps < SWP_MOST_ISSUE_STEPS; o = swp_pipeline_issue_before_in_object(b, o)) {
        if (is_newest)
            SWP_TRY(swp_pipeline_issue_constrain(b, swp_pipeline_issue_end_of(b, o.op),
                                                 swp_pipeline_issue_end_of(b, op), 0, o.steps));
        is_newest = false;
        sum += b->model->loop->ops[o.op].accesses;
        if (most <= 0 || b->model->loop->ops[op].accesses > most)
            return SWP_OK;
        if (sum > most)
            return swp_pipeline_issue_constrain(b, swp_pipeline_issue_end_of(b, o.op), op, 0,
                                                o.steps);
    }
    return SWP_OK;
}

static swp_status add_op(swp_issue_builder *b, int op)
{
    for (int unit = 0; unit < (int)b->model->loop->unit_count; unit++)
        SWP_TRY(hold_by_unit(b, op, unit));
    if (!is_access(b, op))
        return SWP_OK;
    SWP_TRY(swp_pipeline_issue_constrain(b, op, swp_pipeline_issue_grant_of(b, op), 0, 0));
    SWP_TRY(swp_pipeline_issue_constrain(b, swp_pipeline_issue_grant_of(b, op),
                                         swp_pipeline_issue_end_of(b, op),
                                         b->model->loop->ops[op].latency, 0));
    return hold_by_object(b, op);
}

static int64_t barrier_cost(const swp_machine *machine)
{
    return 2 * (int64_t)machine->issue_cycles + machine->barrier_cycles;
}

/* Returns what waits and barriers cost between the end of an access and the op that needs it. */
int64_t swp_pipeline_issue_cost_of_wait(const swp_issue_builder *b, const swp_loop_edge *meaning,
                                        int producer)
{
    const swp_loop *loop = b->model->loop;
    const swp_machine *machine = b->model->machine;
    if (loop->values[meaning->value].space == SWP_SPACE_SHARED) {
        const bool fence_waits = !b->order && machine->barrier == SWP_BARRIER_FENCED &&
                                 swp_ir_sync_object_row(b->model->objects[producer])->fence_retires;
        return barrier_cost(machine) - (fence_waits ? machine->issue_cycles : 0);
    }
    const bool held = machine->registers != SWP_REGISTERS_RAW &&
                      swp_ir_loop_is_awaited(loop, &loop->ops[producer]);
    return held ? 0 : machine->issue_cycles;
}

/*
 * Hardware keeps the ops of one accumulator in order. In a given order they are priced as if they
 * were awaited.
 */
static bool is_in_order(const swp_issue_builder *b, const swp_problem_edge *e, int value)
{
    const swp_loop *loop = b->model->loop;
    const swp_loop_op *producer = &loop->ops[e->producer];
    const swp_loop_op *consumer = &loop->ops[e->consumer];
    return !b->order && swp_ir_loop_is_in_order(loop, producer) &&
           swp_ir_loop_is_in_order(loop, consumer) && swp_ir_loop_makes(producer, value) &&
           swp_ir_loop_makes(consumer, value);
}

/*
 * Returns whether the later op waits until an access has ended. It need not wait to load a register
 * again that no op reads, or to change one that was read when the access issued.
 */
bool swp_pipeline_issue_is_awaited(const swp_issue_builder *b, int edge)
{
    const swp_loop *loop = b->model->loop;
    const swp_problem_edge *e = &b->model->problem.problem.edges[edge];
    const swp_loop_edge *meaning = &b->model->problem.edges[edge];
    const swp_loop_op *producer = &loop->ops[e->producer];
    if (!is_access(b, e->producer) || e->delay == 0 || is_in_order(b, e, meaning->value))
        return false;
    if (meaning->kind == SWP_LOOP_READS || loop->values[meaning->value].space == SWP_SPACE_SHARED)
        return true;
    return meaning->kind == SWP_LOOP_REPLACES ? swp_ir_loop_reads_in_flight(producer)
                                              : b->model->machine->registers == SWP_REGISTERS_RAW ||
                                                    !swp_ir_loop_is_awaited(loop, producer);
}

/*
 * Without a wait, the delay counts from issue to issue. Other waves see an effect on shared memory
 * only after a barrier.
 */
static int64_t cycles_between_issues(const swp_issue_builder *b, int edge)
{
    const swp_problem_edge *e = &b->model->problem.problem.edges[edge];
    const swp_loop_edge *meaning = &b->model->problem.edges[edge];
    const int64_t delay = is_access(b, e->producer) ? 0 : e->delay;
    const int64_t barrier = barrier_cost(b->model->machine);
    const bool meets = b->with_waits && meaning->kind != SWP_LOOP_REWRITES &&
                       b->model->loop->values[meaning->value].space == SWP_SPACE_SHARED;
    return meets && delay < barrier ? barrier : delay;
}

swp_status swp_pipeline_issue_add_edges(swp_issue_builder *b)
{
    const swp_loop_problem *all = &b->model->problem;
    for (int i = 0; i < (int)all->problem.edge_count; i++) {
        const swp_problem_edge *edge = &all->problem.edges[i];
        const int64_t steps = b->order ? swp_pipeline_issue_steps(b->order, edge) : edge->distance;
        if (swp_pipeline_issue_is_awaited(b, i))
            SWP_TRY(swp_pipeline_issue_constrain(
                b, swp_pipeline_issue_end_of(b, edge->producer), edge->consumer,
                swp_pipeline_issue_cost_of_wait(b, &all->edges[i], edge->producer), steps));
        else
            SWP_TRY(swp_pipeline_issue_constrain(b, edge->producer, edge->consumer,
                                                 cycles_between_issues(b, i), steps));
    }
    return SWP_OK;
}

static swp_status build(swp_issue_builder *b)
{
    b->model->constraints.count = 0;
    swp_pipeline_issue_link_lanes(b->model, b->order);
    if (b->in_order)
        SWP_TRY(add_issues(b));
    for (int op = 0; op < op_count(b); op++)
        SWP_TRY(add_op(b, op));
    SWP_TRY(swp_pipeline_issue_add_edges(b));
    b->model->first_mixed = b->model->constraints.count;
    b->model->awaited.count = 0;
    return b->with_waits && b->model->mixes_objects ? swp_pipeline_issue_mixed_waits(b) : SWP_OK;
}

int swp_pipeline_issue_op_of(const swp_issue_builder *b, int event)
{
    return event < op_count(b) ? event : (event - op_count(b)) / 2;
}

static void note_critical_op(swp_issue_model *m, int op)
{
    for (int i = 0; i < m->critical_count; i++)
        if (m->critical[i] == op)
            return;
    m->critical[m->critical_count++] = op;
}

/*
 * Notes the ops of the chain that was found last, and ops that it waits for only because a wait
 * covers several objects.
 */
static void note_critical(const swp_issue_builder *b)
{
    swp_issue_model *m = b->model;
    int event = m->solver.on;
    m->critical_count = 0;
    do {
        const size_t constraint = (size_t)m->solver.last_constraint[event];
        note_critical_op(m, swp_pipeline_issue_op_of(b, event));
        if (constraint >= m->first_mixed)
            note_critical_op(m, m->awaited.items[constraint - m->first_mixed]);
        event = m->constraints.items[constraint].from;
    } while (event != m->solver.on);
}

static swp_status exceeds(swp_issue_builder *b, swp_ratio *ratio, bool *does)
{
    const int events = b->with_waits ? 3 * op_count(b) : op_count(b);
    return swp_solve_ratio_exceeds(b->model->ctx, &b->model->solver, &b->model->constraints, events,
                                   *ratio, SWP_ABOVE, does, ratio);
}

/* What is known of it need not be found out again. */
static swp_status find_price(swp_issue_builder *b, swp_ratio most, swp_known_price *known)
{
    swp_ratio ratio = most;
    bool above = false;
    SWP_TRY(build(b));
    SWP_TRY(exceeds(b, &ratio, &above));
    *known = (swp_known_price){.any = true, .ratio = ratio, .critical = known->critical};
    if (above)
        return SWP_OK;
    ratio = (swp_ratio){0, 1};
    do {
        SWP_TRY(exceeds(b, &ratio, &above));
        if (above)
            note_critical(b);
    } while (above);
    known->exact = true;
    known->ratio = ratio;
    known->critical_count = b->model->critical_count;
    memcpy(known->critical, b->model->critical, (size_t)known->critical_count * sizeof(int));
    return SWP_OK;
}

swp_status swp_pipeline_issue_price(swp_issue_model *model, const swp_issue_order *order,
                                    swp_ratio most, bool *within, swp_ratio *cycles)
{
    swp_issue_builder b = {model, order, true, true};
    swp_known_price *known = NULL;
    SWP_TRY(
        swp_pipeline_find_price(model->ctx, &model->memo, order, model->loop->op_count, &known));
    if (!known->any || (!known->exact && swp_solve_ratio_compare(known->ratio, most) <= 0))
        SWP_TRY(find_price(&b, most, known));
    *within = known->exact && swp_solve_ratio_compare(known->ratio, most) <= 0;
    if (!*within)
        return SWP_OK;
    *cycles = known->ratio;
    model->critical_count = known->critical_count;
    memcpy(model->critical, known->critical, (size_t)known->critical_count * sizeof(int));
    return SWP_OK;
}

/* Takes the times from the solution at this interval. */
static void take_times(const swp_issue_builder *b, int64_t interval, int64_t *times)
{
    for (int op = 0; op < op_count(b); op++)
        times[op] = swp_solve_event_time(&b->model->solver, op) + b->order->stage[op] * interval;
}

swp_status swp_pipeline_issue_times(swp_issue_model *model, const swp_issue_order *order,
                                    int64_t interval, int64_t *times, bool *exist)
{
    swp_issue_builder b = {model, order, false, true};
    swp_ratio ratio = {interval, 1};
    bool above = false;
    SWP_TRY(build(&b));
    SWP_TRY(exceeds(&b, &ratio, &above));
    *exist = !above;
    if (*exist)
        take_times(&b, interval, times);
    return SWP_OK;
}

swp_status swp_pipeline_issue_tightest(swp_issue_model *model, const swp_issue_order *order,
                                       bool in_order, int64_t *interval, int64_t *times)
{
    swp_issue_builder b = {model, order, false, in_order};
    swp_ratio ratio = {1, 1};
    bool above = false;
    SWP_TRY(build(&b));
    SWP_TRY(swp_solve_max_cycle_ratio(model->ctx, &model->solver, &model->constraints, op_count(&b),
                                      ratio, &ratio));
    *interval = ratio.cycles / ratio.passes + (ratio.cycles % ratio.passes != 0);
    ratio = (swp_ratio){*interval, 1};
    SWP_TRY(exceeds(&b, &ratio, &above));
    take_times(&b, *interval, times);
    return SWP_OK;
}
