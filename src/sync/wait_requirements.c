/* SPDX-License-Identifier: Apache-2.0 */
/* Follows each arc to the last point at which a wait can satisfy it, and drops what another one covers. */
#include "sync/wait_requirements.h"

#include "sync/accesses.h"
#include "sync/arcs.h"

static int newer(int a, int b)
{
    return a > b ? a : b;
}

/* The newest access that the op at a position waits for; of a pass and more before, older ones are. */
static int awaited_by(const swp_dataflow *flow, int position, swp_sync_object object)
{
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_op_at(flow, at)->object == object && swp_sync_waits_for(flow, position, at))
            return at;
    return SWP_NO_POSITION;
}

/* The newest position behind which the access fills the counter, if that stalls. */
static int retired_by_issue(const swp_dataflow *flow, int access, swp_sync_object object)
{
    if (swp_sync_op_at(flow, access)->object != object || !swp_sync_has_limit(flow, object) ||
        flow->schedule->machine.counter_full != SWP_COUNTER_STALLS)
        return SWP_NO_POSITION;
    return swp_sync_access_before(
        flow, swp_sync_newest_with(flow, access + 1, object, swp_sync_most_in_flight(flow, object)),
        object);
}

/* Whether what an op waits for retires what is older too: a compiler waits on the counter. */
static bool retires_older(const swp_dataflow *flow, swp_sync_object object)
{
    return flow->schedule->machine.registers == SWP_REGISTERS_MANAGED ||
           swp_ir_sync_in_order(object, object);
}

static int retired_by(const swp_dataflow *flow, int op, swp_sync_object object)
{
    const int newest = retired_by_issue(flow, op, object);
    return retires_older(flow, object) ? newer(newest, awaited_by(flow, op, object)) : newest;
}

swp_status swp_sync_find_retired(swp_context *ctx, const swp_dataflow *flow, swp_retired *out)
{
    for (swp_sync_object c = 0; c < SWP_SYNC_OBJECTS; c++) {
        SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count, &out->before[c]));
        SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count, &out->at[c]));
        /* The pass before has been through all ops, so it says all that is known. */
        int newest = SWP_NO_POSITION;
        for (int at = -flow->count; at < flow->count; at++) {
            const int before = newest;
            const int after = newer(newest, retired_by(flow, at, c));
            if (!swp_sync_op_at(flow, at)->effect->may_not_run)
                newest = after;
            if (at < 0)
                continue;
            out->before[c][at] = before;
            out->at[c][at] =
                after; /* what an op awaits, it awaits before it reads and makes anything */
        }
    }
    return SWP_OK;
}

typedef struct finder {
    swp_context *ctx;
    const swp_dataflow *flow;
    const swp_retired *retired;
    const int *gaps;
    int decided;
    swp_wait_requirement_list *out;
} finder;

static bool is_fenced(const finder *f, swp_sync_object object)
{
    return swp_ir_sync_object_row(object)->fence_retires &&
           f->flow->schedule->machine.barrier == SWP_BARRIER_FENCED;
}

/* A fenced barrier from the target on, before the op of the gap. */
static bool is_fenced_before(const finder *f, int target, int gap)
{
    for (int g = gap; g > target && g > gap - f->flow->count; g--) {
        const int index = g - swp_sync_pass_of(f->flow, g) * f->flow->count;
        if (index < f->decided && f->gaps[index] > 0)
            return true;
    }
    return false;
}

/* A scoreboard holds the access's first reader until it is done. */
static bool is_used_before(const swp_dataflow *flow, int access, int end)
{
    if (flow->schedule->machine.registers != SWP_REGISTERS_SCOREBOARD)
        return false;
    for (int at = access + 1; at < end && at <= access + flow->count; at++)
        if (!swp_sync_op_at(flow, at)->effect->may_not_run && swp_sync_waits_for(flow, at, access))
            return true;
    return false;
}

/* `gap` counts over the passes like a position. */
static swp_status push_requirement(finder *f, const swp_arc *arc, int gap, int index, bool at_op,
                                   int64_t delay)
{
    const int shift = swp_sync_pass_of(f->flow, gap) * f->flow->count;
    const swp_sync_object object = f->flow->ops[arc->producer].object;
    if (object == SWP_NO_OBJECT) /* done when it issues */
        return SWP_OK;
    int *const *retired = at_op ? f->retired->at : f->retired->before;
    if (arc->producer - shift <= retired[object][gap - shift])
        return SWP_OK;
    if (is_used_before(f->flow, arc->producer, gap + at_op))
        return SWP_OK;
    if (is_fenced(f, object) && (!at_op || is_fenced_before(f, arc->producer, gap)))
        return SWP_OK;
    const bool room = arc->kind == SWP_ARC_ROOM;
    const int target = arc->producer - shift;
    const swp_wait_requirement requirement = {
        object,      target, room ? swp_sync_all_gone_at(f->flow, arc->consumer) : target,
        gap - shift, index,  delay};
    return SWP_PUSH(f->ctx, f->out, requirement);
}

