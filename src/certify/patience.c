/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/patience.h"

#include "base/clock.h"

/* A few milliseconds of work: looking at the clock costs as much as many units. */
enum { WORK_PER_LOOK = 1 << 18 };
static const double seconds_per_report = 0.2;

swp_patience swp_patience_begin(const swp_context *ctx)
{
    const double began = ctx->began > 0 ? ctx->began : swp_clock();
    return (swp_patience){.limits = &ctx->limits, .began = began, .reported = began};
}

static void report_progress(swp_patience *patience, double time)
{
    const swp_limits *limits = patience->limits;
    if (!limits->progress || time - patience->reported < seconds_per_report)
        return;
    patience->reported = time;
    const swp_progress progress = {time - patience->began, patience->work, -1, 0};
    limits->progress(limits->user, &progress);
}

bool swp_patience_spend(swp_patience *patience, uint64_t work)
{
    const swp_limits *limits = patience->limits;
    patience->work += work;
    if (limits->work > 0 && patience->work >= limits->work)
        return false;
    if (patience->work - patience->looked_at < WORK_PER_LOOK)
        return true;
    const double time = swp_clock();
    patience->looked_at = patience->work;
    report_progress(patience, time);
    if (limits->interrupted && limits->interrupted(limits->user))
        return false;
    return limits->seconds <= 0 || time - patience->began <= limits->seconds;
}
