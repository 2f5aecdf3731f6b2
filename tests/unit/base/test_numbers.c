/* SPDX-License-Identifier: Apache-2.0 */
#include "base/numbers.h"
#include "fixture.h"

#include <limits.h>
#include <string.h>

typedef struct things {
    int64_t large;
    bool flag;
    double real;
    const int *items;
    size_t count;
    const char *name;
} things;

static void put(swp_number_text *n, things *t)
{
    swp_numbers_of(n, &t->large, INT64_MIN, INT64_MAX);
    swp_numbers_flag(n, &t->flag);
    swp_numbers_real(n, &t->real);
    assert_int_equal(swp_numbers_ints(n, &t->items, &t->count, 0, 9), SWP_OK);
    assert_int_equal(swp_numbers_text(n, &t->name), SWP_OK);
}

static char *written(swp_context *ctx, size_t *length)
{
    static const int items[] = {3, 0, 9};
    things t = {INT64_MIN, true, 0.1, items, 3, "two\nlines"};
    swp_number_text n = {.ctx = ctx, .out = {.ctx = ctx}};
    char *text = NULL;
    put(&n, &t);
    assert_ok(ctx, swp_text_end(&n.out, &text, length));
    return text;
}

static swp_number_text reader(swp_context *ctx, const char *text, size_t length)
{
    return (swp_number_text){.ctx = ctx, .at = text, .end = text + length};
}

static void what_is_written_is_read(void **state)
{
    swp_context *ctx = *state;
    size_t length = 0;
    const char *text = written(ctx, &length);
    swp_number_text n = reader(ctx, text, length);
    things t = {0};
    put(&n, &t);
    assert_false(n.bad);
    assert_ptr_equal(n.at, n.end);
    assert_true(t.large == INT64_MIN && t.flag && t.real == 0.1);
    assert_int_equal(t.count, 3);
    assert_int_equal(t.items[2], 9);
    assert_string_equal(t.name, "two\nlines");
}

/* Wherever it is cut, something is missing. */
static void a_text_that_is_cut_short_is_bad(void **state)
{
    swp_context *ctx = *state;
    size_t length = 0;
    const char *text = written(ctx, &length);
    for (size_t cut = 0; cut < length; cut++) {
        char *part = NULL;
        assert_ok(ctx, swp_copy_text(ctx, text, cut, &part));
        swp_number_text n = reader(ctx, part, cut);
        things t = {0};
        put(&n, &t);
        assert_true(n.bad);
    }
}

/* No room is taken for more items than the text can have, and none is out of its range. */
static void what_is_out_of_range_is_bad(void **state)
{
    static const char *const texts[] = {"0\n0\n0\n99999999999\n0\n\n", "0\n0\n0\n1\n10\n0\n\n",
                                        "0\n2\n0\n0\n0\n\n", "0\n0\n0\n-1\n0\n\n"};
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        swp_number_text n = reader(ctx, texts[i], strlen(texts[i]));
        things t = {0};
        put(&n, &t);
        assert_true(n.bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_is_written_is_read),
        CONTEXT_TEST(a_text_that_is_cut_short_is_bad),
        CONTEXT_TEST(what_is_out_of_range_is_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
