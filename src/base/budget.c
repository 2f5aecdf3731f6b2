/* SPDX-License-Identifier: Apache-2.0 */
/* Counts work and looks at the clock now and then, to end searches and all work at the limits of a context. */
#include "base/budget.h"

#include "base/clock.h"
#include "base/diag.h"

#include <limits.h>
#include <stdatomic.h>

/*
 * Reading a clock costs as much as a node or many steps. Between two looks there is less than a
 * millisecond.
 */
enum { NODES_PER_LOOK = 256, STEPS_PER_LOOK = 1 << 14 };
static const double seconds_per_report = 0.2;
static const double seconds_of_grace = 0.2;

static int clamp(int64_t value)
{
    return value > INT_MAX ? INT_MAX : (int)value;
}

bool swp_flag_is_raised(void *user)
{
    return user && atomic_load_explicit((const atomic_int *)user, memory_order_relaxed) != 0;
}

static bool is_interrupted(const swp_limits *limits)
{
    return limits->interrupted && limits->interrupted(limits->user);
}

void swp_deadline_begin(swp_deadline *deadline, const swp_limits *limits)
{
    *deadline =
        (swp_deadline){.ends = limits->total_seconds > 0 ? swp_clock() + limits->total_seconds : 0,
                       .steps_look = STEPS_PER_LOOK};
}

void swp_give_grace(const swp_context *ctx)
{
    if (ctx->deadline)
        ctx->deadline->grace = swp_processor_clock() + seconds_of_grace;
}

swp_status swp_why_none(const swp_context *ctx)
{
    return ctx->deadline && ctx->deadline->over ? SWP_STOPPED : SWP_OUT_OF_MEMORY;
}

/* Whether the deadline allows nothing more, at a moment when this is the time. */
static bool is_over(const swp_context *ctx, double time, bool interrupted)
{
    const swp_deadline *deadline = ctx->deadline;
    const bool late = deadline && deadline->ends > 0 && time > deadline->ends;
    return (late || interrupted) && (!deadline || swp_processor_clock() > deadline->grace);
}

swp_status swp_status_behind(const swp_context *ctx, swp_status status)
{
    return status == SWP_OUT_OF_MEMORY ? swp_why_none(ctx) : status;
}

swp_status swp_pass_on(swp_context *ctx, swp_status status)
{
    if (status == SWP_OUT_OF_MEMORY)
        return swp_out_of_memory(ctx);
    return status == SWP_STOPPED ? swp_stopped(ctx, ctx->deadline->interrupted) : status;
}

swp_status swp_keep_on(const swp_context *ctx, uint64_t steps)
{
    swp_deadline *deadline = ctx->deadline;
    if (!deadline || (deadline->steps += steps) < deadline->steps_look)
        return SWP_OK;
    if (deadline->ends <= 0 && !ctx->limits.interrupted) {
        deadline->steps = 0;
        return SWP_OK;
    }
    const bool interrupted = is_interrupted(&ctx->limits);
    deadline->over = is_over(ctx, swp_clock(), interrupted);
    deadline->interrupted = interrupted;
    if (deadline->over)
        return swp_stopped(ctx, interrupted);
    deadline->steps = 0;
    return SWP_OK;
}

swp_budget swp_budget_start(const swp_context *ctx, int ops)
{
    const double began = ctx->began > 0 ? ctx->began : swp_clock();
    return (swp_budget){.limits = &ctx->limits,
                        .ctx = ctx,
                        .began = began,
                        .reported = began,
                        .best = -1,
                        .first_descent = (uint64_t)ops};
}

static void report_progress(swp_budget *budget, double time)
{
    const swp_limits *limits = budget->limits;
    if (!limits->progress || time - budget->reported <= seconds_per_report)
        return;
    budget->reported = time;
    const swp_progress progress = {time - budget->began, budget->work, clamp(budget->best),
                                   clamp(budget->bound)};
    limits->progress(limits->user, &progress);
}

/* Where `patient`, it goes on for the moment that there is to complete a best so far. */
static bool look(swp_budget *budget, double time, bool patient)
{
    const swp_limits *limits = budget->limits;
    const swp_deadline *deadline = budget->ctx->deadline;
    const bool interrupted = is_interrupted(limits);
    const bool late = (limits->seconds > 0 && time - budget->began > limits->seconds) ||
                      (deadline && deadline->ends > 0 && time > deadline->ends);
    budget->steps = 0;
    if (late || interrupted) {
        if (deadline && deadline->grace <= 0)
            swp_give_grace(budget->ctx);
        budget->stopped = budget->stopped || !patient || is_over(budget->ctx, time, interrupted);
    }
    return !budget->stopped;
}

static bool look_and_report(swp_budget *budget, bool patient)
{
    const double time = swp_clock();
    report_progress(budget, time);
    return look(budget, time, patient);
}

bool swp_budget_look(swp_budget *budget)
{
    return look_and_report(budget, false);
}

static bool is_spent(const swp_budget *budget)
{
    return budget->limits->work > 0 && budget->work >= budget->limits->work;
}

bool swp_budget_spend(swp_budget *budget)
{
    /* Going straight down to a first order takes a node an op: that much is always allowed. */
    if (is_spent(budget) && budget->work >= budget->first_descent)
        budget->stopped = true;
    else if (++budget->work % NODES_PER_LOOK == 0)
        (void)look_and_report(budget, budget->work < budget->first_descent);
    return !budget->stopped;
}

bool swp_budget_poll(swp_budget *budget)
{
    budget->stopped = budget->stopped || is_spent(budget);
    budget->work++;
    return swp_budget_look(budget);
}

static bool is_time_to_look(swp_budget *budget, uint64_t steps)
{
    budget->steps += steps;
    return !budget->stopped && budget->steps >= STEPS_PER_LOOK;
}

bool swp_budget_keep(swp_budget *budget, uint64_t steps)
{
    return is_time_to_look(budget, steps) ? look(budget, swp_clock(), false) : !budget->stopped;
}

bool swp_budget_work(swp_budget *budget, uint64_t work)
{
    budget->work += work;
    budget->stopped = budget->stopped || is_spent(budget);
    return is_time_to_look(budget, work) ? swp_budget_look(budget) : !budget->stopped;
}
