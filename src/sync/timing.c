/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/timing.h"

#include "sync/arcs.h"
#include "sync/turns.h"

/* An event of a group's pass: group 1's barriers are group 0's, some of them a pass later. */
typedef struct moment {
    int event;
    int later; /* passes */
} moment;

typedef struct builder {
    swp_context *ctx;
    swp_timing *timing;
    const swp_dataflow *flow;
    const swp_machine *machine;
    int group;
} builder;

static swp_status hold(builder *b, moment from, moment to, int64_t cycles, int passes)
{
    const swp_hold item = {from.event, to.event, cycles, passes + to.later - from.later};
    return SWP_PUSH(b->ctx, &b->timing->holds, item);
}

static moment issue_of(const builder *b, int op)
{
    return (moment){b->group * b->flow->count + op, 0};
}

static moment finish_of(const builder *b, int access)
{
    const swp_timing *timing = b->timing;
    return (moment){
        timing->groups * b->flow->count + b->group * timing->accesses + timing->finish[access], 0};
}

/* From the event of an op at a position before pass 0, or in it, to one of pass 0. */
static swp_status hold_from(builder *b, moment (*event)(const builder *b, int op), int position,
                            moment to, int64_t cycles)
{
    const int pass = swp_pass_of(b->flow, position);
    return hold(b, event(b, position - pass * b->flow->count), to, cycles, -pass);
}

/* The last op before a position that keeps the unit of another, or SWP_NO_POSITION. */
static int last_user(const swp_dataflow *flow, int position)
{
    const swp_resource unit = swp_op_at(flow, position)->op.resource;
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_keeps_unit(&swp_op_at(flow, at)->op) && swp_op_at(flow, at)->op.resource == unit)
            return at;
    return SWP_NO_POSITION;
}

static swp_status hold_by_unit(builder *b, int op)
{
    const swp_data_op *user = &b->flow->ops[op];
    const int last = last_user(b->flow, op);
    if (last == SWP_NO_POSITION || !swp_is_unit(user->op.resource))
        return SWP_OK;
    const int64_t kept = swp_op_at(b->flow, last)->op.latency;
    if (user->counter == SWP_COUNTED_BY_NONE)
        return hold_from(b, issue_of, last, issue_of(b, op), kept);
    return hold_from(b, issue_of, last, finish_of(b, op), kept + user->op.latency);
}

/* Managed registers: what the op reads has arrived. */
static swp_status hold_by_operands(builder *b, int op)
{
    for (int i = 0; i < b->flow->count; i++) {
        const swp_op *load = &b->flow->ops[i].op;
        if (!swp_reads_register(b->flow, &b->flow->ops[op].op, load))
            continue;
        const int last = swp_load_before(b->flow, op, load);
        if (swp_op_at(b->flow, last) == &b->flow->ops[i])
            SWP_TRY(hold_from(b, finish_of, last, issue_of(b, op), 0));
    }
    return SWP_OK;
}

static swp_status hold_access(builder *b, int op)
{
    const int64_t latency = b->flow->ops[op].op.latency;
    SWP_TRY(hold(b, issue_of(b, op), finish_of(b, op), latency, 0));
    SWP_TRY(hold_from(b, finish_of, swp_access_before(b->flow, op, b->flow->ops[op].counter),
                      finish_of(b, op), 0));
    if (b->machine->counter_full == SWP_COUNTER_WRAPS)
        return SWP_OK;
    return hold_from(b, finish_of, swp_no_room_for(b->flow, op), issue_of(b, op), 0);
}

static swp_status hold_ops(builder *b)
{
    for (int i = 0; i < b->flow->count; i++) {
        SWP_TRY(hold_by_unit(b, i));
        if (b->machine->registers == SWP_REGISTERS_MANAGED)
            SWP_TRY(hold_by_operands(b, i));
        if (b->flow->ops[i].counter != SWP_COUNTED_BY_NONE)
            SWP_TRY(hold_access(b, i));
    }
    return SWP_OK;
}

