/* SPDX-License-Identifier: Apache-2.0 */
/* Counts work and looks at the clock now and then, to end searches and all work at the limits of a context. */
#include "base/budget.h"

#include "base/clock.h"
#include "base/diag.h"

#include <limits.h>
#include <stdatomic.h>

/*
 * Reading a clock costs as much as a node or many steps. So it is read less often, but at least
 * once a millisecond.
 */
enum { NODES_PER_LOOK = 256, STEPS_PER_LOOK = 1 << 14 };
static const double seconds_per_report = 0.2;
static const double seconds_of_grace = 0.2;

/*
 * These are the steps of the nominal clock. They were fitted to the processor time of the searches
 * of several hundred loops (docs/scheduling.md, "Limits").
 */
enum { STEPS_OF_A_NODE = 400, STEPS_OF_A_POLL = 3000 };
static const double nominal_seconds_per_step = 4e-9;
static const double nominal_begin = 1; /* not 0, which means that no time is set */

static int clamp(int64_t value)
{
    return value > INT_MAX ? INT_MAX : (int)value;
}

bool swp_flag_is_raised(void *user)
{
    return user && atomic_load_explicit((const atomic_int *)user, memory_order_relaxed) != 0;
}

double swp_search_began(const swp_context *ctx)
{
    return ctx->began > 0 ? ctx->began : swp_search_clock(ctx);
}

bool swp_is_interrupted(const swp_limits *limits)
{
    return limits->interrupted && limits->interrupted(limits->user);
}

void swp_deadline_begin(swp_deadline *deadline, const swp_limits *limits)
{
    *deadline = (swp_deadline){.began = swp_clock(), .steps_look = STEPS_PER_LOOK};
    if (limits->total_seconds > 0)
        deadline->ends =
            (limits->nominal ? nominal_begin : deadline->began) + limits->total_seconds;
}

/* The count stops at the largest number: if it wrapped, a search would get all its seconds again. */
static void count(swp_deadline *deadline, uint64_t steps)
{
    deadline->work = deadline->work > UINT64_MAX - steps ? UINT64_MAX : deadline->work + steps;
}

double swp_search_clock(const swp_context *ctx)
{
    if (!ctx->limits.nominal || !ctx->deadline)
        return swp_clock();
    return nominal_begin + (double)ctx->deadline->work * nominal_seconds_per_step;
}

void swp_give_grace(const swp_context *ctx)
{
    if (!ctx->deadline)
        return;
    ctx->deadline->grace = swp_processor_clock() + seconds_of_grace;
    ctx->deadline->nominal_grace = swp_search_clock(ctx) + seconds_of_grace;
}

swp_status swp_why_none(const swp_context *ctx)
{
    return ctx->deadline && ctx->deadline->over ? SWP_STOPPED : SWP_OUT_OF_MEMORY;
}

/* Returns whether the deadline allows nothing more at `time`. */
static bool is_over(const swp_context *ctx, double time, bool interrupted)
{
    const swp_deadline *deadline = ctx->deadline;
    const bool late = deadline && deadline->ends > 0 && time > deadline->ends;
    if (late && !interrupted && ctx->limits.nominal)
        return time > deadline->nominal_grace;
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
    if (!deadline)
        return SWP_OK;
    count(deadline, steps);
    if ((deadline->steps += steps) < deadline->steps_look)
        return SWP_OK;
    if (deadline->ends <= 0 && !ctx->limits.interrupted) {
        deadline->steps = 0;
        return SWP_OK;
    }
    const bool interrupted = swp_is_interrupted(&ctx->limits);
    deadline->over = is_over(ctx, swp_search_clock(ctx), interrupted);
    deadline->interrupted = interrupted;
    if (deadline->over)
        return swp_stopped(ctx, interrupted);
    deadline->steps = 0;
    return SWP_OK;
}

swp_budget swp_budget_start(const swp_context *ctx, int ops)
{
    return (swp_budget){.limits = &ctx->limits,
                        .ctx = ctx,
                        .began = swp_search_began(ctx),
                        .reported = swp_clock(),
                        .best = -1,
                        .first_descent = (uint64_t)ops};
}

static void report_progress(swp_budget *budget)
{
    const swp_limits *limits = budget->limits;
    const swp_deadline *deadline = budget->ctx->deadline;
    if (!limits->progress)
        return;
    const double time = swp_clock();
    if (time - budget->reported <= seconds_per_report)
        return;
    budget->reported = time;
    const swp_progress progress = {deadline ? time - deadline->began : 0, budget->work,
                                   clamp(budget->best), clamp(budget->bound)};
    limits->progress(limits->user, &progress);
}

void swp_budget_count(swp_budget *budget, uint64_t steps)
{
    if (budget->ctx->deadline)
        count(budget->ctx->deadline, steps);
}

/* With `patient` the search may go on during the grace period, to complete its best so far. */
static bool look(swp_budget *budget, bool patient)
{
    const swp_limits *limits = budget->limits;
    const swp_deadline *deadline = budget->ctx->deadline;
    const bool interrupted = swp_is_interrupted(limits);
    const double time = swp_search_clock(budget->ctx);
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
    report_progress(budget);
    return look(budget, patient);
}

bool swp_budget_look(swp_budget *budget)
{
    return !budget->stopped && look_and_report(budget, false);
}

static bool is_spent(const swp_budget *budget)
{
    return budget->limits->work > 0 && budget->work >= budget->limits->work;
}

bool swp_budget_spend(swp_budget *budget)
{
    swp_budget_count(budget, STEPS_OF_A_NODE);
    /* A descent to a first order takes one node for each op; so many are always allowed. */
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
    swp_budget_count(budget, STEPS_OF_A_POLL);
    return swp_budget_look(budget);
}

static bool is_time_to_look(swp_budget *budget, uint64_t steps)
{
    swp_budget_count(budget, steps);
    budget->steps += steps;
    return !budget->stopped && budget->steps >= STEPS_PER_LOOK;
}

bool swp_budget_keep(swp_budget *budget, uint64_t steps)
{
    return is_time_to_look(budget, steps) ? look(budget, false) : !budget->stopped;
}

bool swp_budget_work(swp_budget *budget, uint64_t work)
{
    budget->work += work;
    budget->stopped = budget->stopped || is_spent(budget);
    return is_time_to_look(budget, work) ? swp_budget_look(budget) : !budget->stopped;
}
