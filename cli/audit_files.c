/* SPDX-License-Identifier: Apache-2.0 */
/* Judges files in several threads, and prints what is said of them in their order: of one all, of several a line a kernel. */
#include "audit_files.h"

#include "audit_cache.h"
#include "audit_rules.h"
#include "gathered.h"
#include "input.h"
#include "interrupt.h"
#include "line.h"
#include "output.h"
#include "report.h"
#include "search.h"
#include "subcommand.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 160 };

/* A file, and what became of it. */
typedef struct audited_file {
    cli_source text;
    int read; /* exit status of the reading */
    swp_context *ctx;
    swp_status status;
    swp_audit_report report;
    bool done;
} audited_file;

/* What the workers share. They take the items in order; the one that holds `lock` prints. */
typedef struct audit_batch {
    cli_invocation *invocation;
    cli_audit_format format;
    audited_file *items;
    size_t count;
    uint32_t changed_rules;
    swp_context *ctx; /* of the baseline, and of what is written of all files together */
    swp_audit_baseline baseline;
    cli_source baseline_text;
    pthread_mutex_t lock;
    size_t next;    /* item to judge */
    size_t printed; /* items before this one are printed */
    size_t finished;
    cli_gathered out;
    swp_status written;
} audit_batch;

static bool is_judged(const audited_file *it)
{
    return it->done && it->read == EXIT_DONE && it->status == SWP_OK;
}

/* --- judging --- */

static void judge(const audit_batch *b, audited_file *it)
{
    const cli_invocation *invocation = b->invocation;
    const swp_audit_options options = {.advice = invocation->advice,
                                       .first = invocation->first,
                                       .launch = invocation->launch,
                                       .changed_rules = b->changed_rules};
    cli_cache_key key;
    audit_cache_key(invocation, &it->text, b->changed_rules, &key);
    if (!audit_cache_find(it->ctx, &key, it->text.name, &it->report)) {
        it->status = swp_audit_with(it->ctx, it->text.text, it->text.length, it->text.name,
                                    &options, &it->report);
        size_t warnings = 0;
        (void)swp_context_diags(it->ctx, &warnings);
        /* What it warns of is told each time. */
        if (it->status == SWP_OK && !warnings)
            audit_cache_keep(it->ctx, &key, &it->report);
    } else {
        it->report.launch = invocation->launch;
        it->status = SWP_OK;
    }
    cache_free_key(&key);
}

static void audit_item(const audit_batch *b, audited_file *it)
{
    it->status = SWP_INVALID;
    if (it->read != EXIT_DONE)
        return;
    it->ctx = swp_context_new(NULL);
    if (!it->ctx) {
        it->status = SWP_OUT_OF_MEMORY;
        return;
    }
    search_limit_each(it->ctx, b->invocation);
    report_color(it->ctx, b->invocation);
    if (interrupt_seen())
        it->status = SWP_STOPPED;
    else
        judge(b, it);
}

/* --- printing --- */

static void print_item(audit_batch *b, audited_file *it)
{
    char *text = NULL;
    size_t length = 0;
    if (it->ctx && !(b->count > 1 && it->status == SWP_STOPPED))
        diagnostics_flush(&b->invocation->diagnostics, it->ctx);
    else if (it->read == EXIT_DONE && it->status == SWP_OUT_OF_MEMORY)
        (void)diagnostics_out_of_memory(&b->invocation->diagnostics);
    if (!is_judged(it))
        return;
    if (b->baseline_text.name)
        it->status = swp_audit_baseline_apply(it->ctx, &b->baseline, &it->report);
    if (b->format != AUDIT_TEXT || it->status != SWP_OK)
        return;
    it->status =
        (b->count > 1 ? swp_audit_brief : swp_audit_text)(it->ctx, &it->report, &text, &length);
    if (it->status == SWP_OK)
        gathered_add(&b->out, text, length);
}

static void show_progress(const audit_batch *b)
{
    char line[LINE_SIZE];
    const double seconds = interrupt_clock() - b->invocation->began;
    if (b->count == 1 || b->invocation->diagnostics.style != DIAGNOSTICS_TEXT)
        return;
    (void)snprintf(line, sizeof line,
                   "audited %zu of %zu files, %.1f s (Ctrl-C keeps what is done)", b->finished,
                   b->count, seconds);
    line_show(seconds, line);
}

