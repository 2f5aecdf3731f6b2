/* SPDX-License-Identifier: Apache-2.0 */
/* The largest cycle ratio of small systems that one can work out by hand. */
#include "fixture.h"

#include "solve/max_cycle_ratio.h"

#define RATIO_OF(ctx, constraints, events)                                                         \
    ratio_of((ctx), (constraints), COUNT_OF(constraints), (events))

static swp_timing_constraint_list list_of(swp_timing_constraint *items, size_t count)
{
    swp_timing_constraint_list list = {items, count, count, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const int64_t passes = items[i].passes < 0 ? -(int64_t)items[i].passes : items[i].passes;
        list.most_cycles = items[i].cycles > list.most_cycles ? items[i].cycles : list.most_cycles;
        list.most_passes = passes > list.most_passes ? passes : list.most_passes;
    }
    return list;
}

static swp_ratio ratio_of(swp_context *ctx, swp_timing_constraint *items, size_t count, int events)
{
    const swp_timing_constraint_list constraints = list_of(items, count);
    swp_ratio_solver solver = {0};
    swp_ratio out;
    assert_ok(ctx, swp_solve_max_cycle_ratio(ctx, &solver, &constraints, events, (swp_ratio){0, 1},
                                             &out));
    return out;
}

static void assert_ratio(swp_ratio ratio, int64_t cycles, int64_t passes)
{
    assert_int_equal(ratio.cycles * passes, cycles * ratio.passes);
}

static void a_chain_that_ends_takes_no_time(void **state)
{
    swp_timing_constraint constraints[] = {{0, 1, 100, 0}, {1, 2, 100, 0}};
    assert_ratio(RATIO_OF(*state, constraints, 3), 0, 1);
}

/* 0 to 1 takes 5, and back 2, two passes later. */
static void a_loop_takes_its_cycles_over_its_passes(void **state)
{
    swp_timing_constraint constraints[] = {{0, 1, 5, 0}, {1, 0, 2, 2}};
    assert_ratio(RATIO_OF(*state, constraints, 2), 7, 2);
}

/* 10 in one pass, and 7 + 20 in three: 10 is more than 9. */
static void the_slowest_loop_counts(void **state)
{
    swp_timing_constraint constraints[] = {{0, 0, 10, 1}, {0, 1, 7, 1}, {1, 0, 20, 2}};
    assert_ratio(RATIO_OF(*state, constraints, 2), 10, 1);
    constraints[2].cycles = 24; /* 31 in three */
    assert_ratio(RATIO_OF(*state, constraints, 2), 31, 3);
}

/* What one group does a pass later than another counts back. */
static void passes_may_be_negative(void **state)
{
    swp_timing_constraint constraints[] = {{0, 1, 5, -1}, {1, 0, 4, 2}};
    assert_ratio(RATIO_OF(*state, constraints, 2), 9, 1);
}

static void a_ratio_is_told_from_those_beside_it(void **state)
{
    swp_timing_constraint items[] = {{0, 1, 5, 0}, {1, 0, 2, 2}};
    const swp_timing_constraint_list constraints = list_of(items, COUNT_OF(items));
    static const struct {
        swp_ratio ratio;
        bool above;
        bool not_below;
    } cases[] = {{{3, 1}, true, true},         {{7, 2}, false, true},      {{14, 4}, false, true},
                 {{3501, 1000}, false, false}, {{3499, 1000}, true, true}, {{1, 0}, false, false}};
    swp_ratio_solver solver = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool exceeds = false;
        swp_ratio chain = {0, 0};
        assert_ok(*state, swp_solve_ratio_exceeds(*state, &solver, &constraints, 2, cases[i].ratio,
                                                  SWP_ABOVE, &exceeds, &chain));
        assert_int_equal(exceeds, cases[i].above);
        assert_ok(*state, swp_solve_ratio_exceeds(*state, &solver, &constraints, 2, cases[i].ratio,
                                                  SWP_NOT_BELOW, &exceeds, &chain));
        assert_int_equal(exceeds, cases[i].not_below);
        if (exceeds)
            assert_ratio(chain, 7, 2);
    }
}

static void nothing_is_less_than_the_least(void **state)
{
    swp_timing_constraint items[] = {{0, 0, 10, 1}};
    const swp_timing_constraint_list constraints = list_of(items, 1);
    swp_ratio_solver solver = {0};
    swp_ratio out;
    assert_ok(*state, swp_solve_max_cycle_ratio(*state, &solver, &constraints, 1,
                                                (swp_ratio){21, 2}, &out));
    assert_ratio(out, 21, 2);
    assert_ok(*state, swp_solve_max_cycle_ratio(*state, &solver, &constraints, 1,
                                                (swp_ratio){19, 2}, &out));
    assert_ratio(out, 10, 1);
}

/* Near 2^40 cycles each: what 64 bits do not hold is refused, and compared by its parts. */
static void what_does_not_fit_is_no_ratio(void **state)
{
    swp_context *ctx = *state;
    enum { MANY = 1 << 20 };
    const int64_t long_time = (int64_t)1 << 40;
    swp_timing_constraint constraints[] = {{0, 0, long_time, 1}};
    const swp_timing_constraint_list list = list_of(constraints, 1);
    swp_ratio_solver solver = {0};
    swp_ratio out;
    assert_ratio(ratio_of(ctx, constraints, 1, 1), long_time, 1);
    assert_status(ctx,
                  swp_solve_max_cycle_ratio(ctx, &solver, &list, 1,
                                            (swp_ratio){long_time, (int64_t)MANY * MANY}, &out),
                  SWP_INVALID);
    assert_diag(ctx, "E0722", "64 bits");
    const swp_ratio large = {long_time * MANY + 1, MANY};
    const swp_ratio larger = {long_time * MANY + 2, MANY};
    assert_true(swp_solve_ratio_compare(large, larger) < 0);
    assert_true(swp_solve_ratio_compare(larger, large) > 0);
    assert_true(swp_solve_ratio_compare(large, large) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_chain_that_ends_takes_no_time),
        CONTEXT_TEST(a_loop_takes_its_cycles_over_its_passes),
        CONTEXT_TEST(the_slowest_loop_counts),
        CONTEXT_TEST(passes_may_be_negative),
        CONTEXT_TEST(a_ratio_is_told_from_those_beside_it),
        CONTEXT_TEST(nothing_is_less_than_the_least),
        CONTEXT_TEST(what_does_not_fit_is_no_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
