/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the table of subcommands, and leads from a command line to the exit status of one of them. */
#include "count_of.h"
#include "files.h"
#include "hand_over.h"
#include "input.h"
#include "interrupt.h"
#include "line.h"
#include "output.h"
#include "shell.h"
#include "subcommand.h"
#include "terminal.h"

#include "swp/kernels.h"
#include "swp/suggest.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { MMAPPED_FROM = 32 << 20, KEPT_FREE = 256 << 20 /* bytes */ };

static const cli_subcommand rows[] = {
#define ROW(name, ...) ROW_OF_WORD(name, #name, __VA_ARGS__)
#define ROW_OF_WORD(name, word, arguments, least, most, reads, options, meaning)                   \
    {word, arguments, least, most, reads, options, meaning, run_##name, &help_of_##name},
    SUBCOMMANDS(ROW, ROW_OF_WORD)
#undef ROW_OF_WORD
#undef ROW
};

const cli_subcommand *subcommand_rows(size_t *count)
{
    *count = COUNT_OF(rows);
    return rows;
}

/* A word that is no subcommand, but is known elsewhere. */
typedef struct stray_word {
    const char *word;
    const char *subcommand; /* the subcommand that takes it */
} stray_word;

static void print_taker(FILE *stream, const void *user)
{
    const stray_word *stray = user;
    (void)fprintf(stream, "a subcommand stands first: `swp %s ", stray->subcommand);
    shell_print_word(stream, stray->word);
    (void)fputc('`', stream);
}

/* Returns what takes a built-in or a file of this name, or NULL if nothing is known to. */
static const char *taker_of(const char *word)
{
    if (swp_builtin_find(word))
        return "compile";
    switch (input_kind(word)) {
    case KIND_ASSEMBLY:
        return "audit";
    case KIND_YAML:
        return "compile";
    case KIND_JSON:
        return "verify";
    case KIND_UNKNOWN:
        break;
    }
    return NULL;
}

const cli_subcommand *subcommand_find(const cli_diagnostics *to, const char *name)
{
    swp_suggestion near = swp_suggest_start(name);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!strcmp(rows[i].name, name))
            return &rows[i];
        swp_suggest_offer(&near, rows[i].name);
    }
    char hint[SWP_HINT_SIZE];
    size_t length = 0;
    const stray_word stray = {name, taker_of(name)};
    char *taker = stray.subcommand ? output_capture(print_taker, &stray, &length) : NULL;
    (void)diagnostics_fail(
        to, CLI_E0901, swp_suggest_hint(&near, taker ? taker : "`swp help` shows them all", hint),
        "there is no subcommand `%s`", name);
    free(taker);
    return NULL;
}

static int print_version(const cli_invocation *invocation)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "swp %s\n", swp_version());
    return output_write(&invocation->diagnostics, NULL, text, (size_t)length);
}

static bool is_one_of(const char *word, const char *name, const char *letter)
{
    return !strcmp(word, name) || !strcmp(word, letter);
}

/* Reads the file of --target. No built-in target has a name like a file's. */
static int read_target_file(cli_invocation *invocation)
{
    const char *path = invocation->target.text;
    if (!path || input_kind(path) != KIND_YAML)
        return EXIT_DONE;
    return input_read(&invocation->diagnostics, path, "`swp list targets` names those built in",
                      &invocation->target_file);
}

/* If each problem has its own time, only what comes before them is bounded as a whole. */
static int run_within_limits(cli_invocation *invocation)
{
    interrupt_catch();
    if (invocation->time_limit > 0)
        interrupt_after(TOTAL_OF(invocation->time_limit));
    int status = read_target_file(invocation);
    if (status == EXIT_DONE)
        status = invocation->subcommand->run(invocation);
    line_clear();
    return status;
}

static int run_subcommand(cli_invocation *invocation, int count, char **words)
{
    int status = invocation_read(invocation, count, words);
    if (status == EXIT_DONE && invocation->help)
        status = print_help(invocation, invocation->subcommand);
    else if (status == EXIT_DONE)
        status = files_check(invocation);
    if (status == EXIT_DONE && !invocation->help)
        status = run_within_limits(invocation);
    invocation_free(invocation);
    return status;
}

static const cli_diagnostics *out_of_memory_to;

/* jansson 2.14 loses bytes or aborts when it runs out of memory, so here it never sees that. */
static void *allocate_or_exit(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory)
        return memory;
    exit(diagnostics_out_of_memory(out_of_memory_to));
}

/* An audit copies runs of megabytes thousands of times, and giving each back to the kernel takes as long as following it. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, MMAPPED_FROM);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
#endif
}

int main(int count, char **words)
{
    keep_freed_memory();
    output_prepare();
    cli_invocation invocation = {.began = interrupt_clock(),
                                 .jobs = 1,
                                 .sweep.timing = SWP_TIMING_ADVERSARIAL,
                                 .report_color = terminal_has_color(STDOUT_FILENO),
                                 .diagnostics = diagnostics_asked_for(count, words)};
    const cli_diagnostics *to = &invocation.diagnostics;
    out_of_memory_to = to;
    json_set_alloc_funcs(allocate_or_exit, free);
    if (count < 2)
        return diagnostics_fail(to, CLI_E0901,
                                "`swp help` shows what there is; `swp compile pingpong` is a start",
                                "the command line names no subcommand");
    if (is_one_of(words[1], "--version", "-V"))
        return print_version(&invocation);
    if (is_one_of(words[1], "--help", "-h"))
        return print_help(&invocation, NULL);
    if (words[1][0] == '-')
        return diagnostics_fail(to, CLI_E0902,
                                "before it there are only --version (-V) and --help (-h); other "
                                "options stand after the subcommand",
                                "there is no option `%s` before a subcommand", words[1]);
    if (hand_over_is_due(words[1]))
        return hand_over(to, words + 1);
    invocation.subcommand = subcommand_find(to, words[1]);
    return invocation.subcommand ? run_subcommand(&invocation, count - 2, words + 2) : EXIT_BAD;
}
