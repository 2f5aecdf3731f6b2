/* SPDX-License-Identifier: Apache-2.0 */
/* How the limits are shared out among the parts of a compilation. */
#include "fixture.h"
#include "pipeline/shares.h"

static void each_part_ends_after_the_one_before(void **state)
{
    const swp_limits limits = {.seconds = 10};
    (void)state;
    for (int part = SWP_LOOP_WAYS; part < SWP_LOOP_ORDERS; part++)
        assert_true(swp_pipeline_seconds_of(&limits, (swp_loop_part)part) <
                    swp_pipeline_seconds_of(&limits, (swp_loop_part)(part + 1)));
    assert_true(swp_pipeline_seconds_of(&limits, SWP_LOOP_ORDERS) == 10);
}

static void the_clock_divides_nothing_where_work_is_limited(void **state)
{
    const swp_limits limits = {.seconds = 10, .work = 1000};
    (void)state;
    assert_true(swp_pipeline_seconds_of(&limits, SWP_LOOP_WAYS) == 10);
    assert_int_equal(swp_pipeline_work_of(&limits, SWP_LOOP_ORDERS), 1000);
    assert_in_range(swp_pipeline_work_of(&limits, SWP_LOOP_WAYS), 1, 999);
}

/* 0 would be no limit. */
static void the_least_work_stays_a_limit(void **state)
{
    const swp_limits limits = {.work = 1};
    const swp_limits none = {0};
    (void)state;
    assert_int_equal(swp_pipeline_work_of(&limits, SWP_LOOP_WAYS), 1);
    assert_int_equal(swp_pipeline_work_of(&none, SWP_LOOP_WAYS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_part_ends_after_the_one_before),
        CONTEXT_TEST(the_clock_divides_nothing_where_work_is_limited),
        CONTEXT_TEST(the_least_work_stays_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
