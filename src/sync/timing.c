/* SPDX-License-Identifier: Apache-2.0 */
/* Sets up the constraints of a placement as a cyclic graph, and asks for its largest cycle ratio. */
#include "sync/timing.h"

#include "sync/arcs.h"
#include "sync/timing_constraints.h"

swp_status swp_sync_timing_new(swp_context *ctx, const swp_dataflow *flow, int groups,
                               swp_sync_timing *out)
{
    swp_constraint_builder b = {ctx, out, flow, &flow->schedule->machine, 0};
    *out = (swp_sync_timing){.flow = flow, .groups = groups};
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count, &out->finish));
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].object != SWP_NO_OBJECT) {
            out->finish[i] = out->ends;
            out->ends += 2;
        }
    for (b.group = 0; b.group < groups; b.group++)
        SWP_TRY(swp_sync_constrain_ops(&b));
    out->fixed = out->constraints.count;
    return SWP_OK;
}

/* --- One plan --- */

typedef struct chain {
    swp_constraint_builder b;
    const swp_sync_plan *plan;
    int barriers; /* of a pass */
    swp_moment last;
    int64_t leaves; /* cycles from the last to the next */
    int passes;     /* since the last */
    int barrier;
    size_t wait;
} chain;

/* A lag is one barrier, so group 1 is never more than a pass behind in their count. */
static swp_moment barrier_moment(const chain *c, int index)
{
    const swp_sync_timing *timing = c->b.timing;
    const int meeting = index + (c->b.group == 1 ? c->b.machine->lag : 0);
    const int first = timing->groups * (c->b.flow->count + timing->ends);
    const bool in_next_pass = meeting >= c->barriers;
    return (swp_moment){first + (in_next_pass ? meeting - c->barriers : meeting), in_next_pass};
}

static swp_moment wait_moment(const chain *c, size_t index)
{
    const swp_sync_timing *timing = c->b.timing;
    const int first = timing->groups * (c->b.flow->count + timing->ends) + c->barriers;
    return (swp_moment){first + c->b.group * (int)c->plan->waits->count + (int)index, 0};
}

/* The next element issues behind the last; `cost` is its own. */
static swp_status link_to(chain *c, swp_moment next, int64_t cost)
{
    SWP_TRY(swp_sync_constrain_to(&c->b, c->last, next, c->leaves + cost, c->passes));
    c->last = next;
    c->leaves = c->b.machine->issue_cycles;
    c->passes = 0;
    return SWP_OK;
}

static swp_status hold_wait(chain *c, const swp_sync_wait *wait, swp_moment at)
{
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++) {
        const int target =
            swp_sync_retired_by_wait(c->b.flow, wait->object, wait->target, wait->gap, o);
        if (target != SWP_NO_POSITION)
            SWP_TRY(swp_sync_constrain_from(&c->b, swp_sync_finish_of, target, at, 0));
    }
    return SWP_OK;
}

static swp_status add_waits(chain *c, int gap, int index)
{
    const swp_sync_wait_list *waits = c->plan->waits;
    for (; waits && c->wait < waits->count; c->wait++) {
        const swp_sync_wait *wait = &waits->items[c->wait];
        if (wait->gap != gap || wait->index != index)
            break;
        const swp_moment at = wait_moment(c, c->wait);
        SWP_TRY(link_to(c, at, 0));
        c->leaves = swp_ir_leaves_wait(c->b.machine);
        SWP_TRY(hold_wait(c, wait, at));
    }
    return SWP_OK;
}

/* A fence waits for the LDS operations before it. */
static swp_status add_barrier(chain *c, int gap)
{
    const swp_machine *machine = c->b.machine;
    const swp_moment at = barrier_moment(c, c->barrier++);
    SWP_TRY(link_to(c, at, machine->barrier_cycles));
    for (int before = gap - 1;
         machine->barrier == SWP_BARRIER_FENCED && before >= gap - c->b.flow->count; before--)
        if (swp_sync_op_at(c->b.flow, before)->object == SWP_LGKMCNT)
            return swp_sync_constrain_from(&c->b, swp_sync_finish_of, before, at,
                                           machine->barrier_cycles);
    return SWP_OK;
}

/* Cycles from an op's issue to the next element's. */
static int64_t leaves_op(const chain *c, int op)
{
    const int64_t least = c->b.machine->issue_cycles;
    const int64_t issue = c->b.flow->ops[op].effect->issue;
    return issue > least ? issue : least;
}

