/* SPDX-License-Identifier: Apache-2.0 */
/* swp diff: opens two schedules and shows what the library finds different. */
#include "interrupt.h"
#include "output.h"
#include "report.h"
#include "schedule.h"
#include "search.h"
#include "subcommand.h"

#include "swp/diff.h"

#include <string.h>

const cli_subcommand_help help_of_diff = {
    .description =
        "  A and B are each a FILE, a BUILTIN or a schedule in JSON, as for `swp verify`. --set "
        "and\n"
        "  --target count for both, --set-a and --set-b for one of them.\n"
        "\n"
        "  Shown are settings that differ, then the three phases aligned, entry by entry: what is\n"
        "  only in A, only in B, changed, or moved. Below each difference stands what it does by\n"
        "  itself to hazards and cycles: taken into A, and taken back out of B; nothing there\n"
        "  means that it does nothing. Then both in figures: safety, barriers, waits, cycles.\n"
        "\n"
        "  --format is text (the default), json, svg or html; the last two draw both timelines on\n"
        "  the same time axis. The exit status is 0 whether they differ or not, so that -o is\n"
        "  written; \"alike\" in JSON says which.\n",
    .examples = "  swp diff fourwave fourwave --set-b schedule.sync=derived\n"
                "  swp diff pingpong pingpong.json\n"
                "  swp diff my_kernel.yaml pingpong --format json -o diff.json\n"
                "  swp diff my_kernel.yaml pingpong --format html -o diff.html\n",
};

/* Returns the format that draws two schedules; NULL: the format is text, JSON or none. */
static const swp_emit_format *drawing(const cli_invocation *invocation)
{
    const swp_emit_format *format =
        invocation->format ? swp_emit_format_find(invocation->format) : NULL;
    return format && format->emit_two ? format : NULL;
}

static int draw(const cli_invocation *invocation, const cli_schedule opened[2])
{
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = opened[0].ctx;
    search_limit(ctx, invocation);
    const swp_status status =
        drawing(invocation)->emit_two(ctx, opened[0].schedule, opened[1].schedule, &text, &length);
    return report_end(invocation, ctx, status, true, text, length);
}

static int compare(const cli_invocation *invocation, const cli_schedule opened[2])
{
    swp_diff diff;
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = opened[0].ctx;
    search_limit(ctx, invocation);
    swp_status status = swp_diff_schedules(ctx, opened[0].schedule, opened[1].schedule,
                                           &invocation->simulation, &diff);
    const bool stopped = status == SWP_OK && diff.stopped;
    if (status == SWP_OK)
        status = (invocation->as_json ? swp_diff_json : swp_diff_text)(ctx, &diff, &text, &length);
    const int ended = report_end(invocation, ctx, status, true, text, length);
    return ended == EXIT_DONE && stopped && interrupt_seen() ? EXIT_STOPPED : ended;
}

enum { LONGEST_LABEL = 256 };

/*
 * Diagnostics name which of the two they are about, since both may be stopped in the same words.
 * JSON names only files there.
 */
static int open_one(cli_invocation *invocation, int argument, cli_schedule *opened)
{
    char label[LONGEST_LABEL];
    (void)snprintf(label, sizeof label, "%c (%s)", 'A' + argument, invocation->arguments[argument]);
    invocation->diagnostics.of = invocation->diagnostics.style == DIAGNOSTICS_JSON
                                     ? schedule_file(invocation, argument)
                                     : label;
    const int status = schedule_open(invocation, argument, opened);
    invocation->diagnostics.of = NULL;
    return status;
}

static int open_and_compare(cli_invocation *invocation, cli_schedule opened[2])
{
    const int of_a = open_one(invocation, 0, &opened[0]);
    if (!opened[0].schedule)
        return of_a;
    const int of_b = open_one(invocation, 1, &opened[1]);
    if (!opened[1].schedule)
        return of_b;
    const int compared = (drawing(invocation) ? draw : compare)(invocation, opened);
    return compared != EXIT_DONE ? compared : of_a != EXIT_DONE ? of_a : of_b;
}

static int refuse_occupancy(const cli_invocation *invocation)
{
    if (invocation->simulation.occupancy_global == 0 && invocation->simulation.occupancy_lds == 0)
        return EXIT_DONE;
    return diagnostics_fail(&invocation->diagnostics, CLI_E0903,
                            "leave it out, or ask for text or json",
                            "occupancies mean nothing for format %s", invocation->format);
}

int run_diff(cli_invocation *invocation)
{
    cli_schedule opened[2] = {{0}};
    int status = drawing(invocation) ? refuse_occupancy(invocation) : report_format(invocation);
    if (status != EXIT_DONE)
        return status;
    status = open_and_compare(invocation, opened);
    schedule_close(&opened[0]);
    schedule_close(&opened[1]);
    return status;
}
