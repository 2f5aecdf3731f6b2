/* SPDX-License-Identifier: Apache-2.0 */
/* What holds the ops of a schedule with a dataflow (docs/simulation.md, "Ops of a loop"). */
#include "ir/loop_dataflow.h"
#include "sync/timing_constraints.h"
#include "sync/touches.h"

static const swp_loop_op *loop_op(const swp_hold_builder *b, int op)
{
    return &b->flow->schedule->dataflow->loop->ops[b->flow->ops[op].op.tag];
}

static bool is_synchronous(const swp_hold_builder *b, int op)
{
    return b->flow->ops[op].counter == SWP_COUNTED_BY_NONE;
}

/* An access has its turn at its units some time after its issue; its event stands behind its end's. */
static swp_moment turn_of(const swp_hold_builder *b, int op)
{
    if (is_synchronous(b, op))
        return swp_sync_issue_of(b, op);
    const swp_moment end = swp_sync_finish_of(b, op);
    return (swp_moment){end.event + 1, end.later};
}

/* For how long an op keeps a unit; 0: it does not use it. */
static int64_t keeps(const swp_hold_builder *b, int op, int unit)
{
    const swp_loop_op *o = loop_op(b, op);
    int64_t cycles = 0;
    for (size_t i = 0; i < o->use_count; i++)
        if (o->uses[i].resource == unit && o->uses[i].cycles > cycles)
            cycles = o->uses[i].cycles;
    return cycles;
}

/* Wide units have room for several ops, so they hold at least those of capacity 1 do. */
static swp_status hold_by_units(swp_hold_builder *b, int op)
{
    const swp_loop *loop = b->flow->schedule->dataflow->loop;
    for (int unit = 0; unit < (int)loop->unit_count; unit++) {
        if (loop->units[unit].capacity > 1 || keeps(b, op, unit) == 0)
            continue;
        int at = op - 1;
        while (keeps(b, at - swp_sync_pass_of(b->flow, at) * b->flow->count, unit) == 0)
            at--;
        const int last = at - swp_sync_pass_of(b->flow, at) * b->flow->count;
        SWP_TRY(swp_sync_constrain_from(b, turn_of, at, turn_of(b, op), keeps(b, last, unit)));
    }
    return SWP_OK;
}

/* Cycles from the issue of a synchronous op until another may issue that touches the same. */
static int64_t apart(const swp_dataflow *flow, const swp_data_op *earlier, const swp_data_op *later)
{
    int64_t cycles = 0;
    for (size_t i = 0; i < earlier->makes.count; i++) {
        const int place = earlier->makes.items[i].place;
        if (earlier->op.latency > cycles &&
            (swp_sync_reads_place(later, place) || swp_sync_makes_place(later, place)))
            cycles = earlier->op.latency;
    }
    for (size_t i = 0; i < earlier->reads.count; i++)
        if (swp_sync_read_cycles(flow, earlier) > cycles &&
            swp_sync_makes_place(later, earlier->reads.items[i].place))
            cycles = swp_sync_read_cycles(flow, earlier);
    return cycles;
}

/* What was issued in the pass before, or since, and is in the way of the op. */
static swp_status hold_by_operands(swp_hold_builder *b, int op)
{
    const swp_dataflow *flow = b->flow;
    for (int at = op - 1; at >= op - flow->count; at--) {
        const swp_data_op *earlier = swp_sync_op_at(flow, at);
        const int64_t cycles = apart(flow, earlier, &flow->ops[op]);
        if (earlier->counter == SWP_COUNTED_BY_NONE && cycles > 0)
            SWP_TRY(swp_sync_constrain_from(b, swp_sync_issue_of, at, swp_sync_issue_of(b, op),
                                            cycles));
        else if (swp_sync_waits_for(flow, op, at))
            SWP_TRY(
                swp_sync_constrain_from(b, swp_sync_finish_of, at, swp_sync_issue_of(b, op), 0));
    }
    return SWP_OK;
}

swp_status swp_sync_constrain_loop_ops(swp_hold_builder *b)
{
    for (int i = 0; i < b->flow->count; i++) {
        SWP_TRY(hold_by_units(b, i));
        SWP_TRY(hold_by_operands(b, i));
        if (is_synchronous(b, i))
            continue;
        SWP_TRY(swp_sync_constrain_to(b, swp_sync_issue_of(b, i), turn_of(b, i), 0, 0));
        SWP_TRY(swp_sync_constrain_to(b, turn_of(b, i), swp_sync_finish_of(b, i),
                                      loop_op(b, i)->latency, 0));
        SWP_TRY(swp_sync_constrain_by_counter(b, i));
    }
    return SWP_OK;
}
