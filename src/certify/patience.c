/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/patience.h"

#include "base/clock.h"

/* A few milliseconds of work: looking at the clock costs as much as many units. */
enum { WORK_PER_LOOK = 1 << 18 };

swp_patience swp_patience_begin(const swp_context *ctx)
{
    return (swp_patience){.limits = &ctx->limits,
                          .began = ctx->began > 0 ? ctx->began : swp_clock()};
}

bool swp_patience_holds(swp_patience *patience, uint64_t work)
{
    const swp_limits *limits = patience->limits;
    if (limits->work > 0 && work >= limits->work)
        return false;
    if (work - patience->looked_at < WORK_PER_LOOK)
        return true;
    patience->looked_at = work;
    if (limits->interrupted && limits->interrupted(limits->user))
        return false;
    return limits->seconds <= 0 || swp_clock() - patience->began <= limits->seconds;
}