static void *work(void *user)
{
    audit_batch *b = user;
    (void)pthread_mutex_lock(&b->lock);
    while (b->next < b->count) {
        audited_file *it = &b->items[b->next++];
        (void)pthread_mutex_unlock(&b->lock);
        audit_item(b, it);
        (void)pthread_mutex_lock(&b->lock);
        it->done = true;
        b->finished++;
        line_clear();
        while (b->printed < b->count && b->items[b->printed].done)
            print_item(b, &b->items[b->printed++]);
        if (b->finished < b->count)
            show_progress(b);
    }
    (void)pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* A thread that cannot be had is not missed: the others do its work. */
static void work_in_threads(audit_batch *b)
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

/* --- what all files come to --- */

typedef struct totals {
    int kernels;
    int fault;
    int unknown;
    int unjudged; /* files */
    int doubts;   /* findings that are not accepted, and notes */
} totals;

static void add_report(const swp_audit_report *report, totals *t)
{
    const size_t kernels = report->kernels.count ? report->kernels.count : 1;
    t->kernels += (int)kernels;
    for (size_t i = 0; i < kernels; i++) {
        const swp_audit_answer answer =
            report->kernels.count ? report->kernels.items[i].answer : report->answer;
        t->fault += answer == SWP_AUDIT_FAULT;
        t->unknown += answer == SWP_AUDIT_UNKNOWN;
    }
    t->doubts += (int)(report->unknown_instructions.count + report->obstacles.count);
    for (size_t i = 0; i < report->findings.count; i++)
        t->doubts += !report->findings.items[i].accepted;
}

static totals count(const audit_batch *b)
{
    totals t = {0};
    for (size_t i = 0; i < b->count; i++)
        if (is_judged(&b->items[i]))
            add_report(&b->items[i].report, &t);
        else
            t.unjudged++;
    return t;
}

static int status_of(const audit_batch *b, const totals *t)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < b->count; i++) {
        const audited_file *it = &b->items[i];
        const int own = it->read != EXIT_DONE ? it->read : exit_status_of(it->status);
        if (own == EXIT_BAD)
            return EXIT_BAD;
        status = own > status ? own : status;
    }
    if (status != EXIT_DONE)
        return status;
    return t->fault || (b->invocation->strict && t->doubts) ? EXIT_NO : EXIT_DONE;
}

static void add_summary(audit_batch *b, const totals *t)
{
    char text[256];
    int length = snprintf(text, sizeof text,
                          "%zu files, %d kernel%s: %d without a fault, %d with, %d unknown",
                          b->count, t->kernels, t->kernels == 1 ? "" : "s",
                          t->kernels - t->fault - t->unknown, t->fault, t->unknown);
    if (t->unjudged)
        length += snprintf(text + length, sizeof text - (size_t)length, "; %d file%s not judged",
                           t->unjudged, t->unjudged == 1 ? "" : "s");
    length += snprintf(text + length, sizeof text - (size_t)length, "\n");
    gathered_add(&b->out, text, (size_t)length);
}

static const char *why_not(const audited_file *it)
{
    if (it->read != EXIT_DONE)
        return "the file cannot be read";
    return it->status == SWP_STOPPED ? "it was stopped" : "it is refused: see the diagnostics";
}

/* What is written of all files at once. */
static swp_status write_all(audit_batch *b, char **text, size_t *length)
{
    swp_audit_file_result *files = calloc(b->count + 1, sizeof *files);
    if (!files)
        return SWP_OUT_OF_MEMORY;
    for (size_t i = 0; i < b->count; i++)
        files[i] =
            (swp_audit_file_result){.file = b->items[i].text.name,
                                    .report = is_judged(&b->items[i]) ? &b->items[i].report : NULL,
                                    .why = why_not(&b->items[i])};
    const swp_status status = b->invocation->write_baseline
                                  ? swp_audit_baseline_json(b->ctx, files, b->count, text, length)
                              : b->format == AUDIT_SARIF
                                  ? swp_audit_sarif(b->ctx, files, b->count, text, length)
                                  : swp_audit_junit(b->ctx, files, b->count, text, length);
    free(files);
    return status;
}

static swp_status add_json(audit_batch *b, audited_file *it, bool *any)
{
    char *text = NULL;
    size_t length = 0;
    if (!is_judged(it))
        return SWP_OK;
    const swp_status status = swp_audit_json(it->ctx, &it->report, &text, &length);
    if (status != SWP_OK)
        return status;
    if (b->count > 1)
        gathered_add(&b->out, *any ? ",\n" : "{\"swp\": 1, \"reports\": [\n", *any ? 2 : 25);
    gathered_add(&b->out, text, length);
    *any = true;
    return SWP_OK;
}

