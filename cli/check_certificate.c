/* SPDX-License-Identifier: Apache-2.0 */
/* swp check-certificate: shows what the library finds of each problem, answer and certificate. */
#include "check_loop.h"
#include "gathered.h"
#include "input.h"
#include "interrupt.h"
#include "line.h"
#include "mapped.h"
#include "report.h"
#include "search.h"
#include "subcommand.h"

#include "swp/certify.h"
#include "swp/emit.h"
#include "swp/kernels.h"

#include <stdlib.h>
#include <string.h>

const cli_subcommand_help help_of_check_certificate = {
    .description =
        "  PROBLEMS is what `swp solve` reads, ANSWERS what it writes with --format json, and\n"
        "  CERTIFICATES what it writes with --certificate. Or PROBLEMS is the description of a "
        "loop\n"
        "  or a built-in one, and the others are what `swp compile` writes with --format json and\n"
        "  --certificate; --set and --target as there.\n"
        "\n"
        "  Answers and certificates belong to the problem of their name, in their order where "
        "several\n"
        "  share it. Nothing of the solver is used or believed: the times are judged by the\n"
        "  definition of the problem, each bound by its own arithmetic, and a refutation by the\n"
        "  problem's formula, which is built again and compared, and a DRAT checker.\n"
        "\n"
        "  For each problem: accepted; refused, with the step, line, edge or clause that is "
        "wrong;\n"
        "  unproven (an answer that is only feasible or unknown, whose bound no step proves); or\n"
        "  stopped. --time-limit and --work-limit (" QUOTE_VALUE(
            DEFAULT_CHECK_WORK) "s by default) are for each\n"
                                "  problem; the unit of work is a clause that is looked at.\n"
                                "\n"
                                "  --format is text (the default) or json, one line a problem. The "
                                "exit status is 2 if an\n"
                                "  input is malformed, else 1 if anything is refused, else 3 if "
                                "anything is unproven or\n"
                                "  stopped, else 0.\n",
    .examples = "  swp check-certificate problem.json answer.json proof\n"
                "  swp check-certificate stencil stencil.json stencil.proof\n",
};

/* Counts what the checks have found so far. */
typedef struct tally {
    const cli_invocation *invocation;
    size_t verdicts[SWP_CERTIFICATE_STOPPED + 1];
    bool malformed;
    cli_position position;
    cli_gathered out;
} tally;

static swp_status show_report(tally *t, swp_context *ctx, const swp_certificate_report *report)
{
    char *text = NULL;
    size_t length = 0;
    const bool json = t->invocation->as_json;
    const swp_status status = json ? swp_certificate_json(ctx, report, &text, &length)
                                   : swp_certificate_text(ctx, report, &text, &length);
    if (status != SWP_OK)
        return status;
    t->verdicts[report->verdict]++;
    if (json)
        text[length++] = '\n'; /* in place of the NUL */
    gathered_add(&t->out, text, length);
    return SWP_OK;
}

static swp_status check(tally *t, swp_context *ctx, swp_certificate_batch *batch, size_t index)
{
    swp_certificate_report report;
    const swp_status status = swp_certificate_batch_check(ctx, batch, index, &report);
    line_clear();
    return status == SWP_OK ? show_report(t, ctx, &report) : status;
}

/* A malformed problem does not keep the others from being checked. */
static void check_one(tally *t, swp_certificate_batch *batch, size_t index)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx) {
        t->out.written = diagnostics_out_of_memory(&t->invocation->diagnostics);
        return;
    }
    t->position = (cli_position){index, swp_certificate_batch_count(batch)};
    search_limit_check(ctx, t->invocation, &t->position);
    const swp_status status = check(t, ctx, batch, index);
    t->malformed = t->malformed || status != SWP_OK;
    diagnostics_flush(&t->invocation->diagnostics, ctx);
    swp_context_free(ctx);
}

static swp_status show_unmatched(tally *t, swp_context *ctx, const swp_certificate_batch *batch)
{
    swp_certificate_reports unmatched = {0};
    swp_status status = swp_certificate_batch_unmatched(ctx, batch, &unmatched);
    for (size_t i = 0; i < unmatched.count && status == SWP_OK; i++)
        status = show_report(t, ctx, &unmatched.items[i]);
    return status;
}

