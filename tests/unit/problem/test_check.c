/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "large_problem.h"
#include "problems.h"

static void refused(swp_context *ctx, swp_problem problem, const char *code, const char *text)
{
    assert_status(ctx, swp_problem_check(ctx, &problem), SWP_INVALID);
    assert_diag(ctx, code, text);
    swp_context_clear_diags(ctx);
}

static void legal_problems_pass(void **state)
{
    swp_context *ctx = *state;
    const swp_problem problems[] = {
        problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "", ""),
        problem_of(ctx, SWP_PROBLEM_MODULO, "", "", ""),
        problem_of(ctx, SWP_PROBLEM_MODULO, "2", "3:r2x3 1:r1x1+r1x2", "0>1 1>0/1 0>0/2"),
        problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "3:r1x3 1:", "0>1=2 1>0=-2 0>0=0"),
    };
    for (size_t i = 0; i < COUNT_OF(problems); i++)
        assert_ok(ctx, swp_problem_check(ctx, &problems[i]));
}

/* Texts would say `(null)`, and JSON could not be written. */
static void names_that_nothing_can_show_are_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_problem named = problem_of(ctx, SWP_PROBLEM_MODULO, "1", "1:r1x1", "");
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? NULL : "\xc3(";
        swp_problem problem = named;
        swp_problem_resource resource = named.resources[0];
        swp_problem_op op = named.ops[0];
        problem.name = name;
        refused(ctx, problem, "E0829", "the problem");
        problem = named;
        resource.name = name;
        problem.resources = &resource;
        refused(ctx, problem, "E0829", "resource 0");
        problem = named;
        op.name = name;
        problem.ops = &op;
        refused(ctx, problem, "E0829", "op 0");
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_problem_kind modulo = SWP_PROBLEM_MODULO;
    refused(ctx, problem_of(ctx, modulo, "0", "", ""), "E0823", "capacity");
    refused(ctx, problem_of(ctx, modulo, "1", "-1:", ""), "E0823", "latency");
    refused(ctx, problem_of(ctx, modulo, "1", "1:r2x1", ""), "E0823", "whose capacity is 1");
    refused(ctx, problem_of(ctx, modulo, "1", "1:r0x1", ""), "E0823", "amount");
    refused(ctx, problem_of(ctx, modulo, "1", "1:r1x-1", ""), "E0823", "cycles");
    refused(ctx, problem_of(ctx, modulo, "1", "1:s1x1", ""), "E0822", "resource 1");
    refused(ctx, problem_of(ctx, modulo, "2", "1:r1x1+r2x1", ""), "E0823", "at once");
    refused(ctx, problem_of(ctx, modulo, "1", "1:", "0>1"), "E0822", "op 1");
    refused(ctx, problem_of(ctx, modulo, "1", "1:", "0>0/-1"), "E0823", "distance");
    refused(ctx, problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "1:", "0>0/1"), "E0823", "makespan");
}

static void a_use_of_no_cycles_takes_nothing(void **state)
{
    swp_context *ctx = *state;
    /* A use of no cycles holds nothing. */
    const swp_problem problem = problem_of(ctx, SWP_PROBLEM_MODULO, "2", "1:r2x0+r2x1", "");
    assert_ok(ctx, swp_problem_check(ctx, &problem));
}

static void sums_that_overflow_are_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_problem_kind modulo = SWP_PROBLEM_MODULO;
    refused(ctx, problem_of(ctx, modulo, "", "1099511627776: 1:", ""), "E0824", "cycles");
    refused(ctx, problem_of(ctx, modulo, "", "1099511627777:", ""), "E0823", "latency");
    refused(ctx, problem_of(ctx, modulo, "1099511627776", "0:r1099511627776x1099511627776", ""),
            "E0824", "amounts");
    refused(ctx, problem_of(ctx, modulo, "", "1000000000:", "0>0/1099511627776=0"), "E0824",
            "distances");
}

static void a_positive_cycle_of_distance_0_is_named(void **state)
{
    swp_context *ctx = *state;
    refused(ctx, problem_of(ctx, SWP_PROBLEM_MODULO, "", "1: 2: 3:", "0>1 1>2 2>0 2>1/1"), "E0825",
            "3 edges of distance 0 form a cycle with a delay of 6 cycles");
    refused(ctx, problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "1:", "0>0"), "E0825", "1 edge");
    refused(ctx, problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "4: 1:", "0>1 1>0=-3"), "E0825",
            "1 cycle:");
    const swp_problem tight = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "4: 1:", "0>1 1>0=-4");
    assert_ok(ctx, swp_problem_check(ctx, &tight));
}

static void a_long_cycle_is_found_in_time(void **state)
{
    swp_context *ctx = *state;
    enum { COUNT = 20000 };
    swp_problem_op *ops = swp_context_take(ctx, COUNT * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, COUNT * sizeof *edges);
    for (int i = 0; i < COUNT; i++) {
        ops[i] = (swp_problem_op){.name = "op", .latency = 1};
        edges[i] = (swp_problem_edge){.producer = i, .consumer = (i + 1) % COUNT, .delay = 1};
    }
    swp_problem problem = {.name = "ring",
                           .kind = SWP_PROBLEM_MODULO,
                           .ops = ops,
                           .op_count = COUNT,
                           .edges = edges,
                           .edge_count = COUNT};
    refused(ctx, problem, "E0825", "20000 edges");
    edges[COUNT - 1].distance = 1;
    assert_ok(ctx, swp_problem_check(ctx, &problem));
}

/* Bellman and Ford's rounds in the order of the ops would be as many as there are ops. */
static void a_shuffled_chain_takes_few_rounds(void **state)
{
    swp_context *ctx = *state;
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, 4000, 0, 1, 1, true, -2};
    const swp_problem p = large_problem(ctx, &shape);
    interruption i = {0};
    interrupt_with(ctx, &i);
    assert_ok(ctx, swp_problem_check(ctx, &p));
    assert_in_range(i.asked, 0, 40);
}

static void an_interruption_ends_the_search_for_a_cycle(void **state)
{
    swp_context *ctx = *state;
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, 4000, 0, 1, 1, true, -2};
    const swp_problem p = large_problem(ctx, &shape);
    interruption i = {.from = 1};
    interrupt_with(ctx, &i);
    assert_status(ctx, swp_problem_check(ctx, &p), SWP_STOPPED);
    assert_true(has_error(ctx));
    assert_in_range(i.asked, 1, 3); /* the allocations look, too */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(legal_problems_pass),
        CONTEXT_TEST(names_that_nothing_can_show_are_refused),
        CONTEXT_TEST(numbers_out_of_range_are_refused),
        CONTEXT_TEST(a_use_of_no_cycles_takes_nothing),
        CONTEXT_TEST(sums_that_overflow_are_refused),
        CONTEXT_TEST(a_positive_cycle_of_distance_0_is_named),
        CONTEXT_TEST(a_long_cycle_is_found_in_time),
        CONTEXT_TEST(a_shuffled_chain_takes_few_rounds),
        CONTEXT_TEST(an_interruption_ends_the_search_for_a_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
