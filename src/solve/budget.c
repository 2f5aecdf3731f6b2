/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/budget.h"

#include "base/clock.h"

#include <limits.h>

/* Clocks are read once in so many nodes: reading one costs as much as a node. */
enum { NODES_PER_CHECK = 256 };
static const double seconds_per_report = 0.2;

static int clamp(int64_t value)
{
    return value > INT_MAX ? INT_MAX : (int)value;
}

swp_budget swp_budget_start(const swp_context *ctx, int ops)
{
    const double began = ctx->began > 0 ? ctx->began : swp_clock();
    return (swp_budget){.limits = &ctx->limits,
                        .began = began,
                        .reported = began,
                        .best = -1,
                        .first_descent = (uint64_t)ops};
}

static void check_clock(swp_budget *budget)
{
    const swp_limits *limits = budget->limits;
    const double time = swp_clock();
    if (limits->seconds > 0 && time - budget->began > limits->seconds)
        budget->stopped = true;
    if (limits->interrupted && limits->interrupted(limits->user))
        budget->stopped = true;
    if (limits->progress && time - budget->reported > seconds_per_report) {
        budget->reported = time;
        const swp_progress progress = {time - budget->began, budget->work, clamp(budget->best),
                                       clamp(budget->bound)};
        limits->progress(limits->user, &progress);
    }
}

bool swp_budget_spend(swp_budget *budget)
{
    /* Going straight down to a first order takes a node an op: that much is always allowed. */
    if (budget->limits->work > 0 && budget->work >= budget->limits->work &&
        budget->work >= budget->first_descent)
        budget->stopped = true;
    else if (++budget->work % NODES_PER_CHECK == 0 && budget->work >= budget->first_descent)
        check_clock(budget);
    return !budget->stopped;
}

bool swp_budget_poll(swp_budget *budget)
{
    if (budget->limits->work > 0 && budget->work >= budget->limits->work)
        budget->stopped = true;
    budget->work++;
    return swp_budget_look(budget);
}

bool swp_budget_look(swp_budget *budget)
{
    check_clock(budget);
    return !budget->stopped;
}