static void show_summary(tally *t)
{
    char line[160];
    const size_t *of = t->verdicts;
    const int length =
        snprintf(line, sizeof line, "%zu accepted, %zu refused, %zu unproven, %zu stopped\n",
                 of[SWP_CERTIFICATE_ACCEPTED], of[SWP_CERTIFICATE_REFUSED],
                 of[SWP_CERTIFICATE_UNPROVEN], of[SWP_CERTIFICATE_STOPPED]);
    gathered_add(&t->out, line, (size_t)length);
}

static int status_of(const tally *t)
{
    if (t->malformed)
        return EXIT_BAD;
    if (t->verdicts[SWP_CERTIFICATE_REFUSED])
        return EXIT_NO;
    const bool open = t->verdicts[SWP_CERTIFICATE_UNPROVEN] || t->verdicts[SWP_CERTIFICATE_STOPPED];
    return open ? EXIT_STOPPED : EXIT_DONE;
}

static int finish(tally *t)
{
    const int result = status_of(t);
    const int written = gathered_end(&t->out, result);
    return written == EXIT_DONE ? result : written;
}

static int check_all(const cli_invocation *invocation, swp_context *ctx,
                     swp_certificate_batch *batch)
{
    tally t = {.invocation = invocation, .out = {.invocation = invocation}};
    const size_t count = swp_certificate_batch_count(batch);
    for (size_t i = 0; i < count && t.out.written == EXIT_DONE; i++)
        check_one(&t, batch, i);
    if (show_unmatched(&t, ctx, batch) != SWP_OK)
        t.malformed = true;
    if (!invocation->as_json && count > 1)
        show_summary(&t);
    return finish(&t);
}

static int check_texts(const cli_invocation *invocation, const cli_source *sources)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_certificate_batch *batch = NULL;
    swp_problem_text texts[3];
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    for (int i = 0; i < 3; i++)
        texts[i] = (swp_problem_text){sources[i].text, sources[i].length, {sources[i].name, 1, 1}};
    const swp_status status =
        swp_certificate_batch_new(ctx, &texts[0], &texts[1], &texts[2], &batch);
    diagnostics_flush(&invocation->diagnostics, ctx);
    const int result =
        status == SWP_OK ? check_all(invocation, ctx, batch) : exit_status_of(status);
    diagnostics_flush(&invocation->diagnostics, ctx);
    swp_context_free(ctx);
    return result;
}

/* A description is YAML or the name of a built-in, problems are JSON. */
static bool is_loop(const cli_source *text)
{
    return !text->text || !swp_looks_like_json(text->text, text->length);
}

static int check_inputs(cli_invocation *invocation, const cli_source *texts)
{
    if (is_loop(&texts[0]))
        return check_loop(invocation, &texts[0], &texts[1], &texts[2]);
    if (invocation->settings || invocation->target.text)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0909,
                                "compile or write the problem again, with this option",
                                "%s does not change a scheduling problem, and %s is one",
                                invocation->settings ? "--set" : "--target", texts[0].name);
    return check_texts(invocation, texts);
}

int run_check_certificate(cli_invocation *invocation)
{
    static const char *const hints[] = {
        "give a file of scheduling problems, or the description of a loop",
        "`swp solve --format json` or `swp compile --format json` writes answers",
        "`swp solve --certificate` or `swp compile --certificate` writes certificates"};
    cli_source texts[3] = {0};
    cli_mapped mapped = {0};
    int status = report_format(invocation);
    for (int i = swp_builtin_find(invocation->arguments[0]) != NULL; i < 2 && status == EXIT_DONE;
         i++)
        status =
            input_read(&invocation->diagnostics, invocation->arguments[i], hints[i], &texts[i]);
    if (status == EXIT_DONE)
        status = input_map(&invocation->diagnostics, invocation->arguments[2], hints[2], &mapped);
    texts[2] = mapped.source;
    interrupt_after(0); /* from here on each problem has its own time */
    if (status == EXIT_DONE)
        status = check_inputs(invocation, texts);
    input_unmap(&mapped);
    free((char *)texts[0].text);
    free((char *)texts[1].text);
    return status;
}
