/* SPDX-License-Identifier: Apache-2.0 */
#include "base/context.h"
#include "faulty.h"
#include "fixture.h"

#include <string.h>

static void taken_memory_is_zeroed(void **state)
{
    const unsigned char *bytes = swp_context_take(*state, 100000);
    assert_non_null(bytes);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(bytes[i], 0);
}

static void more_memory_than_there_is_is_reported_once(void **state)
{
    swp_context *ctx = *state;
    size_t count = 0;
    assert_null(swp_context_take(ctx, SIZE_MAX));
    assert_null(swp_context_take(ctx, SIZE_MAX - 1));
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 1);
    assert_diag(ctx, "E0001", NULL);
    assert_non_null(swp_context_take(ctx, 1));
}

static void a_context_gives_back_all_that_it_took(void **state)
{
    (void)state;
    faulty_memory memory = {0};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_context *ctx = swp_context_new(&allocator);
    assert_non_null(ctx);
    for (int i = 0; i < 100; i++)
        assert_non_null(swp_context_take(ctx, 10000));
    assert_true(memory.live > 1);
    swp_context_free(ctx);
    assert_int_equal(memory.live, 0);
    swp_context_free(NULL);
}

static void a_scope_gives_back_its_memory_and_keeps_what_it_reports(void **state)
{
    (void)state;
    faulty_memory memory = {0};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_context *ctx = swp_context_new(&allocator);
    swp_context scope;
    const size_t before = memory.live;
    assert_ok(ctx, swp_scope_open(ctx, &scope));
    assert_non_null(swp_context_take(&scope, 1000000));
    assert_null(swp_context_take(&scope, SIZE_MAX));
    assert_true(memory.live > before);
    swp_scope_close(&scope);
    assert_int_equal(memory.live, before);
    assert_diag(ctx, "E0001", NULL);
    swp_scope_close(&scope);
    swp_context_free(ctx);
    assert_int_equal(memory.live, 0);
}

static void a_scope_without_memory_can_be_closed(void **state)
{
    (void)state;
    faulty_memory memory = {0};
    const swp_allocator allocator = faulty_allocator(&memory);
    swp_context *ctx = swp_context_new(&allocator);
    swp_context scope;
    memory.fail_at = memory.asked + 1;
    assert_int_equal(swp_scope_open(ctx, &scope), SWP_OUT_OF_MEMORY);
    assert_diag(ctx, "E0001", NULL);
    swp_scope_close(&scope);
    swp_context_free(ctx);
    assert_int_equal(memory.live, 0);
}

static void the_count_times_the_size_may_not_overflow(void **state)
{
    swp_context *ctx = *state;
    void *out = ctx;
    assert_int_equal(swp_take(ctx, SIZE_MAX / 2, 4, &out), SWP_OUT_OF_MEMORY);
    assert_null(out);
}

static void lists_grow_and_keep_what_they_hold(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    for (int i = 0; i < 1000; i++)
        assert_ok(ctx, SWP_PUSH(ctx, &order, i));
    assert_int_equal(order.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(order.items[i], i);
}

static void formatted_and_copied_texts_are_whole(void **state)
{
    swp_context *ctx = *state;
    char *text = NULL;
    assert_ok(ctx, swp_format(ctx, &text, "%d of %s", 7, "nine"));
    assert_string_equal(text, "7 of nine");
    assert_ok(ctx, swp_copy_text(ctx, "abcdef", 3, &text));
    assert_string_equal(text, "abc");
}

static void the_version_is_three_numbers(void **state)
{
    (void)state;
    assert_int_equal(strspn(swp_version(), "0123456789."), strlen(swp_version()));
    assert_non_null(strchr(strchr(swp_version(), '.') + 1, '.'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(taken_memory_is_zeroed),
        CONTEXT_TEST(more_memory_than_there_is_is_reported_once),
        cmocka_unit_test(a_context_gives_back_all_that_it_took),
        cmocka_unit_test(a_scope_gives_back_its_memory_and_keeps_what_it_reports),
        cmocka_unit_test(a_scope_without_memory_can_be_closed),
        CONTEXT_TEST(the_count_times_the_size_may_not_overflow),
        CONTEXT_TEST(lists_grow_and_keep_what_they_hold),
        CONTEXT_TEST(formatted_and_copied_texts_are_whole),
        cmocka_unit_test(the_version_is_three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