static swp_status add_all_json(audit_batch *b)
{
    bool any = false;
    for (size_t i = 0; i < b->count; i++) {
        const swp_status status = add_json(b, &b->items[i], &any);
        if (status != SWP_OK)
            return status;
    }
    if (b->count > 1)
        gathered_add(&b->out, any ? "]}\n" : "{\"swp\": 1, \"reports\": []}\n", any ? 3 : 27);
    return SWP_OK;
}

/* Reports for machines are for whatever the answer is: they are written with a fault, too. */
static int finish_report(audit_batch *b, int status)
{
    char *text = NULL;
    size_t length = 0;
    const swp_status made = write_all(b, &text, &length);
    diagnostics_flush(&b->invocation->diagnostics, b->ctx);
    if (made != SWP_OK)
        return exit_status_of(made);
    const int written =
        output_write(&b->invocation->diagnostics, b->invocation->output, text, length);
    return written == EXIT_DONE ? status : written;
}

static int write_baseline(audit_batch *b)
{
    char *text = NULL;
    size_t length = 0;
    const swp_status made = write_all(b, &text, &length);
    return made == SWP_OK ? output_write(&b->invocation->diagnostics, b->invocation->write_baseline,
                                         text, length)
                          : exit_status_of(made);
}

static int finish(audit_batch *b)
{
    const totals t = count(b);
    int status = status_of(b, &t);
    if (b->baseline_text.name && !t.unjudged)
        (void)swp_audit_baseline_check(b->ctx, &b->baseline, b->baseline_text.name);
    diagnostics_flush(&b->invocation->diagnostics, b->ctx);
    if (b->invocation->write_baseline) {
        const int written = write_baseline(b);
        if (written != EXIT_DONE)
            return written;
        status = status == EXIT_NO ? EXIT_DONE : status;
    }
    if (b->format == AUDIT_SARIF || b->format == AUDIT_JUNIT) {
        b->invocation->write_baseline = NULL;
        return finish_report(b, status);
    }
    if (b->format == AUDIT_JSON && add_all_json(b) != SWP_OK)
        return EXIT_BAD;
    if (b->format == AUDIT_TEXT && b->count > 1)
        add_summary(b, &t);
    const int written = gathered_end(&b->out, status);
    return written == EXIT_DONE ? status : written;
}

/* --- the files --- */

static int read_baseline(audit_batch *b)
{
    const char *path = b->invocation->baseline;
    if (!path)
        return EXIT_DONE;
    const int status =
        input_read(&b->invocation->diagnostics, path,
                   "`swp audit FILE --write-baseline BASELINE` writes one", &b->baseline_text);
    if (status != EXIT_DONE)
        return status;
    const swp_status read =
        swp_audit_baseline_read(b->ctx, b->baseline_text.text, b->baseline_text.length,
                                b->baseline_text.name, &b->baseline);
    diagnostics_flush(&b->invocation->diagnostics, b->ctx);
    return exit_status_of(read);
}

static int audit_all(audit_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        b->items[i].read =
            input_read(&b->invocation->diagnostics, b->invocation->arguments[i],
                       "`clang -S` writes assembly, `nvcc -ptx` PTX", &b->items[i].text);
    interrupt_after(0); /* from here on each file has its own time */
    work_in_threads(b);
    return finish(b);
}

static void free_items(audit_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        swp_context_free(b->items[i].ctx);
        free((char *)b->items[i].text.text);
    }
    free(b->items);
    free((char *)b->baseline_text.text);
    swp_context_free(b->ctx);
}

int audit_files(cli_invocation *invocation)
{
    audit_batch b = {.invocation = invocation,
                     .format = invocation->audit_format,
                     .count = (size_t)invocation->argument_count,
                     .ctx = swp_context_new(NULL),
                     .out = {.invocation = invocation}};
    int status = audit_rules(invocation, &b.changed_rules);
    b.items = calloc(b.count, sizeof *b.items);
    if (!b.items || !b.ctx) {
        status = diagnostics_out_of_memory(&invocation->diagnostics);
        b.count = 0;
    }
    (void)pthread_mutex_init(&b.lock, NULL);
    if (status == EXIT_DONE)
        status = read_baseline(&b);
    if (status == EXIT_DONE)
        status = audit_all(&b);
    (void)pthread_mutex_destroy(&b.lock);
    free_items(&b);
    return status;
}
