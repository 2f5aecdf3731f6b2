/* SPDX-License-Identifier: Apache-2.0 */
/* swp help: prints the command's and each subcommand's help, from their tables. */
#include "output.h"
#include "subcommand.h"

#include <string.h>

const cli_subcommand_help help_of_help = {
    .description = "  Without a subcommand, the command as a whole.\n",
    .examples = "  swp help compile\n",
};

/* The columns at which the second column of a list begins, and the longest line. */
enum { OPTION_COLUMN = 30, SUBCOMMAND_COLUMN = 19, STATUS_COLUMN = 3, MOST_COLUMNS = 100 };

/*
 * Prints words up to the end of the line; further lines stand below the first word. `used` columns
 * come before it.
 */
static void print_words(FILE *stream, size_t used, size_t indent, const char *words)
{
    size_t column = used;
    for (size_t length = strcspn(words, " "); length > 0; length = strcspn(words, " ")) {
        (void)fprintf(stream, "%.*s", (int)length, words);
        column += length;
        words += length + (words[length] == ' ');
        const size_t next = strcspn(words, " ");
        const bool fits = column + 1 + next <= MOST_COLUMNS;
        if (next > 0)
            (void)fprintf(stream, "%s%*s", fits ? " " : "\n", fits ? 0 : (int)indent, "");
        column = fits ? column + 1 : indent;
    }
    (void)fputc('\n', stream);
}

/* Prints a row of a list: its subject, then what is said of it. */
static void print_row(FILE *stream, size_t column, const char *subject, const char *words)
{
    const size_t used = 2 + strlen(subject);
    const size_t indent = 2 + column;
    const size_t gap = used < indent ? indent - used : 2;
    (void)fprintf(stream, "  %s%*s", subject, (int)gap, "");
    print_words(stream, used + gap, indent, words);
}

static void print_exit_statuses(FILE *stream)
{
    (void)fputs("\nExit status:\n", stream);
#define ROW(constant, number, meaning) print_row(stream, STATUS_COLUMN, #number, meaning);
    EXIT_STATUSES(ROW)
#undef ROW
}

static void print_option(FILE *stream, const cli_option_row *row)
{
    char spelling[64];
    const char *gap = *row->value ? " " : "";
    if (row->letter)
        (void)snprintf(spelling, sizeof spelling, "-%c, --%s%s%s", row->letter, row->name, gap,
                       row->value);
    else
        (void)snprintf(spelling, sizeof spelling, "    --%s%s%s", row->name, gap, row->value);
    print_row(stream, OPTION_COLUMN + 2, spelling, row->meaning);
}

static void print_subcommand_help(FILE *stream, const cli_subcommand *about)
{
    (void)fprintf(stream, "swp %s: ", about->name);
    print_words(stream, strlen("swp : ") + strlen(about->name), 4, about->meaning);
    (void)fprintf(stream, "\nUsage:\n  swp %s %s [OPTION]...\n\n%s\nOptions:\n", about->name,
                  about->arguments, about->help->description);
    for (int i = 0; i < OPTION_COUNT; i++)
        if ((about->options | OPTIONS_OF_ALL) >> i & 1U)
            print_option(stream, option_row_of((cli_option)i));
    (void)fprintf(stream, "\nExamples:\n%s", about->help->examples);
    print_exit_statuses(stream);
}

static void print_command_help(FILE *stream)
{
    (void)fputs("swp: software-pipelined schedules for GPU kernels\n"
                "\n"
                "Usage:\n"
                "  swp SUBCOMMAND [ARGUMENT | OPTION]...\n"
                "  swp --version | -V\n"
                "  swp --help | -h\n"
                "\n"
                "Subcommands:\n",
                stream);
    size_t count = 0;
    const cli_subcommand *rows = subcommand_rows(&count);
    for (size_t i = 0; i < count; i++)
        print_row(stream, SUBCOMMAND_COLUMN, rows[i].name, rows[i].meaning);
    (void)fputs("\n"
                "`swp help SUBCOMMAND` explains one, with its options and examples.\n"
                "\n"
                "Examples:\n"
                "  swp compile pingpong                 # a built-in schedule, to read\n"
                "  swp new my_kernel -o my_kernel.yaml  # a description to change\n"
                "  swp compile my_kernel.yaml           # its schedule\n",
                stream);
    print_exit_statuses(stream);
}

static void print(FILE *stream, const void *user)
{
    const cli_subcommand *about = user;
    if (about)
        print_subcommand_help(stream, about);
    else
        print_command_help(stream);
}

int print_help(cli_invocation *invocation, const cli_subcommand *about)
{
    return output_print(&invocation->diagnostics, NULL, print, about);
}

int run_help(cli_invocation *invocation)
{
    const cli_subcommand *about = NULL;
    if (invocation->argument_count) {
        about = subcommand_find(&invocation->diagnostics, invocation->arguments[0]);
        if (!about)
            return EXIT_BAD;
    }
    return print_help(invocation, about);
}