swp_status swp_timing_new(swp_context *ctx, const swp_dataflow *flow, int groups, swp_timing *out)
{
    builder b = {ctx, out, flow, &flow->schedule->machine, 0};
    *out = (swp_timing){.flow = flow, .groups = groups};
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count, &out->finish));
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].counter != SWP_COUNTED_BY_NONE)
            out->finish[i] = out->accesses++;
    for (b.group = 0; b.group < groups; b.group++)
        SWP_TRY(hold_ops(&b));
    out->fixed = out->holds.count;
    return SWP_OK;
}

/* --- One plan --- */

typedef struct chain {
    builder b;
    const swp_sync_plan *plan;
    int barriers; /* of a pass */
    moment last;
    int passes; /* since the last */
    int barrier;
    size_t wait;
} chain;

static moment barrier_moment(const chain *c, int index)
{
    const swp_timing *timing = c->b.timing;
    const int meeting = index + (c->b.group == 1 ? c->b.machine->lag : 0);
    const int a_pass = c->barriers > 0 ? c->barriers : 1; /* no barrier, no moment */
    const int first = timing->groups * (c->b.flow->count + timing->accesses);
    return (moment){first + meeting % a_pass, meeting / a_pass};
}

static moment wait_moment(const chain *c, size_t index)
{
    const swp_timing *timing = c->b.timing;
    const int first = timing->groups * (c->b.flow->count + timing->accesses) + c->barriers;
    return (moment){first + c->b.group * (int)c->plan->waits->count + (int)index, 0};
}

/* The next element issues behind the last; `cost` is its own. */
static swp_status link_to(chain *c, moment next, int64_t cost)
{
    SWP_TRY(hold(&c->b, c->last, next, c->b.machine->issue_cycles + cost, c->passes));
    c->last = next;
    c->passes = 0;
    return SWP_OK;
}

static swp_status add_waits(chain *c, int gap, int index)
{
    const swp_sync_wait_list *waits = c->plan->waits;
    for (; waits && c->wait < waits->count; c->wait++) {
        const swp_sync_wait *wait = &waits->items[c->wait];
        if (wait->gap != gap || wait->index != index)
            break;
        const moment at = wait_moment(c, c->wait);
        SWP_TRY(link_to(c, at, 0));
        SWP_TRY(hold_from(&c->b, finish_of, wait->target, at, 0));
    }
    return SWP_OK;
}

/* A fence waits for the LDS operations before it. */
static swp_status add_barrier(chain *c, int gap)
{
    const swp_machine *machine = c->b.machine;
    const moment at = barrier_moment(c, c->barrier++);
    SWP_TRY(link_to(c, at, machine->barrier_cycles));
    for (int before = gap - 1;
         machine->barrier == SWP_BARRIER_FENCED && before >= gap - c->b.flow->count; before--)
        if (swp_op_at(c->b.flow, before)->counter == SWP_COUNTED_BY_LGKM)
            return hold_from(&c->b, finish_of, before, at, machine->barrier_cycles);
    return SWP_OK;
}

static swp_status add_chain(chain *c)
{
    const swp_dataflow *flow = c->b.flow;
    c->last = issue_of(&c->b, flow->count - 1);
    c->passes = 1;
    c->wait = 0;
    c->barrier = 0;
    for (int i = 0; i < flow->count; i++) {
        for (int index = 0; index < c->plan->gaps[i]; index++) {
            SWP_TRY(add_waits(c, i, index));
            SWP_TRY(add_barrier(c, i));
        }
        SWP_TRY(add_waits(c, i, c->plan->gaps[i]));
        SWP_TRY(link_to(c, issue_of(&c->b, i), 0));
    }
    return SWP_OK;
}

