/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict on ping-pong with a hazard of every kind of place, made up. */
#ifndef TEST_EMIT_VERDICTS_H
#define TEST_EMIT_VERDICTS_H

#include "schedules.h"

#include "swp/report.h"

static swp_hazard made_up_hazards[] = {
    {.kind = SWP_STALE_READ,
     .at = {SWP_KERNEL, 0},
     .name = "MMA_LOAD_B",
     .site = SWP_SITE_LDS,
     .channel = 1,
     .stage = 0,
     .subtile = 1,
     .has_other = true,
     .other = {SWP_PROLOGUE, 2},
     .passes_before = 1,
     .smallest_n = 4,
     .has_slack = true,
     .slack_cycles = -7,
     .detail = "wants tile 2, may find \"tile 0\"",
     .hint = "wait, then a barrier"},
    {.kind = SWP_REGISTER_NOT_READY,
     .at = {SWP_KERNEL, 7},
     .name = "MMA",
     .site = SWP_SITE_REGISTER,
     .subtile = 3,
     .smallest_n = 6,
     .accepted = true,
     .detail = "in flight",
     .hint = "wait"},
    {.kind = SWP_MISSING_WORK,
     .at = {SWP_EPILOGUE, 58},
     .name = "end",
     .site = SWP_SITE_ACCUMULATOR,
     .stage = 1,
     .subtile = 0,
     .smallest_n = 2,
     .detail = "no COMPUTE",
     .hint = "add one"},
    {.kind = SWP_DEADLOCK,
     .at = {SWP_EPILOGUE, 58},
     .name = "end",
     .smallest_n = 2,
     .detail = "alone",
     .hint = "balance"},
};

static inline swp_verdict made_up_verdict(void)
{
    return (swp_verdict){.accepted = 1,
                         .passes_explored = 3,
                         .hazards = {.items = made_up_hazards,
                                     .count = sizeof made_up_hazards / sizeof *made_up_hazards}};
}

/* What a report (swp_verdict_text, swp_verdict_json) says of a verdict on ping-pong. */
static inline char *reported(swp_context *ctx,
                             swp_status (*report)(swp_context *ctx, const swp_schedule *schedule,
                                                  const swp_verdict *verdict, char **text,
                                                  size_t *length),
                             const swp_verdict *verdict)
{
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = pingpong(ctx);
    assert_int_equal(report(ctx, schedule, verdict, &text, &length), SWP_OK);
    assert_int_equal(length, strlen(text));
    swp_schedule_free(schedule);
    return text;
}

#endif
