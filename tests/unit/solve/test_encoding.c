/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "large_problem.h"
#include "problems.h"

#include "solve/encoding.h"

static swp_encoding_state encode(swp_context *ctx, const swp_problem *problem, int64_t value)
{
    swp_problem_graph graph;
    swp_encoding encoding;
    swp_encoding_state encoded;
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_encode_value(ctx, &graph, value, &encoding, &encoded));
    return encoded;
}

static void an_interruption_ends_the_groups(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 1};
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, 1000, 1, 2, 2, true, 0};
    const swp_problem p = large_problem(ctx, &shape);
    interrupt_with(ctx, &i);
    assert_int_equal(encode(ctx, &p, 2001), SWP_ENCODING_STOPPED);
    assert_in_range(i.asked, 1, 3); /* the allocations look, too */
}

static void an_interruption_ends_the_references(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 1};
    const large_shape shape = {SWP_PROBLEM_MODULO, 1000, 1, 2, 2, true, -4};
    const swp_problem p = large_problem(ctx, &shape);
    interrupt_with(ctx, &i);
    assert_int_equal(encode(ctx, &p, 1500), SWP_ENCODING_STOPPED);
    assert_int_equal(i.asked, 1);
}

/* What its windows prove needs no formula, however large one would be. */
static void an_empty_window_is_seen_in_a_large_problem(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "1:r1x1 9000000: 9:", "1>2");
    assert_int_equal(encode(ctx, &p, 9000009), SWP_ENCODING_LARGE);
    assert_int_equal(encode(ctx, &p, 9000008), SWP_ENCODING_EMPTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_interruption_ends_the_groups),
        CONTEXT_TEST(an_interruption_ends_the_references),
        CONTEXT_TEST(an_empty_window_is_seen_in_a_large_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