static int barriers_before(const int *gaps, int gap)
{
    int sum = 0;
    for (int i = 0; i < gap; i++)
        sum += gaps[i];
    return sum;
}

static swp_status add_needs(chain *c)
{
    const swp_need_list *needs = c->plan->needs;
    const int *gaps = c->plan->gaps;
    for (size_t i = 0; needs && i < needs->count; i++) {
        const swp_need *need = &needs->items[i];
        const bool at_barrier = need->index >= 0 && need->index < gaps[need->gap];
        const moment at = at_barrier
                              ? barrier_moment(c, barriers_before(gaps, need->gap) + need->index)
                              : issue_of(&c->b, need->gap);
        const int64_t cost = at_barrier ? c->b.machine->barrier_cycles : 0;
        SWP_TRY(hold_from(&c->b, finish_of, need->least, at, need->delay + cost));
    }
    return SWP_OK;
}

/* Groups that share a unit in a known order hold each other there. */
static swp_status add_turns(chain *c)
{
    swp_turn_finder *finder = &c->b.timing->turns;
    SWP_TRY(swp_find_turns(c->b.ctx, c->b.flow, c->plan->gaps, finder));
    c->b.timing->exact = finder->known;
    for (size_t i = 0; i < finder->turns.count && finder->known; i++) {
        const swp_turn *turn = &finder->turns.items[i];
        const swp_data_op *user = &c->b.flow->ops[turn->op];
        const int64_t kept = c->b.flow->ops[turn->before].op.latency;
        c->b.group = 1 - turn->group;
        const moment from = issue_of(&c->b, turn->before);
        c->b.group = turn->group;
        if (user->counter == SWP_COUNTED_BY_NONE)
            SWP_TRY(hold(&c->b, from, issue_of(&c->b, turn->op), kept, turn->passes));
        else
            SWP_TRY(hold(&c->b, from, finish_of(&c->b, turn->op), kept + user->op.latency,
                         turn->passes));
    }
    return SWP_OK;
}

swp_status swp_timing_set(swp_context *ctx, swp_timing *timing, const swp_sync_plan *plan)
{
    const swp_dataflow *flow = timing->flow;
    chain c = {.b = {ctx, timing, flow, &flow->schedule->machine, 0},
               .plan = plan,
               .barriers = barriers_before(plan->gaps, flow->count)};
    const int waits = plan->waits ? (int)plan->waits->count : 0;
    timing->holds.count = timing->fixed;
    timing->events = timing->groups * (flow->count + timing->accesses + waits) + c.barriers;
    timing->exact = true;
    for (c.b.group = 0; c.b.group < timing->groups; c.b.group++) {
        SWP_TRY(add_chain(&c));
        SWP_TRY(add_needs(&c));
    }
    return timing->groups > 1 ? add_turns(&c) : SWP_OK;
}

swp_status swp_timing_exceeds(swp_context *ctx, swp_timing *timing, swp_ratio ratio,
                              swp_ratio_test test, bool *exceeds)
{
    swp_ratio found = {0, 1};
    return swp_ratio_exceeds(ctx, &timing->solver, &timing->holds, timing->events, ratio, test,
                             exceeds, &found);
}

swp_status swp_timing_ratio(swp_context *ctx, swp_timing *timing, swp_ratio least, swp_ratio *out)
{
    return swp_largest_ratio(ctx, &timing->solver, &timing->holds, timing->events, least, out);
}

int64_t swp_busiest_unit(const swp_dataflow *flow)
{
    int64_t busiest = 0;
    for (int i = 0; i < flow->count; i++) {
        int64_t busy = 0;
        for (int j = 0; j < flow->count; j++)
            if (swp_keeps_unit(&flow->ops[j].op) &&
                flow->ops[j].op.resource == flow->ops[i].op.resource)
                busy += flow->ops[j].op.latency;
        busiest = busy > busiest ? busy : busiest;
    }
    return busiest * flow->schedule->machine.groups;
}
