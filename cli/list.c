/* SPDX-License-Identifier: Apache-2.0 */
/* swp list: prints the tables of built-ins, targets, strategies, formats, settings, diagnostics and objects. */
#include "list.h"

#include "count_of.h"
#include "swp/suggest.h"

#include "output.h"
#include "subcommand.h"

#include "swp/describe.h"
#include "swp/emit.h"
#include "swp/kernels.h"
#include "swp/objects.h"
#include "swp/solve.h"

#include <string.h>

const cli_subcommand_help help_of_list = {
    .description = "  TABLE is one of builtins, targets, strategies, formats, settings, "
                   "diagnostics, objects.\n"
                   "  Without it: all but the last three, which are long.\n",
    .examples = "  swp list\n"
                "  swp list settings | grep wait\n"
                "  swp list diagnostics\n"
                "  swp list targets --format yaml --target sm_90 >sm_90.yaml\n",
};

/* X(table, title, whether a plain `swp list` shows it) */
#define TABLES(X)                                                                                  \
    X(builtins, "Built-ins", true)                                                                 \
    X(targets, "Targets", true)                                                                    \
    X(strategies, "Strategies (schedule.scheduling)", true)                                        \
    X(formats, "Formats", true)                                                                    \
    X(settings, "Settings", false)                                                                 \
    X(diagnostics, "Diagnostics", false)                                                           \
    X(objects, "Synchronisation objects", false)

static void print_row(FILE *stream, const char *name, const char *meaning)
{
    (void)fprintf(stream, "%-14s  %s\n", name, meaning);
}

/* Most tables are arrays of rows, or of pointers to rows, with a name and a meaning. */
#define DEFINE_PRINTER(table, type, accessor, row)                                                 \
    static void print_##table(FILE *stream)                                                        \
    {                                                                                              \
        size_t count = 0;                                                                          \
        const type *rows = accessor(&count);                                                       \
        for (size_t i = 0; i < count; i++)                                                         \
            print_row(stream, (row)->name, (row)->meaning);                                        \
    }

DEFINE_PRINTER(builtins, swp_builtin *const, swp_builtins, rows[i])
DEFINE_PRINTER(targets, swp_target *const, swp_targets, rows[i])
DEFINE_PRINTER(strategies, swp_strategy_row, swp_strategies, &rows[i])
DEFINE_PRINTER(formats, swp_emit_format, swp_emit_formats, &rows[i])

static void print_settings(FILE *stream)
{
    list_print_settings(stream);
}

static void print_codes(FILE *stream, const swp_diag_code *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        print_row(stream, rows[i].code, rows[i].meaning);
}

/* The command's own codes are the last errors; warnings follow. */
static void print_diagnostics(FILE *stream)
{
    size_t count = 0;
    const swp_diag_code *rows = swp_diag_codes(&count);
    size_t errors = 0;
    while (errors < count && rows[errors].code[0] == 'E')
        errors++;
    print_codes(stream, rows, errors);
    print_codes(stream, cli_code_row((cli_code)0), CLI_CODE_COUNT);
    print_codes(stream, rows + errors, count - errors);
}

static void print_cell(FILE *stream, const char *name, const char *text)
{
    if (*text)
        (void)fprintf(stream, "  %-13s  %s\n", name, text);
}

/* Prints a paragraph for each object, since a row would be too long for a line. */
static void print_objects(FILE *stream)
{
    swp_object_description row;
    for (size_t i = 0; swp_object_describe(i, &row); i++) {
        (void)fprintf(stream, "%s%s\n", i ? "\n" : "", row.name);
        print_cell(stream, "kind", row.kind);
        print_cell(stream, "waited for by", row.waited_for_by);
        print_cell(stream, "told by", row.told_by);
        print_cell(stream, "tracks", row.tracks);
        print_cell(stream, "arrives", row.arrives);
        print_cell(stream, "completes", row.completes);
        print_cell(stream, "retired by", row.retires);
        print_cell(stream, "orders", row.orders);
        print_cell(stream, "orders not", row.leaves);
        print_cell(stream, "evidence", row.evidence);
    }
}