static swp_status add_chain(chain *c)
{
    const swp_dataflow *flow = c->b.flow;
    c->last = swp_sync_issue_of(&c->b, flow->count - 1);
    c->leaves = leaves_op(c, flow->count - 1);
    c->passes = 1;
    c->wait = 0;
    c->barrier = 0;
    for (int i = 0; i < flow->count; i++) {
        for (int index = 0; index < c->plan->gaps[i]; index++) {
            SWP_TRY(add_waits(c, i, index));
            SWP_TRY(add_barrier(c, i));
        }
        SWP_TRY(add_waits(c, i, c->plan->gaps[i]));
        SWP_TRY(link_to(c, swp_sync_issue_of(&c->b, i), 0));
        c->leaves = leaves_op(c, i);
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
    const swp_wait_requirement_list *requirements = c->plan->requirements;
    const int *gaps = c->plan->gaps;
    for (size_t i = 0; requirements && i < requirements->count; i++) {
        const swp_wait_requirement *requirement = &requirements->items[i];
        const bool at_barrier =
            requirement->index >= 0 && requirement->index < gaps[requirement->gap];
        const swp_moment at =
            at_barrier
                ? barrier_moment(c, barriers_before(gaps, requirement->gap) + requirement->index)
                : swp_sync_issue_of(&c->b, requirement->gap);
        const int64_t cost = at_barrier ? c->b.machine->barrier_cycles : 0;
        SWP_TRY(swp_sync_constrain_from(&c->b, swp_sync_finish_of, requirement->least, at,
                                        requirement->delay + cost));
    }
    return SWP_OK;
}

/* Groups that share a unit in a known order hold each other there. */
static swp_status add_unit_orders(chain *c)
{
    swp_unit_arbiter *finder = &c->b.timing->arbiter;
    SWP_TRY(swp_sync_find_unit_arbitration(c->b.ctx, c->b.flow, c->plan->gaps, finder));
    c->b.timing->exact = finder->known;
    for (size_t i = 0; i < finder->orders.count && finder->known; i++) {
        const swp_unit_order *order = &finder->orders.items[i];
        const swp_data_op *user = &c->b.flow->ops[order->op];
        const int64_t kept = swp_sync_keeps(&c->b.flow->ops[order->before], order->unit);
        c->b.group = 1 - order->group;
        const swp_moment from = swp_sync_issue_of(&c->b, order->before);
        c->b.group = order->group;
        if (user->object == SWP_NO_OBJECT)
            SWP_TRY(swp_sync_constrain_to(&c->b, from, swp_sync_issue_of(&c->b, order->op), kept,
                                          order->passes));
        else
            SWP_TRY(swp_sync_constrain_to(&c->b, from, swp_sync_finish_of(&c->b, order->op),
                                          kept + user->effect->latency, order->passes));
    }
    return SWP_OK;
}

swp_status swp_sync_timing_set(swp_context *ctx, swp_sync_timing *timing, const swp_sync_plan *plan)
{
    const swp_dataflow *flow = timing->flow;
    chain c = {.b = {ctx, timing, flow, &flow->schedule->machine, 0},
               .plan = plan,
               .barriers = barriers_before(plan->gaps, flow->count)};
    const int waits = plan->waits ? (int)plan->waits->count : 0;
    timing->constraints.count = timing->fixed;
    timing->events = timing->groups * (flow->count + timing->ends + waits) + c.barriers;
    timing->exact = !flow->has_wide_units;
    for (c.b.group = 0; c.b.group < timing->groups; c.b.group++) {
        SWP_TRY(add_chain(&c));
        SWP_TRY(add_needs(&c));
    }
    return timing->groups > 1 ? add_unit_orders(&c) : SWP_OK;
}

swp_status swp_sync_timing_exceeds(swp_context *ctx, swp_sync_timing *timing, swp_ratio ratio,
                                   swp_ratio_test test, bool *exceeds)
{
    swp_ratio found = {0, 1};
    return swp_solve_ratio_exceeds(ctx, &timing->solver, &timing->constraints, timing->events,
                                   ratio, test, exceeds, &found);
}

swp_status swp_sync_timing_ratio(swp_context *ctx, swp_sync_timing *timing, swp_ratio least,
                                 swp_ratio *out)
{
    return swp_solve_max_cycle_ratio(ctx, &timing->solver, &timing->constraints, timing->events,
                                     least, out);
}

int64_t swp_sync_busiest_unit(const swp_dataflow *flow)
{
    int64_t busiest = 0;
    for (size_t unit = 0; unit < flow->effects.unit_count; unit++) {
        int64_t busy = 0;
        for (int i = 0; i < flow->count; i++) {
            const swp_effect *effect = flow->ops[i].effect;
            for (size_t u = 0; u < effect->use_count; u++)
                if (effect->uses[u].unit == (int)unit)
                    busy += effect->uses[u].amount * effect->uses[u].cycles;
        }
        busy /= flow->effects.units[unit].capacity;
        busiest = busy > busiest ? busy : busiest;
    }
    return busiest * flow->schedule->machine.groups;
}
