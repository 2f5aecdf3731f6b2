/* SPDX-License-Identifier: Apache-2.0 */
#include "check_loop.h"
#include "input.h"
#include "interrupt.h"
#include "mapped.h"
#include "output.h"
#include "report.h"
#include "schedule.h"
#include "search.h"
#include "subcommand.h"

#include "swp/certify.h"

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
        "  Answers and certificates belong to the\n"
        "  problem of their name. Nothing of the solver is used or believed: the times are judged\n"
        "  by the definition of the problem, each bound by its own arithmetic, and a refutation "
        "by\n"
        "  the problem's formula, which is built again and compared, and a DRAT checker.\n"
        "\n"
        "  For each problem: accepted; refused, with the step, line, edge or clause that is "
        "wrong;\n"
        "  unproven (an answer that is only feasible or unknown, whose bound no step proves); or\n"
        "  stopped. --time-limit (60 seconds by default) and --work-limit (none) are for each\n"
        "  problem; the unit of work is a clause that is looked at.\n"
        "\n"
        "  --format is text (the default) or json, one line a problem. The exit status is 2 if an\n"
        "  input is malformed, else 1 if anything is refused, else 3 if anything is unproven or\n"
        "  stopped, else 0.\n",
    .examples = "  swp check-certificate problem.json answer.json proof\n"
                "  swp check-certificate stencil stencil.json stencil.proof\n",
};

/* What has a name: the problem that it belongs to. */
typedef struct named {
    const char *name;
    bool used;
} named;

/* The inputs, cut into their parts; answers are read already. */
typedef struct inputs {
    swp_problem_texts problems;
    swp_answer *answers;
    named *answer_names;
    size_t answer_count;
    swp_certificate_parts certificates;
    named *certificate_names;
} inputs;

/* What has come out so far. */
typedef struct tally {
    const cli_invocation *invocation;
    size_t verdicts[SWP_CERTIFICATE_STOPPED + 1];
    bool malformed;
    cli_position position;
    char *text; /* for -o: all of the output */
    size_t length;
    int written; /* exit status of the writing */
} tally;

/* The first of the name that is not used yet; `count` if there is none. */
static size_t find(named *items, size_t count, size_t from, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        named *item = &items[(from + i) % count];
        if (!item->used && !strcmp(item->name, name)) {
            item->used = true;
            return (from + i) % count;
        }
    }
    return count;
}

static void gather(tally *t, const char *text, size_t length)
{
    char *longer = realloc(t->text, t->length + length + 1);
    if (!longer) {
        t->written = diagnostics_out_of_memory(&t->invocation->diagnostics);
        return;
    }
    memcpy(longer + t->length, text, length);
    t->text = longer;
    t->length += length;
}

/* To standard output at once: many certificates take long. */
static void show(tally *t, const char *text, size_t length)
{
    if (t->written != EXIT_DONE)
        return;
    gather(t, text, length);
    const bool gathers = t->invocation->output && strcmp(t->invocation->output, "-") != 0;
    if (t->written != EXIT_DONE || gathers)
        return;
    t->written = output_write(&t->invocation->diagnostics, NULL, t->text, t->length);
    t->length = 0;
}

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
    show(t, text, length);
    return SWP_OK;
}

/* A part of one file that has no counterpart in another. */
static swp_status show_missing(tally *t, swp_context *ctx, const char *name, const char *why)
{
    const swp_certificate_report report = {
        .name = name, .verdict = SWP_CERTIFICATE_REFUSED, .status = SWP_ANSWER_UNKNOWN, .why = why};
    return show_report(t, ctx, &report);
}

static swp_status check(tally *t, swp_context *ctx, inputs *in, size_t index)
{
    swp_problem problem;
    swp_certificate certificate;
    swp_certificate_report report;
    swp_status status = swp_problem_read_json(ctx, &in->problems.items[index], &problem);
    if (status != SWP_OK)
        return status;
    const size_t a = find(in->answer_names, in->answer_count, index, problem.name);
    const size_t c = find(in->certificate_names, in->certificates.count, index, problem.name);
    if (a == in->answer_count)
        return show_missing(t, ctx, problem.name, "there is no answer to this problem");
    if (c == in->certificates.count)
        return show_missing(t, ctx, problem.name, "there is no certificate for this problem");
    status = swp_certificate_read(ctx, &in->certificates.items[c].text, &certificate);
    if (status == SWP_OK)
        status = swp_certificate_check(ctx, &problem, &in->answers[a], &certificate, &report);
    search_clear();
    return status == SWP_OK ? show_report(t, ctx, &report) : status;
}

