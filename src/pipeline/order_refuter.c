/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refutes a number of cycles for all orders of issue at once. It branches on two ops that share a
 * counter or a unit: which one is issued first, and by how many steps. It takes ops that the times
 * so far want both ways, or accesses that together exceed their counter.
 */
#include "pipeline/order_refuter.h"

#include "pipeline/order_overfull.h"

enum { MOST_DEPTH = 2000, LOOKS_AT_CONSTRAINTS = 16, LOOKS_AT_PAIRS = 16 };

static int op_count(const swp_order_refuter *r)
{
    return (int)r->model.loop->op_count;
}

static bool is_access(const swp_order_refuter *r, int op)
{
    return r->model.objects[op] != SWP_NO_OBJECT;
}

static int end_of(const swp_order_refuter *r, int op)
{
    return swp_pipeline_issue_end_of(&r->builder, op);
}

static int64_t capacity_of(const swp_order_refuter *r, int op)
{
    const swp_machine *machine = r->model.machine;
    return machine->counter_full == SWP_COUNTER_STALLS
               ? swp_ir_sync_largest(machine, r->model.objects[op])
               : 0;
}

static swp_status constrain(swp_order_refuter *r, int from, int to, int64_t cycles, int64_t steps)
{
    return swp_pipeline_issue_constrain(&r->builder, from, to, cycles, steps);
}

/* Returns how much of a unit an op holds for at least so many cycles, which is 1 or more. */
static int64_t held_for(const swp_order_refuter *r, int unit, int op, int64_t cycles)
{
    const swp_loop_op *o = &r->model.loop->ops[op];
    int64_t amount = 0;
    for (size_t u = 0; u < o->use_count; u++)
        if (o->uses[u].resource == unit && o->uses[u].cycles >= cycles)
            amount += o->uses[u].amount;
    return amount;
}

/*
 * Returns the cycles from the grant of an op to that of a later one for which the unit has no room
 * beside it; 0 if it has. The uses of an op end one by one.
 */
static int64_t held_before(const swp_order_refuter *r, int unit, int op, int later)
{
    const swp_loop_op *o = &r->model.loop->ops[op];
    const int64_t wanted = held_for(r, unit, later, 1);
    int64_t most = 0;
    for (size_t u = 0; u < o->use_count && wanted > 0; u++) {
        const int64_t cycles = o->uses[u].cycles;
        if (o->uses[u].resource == unit && cycles > most &&
            held_for(r, unit, op, cycles) + wanted > r->model.loop->units[unit].capacity)
            most = cycles;
    }
    return most;
}

static bool shares_unit(const swp_order_refuter *r, int a, int b)
{
    for (int unit = 0; unit < (int)r->model.loop->unit_count; unit++)
        if (held_before(r, unit, a, b) > 0)
            return true;
    return false;
}

static swp_status add_pair(swp_order_refuter *r, swp_sync_object unordered, int a, int b)
{
    const swp_sync_object object = r->model.objects[a];
    const bool same = is_access(r, a) && object == r->model.objects[b];
    const int64_t sum = r->model.loop->ops[a].accesses + r->model.loop->ops[b].accesses;
    const bool fits = !same || capacity_of(r, a) <= 0 || sum <= capacity_of(r, a);
    const swp_order_pair item = {
        .first = a, .second = b, .ends_in_order = same && object != unordered, .fits = fits};
    return item.ends_in_order || !fits || shares_unit(r, a, b) ? SWP_PUSH(r->ctx, &r->pairs, item)
                                                               : SWP_OK;
}

/* Adds what holds an access in any order. */
static swp_status constrain_access(swp_order_refuter *r, int op)
{
    const int accesses = r->model.loop->ops[op].accesses;
    const int grant = swp_pipeline_issue_grant_of(&r->builder, op);
    SWP_TRY(constrain(r, op, grant, 0, 0));
    SWP_TRY(constrain(r, grant, end_of(r, op), r->model.loop->ops[op].latency, 0));
    if (accesses > 0 && accesses <= capacity_of(r, op))
        SWP_TRY(constrain(r, end_of(r, op), op, 0, capacity_of(r, op) / accesses));
    return SWP_OK;
}

