/* SPDX-License-Identifier: Apache-2.0 */
/* More slots with which a pass, the common multiple of all numbers of slots, has fewer iterations. */
#include "fixture.h"
#include "pipeline/short_pass.h"
#include "swp/loop_compile.h"

#include <string.h>

enum { VALUES = 3, BYTES = 1024 };

/* Each value may have from `least` to `most` slots, and all together so many bytes. */
static swp_loop copies(swp_context *ctx, const int least[VALUES], const int most[VALUES], int slots)
{
    swp_loop_builder *l = swp_loop_new(ctx, "copies");
    static const char *const values[VALUES] = {"A", "B", "C"};
    static const char *const ops[VALUES] = {"LOAD_A", "LOAD_B", "LOAD_C"};
    swp_loop loop;
    for (int i = 0; i < VALUES; i++) {
        const int x = swp_value(l, values[i], .space = SWP_SPACE_SHARED, .bytes = BYTES,
                                .least_slots = least[i], .most_slots = most[i]);
        swp_work(l, ops[i], .latency = 100, .completion = SWP_COMPLETION_COUNTER, .accesses = 1,
                 .writes = {x});
    }
    assert_ok(ctx, swp_loop_done(l, &loop));
    loop.shared_budget = slots * BYTES;
    return loop;
}

typedef struct row {
    int given[VALUES];
    int least[VALUES];
    int most[VALUES];
    int room; /* slots of all values together */
    int pass;
    int wanted[VALUES];
} row;

static void values_get_the_slots_of_the_shortest_pass(void **state)
{
    static const row rows[] = {
        {{3, 3, 4}, {1, 1, 1}, {4, 4, 4}, 64, 12, {4, 4, 4}}, /* all may have four */
        {{3, 3, 4}, {1, 1, 1}, {4, 4, 4}, 11, 12, {3, 3, 4}}, /* but there is no room */
        {{3, 3, 4}, {3, 1, 1}, {3, 8, 8}, 64, 12, {3, 3, 6}}, /* one has three, and is not raised */
        {{3, 4, 5}, {3, 1, 1}, {3, 4, 64}, 64, 60, {3, 4, 6}}, /* and one no more than four */
        {{3, 4, 5}, {3, 4, 5}, {3, 4, 5}, 64, 60, {3, 4, 5}},  /* none may have more */
    };
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const row *r = &rows[i];
        const swp_loop loop = copies(ctx, r->least, r->most, r->room);
        const bool kept[VALUES] = {false};
        int slots[VALUES];
        memcpy(slots, r->given, sizeof slots);
        assert_ok(ctx, swp_pipeline_shorten_slots(ctx, &loop, kept, r->pass, slots));
        for (int v = 0; v < VALUES; v++)
            assert_int_equal(slots[v], r->wanted[v]);
    }
}

static void what_is_kept_is_not_raised(void **state)
{
    swp_context *ctx = *state;
    const int least[VALUES] = {1, 1, 1};
    const int most[VALUES] = {8, 8, 8};
    const bool kept[VALUES] = {true, false, false};
    const swp_loop loop = copies(ctx, least, most, 64);
    int slots[VALUES] = {3, 3, 4};
    assert_ok(ctx, swp_pipeline_shorten_slots(ctx, &loop, kept, 12, slots));
    assert_int_equal(slots[0], 3);
    assert_int_equal(slots[2], 6);
}

static void a_pass_is_long_for_its_slots(void **state)
{
    (void)state;
    const int three[] = {3, 4};
    const int twelve[] = {12, 1};
    assert_int_equal(swp_pipeline_long_pass(12, three, 2), 12);
    assert_int_equal(swp_pipeline_long_pass(8, three, 2), 0);
    assert_int_equal(swp_pipeline_long_pass(12, twelve, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(values_get_the_slots_of_the_shortest_pass),
        CONTEXT_TEST(what_is_kept_is_not_raised),
        cmocka_unit_test(a_pass_is_long_for_its_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
