/* SPDX-License-Identifier: Apache-2.0 */
/* The table of numbers by pairs of numbers. */
#include "fixture.h"
#include "happens_before/table.h"

enum { PAIRS = 200 };

static int64_t second_of(int i)
{
    return (int64_t)i * i - 40;
}

static void an_empty_table_has_no_pair(void **state)
{
    (void)state;
    const swp_happens_table table = {0};
    assert_int_equal(swp_happens_table_find(&table, 0, 0), -1);
}

static void each_pair_has_its_number(void **state)
{
    swp_happens_table table = {0};
    for (int i = 0; i < PAIRS; i++) {
        assert_ok(*state, swp_happens_table_reserve(*state, &table, 1));
        swp_happens_table_set(&table, i % 3, second_of(i), i);
    }
    for (int i = 0; i < PAIRS; i++) {
        assert_int_equal(swp_happens_table_find(&table, i % 3, second_of(i)), i);
        assert_int_equal(swp_happens_table_find(&table, 3, second_of(i)), -1);
    }
}

/* Pairs that came to stand behind others are found when those are gone. */
static void any_can_be_taken_out(void **state)
{
    swp_happens_table table = {0};
    assert_ok(*state, swp_happens_table_reserve(*state, &table, PAIRS));
    for (int i = 0; i < PAIRS; i++)
        swp_happens_table_set(&table, i, second_of(i), i);
    for (int i = 0; i < PAIRS; i += 2)
        swp_happens_table_set(&table, i, second_of(i), -1);
    for (int i = 0; i < PAIRS; i++)
        assert_int_equal(swp_happens_table_find(&table, i, second_of(i)), i % 2 == 0 ? -1 : i);
    assert_int_equal(table.count, PAIRS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_empty_table_has_no_pair),
        CONTEXT_TEST(each_pair_has_its_number),
        CONTEXT_TEST(any_can_be_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
