/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a compiled schedule in a few lines, and the commands that lead on from it. */
#include "summary.h"

#include "cycles.h"
#include "output.h"
#include "search.h"

#include "swp/report.h"

#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* If a limit stopped something, so many times as much is suggested. */
enum { MORE = 10 };

typedef struct summary_page {
    const cli_invocation *invocation;
    const cli_schedule *opened;
    const cli_proof *proof;
    const char *text;
} summary_page;

static void print_command(FILE *stream, const char *head, const char *gives, const char *subcommand,
                          const cli_invocation *invocation)
{
    (void)fprintf(stream, "%-10s %-14s swp %s ", head, gives, subcommand);
    schedule_print_arguments(stream, invocation);
}

/* Prints a file name after the schedule, without characters that a shell interprets. */
static void print_file(FILE *stream, const char *name, const char *ending)
{
    (void)fputs(*name ? " -o " : " -o schedule", stream);
    for (; *name; name++)
        (void)fputc(isalnum((unsigned char)*name) ? *name : '_', stream);
    (void)fprintf(stream, "%s\n", ending);
}

static void print_emit(FILE *stream, const summary_page *page, const char *gives,
                       const char *format, const char *ending)
{
    cli_invocation emit = *page->invocation;
    /* Timelines show every hazard, and `swp emit` takes no --accept for them. */
    if (strcmp(format, "c") != 0)
        emit.accepted_count = 0;
    print_command(stream, "", gives, "emit", &emit);
    (void)fprintf(stream, " --format %s", format);
    print_file(stream, page->opened->schedule->name, ending);
}

/* Rounds to 15 digits, so that ten times 0.07 is 0.7. */
static double more_seconds(double seconds)
{
    char text[32];
    if (seconds > DBL_MAX / MORE)
        return seconds;
    (void)snprintf(text, sizeof text, "%.15g", MORE * seconds);
    return strtod(text, NULL);
}

static void print_more_search(FILE *stream, const char *head, const cli_invocation *stopped)
{
    cli_invocation longer = *stopped;
    if (longer.time_limit <= 0 && longer.work_seconds <= 0 && longer.work_limit == 0)
        longer.work_seconds = DEFAULT_SEARCH_WORK;
    longer.time_limit = more_seconds(longer.time_limit);
    longer.work_seconds = more_seconds(longer.work_seconds);
    longer.work_limit =
        longer.work_limit > UINT64_MAX / MORE ? UINT64_MAX : MORE * longer.work_limit;
    print_command(stream, head, "longer search", "compile", &longer);
    (void)fputc('\n', stream);
}

static void print_page(FILE *stream, const void *user)
{
    const summary_page *page = user;
    const cli_proof *proof = page->proof;
    const bool stopped = page->opened->schedule->metrics.stopped || proof->stopped;
    const bool unsafe = proof_is_refuted(proof);
    (void)fprintf(stream, "%s\n", page->text);
    if (stopped)
        print_more_search(stream, "next", page->invocation);
    if (unsafe) {
        print_command(stream, stopped ? "" : "next", "what is wrong", "verify", page->invocation);
        (void)fputc('\n', stream);
    }
    print_command(stream, stopped || unsafe ? "" : "next", "every entry", "compile",
                  page->invocation);
    (void)fputs(" --full\n", stream);
    if (proof->judged && !unsafe)
        print_emit(stream, page, "C header", "c", ".h");
    if (!proof->stopped) /* a timeline takes a proof, which the same limit would stop */
        print_emit(stream, page, "timeline", "html", ".html");
}

static swp_status count_cycles(const cli_invocation *invocation, swp_context *ctx,
                               const swp_schedule *schedule, swp_simulation *out)
{
    swp_simulate_options options;
    search_limit(ctx, invocation);
    const swp_status status = cycles_options(invocation, ctx, &options);
    return status == SWP_OK ? swp_simulate(ctx, schedule, &options, out) : status;
}

/* Drops the diagnostics of the simulation, since `swp simulate` shows them. */
static swp_status write_summary(const summary_page *page, swp_context *scratch, char **text)
{
    const cli_schedule *opened = page->opened;
    swp_simulation simulation;
    const swp_status counted =
        count_cycles(page->invocation, scratch, opened->schedule, &simulation);
    if (counted == SWP_OUT_OF_MEMORY) {
        diagnostics_flush(&page->invocation->diagnostics, scratch);
        return counted;
    }
    swp_summary summary = proof_summary(page->proof);
    summary.simulation = counted == SWP_OK ? &simulation : NULL;
    return swp_summary_text(opened->ctx, opened->schedule, &summary, text, NULL);
}

int summary_text(const cli_invocation *invocation, const cli_schedule *opened,
                 const cli_proof *proof, char **text, size_t *length)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    summary_page page = {invocation, opened, proof, NULL};
    char *summary = NULL;
    swp_context *scratch = swp_context_new(NULL);
    if (!scratch)
        return diagnostics_out_of_memory(to);
    const swp_status status = write_summary(&page, scratch, &summary);
    swp_context_free(scratch);
    diagnostics_flush(to, opened->ctx);
    if (status != SWP_OK)
        return exit_status_of(status);
    page.text = summary;
    *text = output_capture(print_page, &page, length);
    return *text ? EXIT_DONE : diagnostics_out_of_memory(to);
}
