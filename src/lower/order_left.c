/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times that are left hold in each part of a loop whose ops hold each other. Parts are moved against each other by
 * whole steps until all dependences hold, by longest paths; that changes nothing of who is issued before whom in a step.
 */
#include "lower/order_left.h"

#include "base/random.h"
#include "pipeline/stages.h"

static int64_t quotient(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int op_of(const swp_order_refuter *r, int event)
{
    return swp_lower_issue_op_of(&r->builder, event);
}

/* Steps by which the later event's op has to come later, at least; 0 or less: none. */
static int64_t steps_short(const swp_order_refuter *r, const swp_timing_constraint *c,
                           const int *moved)
{
    const int64_t late = swp_sync_event_time(&r->model.solver, c->from) + c->cycles -
                         c->passes * r->period - swp_sync_event_time(&r->model.solver, c->to);
    return moved[op_of(r, c->from)] - moved[op_of(r, c->to)] - quotient(-late, r->period);
}

/* By all dependences, also those that lead from one part to another, which the refuter leaves out. */
static swp_status move_parts(swp_order_refuter *r, int *moved)
{
    const size_t before = r->model.constraints.count;
    bool changed = true;
    SWP_TRY(swp_lower_issue_add_edges(&r->builder));
    while (changed) {
        changed = false;
        for (size_t i = before; i < r->model.constraints.count; i++) {
            const swp_timing_constraint *c = &r->model.constraints.items[i];
            const int64_t more = steps_short(r, c, moved);
            if (more <= 0)
                continue;
            moved[op_of(r, c->to)] += (int)more;
            changed = true;
        }
    }
    r->model.constraints.count = before;
    return SWP_OK;
}

static int64_t in_step(const swp_order_refuter *r, int op)
{
    const int64_t time = swp_sync_event_time(&r->model.solver, op);
    return time - quotient(time, r->period) * r->period;
}

/* Of one cycle, as the steps of a pipeline have them. */
static bool stands_before(const swp_order_refuter *r, const int *stage, int a, int b)
{
    const int64_t by = in_step(r, a) - in_step(r, b);
    return by != 0 ? by < 0 : swp_pipeline_ties_before(stage, a, b);
}

static void sort(const swp_order_refuter *r, swp_issue_order *out)
{
    const int count = (int)r->model.loop->op_count;
    for (int op = 0; op < count; op++) {
        int to = op;
        for (; to > 0 && stands_before(r, out->stage, op, out->ops[to - 1]); to--)
            out->ops[to] = out->ops[to - 1];
        out->ops[to] = op;
    }
    for (int i = 0; i < count; i++)
        out->at[out->ops[i]] = i;
}

static swp_status take_order(swp_order_refuter *refuter, swp_issue_order *out, bool *found)
{
    const int count = (int)refuter->model.loop->op_count;
    *found = refuter->outcome == SWP_ORDERS_LEFT;
    if (!*found)
        return SWP_OK;
    for (int op = 0; op < count; op++)
        out->stage[op] = 0;
    SWP_TRY(move_parts(refuter, out->stage));
    for (int op = 0; op < count; op++)
        out->stage[op] +=
            (int)quotient(swp_sync_event_time(&refuter->model.solver, op), refuter->period);
    sort(refuter, out);
    *found = swp_lower_issue_order_is_all_legal(&refuter->model.problem.problem, out);
    return SWP_OK;
}

/* Looks at a constraint or a pair of the first search, and of each of those that draw. */
enum { FIRST_WORK = 1 << 23, DRAWN_WORK = 1 << 20, MOST_DRAWN = 100 };

/* Who begins with the wrong pairs hardly ever comes back from them, so it begins with others (Gomes, Selman and Kautz 1998). */
static swp_status refute(swp_order_refuter *refuter, int64_t period)
{
    refuter->random = 0;
    refuter->most_work = FIRST_WORK;
    SWP_TRY(swp_lower_refute_orders(refuter, period));
    refuter->most_work = DRAWN_WORK;
    for (int i = 0; i < MOST_DRAWN && refuter->outcome == SWP_ORDERS_OPEN; i++) {
        refuter->random = SWP_RANDOM_SEED + (uint64_t)i;
        SWP_TRY(swp_lower_refute_orders(refuter, period));
    }
    return SWP_OK;
}

swp_status swp_lower_find_order(swp_order_refuter *refuter, int64_t period, swp_issue_order *out,
                                bool *found)
{
    SWP_TRY(refute(refuter, period));
    return take_order(refuter, out, found);
}
