/* SPDX-License-Identifier: Apache-2.0 */
/* swp solve: takes the problems of a file in several threads, and prints their answers in order. */
#include "certificate.h"
#include "gathered.h"
#include "input.h"
#include "interrupt.h"
#include "line.h"
#include "report.h"
#include "search.h"
#include "subcommand.h"

#include "swp/problem.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const cli_subcommand_help help_of_solve = {
    .description =
        "  FILE is a scheduling problem in JSON, or one a line; `-` is standard input. An op may\n"
        "  hold amounts of several resources. A `makespan` problem wants the earliest end of all\n"
        "  ops, a `modulo` problem the least initiation interval of a loop.\n"
        "\n"
        "  For each problem, in the order of the file: optimal (proven), feasible (stopped; the\n"
        "  least lies between bound and value), infeasible (proven) or unknown (stopped before a\n"
        "  schedule was found), and the issue of each op. Every answer is checked against the\n"
        "  definition before it is shown. The time limit is for each problem.\n"
        "\n"
        "  --certificate writes a proof of every optimal and infeasible answer: a bound that one "
        "can\n"
        "  check by hand, or a formula and its refutation, which is searched a second time for "
        "it.\n"
        "\n"
        "  --format is text (the default) or json, one line a problem. The exit status is 1 for\n"
        "  one problem that is infeasible; of many it is 2 if a line is malformed (the others are\n"
        "  solved all the same), else 3 if any is only feasible or unknown, else 0.\n",
    .examples = "  swp solve problem.json\n"
                "  swp solve loops.jsonl --time-limit 1 --jobs 4 --format json -o answers.jsonl\n",
};

/* A problem of the file, with its result. */
typedef struct item {
    const swp_problem_text *text;
    swp_context *ctx; /* holds the diagnostics and the text of the answer */
    swp_status status;
    swp_answer_status answer;
    char *out;
    size_t length;
    cli_certificate certificate;
    swp_status certified;
    bool done;
} item;

/* The workers share this. They take the items in order; the one that holds `lock` prints. */
typedef struct batch {
    const cli_invocation *invocation;
    item *items;
    size_t count;
    pthread_mutex_t lock;
    size_t next;    /* the next item to solve */
    size_t printed; /* items before this one are printed */
    cli_gathered out;
    FILE **streams; /* one for each worker: certificates as they come */
    size_t workers;
} batch;

static void solve_item(const batch *b, item *it, FILE *certificates)
{
    swp_problem problem;
    swp_answer answer;
    it->ctx = swp_context_new(NULL);
    if (!it->ctx) {
        it->status = SWP_OUT_OF_MEMORY;
        return;
    }
    search_limit_each(it->ctx, b->invocation);
    it->status = swp_problem_read_json(it->ctx, it->text, &problem);
    if (it->status == SWP_OK)
        it->status = swp_solve_problem(it->ctx, &problem, &answer);
    if (it->status == SWP_OK)
        it->status = (b->invocation->as_json ? swp_answer_json : swp_answer_text)(
            it->ctx, &problem, &answer, &it->out, &it->length);
    if (it->status != SWP_OK)
        return;
    if (b->invocation->as_json)
        it->out[it->length++] = '\n'; /* in place of the NUL */
    it->answer = answer.status;
    if (certificates)
        it->certified = certificate_add(it->ctx, &problem, &answer, certificates, &it->certificate);
}

static void print_item(batch *b, item *it)
{
    if (it->ctx)
        diagnostics_flush(&b->invocation->diagnostics, it->ctx);
    else
        (void)diagnostics_out_of_memory(&b->invocation->diagnostics);
    if (it->status == SWP_OK)
        gathered_add(&b->out, it->out, it->length);
    swp_context_free(it->ctx);
    it->ctx = NULL;
}

