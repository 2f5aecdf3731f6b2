/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pace.h"

#include "base/clock.h"

/* Less than a millisecond: reading the clock costs as much as several steps. */
enum { STEPS_PER_LOOK = 1 << 14 };

swp_pace swp_pace_begin(const swp_context *ctx)
{
    return (swp_pace){.limits = &ctx->limits, .began = ctx->began > 0 ? ctx->began : swp_clock()};
}

bool swp_pace_keep(swp_pace *pace, uint64_t steps)
{
    const swp_limits *limits = pace->limits;
    pace->steps += steps;
    if (pace->stopped || pace->steps < STEPS_PER_LOOK)
        return !pace->stopped;
    pace->steps = 0;
    pace->stopped = (limits->seconds > 0 && swp_clock() - pace->began > limits->seconds) ||
                    (limits->interrupted && limits->interrupted(limits->user));
    return !pace->stopped;
}
