/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swp completion: writes scripts for shells, from the tables of subcommands, options and what their
 * values name.
 */
#include "completion.h"

#include "count_of.h"
#include "output.h"

#include "swp/emit.h"
#include "swp/kernels.h"
#include "swp/schema.h"
#include "swp/suggest.h"

#include <string.h>

const cli_subcommand_help help_of_completion = {
    .description =
        "  SHELL is bash, zsh or fish. The script is made for this version of the command; where\n"
        "  each shell looks for it stands in its first line.\n",
    .examples = "  swp completion bash -o swp\n"
                "  swp completion fish\n",
};

#define DEFINE_WORDS(table, type, accessor, row)                                                   \
    static void print_##table(FILE *stream)                                                        \
    {                                                                                              \
        size_t count = 0;                                                                          \
        const type *rows = accessor(&count);                                                       \
        for (size_t i = 0; i < count; i++)                                                         \
            (void)fprintf(stream, "%s\n", (row)->name);                                            \
    }

DEFINE_WORDS(builtins, swp_builtin *const, swp_builtins, rows[i])
DEFINE_WORDS(targets, swp_target *const, swp_targets, rows[i])
DEFINE_WORDS(formats, swp_emit_format, swp_emit_formats, &rows[i])
DEFINE_WORDS(schemas, swp_schema, swp_schemas, &rows[i])
DEFINE_WORDS(subcommands, cli_subcommand, subcommand_rows, &rows[i])

static void print_settings(FILE *stream)
{
    size_t count = 0;
    char path[SWP_FIELD_PATH_SIZE];
    const swp_field *rows = swp_fields(&count);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(stream, "%s=\n", swp_field_path(&rows[i], path));
}

static void print_starts(FILE *stream)
{
    (void)fputs("loop\nbody\n", stream);
    print_builtins(stream);
}

static void print_timings(FILE *stream)
{
    for (int timing = 0; timing < SWP_TIMING_COUNT; timing++)
        (void)fprintf(stream, "%s\n", swp_timing_name((swp_timing)timing));
}

static void print_styles(FILE *stream)
{
    (void)fputs("text\njson\n", stream);
}

static void print_colors(FILE *stream)
{
    (void)fputs("auto\nalways\nnever\n", stream);
}

static void print_tables(FILE *stream)
{
    (void)fputs("builtins\ntargets\nstrategies\nformats\nsettings\ndiagnostics\nobjects\n", stream);
}

completion_value completion_of_option(cli_option option)
{
    static const completion_value values[OPTION_COUNT] = {
        [OPTION_SET] = {print_settings, false, true},
        [OPTION_SET_A] = {print_settings, false, true},
        [OPTION_SET_B] = {print_settings, false, true},
        [OPTION_TARGET] = {print_targets, true, false},
        [OPTION_FORMAT] = {print_formats, false, false},
        [OPTION_FROM] = {print_starts, false, false},
        [OPTION_OUTPUT] = {NULL, true, false},
        [OPTION_COUNTEREXAMPLE] = {NULL, true, false},
        [OPTION_REPLAY] = {NULL, true, false},
        [OPTION_CERTIFICATE] = {NULL, true, false},
        [OPTION_SCHEDULE] = {print_builtins, true, false},
        [OPTION_TIMING] = {print_timings, false, false},
        [OPTION_DIAGNOSTICS] = {print_styles, false, false},
        [OPTION_COLOR] = {print_colors, false, false},
    };
    return values[option];
}

/* X(shell, where it looks for the script) */
#define SHELLS(X)                                                                                  \
    X(bash, "~/.local/share/bash-completion/completions/swp")                                      \
    X(zsh, "_swp, in a folder of $fpath")                                                          \
    X(fish, "~/.config/fish/completions/swp.fish")

typedef struct shell_row {
    const char *name;
    const char *folder;
    void (*print)(FILE *stream, const void *user);
} shell_row;

static const shell_row shells[] = {
#define ROW(name, folder) {#name, folder, completion_##name},
    SHELLS(ROW)
#undef ROW
};

static void print_shells(FILE *stream)
{
    for (size_t i = 0; i < COUNT_OF(shells); i++)
        (void)fprintf(stream, "%s\n", shells[i].name);
}

completion_value completion_of_argument(const cli_subcommand *subcommand)
{
    static const struct {
        int (*run)(cli_invocation *invocation);
        completion_value value;
    } rows[] = {
        {run_list, {print_tables, false, false}},
        {run_help, {print_subcommands, false, false}},
        {run_schema, {print_schemas, false, false}},
        {run_completion, {print_shells, false, false}},
        {run_tune, {NULL, true, false}},
        {run_calibrate, {NULL, true, false}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].run == subcommand->run)
            return rows[i].value;
    return (completion_value){subcommand->reads == READS_SCHEDULES ? print_builtins : NULL,
                              subcommand->reads != READS_NOTHING, false};
}

bool completion_takes(const cli_subcommand *subcommand, int option)
{
    return ((subcommand->options | OPTIONS_OF_ALL) >> option & 1U) != 0;
}

/* Words have no blanks, so they need no quotes. */
void completion_print_words(FILE *stream, completion_words *words, const char *between)
{
    char text[1 << 14] = "";
    FILE *lines = words ? fmemopen(text, sizeof text, "w") : NULL;
    if (!lines)
        return;
    words(lines);
    (void)fclose(lines);
    for (char *word = strtok(text, "\n"); word; word = strtok(NULL, "\n"))
        (void)fprintf(stream, "%s%s", word == text ? "" : between, word);
}

int run_completion(cli_invocation *invocation)
{
    const char *name = invocation->arguments[0];
    swp_suggestion near = swp_suggest_start(name);
    for (size_t i = 0; i < COUNT_OF(shells); i++) {
        if (!strcmp(shells[i].name, name))
            return output_print(&invocation->diagnostics, invocation->output, shells[i].print,
                                shells[i].folder);
        swp_suggest_offer(&near, shells[i].name);
    }
    char hint[SWP_HINT_SIZE];
    return diagnostics_fail(&invocation->diagnostics, CLI_E0905,
                            swp_suggest_hint(&near, "bash, zsh or fish", hint),
                            "there is no completion for `%s`", name);
}
