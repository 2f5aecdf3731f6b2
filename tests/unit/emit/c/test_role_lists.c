/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include "emit/c/loop.h"

static void put_turn(swp_c_header *header, const char *kb, swp_c_turn turn)
{
    swp_c_put_turn_slot(header, kb, turn, 4);
    swp_text_format(&header->text, " ");
    swp_c_put_turn_parity(header, kb, turn, 4);
}

static void expect_turn(swp_context *ctx, int pass, const char *kb, int iteration,
                        const char *expected)
{
    swp_schedule schedule = {.loop = {.tiles_per_pass = pass}};
    swp_c_header header = {.text = {.ctx = ctx}, .ctx = ctx, .schedule = &schedule};
    char *text = NULL;
    put_turn(&header, kb, (swp_c_turn){SWP_PASS_CLOCK, iteration});
    assert_ok(ctx, swp_text_end(&header.text, &text, NULL));
    assert_string_equal(text, expected);
}

/* Of a schedule with output tiles. */
static void expect_living_turn(swp_context *ctx, const char *kb, swp_c_turn turn,
                               const char *expected)
{
    swp_schedule schedule = {.loop = {.tiles_per_pass = 8}, .output_tiles = true};
    swp_c_header header = {.text = {.ctx = ctx}, .ctx = ctx, .schedule = &schedule};
    char *text = NULL;
    put_turn(&header, kb, turn);
    assert_ok(ctx, swp_text_end(&header.text, &text, NULL));
    assert_string_equal(text, expected);
}

static void slots_and_parities_are_literals_where_all_bases_have_the_same(void **state)
{
    expect_turn(*state, 1, "kb", 6, "SWP_SLOT((kb) + 2, 4) SWP_PARITY((kb) + 6, 4)");
    expect_turn(*state, 4, "kb", 6, "2 SWP_PARITY((kb) + 6, 4)");
    expect_turn(*state, 8, "kb", 6, "2 1");
    expect_turn(*state, 1, "0", 6, "2 1");
}

/* The phase before the first has the parity 1. */
static void turns_before_the_first_are_of_earlier_phases(void **state)
{
    expect_turn(*state, 1, "0", -1, "3 1");
    expect_turn(*state, 1, "0", -4, "0 1");
    expect_turn(*state, 1, "0", -5, "3 0");
    expect_turn(*state, 8, "kb", -5, "3 0");
    expect_turn(*state, 1, "kb", -3, "SWP_SLOT((kb) + 1, 4) SWP_PARITY((kb) + 5, 4)");
}

static void turns_live_on_from_one_output_tile_to_the_next(void **state)
{
    expect_living_turn(
        *state, "0", (swp_c_turn){SWP_PASS_CLOCK, -3},
        "SWP_SLOT((unsigned)(state).pass + 1, 4) SWP_PARITY((unsigned)(state).pass + 5, 4)");
    expect_living_turn(*state, "kb", (swp_c_turn){SWP_PASS_CLOCK, 8},
                       "SWP_SLOT((unsigned)(state).pass + (unsigned)(kb) + 0, 4) "
                       "SWP_PARITY((unsigned)(state).pass + (unsigned)(kb) + 0, 4)");
    expect_living_turn(
        *state, "kb", (swp_c_turn){SWP_TILE_CLOCK, -1},
        "SWP_SLOT((unsigned)(state).tile + 3, 4) SWP_PARITY((unsigned)(state).tile + 7, 4)");
}

static char *header_of(swp_context *ctx, const swp_schedule *schedule, swp_status expected)
{
    const swp_c_header_options options = {.prefix = "X", .allow_unsafe = true};
    char *text = NULL;
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_emit_c_header(ctx, schedule, &options, &text, NULL), expected);
    return text;
}

static void who_executes_an_entry_stands_before_it(void **state)
{
    swp_schedule *schedule = ring(*state);
    swp_op *arrival = &schedule->streams[CONSUMER].kernel.items[4].op;
    assert_non_null(strstr(header_of(*state, schedule, SWP_OK),
                           "        if (one) { \\\n            SWP_MBARRIER_ARRIVE("));
    arrival->instances = 2;
    assert_non_null(
        strstr(header_of(*state, schedule, SWP_OK), "if (one && (0x2 >> (instance) & 1) != 0) {"));
    arrival->by = SWP_ALL_THREADS;
    assert_non_null(
        strstr(header_of(*state, schedule, SWP_OK), "if ((0x2 >> (instance) & 1) != 0) {"));
    arrival->instances = 3;
    assert_non_null(strstr(header_of(*state, schedule, SWP_OK),
                           "X_KEEP(ctx); \\\n        SWP_MBARRIER_ARRIVE("));
    swp_schedule_free(schedule);
}

static void a_wait_for_more_groups_than_the_instruction_takes_is_one_for_7(void **state)
{
    swp_schedule *schedule = ring(*state);
    schedule->streams[CONSUMER].kernel.items[3].op.wait_value = 9;
    assert_non_null(
        strstr(header_of(*state, schedule, SWP_OK), "SWP_MATRIX_WAIT(7); X_KEEP(ctx);"));
    swp_schedule_free(schedule);
}

static void names_that_meet_in_a_macro_are_refused(void **state)
{
    swp_schedule *schedule = ring(*state);
    schedule->streams[PRODUCER].name = "of";
    header_of(*state, schedule, SWP_INVALID);
    assert_diag(*state, "E0801", "X_ROLE_OF");
    schedule->streams[PRODUCER].name = "Consumer";
    header_of(*state, schedule, SWP_INVALID);
    assert_diag(*state, "E0801", "role `consumer` would be the macro X_RUN_CONSUMER");
    schedule->streams[PRODUCER].name = "producer";
    object_of(schedule, FULL)->name = "em-pty";
    object_of(schedule, EMPTY)->name = "em.pty";
    header_of(*state, schedule, SWP_INVALID);
    assert_diag(*state, "E0801", "object `em.pty`");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(slots_and_parities_are_literals_where_all_bases_have_the_same),
        CONTEXT_TEST(turns_before_the_first_are_of_earlier_phases),
        CONTEXT_TEST(turns_live_on_from_one_output_tile_to_the_next),
        CONTEXT_TEST(who_executes_an_entry_stands_before_it),
        CONTEXT_TEST(a_wait_for_more_groups_than_the_instruction_takes_is_one_for_7),
        CONTEXT_TEST(names_that_meet_in_a_macro_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