/* Marks the ops that an op holds, directly or through others. */
static void reach(swp_order_refuter *r, int from)
{
    bool moved = true;
    for (int i = 0; i < op_count(r); i++)
        r->reached[i] = i == from;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < r->model.constraints.count; i++) {
            const swp_timing_constraint *c = &r->model.constraints.items[i];
            bool *to = &r->reached[swp_pipeline_issue_op_of(&r->builder, c->to)];
            const bool is_new = r->reached[swp_pipeline_issue_op_of(&r->builder, c->from)] && !*to;
            *to = *to || is_new;
            moved = moved || is_new;
        }
    }
}

/*
 * Drops constraints that cannot decide the pace. An op that holds others, but is not held by them,
 * may be whole steps earlier, together with all that hold it. Without such constraints two ops hold
 * each other or neither does.
 */
static void leave_out_one_way(swp_order_refuter *r)
{
    swp_timing_constraint_list *all = &r->model.constraints;
    for (int op = 0; op < op_count(r); op++) {
        size_t kept = 0;
        reach(r, op);
        for (size_t i = 0; i < all->count; i++) {
            const bool is_back =
                swp_pipeline_issue_op_of(&r->builder, all->items[i].to) != op ||
                r->reached[swp_pipeline_issue_op_of(&r->builder, all->items[i].from)];
            if (is_back)
                all->items[kept++] = all->items[i];
        }
        all->count = kept;
    }
}

swp_status swp_pipeline_refuter_new(swp_context *ctx, const swp_machine *machine,
                                    const swp_loop *loop, const int *slots,
                                    swp_sync_object unordered, swp_order_refuter *out)
{
    swp_order_refuter *r = out;
    SWP_TRY(swp_pipeline_issue_model_new(ctx, machine, loop, slots, &r->model));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &r->reached));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &r->queue));
    r->unordered = unordered;
    r->ctx = ctx;
    r->pairs.count = 0;
    r->builder = (swp_issue_builder){.model = &r->model, .with_waits = true, .in_order = true};
    SWP_TRY(swp_pipeline_issue_add_edges(&r->builder));
    for (int b = 0; b < op_count(r); b++) {
        if (is_access(r, b))
            SWP_TRY(constrain_access(r, b));
        for (int a = 0; a < b; a++)
            SWP_TRY(add_pair(r, unordered, a, b));
    }
    leave_out_one_way(r);
    return SWP_OK;
}

/* Adds that an op is issued before another one, so many steps earlier. */
static swp_status constrain_issue(swp_order_refuter *r, int from, int to, int64_t steps)
{
    return constrain(r, from, to, r->model.machine->issue_cycles, steps);
}

static swp_status constrain_pair(swp_order_refuter *r, const swp_order_pair *p, int from, int to,
                                 int64_t steps)
{
    SWP_TRY(constrain_issue(r, from, to, steps));
    if (p->ends_in_order)
        SWP_TRY(constrain(r, end_of(r, from), end_of(r, to), 0, steps));
    if (!p->fits)
        SWP_TRY(constrain(r, end_of(r, from), to, 0, steps));
    for (int unit = 0; unit < (int)r->model.loop->unit_count; unit++) {
        const int64_t cycles = held_before(r, unit, from, to);
        if (cycles > 0)
            SWP_TRY(constrain(r, swp_pipeline_issue_grant_of(&r->builder, from),
                              swp_pipeline_issue_grant_of(&r->builder, to), cycles, steps));
    }
    return SWP_OK;
}

/*
 * The second op issues after the first op of so many steps later, and before the first op of the
 * step after that.
 */
static swp_status order_pair(swp_order_refuter *r, const swp_order_pair *p, int64_t steps)
{
    SWP_TRY(constrain_pair(r, p, p->first, p->second, -steps));
    return constrain_pair(r, p, p->second, p->first, steps + 1);
}

static int64_t time_of(const swp_order_refuter *r, int event)
{
    return swp_solve_event_time(&r->model.solver, event);
}

/* Returns the steps between two ops, by their times. */
static int64_t steps_between(const swp_order_refuter *r, const swp_order_pair *p)
{
    const int64_t cycles = time_of(r, p->second) - time_of(r, p->first);
    return cycles / r->period - (cycles % r->period < 0);
}

