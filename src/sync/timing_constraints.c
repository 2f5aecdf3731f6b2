/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the constraints that every placement has: issue order, operands, units and full counters. */
#include "sync/timing_constraints.h"

#include "ir/loop_issue.h"
#include "sync/accesses.h"
#include "sync/arcs.h"

swp_status swp_sync_constrain_to(swp_constraint_builder *b, swp_moment from, swp_moment to,
                                 int64_t cycles, int passes)
{
    const swp_timing_constraint item = {from.event, to.event, cycles,
                                        passes + to.later - from.later};
    return swp_solve_constrain(b->ctx, &b->timing->constraints, item);
}

swp_moment swp_sync_issue_of(const swp_constraint_builder *b, int op)
{
    return (swp_moment){b->group * b->flow->count + op, 0};
}

swp_moment swp_sync_finish_of(const swp_constraint_builder *b, int access)
{
    const swp_sync_timing *timing = b->timing;
    return (swp_moment){
        timing->groups * b->flow->count + b->group * timing->ends + timing->finish[access], 0};
}

swp_status swp_sync_constrain_from(swp_constraint_builder *b,
                                   swp_moment (*event)(const swp_constraint_builder *b, int op),
                                   int position, swp_moment to, int64_t cycles)
{
    const int pass = swp_sync_pass_of(b->flow, position);
    return swp_sync_constrain_to(b, event(b, position - pass * b->flow->count), to, cycles, -pass);
}

static bool is_synchronous(const swp_constraint_builder *b, int op)
{
    return b->flow->ops[op].object == SWP_NO_OBJECT;
}

/*
 * When an op is granted its units: at its issue, if it is synchronous or the loop states issue times; else at an event of
 * its own, which stands behind its end's.
 */
static swp_moment grant_of(const swp_constraint_builder *b, int op)
{
    const swp_loop_dataflow *dataflow = b->flow->schedule->dataflow;
    if (is_synchronous(b, op) || (dataflow && swp_ir_loop_states_issue(dataflow->loop)))
        return swp_sync_issue_of(b, op);
    const swp_moment end = swp_sync_finish_of(b, op);
    return (swp_moment){end.event + 1, end.later};
}

static bool uses_unit(const swp_data_op *op, int unit)
{
    for (size_t i = 0; i < op->effect->use_count; i++)
        if (op->effect->uses[i].unit == unit)
            return true;
    return false;
}

int64_t swp_sync_keeps(const swp_data_op *op, int unit)
{
    int64_t cycles = 0;
    for (size_t i = 0; i < op->effect->use_count; i++)
        if (op->effect->uses[i].unit == unit && op->effect->uses[i].cycles > cycles)
            cycles = op->effect->uses[i].cycles;
    return cycles;
}

/* The last op before a position that keeps the unit, or SWP_NO_POSITION. */
static int last_keeper(const swp_dataflow *flow, int position, int unit)
{
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_keeps(swp_sync_op_at(flow, at), unit) > 0)
            return at;
    return SWP_NO_POSITION;
}

/* Wide units have room for several ops, so they hold at least those of capacity 1 do. */
static swp_status constrain_by_units(swp_constraint_builder *b, int op)
{
    const swp_effects *effects = &b->flow->effects;
    for (int unit = 0; unit < (int)effects->unit_count; unit++) {
        if (effects->units[unit].capacity > 1 || !uses_unit(&b->flow->ops[op], unit))
            continue;
        const int last = last_keeper(b->flow, op, unit);
        if (last != SWP_NO_POSITION)
            SWP_TRY(swp_sync_constrain_from(b, grant_of, last, grant_of(b, op),
                                            swp_sync_keeps(swp_sync_op_at(b->flow, last), unit)));
    }
    return SWP_OK;
}

/* Cycles from the issue of the place's last maker until another op may issue that reads or makes it. */
static int64_t until_there(const swp_effect *maker, const swp_data_op *later, int place)
{
    int64_t cycles = swp_sync_makes_place(later, place) ? maker->latency : 0;
    bool reads = false;
    for (size_t i = 0; i < later->reads.count; i++) {
        const swp_placed *read = &later->reads.items[i];
        if (read->place != place)
            continue;
        /* What it says of its reads goes before what it makes. */
        if (!reads || maker->latency - read->early > cycles)
            cycles = maker->latency - read->early;
        reads = true;
    }
    return cycles;
}

/* Cycles from the issue of a synchronous op, at a position, until another may issue that reads or makes the same. */
static int64_t apart(const swp_dataflow *flow, int at, int op)
{
    const swp_data_op *earlier = swp_sync_op_at(flow, at);
    const swp_data_op *later = &flow->ops[op];
    int64_t cycles = 0;
    for (size_t i = 0; i < earlier->makes.count; i++) {
        const int place = earlier->makes.items[i].place;
        if (swp_sync_last_maker(flow, op, place) != at)
            continue;
        const int64_t needed = until_there(earlier->effect, later, place);
        cycles = needed > cycles ? needed : cycles;
    }
    for (size_t i = 0; i < earlier->reads.count; i++)
        if (earlier->effect->read_cycles > cycles &&
            swp_sync_makes_place(later, earlier->reads.items[i].place))
            cycles = earlier->effect->read_cycles;
    return cycles;
}

/* What was issued in the pass before, or since, and is in the way of the op. */
static swp_status constrain_by_operands(swp_constraint_builder *b, int op)
{
    const swp_dataflow *flow = b->flow;
    for (int at = op - 1; at >= op - flow->count; at--) {
        const int64_t cycles = apart(flow, at, op);
        if (swp_sync_op_at(flow, at)->object == SWP_NO_OBJECT && cycles > 0)
            SWP_TRY(swp_sync_constrain_from(b, swp_sync_issue_of, at, swp_sync_issue_of(b, op),
                                            cycles));
        else if (swp_sync_waits_for(flow, op, at))
            SWP_TRY(
                swp_sync_constrain_from(b, swp_sync_finish_of, at, swp_sync_issue_of(b, op), 0));
    }
    return SWP_OK;
}

/* Counters: an access ends after the older ones, and issues when there is room for it. */
static swp_status constrain_by_counter(swp_constraint_builder *b, int op)
{
    SWP_TRY(swp_sync_constrain_from(b, swp_sync_finish_of,
                                    swp_sync_access_before(b->flow, op, b->flow->ops[op].object),
                                    swp_sync_finish_of(b, op), 0));
    if (b->machine->counter_full == SWP_COUNTER_WRAPS ||
        !swp_sync_has_limit(b->flow, b->flow->ops[op].object))
        return SWP_OK;
    return swp_sync_constrain_from(b, swp_sync_finish_of, swp_sync_no_room_for(b->flow, op),
                                   swp_sync_issue_of(b, op), 0);
}

swp_status swp_sync_constrain_ops(swp_constraint_builder *b)
{
    for (int i = 0; i < b->flow->count; i++) {
        SWP_TRY(constrain_by_units(b, i));
        SWP_TRY(constrain_by_operands(b, i));
        if (is_synchronous(b, i))
            continue;
        SWP_TRY(swp_sync_constrain_to(b, swp_sync_issue_of(b, i), grant_of(b, i), 0, 0));
        SWP_TRY(swp_sync_constrain_to(b, grant_of(b, i), swp_sync_finish_of(b, i),
                                      b->flow->ops[i].effect->latency, 0));
        SWP_TRY(constrain_by_counter(b, i));
    }
    return SWP_OK;
}
