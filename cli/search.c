/* SPDX-License-Identifier: Apache-2.0 */
/* Turns --time-limit and --work-limit into limits of a context; says how a search or a check stands. */
#include "search.h"

#include "interrupt.h"
#include "line.h"

#include <stdio.h>

enum { LINE_SIZE = 160 };

static bool interrupted(void *user)
{
    (void)user;
    return interrupt_seen();
}

/* Asks the same. It is asked often, so it also shows that the command is at work. */
static bool interrupted_at_work(void *user)
{
    line_at_work();
    return interrupted(user);
}

static void format_work(uint64_t work, char text[16])
{
    if (work < 1000000)
        (void)snprintf(text, 16, "%u", (unsigned)work);
    else
        (void)snprintf(text, 16, "%.1fM", (double)work / 1e6);
}

static void show_progress(void *user, const swp_progress *progress)
{
    (void)user;
    char best[64] = "none yet";
    char bound[24] = "";
    char work[16];
    char line[LINE_SIZE];
    if (progress->best >= 0 && progress->best == progress->bound)
        (void)snprintf(best, sizeof best, "%d, proven; refining", progress->best);
    else if (progress->best >= 0 && progress->bound > 0)
        (void)snprintf(best, sizeof best, "%d, gap %.1f%%", progress->best,
                       100.0 * (progress->best - progress->bound) / progress->bound);
    else if (progress->best >= 0)
        (void)snprintf(best, sizeof best, "%d", progress->best);
    format_work(progress->work, work);
    if (progress->bound > 0)
        (void)snprintf(bound, sizeof bound, "bound %d, ", progress->bound);
    (void)snprintf(line, sizeof line, "%sbest %s, %s nodes, %.1f s (Ctrl-C keeps the best)", bound,
                   best, work, progress->seconds);
    line_show(progress->seconds, line);
}

static void show_check(void *user, const swp_progress *progress)
{
    const cli_position *position = user;
    char work[16];
    char line[LINE_SIZE];
    format_work(progress->work, work);
    (void)snprintf(line, sizeof line,
                   "checking %zu of %zu, %s clauses looked at, %.1f s (Ctrl-C stops)",
                   position->done + 1, position->count, work, progress->seconds);
    line_show(progress->seconds, line);
}

/* A limit that has already passed becomes a tiny one, since 0 would mean none. */
static double rest_of(const cli_invocation *invocation, double limit)
{
    static const double least = 1e-9;
    const double rest = limit - (interrupt_clock() - invocation->began);
    return rest > least ? rest : least;
}

static bool shows_progress(const cli_invocation *invocation)
{
    return invocation->diagnostics.style == DIAGNOSTICS_TEXT && invocation->jobs == 1;
}

/*
 * Counts seconds by the clock if those are asked for. Else it counts nominal ones: as many as asked
 * for, or the default.
 */
static swp_limits limits_of(const cli_invocation *invocation, double seconds)
{
    swp_limits limits = {.work = invocation->work_limit,
                         .interrupted =
                             shows_progress(invocation) ? interrupted_at_work : interrupted,
                         .nominal = invocation->time_limit <= 0};
    if (!limits.nominal) {
        limits.seconds = rest_of(invocation, invocation->time_limit);
        limits.total_seconds = rest_of(invocation, TOTAL_OF(invocation->time_limit));
    } else if (invocation->work_seconds > 0)
        limits.seconds = invocation->work_seconds;
    else if (limits.work == 0)
        limits.seconds = seconds;
    return limits;
}

void search_limit(swp_context *ctx, const cli_invocation *invocation)
{
    swp_limits limits = limits_of(invocation, DEFAULT_SEARCH_WORK);
    limits.progress = shows_progress(invocation) ? show_progress : NULL;
    swp_context_set_limits(ctx, &limits);
}

void search_limit_runs(swp_context *ctx, const cli_invocation *invocation)
{
    const swp_limits limits = limits_of(invocation, 0);
    swp_context_set_limits(ctx, &limits);
}

void search_limit_each(swp_context *ctx, const cli_invocation *invocation)
{
    cli_invocation alone = *invocation;
    alone.began = interrupt_clock();
    search_limit(ctx, &alone);
}

void search_limit_check(swp_context *ctx, const cli_invocation *invocation, cli_position *position)
{
    cli_invocation alone = *invocation;
    alone.began = interrupt_clock();
    swp_limits limits = limits_of(&alone, DEFAULT_CHECK_WORK);
    if (limits.total_seconds <= 0 && limits.seconds > 0)
        limits.total_seconds = TOTAL_OF(limits.seconds);
    limits.interrupted = interrupted;
    limits.progress = shows_progress(invocation) ? show_check : NULL;
    limits.user = position;
    swp_context_set_limits(ctx, &limits);
}