static void *work(void *user)
{
    batch *b = user;
    (void)pthread_mutex_lock(&b->lock);
    FILE *certificates = b->streams ? b->streams[b->workers++] : NULL;
    while (b->next < b->count) {
        item *it = &b->items[b->next++];
        (void)pthread_mutex_unlock(&b->lock);
        solve_item(b, it, certificates);
        (void)pthread_mutex_lock(&b->lock);
        it->done = true;
        line_clear();
        while (b->printed < b->count && b->items[b->printed].done)
            print_item(b, &b->items[b->printed++]);
    }
    (void)pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* If a thread cannot be had, the others do its work. */
static void work_in_threads(batch *b)
{
    const size_t wanted = (size_t)b->invocation->jobs - 1;
    pthread_t *threads = calloc(wanted + 1, sizeof *threads);
    size_t started = 0;
    while (threads && started < wanted && started + 1 < b->count &&
           pthread_create(&threads[started], NULL, work, b) == 0)
        started++;
    (void)work(b);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    free(threads);
}

static int status_of(const batch *b)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < b->count; i++) {
        if (b->items[i].status != SWP_OK)
            return exit_status_of(b->items[i].status);
        if (b->items[i].certified != SWP_OK && b->items[i].certified != SWP_STOPPED)
            return exit_status_of(b->items[i].certified);
        if (b->items[i].answer == SWP_ANSWER_FEASIBLE || b->items[i].answer == SWP_ANSWER_UNKNOWN ||
            b->items[i].certified == SWP_STOPPED)
            status = EXIT_STOPPED;
        else if (b->items[i].answer == SWP_ANSWER_INFEASIBLE && b->count == 1)
            status = EXIT_NO;
    }
    return status;
}

static int open_streams(batch *b)
{
    const size_t jobs = (size_t)b->invocation->jobs;
    if (!b->invocation->certificate)
        return EXIT_DONE;
    b->streams = calloc(jobs, sizeof(FILE *));
    for (size_t i = 0; b->streams && i < jobs; i++)
        if (!(b->streams[i] = tmpfile()))
            return diagnostics_fail(&b->invocation->diagnostics, CLI_E0908,
                                    "certificates are gathered in the folder for temporary files",
                                    "cannot open a temporary file: %s", strerror(errno));
    return b->streams ? EXIT_DONE : diagnostics_out_of_memory(&b->invocation->diagnostics);
}

static void close_streams(batch *b)
{
    for (size_t i = 0; b->streams && i < (size_t)b->invocation->jobs; i++)
        if (b->streams[i])
            (void)fclose(b->streams[i]);
    free(b->streams);
}

/* A missing certificate would shift those after it, so either all are written or none. */
static int write_certificates(const batch *b)
{
    cli_certificate *certificates = calloc(b->count + 1, sizeof *certificates);
    if (!certificates)
        return diagnostics_out_of_memory(&b->invocation->diagnostics);
    int status = EXIT_DONE;
    for (size_t i = 0; i < b->count && status == EXIT_DONE; i++) {
        certificates[i] = b->items[i].certificate;
        status = exit_status_of(b->items[i].certified);
    }
    if (status == EXIT_DONE)
        status = certificates_write(&b->invocation->diagnostics, b->invocation->certificate,
                                    certificates, b->count);
    free(certificates);
    return status;
}

static int finish(batch *b)
{
    const int status = status_of(b);
    const int written = gathered_end(&b->out, status);
    if (written != EXIT_DONE || status == EXIT_BAD || !b->streams)
        return written == EXIT_DONE ? status : written;
    const int certified = write_certificates(b);
    return certified == EXIT_DONE || certified == EXIT_STOPPED ? status : certified;
}

static int solve_all(const cli_invocation *invocation, const swp_problem_texts *texts)
{
    batch b = {.invocation = invocation, .count = texts->count, .out = {.invocation = invocation}};
    b.items = calloc(texts->count, sizeof *b.items);
    if (!b.items)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    for (size_t i = 0; i < texts->count; i++)
        b.items[i].text = &texts->items[i];
    (void)pthread_mutex_init(&b.lock, NULL);
    int status = open_streams(&b);
    if (status == EXIT_DONE) {
        work_in_threads(&b);
        status = finish(&b);
    }
    (void)pthread_mutex_destroy(&b.lock);
    close_streams(&b);
    free(b.items);
    return status;
}

static int solve_text(const cli_invocation *invocation, const cli_source *text)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_problem_texts texts = {0};
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    int status =
        exit_status_of(swp_problem_split(ctx, text->text, text->length, text->name, &texts));
    if (status == EXIT_DONE)
        status = solve_all(invocation, &texts);
    diagnostics_flush(&invocation->diagnostics, ctx);
    swp_context_free(ctx);
    return status;
}

int run_solve(cli_invocation *invocation)
{
    cli_source text = {0};
    int status = report_format(invocation);
    if (status == EXIT_DONE)
        status = input_read(&invocation->diagnostics, invocation->arguments[0],
                            "give a file of scheduling problems, or `-`", &text);
    interrupt_after(0); /* from here on each problem has its own time */
    if (status == EXIT_DONE)
        status = solve_text(invocation, &text);
    free((char *)text.text);
    return status;
}
