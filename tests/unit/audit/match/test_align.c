/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "audit/match/align.h"

#include <string.h>

/* Two words; equal letters are worth 2, the same letter in the other case 1. */
typedef struct words {
    const char *rows;
    const char *columns;
} words;

static int worth(const void *user, size_t row, size_t column)
{
    const words *w = user;
    const char a = w->rows[row];
    const char b = w->columns[column];
    return a == b ? 2 : (a ^ b) == ('a' ^ 'A') ? 1 : 0;
}

/* The word of the columns, each replaced by the row that it is paired with; `-` for none. */
static void expect_pairs(swp_context *ctx, const char *rows, const char *columns,
                         const char *expected)
{
    int *row_partners = NULL;
    int *column_partners = NULL;
    const words w = {rows, columns};
    char got[32] = "";
    assert_ok(ctx, swp_match_align(ctx, SWP_NOWHERE, strlen(rows), strlen(columns), worth, &w,
                                   &row_partners, &column_partners));
    for (size_t j = 0; columns[j]; j++) {
        const int partner = column_partners[j];
        got[j] = partner < 0 ? '-' : rows[partner];
        if (partner >= 0)
            assert_int_equal(row_partners[partner], (int)j);
    }
    assert_string_equal(got, expected);
}

static void what_both_have_in_order_is_paired(void **state)
{
    expect_pairs(*state, "abc", "abc", "abc");
    expect_pairs(*state, "abcd", "acd", "acd");
    expect_pairs(*state, "acd", "abcd", "a-cd");
    expect_pairs(*state, "abcd", "bcda", "bcd-");
    expect_pairs(*state, "ab", "xy", "--");
    expect_pairs(*state, "", "xy", "--");
}

static void more_worth_wins(void **state)
{
    expect_pairs(*state, "aB", "bA", "B-");
    expect_pairs(*state, "ab", "Aab", "-ab");
    expect_pairs(*state, "xab", "Bx", "-x");
}

static void too_many_are_refused_with_their_place(void **state)
{
    swp_context *ctx = *state;
    const words w = {"", ""};
    int *partners = NULL;
    size_t count = 0;
    const swp_status status = swp_match_align(ctx, (swp_place){"k.s", 7, 1}, 1 << 12, 1 << 12,
                                              worth, &w, &partners, &partners);
    assert_status(ctx, status, SWP_INVALID);
    assert_diag(ctx, "E0815", "4096 entries and 4096 instructions");
    const swp_diag *diag = swp_context_diags(ctx, &count);
    assert_string_equal(diag->place.file, "k.s");
    assert_int_equal(diag->place.line, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_both_have_in_order_is_paired),
        CONTEXT_TEST(more_worth_wins),
        CONTEXT_TEST(too_many_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
