/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "faulty.h"
#include "fixture.h"

#include <string.h>

static void a_text_is_the_sum_of_its_parts(void **state)
{
    swp_context *ctx = *state;
    swp_text text = {.ctx = ctx};
    char *out = NULL;
    size_t length = 0;
    swp_text_add(&text, "abcd", 2);
    swp_text_format(&text, "-%d-", 12);
    swp_text_add(&text, "", 0);
    assert_ok(ctx, swp_text_end(&text, &out, &length));
    assert_string_equal(out, "ab-12-");
    assert_int_equal(length, 6);
}

static void an_empty_text_is_a_text(void **state)
{
    swp_context *ctx = *state;
    swp_text text = {.ctx = ctx};
    char *out = NULL;
    assert_ok(ctx, swp_text_end(&text, &out, NULL));
    assert_string_equal(out, "");
}

static void a_long_text_is_whole(void **state)
{
    swp_context *ctx = *state;
    swp_text text = {.ctx = ctx};
    char *out = NULL;
    size_t length = 0;
    for (int i = 0; i < 10000; i++)
        swp_text_format(&text, "%04d", i);
    assert_ok(ctx, swp_text_end(&text, &out, &length));
    assert_int_equal(length, 40000);
    assert_int_equal(strlen(out), 40000);
    assert_memory_equal(out + 39996, "9999", 4);
}

static void a_failure_sticks(void **state)
{
    (void)state;
    faulty_memory memory = {.fail_at = 2, .fail_once = true};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_context *ctx = swp_context_new(&allocator);
    assert_non_null(ctx);
    swp_text text = {.ctx = ctx};
    char *out = NULL;
    for (int i = 0; i < 20000; i++)
        swp_text_format(&text, "%04d", i);
    assert_int_equal(swp_text_end(&text, &out, NULL), SWP_OUT_OF_MEMORY);
    assert_diag(ctx, "E0001", NULL);
    swp_context_free(ctx);
    assert_int_equal(memory.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_text_is_the_sum_of_its_parts),
        CONTEXT_TEST(an_empty_text_is_a_text),
        CONTEXT_TEST(a_long_text_is_whole),
        cmocka_unit_test(a_failure_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