typedef struct table {
    const char *name;
    const char *title;
    bool is_short;
    void (*print)(FILE *stream);
} table;

static const table tables[] = {
#define ROW(name, title, is_short) {#name, title, is_short, print_##name},
    TABLES(ROW)
#undef ROW
};

enum { TABLE_COUNT = COUNT_OF(tables) };

#define NAME(name, title, is_short) " " #name
static const char names_hint[] = "the tables are:" TABLES(NAME);
#undef NAME

/* `user` is the table to print, or NULL for all short ones under their titles. */
static void print(FILE *stream, const void *user)
{
    const table *only = user;
    if (only) {
        only->print(stream);
        return;
    }
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (!tables[i].is_short)
            continue;
        (void)fprintf(stream, "%s%s\n", i ? "\n" : "", tables[i].title);
        tables[i].print(stream);
    }
    (void)fputs("\nLonger: `swp list settings`, `swp list diagnostics`, `swp list objects`\n",
                stream);
}

typedef struct wanted_targets {
    swp_context *ctx;
    const swp_target *only; /* NULL: all built-in targets */
} wanted_targets;

/* Prints the files one after the other, as documents of one stream. */
static void print_files(FILE *stream, const void *user)
{
    const wanted_targets *wanted = user;
    size_t count = 0;
    const swp_target *const *all = swp_targets(&count);
    for (size_t i = 0; i < (wanted->only ? 1 : count); i++) {
        char *text = NULL;
        if (swp_target_write_yaml(wanted->ctx, wanted->only ? wanted->only : all[i], &text, NULL) ==
            SWP_OK)
            (void)fprintf(stream, "%s%s", i ? "---\n" : "", text);
    }
}

static int list_files(cli_invocation *invocation, swp_context *ctx)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    const cli_source *file = &invocation->target_file;
    const char *name = invocation->target.text;
    wanted_targets wanted = {.ctx = ctx};
    if (file->text) {
        const swp_status status =
            swp_target_read_yaml(ctx, file->text, file->length, file->name, &wanted.only);
        diagnostics_flush(to, ctx);
        if (status != SWP_OK)
            return EXIT_BAD;
    } else if (name) {
        wanted.only = swp_target_find(name);
        if (!wanted.only)
            return diagnostics_fail(to, CLI_E0905, "`swp list targets` names them",
                                    "there is no target `%s` to list", name);
    }
    return output_print(to, NULL, print_files, &wanted);
}

/* Runs `swp list targets --format yaml`. */
static int run_list_files(cli_invocation *invocation)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    if (!invocation->format || strcmp(invocation->format, "yaml") != 0 ||
        !invocation->argument_count || strcmp(invocation->arguments[0], "targets") != 0)
        return diagnostics_fail(to, CLI_E0905, "`swp list targets --format yaml` prints files",
                                "of tables, only targets have --format yaml and --target");
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        return diagnostics_out_of_memory(to);
    const int status = list_files(invocation, ctx);
    swp_context_free(ctx);
    return status;
}

int run_list(cli_invocation *invocation)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    if (invocation->format || invocation->target.text)
        return run_list_files(invocation);
    if (!invocation->argument_count)
        return output_print(to, NULL, print, NULL);
    const char *name = invocation->arguments[0];
    swp_suggestion near = swp_suggest_start(name);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (!strcmp(tables[i].name, name))
            return output_print(to, NULL, print, &tables[i]);
        swp_suggest_offer(&near, tables[i].name);
    }
    char hint[SWP_HINT_SIZE];
    return diagnostics_fail(to, CLI_E0905, swp_suggest_hint(&near, names_hint, hint),
                            "there is no table `%s` to list", name);
}