/* A problem that is malformed does not keep the others from being checked. */
static void check_one(tally *t, inputs *in, size_t index)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx) {
        t->written = diagnostics_out_of_memory(&t->invocation->diagnostics);
        return;
    }
    t->position = (cli_position){index, in->problems.count};
    search_limit_check(ctx, t->invocation, &t->position);
    const swp_status status = check(t, ctx, in, index);
    t->malformed = t->malformed || status != SWP_OK;
    diagnostics_flush(&t->invocation->diagnostics, ctx);
    swp_context_free(ctx);
}

static swp_status show_unused(tally *t, swp_context *ctx, const named *items, size_t count,
                              const char *why)
{
    swp_status status = SWP_OK;
    for (size_t i = 0; i < count && status == SWP_OK; i++)
        if (!items[i].used)
            status = show_missing(t, ctx, items[i].name, why);
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
    show(t, line, (size_t)length);
}

static int status_of(const tally *t)
{
    if (t->written != EXIT_DONE)
        return t->written;
    if (t->malformed)
        return EXIT_BAD;
    if (t->verdicts[SWP_CERTIFICATE_REFUSED])
        return EXIT_NO;
    const bool open = t->verdicts[SWP_CERTIFICATE_UNPROVEN] || t->verdicts[SWP_CERTIFICATE_STOPPED];
    return open ? EXIT_STOPPED : EXIT_DONE;
}

static int check_all(const cli_invocation *invocation, swp_context *ctx, inputs *in)
{
    tally t = {.invocation = invocation};
    for (size_t i = 0; i < in->problems.count && t.written == EXIT_DONE; i++)
        check_one(&t, in, i);
    swp_status status = show_unused(&t, ctx, in->answer_names, in->answer_count,
                                    "the answer is for no problem of the file");
    if (status == SWP_OK)
        status = show_unused(&t, ctx, in->certificate_names, in->certificates.count,
                             "the certificate is for no problem of the file");
    t.malformed = t.malformed || status != SWP_OK;
    if (!invocation->as_json && in->problems.count > 1)
        show_summary(&t);
    const int result = status_of(&t);
    const bool whole = result == EXIT_DONE || result == EXIT_STOPPED;
    if (t.length > 0 && t.written == EXIT_DONE)
        t.written = output_write(&invocation->diagnostics, whole ? invocation->output : NULL,
                                 t.text, t.length);
    free(t.text);
    return t.written == EXIT_DONE ? result : t.written;
}

static void *take(swp_context *ctx, size_t count, size_t size)
{
    return swp_context_take(ctx, (count + 1) * size);
}

static swp_status read_answers(swp_context *ctx, const cli_source *text, inputs *in)
{
    swp_problem_texts texts = {0};
    swp_status status = swp_problem_split(ctx, text->text, text->length, text->name, &texts);
    if (status != SWP_OK)
        return status;
    in->answers = take(ctx, texts.count, sizeof *in->answers);
    in->answer_names = take(ctx, texts.count, sizeof *in->answer_names);
    if (!in->answers || !in->answer_names)
        return SWP_OUT_OF_MEMORY;
    in->answer_count = texts.count;
    for (size_t i = 0; i < texts.count && status == SWP_OK; i++)
        status =
            swp_answer_read_json(ctx, &texts.items[i], &in->answer_names[i].name, &in->answers[i]);
    return status;
}

static swp_status cut_certificates(swp_context *ctx, const cli_source *text, inputs *in)
{
    const swp_status status =
        swp_certificate_split(ctx, text->text, text->length, text->name, &in->certificates);
    if (status != SWP_OK)
        return status;
    in->certificate_names = take(ctx, in->certificates.count, sizeof *in->certificate_names);
    if (!in->certificate_names)
        return SWP_OUT_OF_MEMORY;
    for (size_t i = 0; i < in->certificates.count; i++)
        in->certificate_names[i].name = in->certificates.items[i].name;
    return SWP_OK;
}

static int check_texts(const cli_invocation *invocation, const cli_source *texts)
{
    swp_context *ctx = swp_context_new(NULL);
    inputs in = {0};
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    swp_status status =
        swp_problem_split(ctx, texts[0].text, texts[0].length, texts[0].name, &in.problems);
    if (status == SWP_OK)
        status = read_answers(ctx, &texts[1], &in);
    if (status == SWP_OK)
        status = cut_certificates(ctx, &texts[2], &in);
    diagnostics_flush(&invocation->diagnostics, ctx);
    const int result = status == SWP_OK ? check_all(invocation, ctx, &in) : exit_status_of(status);
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
