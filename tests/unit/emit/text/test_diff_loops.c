/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of two loops as text and as JSON. */
#include "../loops.h"

#include "swp/diff.h"

static const char *text_of(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                           swp_diff *diff)
{
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_diff_schedules(ctx, a, b, NULL, diff), SWP_OK);
    assert_int_equal(swp_diff_text(ctx, diff, &text, &length), SWP_OK);
    return text;
}

/* Passes of two and of three iterations: cycles are those of one. */
static void loops_are_compared_by_the_iteration(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *a = small_loop_of(ctx, 2);
    swp_schedule *b = small_loop_of(ctx, 3);
    swp_diff diff;
    const char *text = text_of(ctx, a, b, &diff);
    assert_has(text, "iterations a pass                  2           3\n");
    assert_has(text, "\ncycles an iteration ");
    assert_null(strstr(text, "K tile"));
    assert_has(text, "interval                          75          50\n"
                     "held by                        cycle    mma_unit\n"
                     "stages                             2           3\n"
                     "bytes of shared memory           128         192\n"
                     "bytes of registers                16          16\n"
                     "\n"
                     "A: interval   75 cycles an iteration, lower bound 75: proven least\n");
    assert_has(text, "           held by a cycle of dependences: 150 cycles in 2 iterations\n");
    assert_has(text, "\nB: interval   50 cycles an iteration, lower bound 50: proven least\n"
                     "           by dependences and units, without waits and barriers\n"
                     "           held by mma_unit: 1 op needs it for 50 cycles an iteration\n"
                     "             MMA\n");
    assert_has(text, " cycles an iteration fewer");
    const double cycles = (double)diff.b.simulation.cycles / diff.b.simulation.passes / 3 -
                          (double)diff.a.simulation.cycles / diff.a.simulation.passes / 2;
    assert_true(diff.effect.cycles_per_tile - cycles < 1e-9 &&
                cycles - diff.effect.cycles_per_tile < 1e-9);
    swp_schedule_free(a);
    swp_schedule_free(b);
}

static void json_has_both_pipelines(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *a = small_loop_of(ctx, 2);
    swp_schedule *b = small_loop_of(ctx, 3);
    swp_diff diff;
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_diff_schedules(ctx, a, b, NULL, &diff), SWP_OK);
    assert_int_equal(swp_diff_json(ctx, &diff, &text, &length), SWP_OK);
    assert_has(text, "\"pipeline\": {\"interval\": 75, ");
    assert_has(text, "\"pipeline\": {\"interval\": 50, \"bound\": 50, \"proven\": true, "
                     "\"held_by\": {\"unit\": \"mma_unit\", \"ops\": [\"MMA\"]}, ");
    assert_has(text, "\"cycles_per_tile\": -");
    swp_schedule_free(a);
    swp_schedule_free(b);
}

/* The list of one remainder alone: neither prologue, kernel nor epilogue show it. */
static void a_list_of_some_remainder_makes_a_difference(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *a = small_loop(ctx);
    swp_schedule *b = small_loop(ctx);
    swp_diff diff;
    char *json = NULL;
    size_t length = 0;
    swp_entry_list *list = &b->streams[0].tails.epilogues[0];
    assert_has(text_of(ctx, a, b, &diff), "alike: ");
    list->count--;
    const char *text = text_of(ctx, a, b, &diff);
    assert_false(diff.alike);
    assert_int_equal(diff.forms.count, 1);
    assert_int_equal(diff.forms.items[0].form, 1);
    assert_has(text, "\nepilogue_1, 1 difference\n");
    assert_int_equal(swp_diff_json(ctx, &diff, &json, &length), SWP_OK);
    assert_has(json, "\"forms\": [{\"list\": \"epilogue_1\", \"differences\": 1}]");
    swp_schedule_free(a);
    swp_schedule_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(loops_are_compared_by_the_iteration),
        TEST_IN_CONTEXT(json_has_both_pipelines),
        TEST_IN_CONTEXT(a_list_of_some_remainder_makes_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