/* Returns by how many cycles at most the times break the constraints from `first` on. */
static int64_t broken_from(const swp_order_refuter *r, size_t first)
{
    int64_t most = 0;
    for (size_t i = first; i < r->model.constraints.count; i++) {
        const swp_timing_constraint *c = &r->model.constraints.items[i];
        const int64_t late =
            time_of(r, c->from) + c->cycles - c->passes * r->period - time_of(r, c->to);
        most = late > most ? late : most;
    }
    return most;
}

static swp_status find_most_broken(swp_order_refuter *r, swp_order_pair **out)
{
    const size_t count = r->model.constraints.count;
    int64_t most = 0;
    *out = NULL;
    for (size_t i = 0; i < r->pairs.count; i++) {
        swp_order_pair *p = &r->pairs.items[i];
        SWP_TRY(order_pair(r, p, steps_between(r, p)));
        const int64_t broken = broken_from(r, count);
        r->model.constraints.count = count;
        if (broken <= most)
            continue;
        most = broken;
        *out = p;
    }
    return SWP_OK;
}

static swp_status refute_node(swp_order_refuter *r);

/* Searches with the constraints that were added, then drops those from `before` on. */
static swp_status follow(swp_order_refuter *r, size_t before)
{
    r->depth++;
    SWP_TRY(refute_node(r));
    r->depth--;
    r->model.constraints.count = before;
    return SWP_OK;
}

/*
 * Supposes that the pair stands as its times have it, then that the second op issues later, then
 * earlier. If the ops do not hold each other, the first case covers all.
 */
static swp_status branch(swp_order_refuter *r, swp_order_pair *p)
{
    const size_t before = r->model.constraints.count;
    const int64_t steps = steps_between(r, p);
    reach(r, p->first);
    const bool is_free = !r->reached[p->second];
    SWP_TRY(order_pair(r, p, steps));
    p->stands = true;
    SWP_TRY(follow(r, before));
    p->stands = false;
    if (is_free || r->outcome != SWP_ORDERS_REFUTED)
        return SWP_OK;
    SWP_TRY(constrain_issue(r, p->first, p->second, -(steps + 1)));
    SWP_TRY(follow(r, before));
    if (r->outcome != SWP_ORDERS_REFUTED)
        return SWP_OK;
    SWP_TRY(constrain_issue(r, p->second, p->first, steps));
    return follow(r, before);
}

/* The times fix the order of every pair. Several accesses together may still exceed their counter. */
static swp_status make_counter_room(swp_order_refuter *r)
{
    const size_t before = r->model.constraints.count;
    swp_overfull full;
    if (!swp_pipeline_find_overfull(r, &full))
        return SWP_OK;
    if (full.loose)
        return branch(r, full.loose);
    SWP_TRY(constrain(r, end_of(r, full.oldest), full.newest, 0, full.steps));
    return follow(r, before);
}

static bool spend(swp_order_refuter *r)
{
    const uint64_t steps = LOOKS_AT_CONSTRAINTS * (uint64_t)r->model.constraints.count +
                           LOOKS_AT_PAIRS * (uint64_t)r->pairs.count;
    r->work += steps;
    return r->work <= r->most_work && r->depth < MOST_DEPTH && swp_budget_keep(r->budget, steps);
}

static swp_status refute_node(swp_order_refuter *r)
{
    const swp_ratio period = {r->period, 1};
    swp_order_pair *broken = NULL;
    bool above = false;
    swp_ratio chain;
    r->outcome = SWP_ORDERS_OPEN;
    if (!spend(r))
        return SWP_OK;
    SWP_TRY(swp_solve_ratio_exceeds(r->ctx, &r->model.solver, &r->model.constraints,
                                    3 * op_count(r), period, SWP_ABOVE, &above, &chain));
    r->outcome = above ? SWP_ORDERS_REFUTED : SWP_ORDERS_LEFT;
    if (above)
        return SWP_OK;
    SWP_TRY(find_most_broken(r, &broken));
    return broken ? branch(r, broken) : make_counter_room(r);
}

swp_status swp_pipeline_refute_orders(swp_order_refuter *r, int64_t period)
{
    r->period = period;
    r->work = 0;
    r->depth = 0;
    r->outcome = SWP_ORDERS_OPEN;
    return refute_node(r);
}
