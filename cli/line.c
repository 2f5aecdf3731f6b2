/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line: on a terminal one that is redrawn, else now and then a new one. */
#include "line.h"

#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A search that is over sooner than one can read needs no progress line. */
#define SILENT_SECONDS 0.3

/* Where lines are not redrawn there is the first one after so long, and then one each time that it has taken twice as long. */
#define PLAIN_SECONDS 15.0

/* Where nobody says how the work stands, that there is some. */
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

/* Since the command first had something to show. */
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
