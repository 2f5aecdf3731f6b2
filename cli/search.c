/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A search that is over sooner than one can read needs no progress line. */
#define SILENT_SECONDS 0.3

static volatile sig_atomic_t interrupt_seen;
static struct sigaction action_before;
static bool line_shown;

static void note_interrupt(int number)
{
    (void)number;
    interrupt_seen = 1;
}

static bool interrupted(void *user)
{
    (void)user;
    return interrupt_seen != 0;
}

static void format_work(uint64_t work, char text[16])
{
    if (work < 1000000)
        (void)snprintf(text, 16, "%u", (unsigned)work);
    else
        (void)snprintf(text, 16, "%.1fM", (double)work / 1e6);
}

/* A line that wraps cannot be redrawn, so the terminal is asked to cut it. */
static void show_progress(void *user, const swp_progress *progress)
{
    (void)user;
    if (progress->seconds < SILENT_SECONDS)
        return;
    char best[64] = "none yet";
    char work[16];
    if (progress->best >= 0 && progress->best == progress->bound)
        (void)snprintf(best, sizeof best, "%d, proven; refining", progress->best);
    else if (progress->best >= 0 && progress->bound > 0)
        (void)snprintf(best, sizeof best, "%d, gap %.1f%%", progress->best,
                       100.0 * (progress->best - progress->bound) / progress->bound);
    else if (progress->best >= 0)
        (void)snprintf(best, sizeof best, "%d", progress->best);
    format_work(progress->work, work);
    (void)fprintf(
        stderr,
        "\r\033[K\033[?7lbound %d, best %s, %s nodes, %.1f s (Ctrl-C keeps the best)\033[?7h",
        progress->bound, best, work, progress->seconds);
    (void)fflush(stderr);
    line_shown = true;
}

static void show_check(void *user, const swp_progress *progress)
{
    const cli_position *position = user;
    char work[16];
    if (progress->seconds < SILENT_SECONDS)
        return;
    format_work(progress->work, work);
    (void)fprintf(stderr,
                  "\r\033[K\033[?7lchecking %zu of %zu, %s clauses looked at, %.1f s "
                  "(Ctrl-C stops)\033[?7h",
                  position->done + 1, position->count, work, progress->seconds);
    (void)fflush(stderr);
    line_shown = true;
}

static bool terminal_redraws(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void search_limit(swp_context *ctx, const cli_invocation *invocation)
{
    const bool redraws = invocation->diagnostics.style == DIAGNOSTICS_TEXT &&
                         invocation->jobs == 1 && terminal_redraws();
    const swp_limits limits = {.seconds = invocation->time_limit,
                               .work = invocation->work_limit,
                               .interrupted = interrupted,
                               .progress = redraws ? show_progress : NULL};
    swp_context_set_limits(ctx, &limits);
}

void search_limit_check(swp_context *ctx, const cli_invocation *invocation, cli_position *position)
{
    const bool redraws = invocation->diagnostics.style == DIAGNOSTICS_TEXT && terminal_redraws();
    const swp_limits limits = {.seconds = invocation->time_limited ? invocation->time_limit : 0,
                               .work = invocation->work_limit,
                               .interrupted = interrupted,
                               .progress = redraws ? show_check : NULL,
                               .user = position};
    swp_context_set_limits(ctx, &limits);
}

void search_catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, &action_before);
}

void search_begin(swp_context *ctx, const cli_invocation *invocation)
{
    search_limit(ctx, invocation);
    search_catch_interrupt();
}

void search_clear(void)
{
    if (line_shown)
        (void)fputs("\r\033[K", stderr);
    line_shown = false;
}

void search_end(void)
{
    search_clear();
    /* What follows polls nothing: there, Ctrl-C has to kill at once. */
    (void)sigaction(SIGINT, &action_before, NULL);
    interrupt_seen = 0;
}
