/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include "swp/report.h"
#include "swp/tone.h"

static const swp_simulation made_up = {.cycles = 909, .passes = 2};

static char *summary_of(swp_context *ctx, const swp_schedule *schedule, const swp_summary *summary)
{
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_summary_text(ctx, schedule, summary, &text, &length), SWP_OK);
    assert_int_equal(length, strlen(text));
    return text;
}

static void a_body_has_its_order_cycles_and_proof(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_verdict verdict = {.safe = true};
    const swp_summary summary = {.verdict = &verdict, .simulation = &made_up};
    assert_string_equal(summary_of(*state, schedule, &summary),
                        "pingpong for mi355x\n"
                        "order      csp, depth 2, 2 halves of 2x2 MMAs\n"
                        "makespan   420 cycles, lower bound 420: proven optimal\n"
                        "           of one pass by itself, without waits and barriers\n"
                        "registers  96 at the peak\n"
                        "runs       2 K tiles a pass; at least 2 tiles, a multiple of 2\n"
                        "cycles     454.50 a pass, with waits and barriers\n"
                        "proof      safe for every number of K tiles and every timing\n");
    swp_schedule_free(schedule);
}

static void what_was_stopped_or_not_counted_is_said(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->metrics.stopped = true;
    const swp_summary stopped = {.proof_stopped = true};
    const swp_summary meaningless = {.proof_stopped = false};
    const char *text = summary_of(*state, schedule, &stopped);
    assert_has(text, "\nsearch     stopped by a limit: what is not proven may be better\n");
    assert_has(text, "\ncycles     not counted: ");
    assert_has(text, "\nproof      stopped by a limit: it may be safe or not\n");
    assert_has(summary_of(*state, schedule, &meaningless),
               "\nproof      none: nothing says what this schedule means\n");
    swp_schedule_free(schedule);
}

/* Accepted hazards are no fault, and no safety either. */
static void a_verdict_has_its_tone(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = pingpong(ctx);
    const swp_verdict safe = {.safe = true};
    const swp_verdict taken = {.accepted = 1, .hazards.count = 1};
    const swp_verdict unsafe = {.accepted = 1, .hazards.count = 2};
    swp_context_set_color(ctx, true);
    assert_has(summary_of(ctx, schedule, &(swp_summary){.verdict = &safe}),
               "\nproof      \033[1;32msafe\033[0m for every");
    assert_has(summary_of(ctx, schedule, &(swp_summary){.verdict = &taken}),
               "\nproof      \033[1;33msafe but for 1 accepted hazard\033[0m\n");
    assert_has(summary_of(ctx, schedule, &(swp_summary){.verdict = &unsafe}),
               "\nproof      \033[1;31munsafe\033[0m: 2 hazards, 1 accepted\n");
    swp_context_set_color(ctx, false);
    assert_null(strchr(summary_of(ctx, schedule, &(swp_summary){.verdict = &safe}), '\033'));
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_body_has_its_order_cycles_and_proof),
        TEST_IN_CONTEXT(what_was_stopped_or_not_counted_is_said),
        TEST_IN_CONTEXT(a_verdict_has_its_tone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
