/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress line: a terminal redraws it, and elsewhere a new line appears now and then. */
#include "line.h"

#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A search that is over sooner than one can read needs no progress line. */
#define SILENT_SECONDS 0.3

/*
 * If lines are not redrawn, the first one comes after so many seconds. Each further one comes when
 * twice the time has passed.
 */
#define PLAIN_SECONDS 15.0

/* If no search reports its progress, a line says after so many seconds that the command is at work. */
#define IDLE_SECONDS 1.0

static bool line_shown;
static double shown_at;

static bool terminal_redraws(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* A line that wraps cannot be redrawn, so the terminal is asked to cut it. */
static void redraw(const char *line)
{
    (void)fprintf(stderr, "\r\033[K\033[?7l%s\033[?7h", line);
    (void)fflush(stderr);
    line_shown = true;
}

/* Returns the seconds since the command first had something to show. */
static double seconds_at_work(void)
{
    static double began = -1;
    const double now = interrupt_clock();
    began = began < 0 ? now : began;
    return now - began;
}

static void add_line(const char *line)
{
    static double due = PLAIN_SECONDS;
    const double seconds = seconds_at_work();
    if (seconds < due)
        return;
    due = 2 * seconds;
    (void)fprintf(stderr, "swp: %s\n", line);
    (void)fflush(stderr);
}

void line_show(double seconds, const char *line)
{
    shown_at = interrupt_clock();
    if (!terminal_redraws())
        add_line(line);
    else if (seconds >= SILENT_SECONDS)
        redraw(line);
}

void line_at_work(void)
{
    char line[64];
    const double seconds = seconds_at_work();
    if (interrupt_clock() - shown_at < IDLE_SECONDS)
        return;
    (void)snprintf(line, sizeof line, "at work for %.0f s (Ctrl-C stops)", seconds);
    line_show(seconds, line);
}

void line_clear(void)
{
    if (line_shown)
        (void)fputs("\r\033[K", stderr);
    line_shown = false;
}
