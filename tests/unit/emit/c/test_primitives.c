/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

static const char *header_of(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_c_header_options options = {.allow_unsafe = true};
    char *text = NULL;
    assert_ok(ctx, swp_emit_c_header(ctx, schedule, &options, &text, NULL));
    return text;
}

static int count(const char *text, const char *what)
{
    int found = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        found++;
    return found;
}

static void what_orders_threads_is_ptx_or_the_kernels(void **state)
{
    swp_schedule *schedule = ring(*state);
    const char *text = header_of(*state, schedule);
    assert_int_equal(count(text, "#define SWP_MBARRIER_WAIT("), 1);
    assert_int_equal(count(text, "#error \"define SWP_"), 1);
    assert_int_equal(count(text, "# define SWP_MBARRIER_WAIT("), 1);
    assert_int_equal(count(text, "#define SWP_SHARED_ADDRESS("), 1);
    assert_int_equal(count(text, "# define SWP_SHARED_ADDRESS("), 0);
    assert_int_equal(count(text, "#define SWP_RAISE_REGISTERS("), 2);
    swp_schedule_free(schedule);
}

static void nothing_is_asked_for_that_no_list_calls(void **state)
{
    swp_schedule *schedule = ring(*state);
    swp_op *wait = &schedule->streams[CONSUMER].kernel.items[3].op;
    assert_null(strstr(header_of(*state, schedule), "SWP_FENCE_ASYNC"));
    wait->tag = SWP_TAG_FENCE_ASYNC;
    wait->wait_value = 0;
    assert_non_null(strstr(header_of(*state, schedule), "#define SWP_FENCE_ASYNC("));
    schedule->streams[PRODUCER].registers = schedule->streams[CONSUMER].registers = 0;
    assert_null(strstr(header_of(*state, schedule), "SWP_RAISE_REGISTERS"));
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_orders_threads_is_ptx_or_the_kernels),
        CONTEXT_TEST(nothing_is_asked_for_that_no_list_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
