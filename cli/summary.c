/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled schedule in a few lines, and the commands that lead on from it. */
#include "summary.h"

#include "cycles.h"
#include "output.h"
#include "search.h"

#include "swp/report.h"

#include <ctype.h>
#include <stdlib.h>

/* What was stopped is offered so many times as much. */
enum { MORE = 10 };

typedef struct summary_page {
    const cli_invocation *invocation;
    const cli_schedule *opened;
    const cli_proof *proof;
    const char *text;
    bool is_first; /* of the commands, none is printed yet */
} summary_page;

static void print_command(FILE *stream, summary_page *page, const char *gives,
                          const char *subcommand)
{
    (void)fprintf(stream, "%-10s %-14s swp %s ", page->is_first ? "next" : "", gives, subcommand);
    schedule_print_arguments(stream, page->invocation);
    page->is_first = false;
}

/* A file named after the schedule, with no character that a shell would take for its own. */
static void print_file(FILE *stream, const char *name, const char *ending)
{
    (void)fputs(*name ? " -o " : " -o schedule", stream);
    for (; *name; name++)
        (void)fputc(isalnum((unsigned char)*name) ? *name : '_', stream);
    (void)fprintf(stream, "%s\n", ending);
}

static void print_emit(FILE *stream, summary_page *page, const char *gives, const char *format,
                       const char *ending)
{
    print_command(stream, page, gives, "emit");
    (void)fprintf(stream, " --format %s", format);
    print_file(stream, page->opened->schedule->name, ending);
}

static void print_more_search(FILE *stream, summary_page *page)
{
    const cli_invocation *invocation = page->invocation;
    print_command(stream, page, "longer search", "compile");
    if (invocation->time_limit > 0)
        (void)fprintf(stream, " --time-limit %g\n", MORE * invocation->time_limit);
    else if (invocation->work_limit > 0)
        (void)fprintf(stream, " --work-limit %llu\n",
                      MORE * (unsigned long long)invocation->work_limit);
    else
        (void)fprintf(
            stream, " --work-limit %gs\n",
            MORE * (invocation->work_seconds > 0 ? invocation->work_seconds : DEFAULT_SEARCH_WORK));
}

static void print_page(FILE *stream, const void *user)
{
    summary_page copy = *(const summary_page *)user;
    summary_page *page = &copy;
    const cli_proof *proof = page->proof;
    (void)fprintf(stream, "%s\n", page->text);
    if (page->opened->schedule->metrics.stopped || proof->stopped)
        print_more_search(stream, page);
    if (proof->judged && !proof->verdict.safe) {
        print_command(stream, page, "what is wrong", "verify");
        (void)fputc('\n', stream);
    }
    print_command(stream, page, "every entry", "compile");
    (void)fputs(" --full\n", stream);
    if (proof->judged && proof->verdict.safe)
        print_emit(stream, page, "C header", "c", ".h");
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

/* Diagnostics of the simulation are thrown away: `swp simulate` has them. */
static swp_status write_summary(const summary_page *page, swp_context *scratch, char **text)
{
    const cli_schedule *opened = page->opened;
    const cli_proof *proof = page->proof;
    swp_simulation simulation;
    const swp_status counted =
        count_cycles(page->invocation, scratch, opened->schedule, &simulation);
    if (counted == SWP_OUT_OF_MEMORY) {
        diagnostics_flush(&page->invocation->diagnostics, scratch);
        return counted;
    }
    const swp_summary summary = {.verdict = proof->judged ? &proof->verdict : NULL,
                                 .proof_stopped = proof->stopped,
                                 .simulation = counted == SWP_OK ? &simulation : NULL};
    return swp_summary_text(opened->ctx, opened->schedule, &summary, text, NULL);
}

int summary_text(const cli_invocation *invocation, const cli_schedule *opened,
                 const cli_proof *proof, char **text, size_t *length)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    summary_page page = {invocation, opened, proof, NULL, true};
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
