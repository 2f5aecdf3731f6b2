/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "swp/loop.h"

/*
 * LAST begins 7 cycles after FIRST or later, and before FIRST replaces what it reads; both want one unit, for 3
 * and 4 cycles. So 11, though the unit has 7 cycles of work and the cycle through `a` 7 of delay. OTHER, its
 * unit and `z` have nothing to do with it.
 */
static swp_loop refuted_loop(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "refuted");
    const int other = swp_loop_add_unit(l, "other", 1);
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS);
    const int z = swp_value(l, "z", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    swp_loop loop;
    swp_work(l, "FIRST", .latency = 3, .uses = {{.unit = unit, .cycles = 3}}, .writes = {a});
    swp_work(l, "MIDDLE", .latency = 4, .uses = {{.unit = other, .cycles = 4}},
             .reads = {{.value = a}}, .writes = {b});
    swp_work(l, "LAST", .latency = 4, .uses = {{.unit = unit, .cycles = 4}},
             .reads = {{.value = a}, {.value = b}});
    swp_work(l, "OTHER", .latency = 2, .uses = {{.unit = other, .cycles = 2}},
             .reads = {{.value = a}}, .updates = {z});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static void assert_dependence(const swp_pipeline *p, size_t at, const char *producer,
                              const char *consumer, swp_loop_edge_kind kind)
{
    const int index = p->bound_core.edges[at];
    const swp_problem_edge *e = &p->bound_problem.problem.edges[index];
    assert_string_equal(p->loop->ops[e->producer].name, producer);
    assert_string_equal(p->loop->ops[e->consumer].name, consumer);
    assert_int_equal(p->bound_problem.edges[index].kind, kind);
}

static void a_core_has_what_the_refutation_needs(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = refuted_loop(ctx);
    swp_pipeline p;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_int_equal(p.answer.value, 11);
    assert_int_equal(p.bound_answer.bound_kind, SWP_BOUND_REFUTATION);
    assert_true(p.bound_core.minimal);
    assert_int_equal(p.bound_core.use_count, 2);
    assert_int_equal(p.bound_core.uses[0].op, 0);
    assert_int_equal(p.bound_core.uses[1].op, 2);
    assert_int_equal(p.bound_core.edge_count, 3);
    assert_dependence(&p, 0, "FIRST", "MIDDLE", SWP_LOOP_READS);
    assert_dependence(&p, 1, "LAST", "FIRST", SWP_LOOP_REPLACES);
    assert_dependence(&p, 2, "MIDDLE", "LAST", SWP_LOOP_READS);
    assert_int_equal(p.bound_core.value_count, 1);
    assert_int_equal(p.bound_core.values[0], 0);
    assert_int_equal(p.bound_slots[0], 1);
}

/* Whatever limit ends it, what is left of the core is all that was not shown to be needless. */
static void a_limit_leaves_a_core_that_is_not_minimal(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = refuted_loop(ctx);
    swp_pipeline whole;
    swp_pipeline p;
    int open = 0;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &whole));
    for (uint64_t work = 1; work < whole.work; work++) {
        const swp_limits limits = {.work = work};
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
        if (p.bound_answer.bound_kind != SWP_BOUND_REFUTATION || p.answer.value != 11)
            continue;
        assert_true(p.bound_core.edge_count >= 3 && p.bound_core.use_count >= 2);
        open += !p.bound_core.minimal;
    }
    assert_true(open > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_core_has_what_the_refutation_needs),
        CONTEXT_TEST(a_limit_leaves_a_core_that_is_not_minimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
