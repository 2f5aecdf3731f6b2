/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a loop explained: where a dependence or a unit is said to hold an op, issuing it a cycle sooner
 * breaks a dependence or fills a unit; where nothing does, it breaks nothing.
 */
#include "fixture.h"
#include "plain_loop.h"
#include "random_loop.h"
#include "swp/explain.h"
#include "swp/loop_compile.h"

#include <stdio.h>

enum { MOST_OPS = 16 };

/* Whether the op would break the edge a cycle sooner; an edge to itself it does not break, but could not have shorter. */
static bool is_tight(const swp_pipeline *p, const swp_problem_edge *e)
{
    const int64_t *times = p->answer.times;
    return times[e->consumer] == times[e->producer] + e->delay - p->answer.value * e->distance;
}

/* Rather another op than itself, and rather what it reads than a slot. */
static bool says_more(const swp_pipeline *p, int a, int b)
{
    const swp_problem_edge *edges = p->problem.problem.edges;
    const bool own[] = {edges[a].producer == edges[a].consumer,
                        edges[b].producer == edges[b].consumer};
    const swp_loop_edge_kind kinds[] = {p->problem.edges[a].kind, p->problem.edges[b].kind};
    if (own[0] != own[1])
        return own[1];
    return kinds[0] == SWP_LOOP_READS && kinds[1] != SWP_LOOP_READS;
}

static void check_edges(const swp_pipeline *p, const swp_order_reason_list *all,
                        const swp_order_reason *reason)
{
    const swp_problem_edge *edges = p->problem.problem.edges;
    if (reason->constraint == SWP_BOUND_BY_EDGE) {
        assert_int_equal(edges[reason->edge].consumer, reason->op);
        assert_int_equal(edges[reason->edge].producer, all->items[reason->binding_op].op);
        assert_true(is_tight(p, &edges[reason->edge]));
    }
    for (int i = 0; i < (int)p->problem.problem.edge_count; i++)
        if (edges[i].consumer == reason->op && is_tight(p, &edges[i])) {
            assert_int_equal(reason->constraint, SWP_BOUND_BY_EDGE);
            assert_false(says_more(p, i, reason->edge));
        }
}

static int64_t held_sooner(const swp_pipeline *p, int op, int unit, int sooner, int64_t cycle)
{
    const int64_t interval = p->answer.value;
    return plain_held(p->loop, op, unit, p->answer.times[op] + interval - (op == sooner), interval,
                      cycle);
}

/* The cycle before the op's, in which the unit would hold more than it has, `binding_op`'s use among it. */
static void check_unit(const swp_pipeline *p, const swp_order_reason *reason, int binding_op)
{
    const int64_t interval = p->answer.value;
    const int64_t cycle = (p->answer.times[reason->op] + interval - 1) % interval;
    int64_t held = 0;
    for (int op = 0; op < (int)p->loop->op_count; op++)
        held += held_sooner(p, op, reason->unit, reason->op, cycle);
    assert_true(held > p->loop->units[reason->unit].capacity);
    assert_true(held_sooner(p, binding_op, reason->unit, reason->op, cycle) > 0);
}

/* Issued a cycle sooner, alone. */
static bool units_fit(const swp_pipeline *p, int op)
{
    int64_t times[MOST_OPS];
    for (int i = 0; i < (int)p->loop->op_count; i++)
        times[i] = p->answer.times[i] + p->answer.value - (i == op);
    return plain_fits(p->loop, times, p->answer.value);
}

/* By cycle; within one the older iteration first, and then as in the loop. */
static bool stands_before(const swp_pipeline *p, const swp_order_reason *a,
                          const swp_order_reason *b)
{
    const int64_t passes =
        p->answer.times[a->op] / p->answer.value - p->answer.times[b->op] / p->answer.value;
    if (a->start != b->start)
        return a->start < b->start;
    return passes > 0 || (passes == 0 && a->op < b->op);
}

static void check_reason(const swp_pipeline *p, const swp_order_reason_list *all, size_t at)
{
    const swp_order_reason *reason = &all->items[at];
    assert_int_equal(reason->start, p->answer.times[reason->op] % p->answer.value);
    if (at > 0)
        assert_true(stands_before(p, reason - 1, reason));
    assert_int_equal(reason->edge >= 0, reason->constraint == SWP_BOUND_BY_EDGE);
    assert_int_equal(reason->unit >= 0, reason->constraint == SWP_BOUND_BY_UNIT);
    check_edges(p, all, reason);
    if (reason->constraint == SWP_BOUND_BY_UNIT)
        check_unit(p, reason, all->items[reason->binding_op].op);
    if (reason->constraint == SWP_BOUND_BY_NOTHING)
        assert_true(units_fit(p, reason->op));
}

static void check_each_once(const swp_pipeline *p, const swp_order_reason_list *reasons)
{
    bool seen[MOST_OPS] = {false};
    assert_int_equal(reasons->count, p->loop->op_count);
    for (size_t i = 0; i < reasons->count; i++) {
        assert_false(seen[reasons->items[i].op]);
        seen[reasons->items[i].op] = true;
    }
}

static void check_reasons(loop_case *c, void *tally)
{
    size_t *held = tally;
    swp_order_reason_list reasons;
    swp_pipeline p;
    const swp_schedule schedule = {.pipeline = &p};
    if (swp_pipeline_loop(c->ctx, &c->loop, &p) != SWP_OK)
        return;
    assert_ok(c->ctx, swp_explain_order(c->ctx, &schedule, &reasons));
    check_each_once(&p, &reasons);
    for (size_t r = 0; r < reasons.count; r++) {
        check_reason(&p, &reasons, r);
        held[reasons.items[r].constraint]++;
    }
}

static void each_reason_bars_the_cycle_before(void **state)
{
    static const loop_shape shape = {
        .most_ops = 8, .most_values = 5, .most_cycles = 6, .most_slots = 3};
    size_t held[SWP_ORDER_CONSTRAINT_COUNT] = {0};
    (void)state;
    for_random_loops(&shape, random_seed(3), random_sample(1000), check_reasons, held);
    (void)printf("%zu ops held by nothing, %zu by edges, %zu by units\n",
                 held[SWP_BOUND_BY_NOTHING], held[SWP_BOUND_BY_EDGE], held[SWP_BOUND_BY_UNIT]);
    assert_true(held[SWP_BOUND_BY_NOTHING] > 0 && held[SWP_BOUND_BY_EDGE] > 0 &&
                held[SWP_BOUND_BY_UNIT] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_reason_bars_the_cycle_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
