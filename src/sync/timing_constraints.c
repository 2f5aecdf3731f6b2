/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/timing_constraints.h"

#include "sync/arcs.h"

swp_status swp_sync_constrain_to(swp_hold_builder *b, swp_moment from, swp_moment to,
                                 int64_t cycles, int passes)
{
    const swp_hold item = {from.event, to.event, cycles, passes + to.later - from.later};
    return SWP_PUSH(b->ctx, &b->timing->holds, item);
}

swp_moment swp_sync_issue_of(const swp_hold_builder *b, int op)
{
    return (swp_moment){b->group * b->flow->count + op, 0};
}

swp_moment swp_sync_finish_of(const swp_hold_builder *b, int access)
{
    const swp_sync_timing *timing = b->timing;
    return (swp_moment){
        timing->groups * b->flow->count + b->group * timing->ends + timing->finish[access], 0};
}

swp_status swp_sync_constrain_from(swp_hold_builder *b,
                                   swp_moment (*event)(const swp_hold_builder *b, int op),
                                   int position, swp_moment to, int64_t cycles)
{
    const int pass = swp_sync_pass_of(b->flow, position);
    return swp_sync_constrain_to(b, event(b, position - pass * b->flow->count), to, cycles, -pass);
}

/* The last op before a position that keeps the unit of another, or SWP_NO_POSITION. */
static int last_user(const swp_dataflow *flow, int position)
{
    const swp_resource unit = swp_sync_op_at(flow, position)->op.resource;
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_keeps_unit(&swp_sync_op_at(flow, at)->op) &&
            swp_sync_op_at(flow, at)->op.resource == unit)
            return at;
    return SWP_NO_POSITION;
}

static swp_status hold_by_unit(swp_hold_builder *b, int op)
{
    const swp_data_op *user = &b->flow->ops[op];
    const int last = last_user(b->flow, op);
    if (last == SWP_NO_POSITION || !swp_sync_is_unit(user->op.resource))
        return SWP_OK;
    const int64_t kept = swp_sync_op_at(b->flow, last)->op.latency;
    if (user->counter == SWP_COUNTED_BY_NONE)
        return swp_sync_constrain_from(b, swp_sync_issue_of, last, swp_sync_issue_of(b, op), kept);
    return swp_sync_constrain_from(b, swp_sync_issue_of, last, swp_sync_finish_of(b, op),
                                   kept + user->op.latency);
}

/* Managed registers: what the op reads has arrived. */
static swp_status hold_by_operands(swp_hold_builder *b, int op)
{
    for (int i = 0; i < b->flow->count; i++) {
        const swp_op *load = &b->flow->ops[i].op;
        if (!swp_sync_reads_register(b->flow, &b->flow->ops[op].op, load))
            continue;
        const int last = swp_sync_load_before(b->flow, op, load);
        if (swp_sync_op_at(b->flow, last) == &b->flow->ops[i])
            SWP_TRY(
                swp_sync_constrain_from(b, swp_sync_finish_of, last, swp_sync_issue_of(b, op), 0));
    }
    return SWP_OK;
}

swp_status swp_sync_constrain_by_counter(swp_hold_builder *b, int op)
{
    SWP_TRY(swp_sync_constrain_from(b, swp_sync_finish_of,
                                    swp_sync_access_before(b->flow, op, b->flow->ops[op].counter),
                                    swp_sync_finish_of(b, op), 0));
    if (b->machine->counter_full == SWP_COUNTER_WRAPS)
        return SWP_OK;
    return swp_sync_constrain_from(b, swp_sync_finish_of, swp_sync_no_room_for(b->flow, op),
                                   swp_sync_issue_of(b, op), 0);
}

swp_status swp_sync_constrain_ops(swp_hold_builder *b)
{
    for (int i = 0; i < b->flow->count; i++) {
        SWP_TRY(hold_by_unit(b, i));
        if (b->machine->registers != SWP_REGISTERS_RAW)
            SWP_TRY(hold_by_operands(b, i));
        if (b->flow->ops[i].counter == SWP_COUNTED_BY_NONE)
            continue;
        SWP_TRY(swp_sync_constrain_to(b, swp_sync_issue_of(b, i), swp_sync_finish_of(b, i),
                                      b->flow->ops[i].op.latency, 0));
        SWP_TRY(swp_sync_constrain_by_counter(b, i));
    }
    return SWP_OK;
}