/* Barriers may still come: at best all of them right before the consumer. */
static swp_status push_open_requirement(finder *f, const swp_arc *arc, int demand)
{
    const swp_machine *machine = &f->flow->schedule->machine;
    const swp_sync_object object = f->flow->ops[arc->producer].object;
    if (object == SWP_NO_OBJECT)
        return SWP_OK;
    const int64_t wait = is_fenced(f, object) ? 0 : machine->issue_cycles;
    const int shift = arc->distance * f->flow->count;
    const int target = arc->producer - shift;
    const swp_wait_requirement requirement = {
        object, target,
        target, arc->consumer,
        -1,     wait + demand * ((int64_t)machine->issue_cycles + machine->barrier_cycles)};
    return SWP_PUSH(f->ctx, f->out, requirement);
}

/* The last barrier that leaves the consumer enough of them. */
static swp_status follow_arc(finder *f, const swp_arc *arc, bool *possible)
{
    const swp_dataflow *flow = f->flow;
    const int consumer = arc->consumer + arc->distance * flow->count;
    const int demand = swp_sync_arc_demand(flow, arc);
    const int64_t wait = flow->schedule->machine.issue_cycles;
    int missing = demand;
    if (missing == 0)
        return push_requirement(
            f, arc, consumer, arc->consumer < f->decided ? f->gaps[arc->consumer] : -1, true, wait);
    for (int gap = consumer; gap > arc->producer; gap--) {
        const int index = gap - swp_sync_pass_of(flow, gap) * flow->count;
        if (index >= f->decided)
            return push_open_requirement(f, arc, demand);
        if (f->gaps[index] >= missing)
            return push_requirement(f, arc, gap, f->gaps[index] - missing, false, wait);
        missing -= f->gaps[index];
    }
    *possible = false;
    return SWP_OK;
}

swp_status swp_sync_find_wait_requirements(swp_context *ctx, const swp_dataflow *flow,
                                           const swp_retired *retired, const int *gaps, int decided,
                                           swp_wait_requirement_list *out, bool *possible)
{
    finder f = {ctx, flow, retired, gaps, decided, out};
    out->count = 0;
    *possible = true;
    for (size_t i = 0; i < flow->arcs.count && *possible; i++)
        SWP_TRY(follow_arc(&f, &flow->arcs.items[i], possible));
    return SWP_OK;
}

int swp_sync_wait_count(const swp_dataflow *flow, swp_sync_object object, int target, int gap)
{
    const int largest = swp_sync_most_in_flight(flow, object);
    int64_t sum = 0;
    for (int at = target + 1; at < gap && sum < largest; at++)
        if (swp_sync_op_at(flow, at)->object == object)
            sum += swp_sync_op_at(flow, at)->accesses;
    return sum < largest ? (int)sum : largest;
}

int swp_sync_retired_by_wait(const swp_dataflow *flow, swp_sync_object object, int target, int gap,
                             swp_sync_object other)
{
    if (other == object)
        return target;
    if (swp_ir_sync_object_row(other)->wait != swp_ir_sync_object_row(object)->wait)
        return SWP_NO_POSITION;
    return swp_sync_left_by(flow, gap, other, swp_sync_wait_count(flow, object, target, gap));
}

/* Whether what b asks for, the last time before a or with it, is enough for a. */
static bool covers(const swp_dataflow *flow, const swp_wait_requirement *b,
                   const swp_wait_requirement *a)
{
    const bool in_pass = b->gap < a->gap || (b->gap == a->gap && b->index <= a->index);
    return a->object == b->object && b->target - (in_pass ? 0 : flow->count) >= a->target;
}

void swp_sync_drop_covered_requirements(const swp_dataflow *flow,
                                        swp_wait_requirement_list *requirements)
{
    size_t kept = 0;
    for (size_t i = 0; i < requirements->count; i++) {
        const swp_wait_requirement *a = &requirements->items[i];
        bool covered = false;
        for (size_t j = 0; j < requirements->count && !covered; j++) {
            const swp_wait_requirement *b = &requirements->items[j];
            /* Of two that cover each other the first stays. */
            covered = i != j && covers(flow, b, a) && (j < i || !covers(flow, a, b));
        }
        if (!covered)
            requirements->items[kept++] = *a;
    }
    requirements->count = kept;
}
