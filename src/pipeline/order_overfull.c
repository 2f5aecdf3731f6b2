/* SPDX-License-Identifier: Apache-2.0 */
/* Walks back from each access of an object, as its counter would, until there is no room. */
#include "pipeline/order_overfull.h"

static int64_t time_of(const swp_order_refuter *r, int event)
{
    return swp_solve_event_time(&r->model.solver, event);
}

/* Returns the step into which the times put an event of step 0. */
static int64_t step_of(const swp_order_refuter *r, int event)
{
    const int64_t time = time_of(r, event);
    return time / r->period - (time % r->period < 0);
}

static int64_t in_step(const swp_order_refuter *r, int event)
{
    return time_of(r, event) - step_of(r, event) * r->period;
}

static int list_queue(swp_order_refuter *r, swp_sync_object object)
{
    int count = 0;
    for (int op = 0; op < (int)r->model.loop->op_count; op++) {
        if (r->model.objects[op] != object)
            continue;
        int to = count++;
        for (; to > 0 && in_step(r, op) < in_step(r, r->queue[to - 1]); to--)
            r->queue[to] = r->queue[to - 1];
        r->queue[to] = op;
    }
    return count;
}

/* Returns the access so many places before another one, which may be of the step before. */
static int op_before(const swp_order_refuter *r, int count, int at, int back)
{
    return r->queue[(at - back + count) % count];
}

/*
 * Returns how many places before an access the newest one is that leaves it no room; 0 if no access
 * of a step does.
 */
static int places_until_full(const swp_order_refuter *r, int count, int at, int64_t most)
{
    int64_t sum = r->model.loop->ops[r->queue[at]].accesses;
    for (int back = 1; sum <= most && back < count; back++) {
        sum += r->model.loop->ops[op_before(r, count, at, back)].accesses;
        if (sum > most)
            return back;
    }
    return 0;
}

/*
 * Finds a pair in the walk, with its oldest or newest access, whose order is not fixed yet: the
 * walk depends on it.
 */
static swp_order_pair *find_loose(const swp_order_refuter *r, int count, int at, int back)
{
    for (size_t i = 0; i < r->pairs.count; i++) {
        swp_order_pair *p = &r->pairs.items[i];
        bool has_end = false;
        int within = 0;
        for (int k = 0; k <= back; k++) {
            const int op = op_before(r, count, at, k);
            const bool is_of_pair = op == p->first || op == p->second;
            has_end = has_end || (is_of_pair && (k == 0 || k == back));
            within += is_of_pair;
        }
        if (!p->stands && has_end && within == 2)
            return p;
    }
    return NULL;
}

/* Takes the accesses of an object that are early by the most cycles. */
static bool find_in_queue(const swp_order_refuter *r, int count, int64_t room, swp_overfull *out)
{
    int64_t most = 0;
    int at = 0;
    int back = 0;
    for (int i = 0; i < count; i++) {
        const int places = places_until_full(r, count, i, room);
        const int oldest = op_before(r, count, i, places);
        const int64_t steps = step_of(r, oldest) - step_of(r, r->queue[i]) + (places > i);
        const int64_t early = time_of(r, swp_pipeline_issue_end_of(&r->builder, oldest)) -
                              steps * r->period - time_of(r, r->queue[i]);
        if (places == 0 || early <= most)
            continue;
        most = early;
        at = i;
        back = places;
        *out = (swp_overfull){.oldest = oldest, .newest = r->queue[i], .steps = steps};
    }
    if (back > 0)
        out->loose = find_loose(r, count, at, back);
    return back > 0;
}

bool swp_pipeline_find_overfull(swp_order_refuter *refuter, swp_overfull *out)
{
    const swp_machine *machine = refuter->model.machine;
    for (int o = 0; o < SWP_SYNC_OBJECTS; o++) {
        const swp_sync_object object = (swp_sync_object)o;
        const int64_t room =
            machine->counter_full == SWP_COUNTER_STALLS ? swp_ir_sync_largest(machine, object) : 0;
        if (room <= 0 || object == refuter->unordered)
            continue;
        if (find_in_queue(refuter, list_queue(refuter, object), room, out))
            return true;
    }
    return false;
}
