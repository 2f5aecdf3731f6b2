/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a command line to an invocation: which are options, their values and arguments. */
#include "invocation.h"

#include "swp/suggest.h"

#include "number.h"
#include "subcommand.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY_HINT "is a variable of the shell unset?"

/* What is left of the command line. */
typedef struct cursor {
    int count;
    char **words;
} cursor;

static const char *next_word(cursor *rest)
{
    rest->count--;
    return *rest->words++;
}

static bool takes(const cli_invocation *invocation, int option)
{
    return ((invocation->subcommand->options | OPTIONS_OF_ALL) >> option & 1U) != 0;
}

static int reject_option(const cli_invocation *invocation, const char *word)
{
    const char *name = word + strspn(word, "-");
    const size_t length = strcspn(name, "=");
    char typed[32] = "";
    if (length < sizeof typed)
        memcpy(typed, name, length);
    swp_suggestion near = swp_suggest_start(typed);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (takes(invocation, i))
            swp_suggest_offer(&near, option_row_of((cli_option)i)->name);
    char spelt[sizeof typed + 2];
    (void)snprintf(spelt, sizeof spelt, "--%s", near.best ? near.best : "");
    near.best = near.best ? spelt : NULL;
    char rest[SWP_HINT_SIZE];
    char hint[SWP_HINT_SIZE];
    if (!strcmp(word, "-V") || !strcmp(word, "--version"))
        (void)snprintf(rest, sizeof rest, "`swp %s` prints the version", word);
    else
        (void)snprintf(rest, sizeof rest, "`swp help %s` lists its options",
                       invocation->subcommand->name);
    return diagnostics_fail(&invocation->diagnostics, CLI_E0902,
                            swp_suggest_hint(&near, rest, hint), "`swp %s` has no option `%.*s`",
                            invocation->subcommand->name, (int)((size_t)(name - word) + length),
                            word);
}

/* `attached` is what stands in the option's own word, NULL if nothing does. */
static int read_option(cli_invocation *invocation, cli_option option, const char *attached,
                       cursor *rest)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    const cli_option_row *row = option_row_of(option);
    const char *value = attached ? attached : "";
    const bool wanted = *row->value != '\0';
    if (attached && !wanted)
        return diagnostics_fail(to, CLI_E0903, "leave the value out", "`--%s` takes no value",
                                row->name);
    if (!attached && wanted && rest->count == 0)
        return diagnostics_fail(to, CLI_E0903, row->meaning, "`--%s` lacks its value: --%s %s",
                                row->name, row->name, row->value);
    if (!attached && wanted)
        value = next_word(rest);
    if (wanted && !*value)
        return diagnostics_fail(to, CLI_E0903, EMPTY_HINT, "the value of `--%s` is empty",
                                row->name);
    return row->set(invocation, option, value);
}

static int read_long_option(cli_invocation *invocation, const char *word, cursor *rest)
{
    const char *name = word + 2;
    const char *sign = strchr(name, '=');
    const size_t length = sign ? (size_t)(sign - name) : strlen(name);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const cli_option_row *row = option_row_of((cli_option)i);
        if (takes(invocation, i) && strlen(row->name) == length && !memcmp(row->name, name, length))
            return read_option(invocation, (cli_option)i, sign ? sign + 1 : NULL, rest);
    }
    return reject_option(invocation, word);
}

static int read_short_option(cli_invocation *invocation, const char *word, cursor *rest)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char letter = option_row_of((cli_option)i)->letter;
        if (takes(invocation, i) && letter && letter == word[1])
            return read_option(invocation, (cli_option)i, word[2] ? word + 2 : NULL, rest);
    }
    return reject_option(invocation, word);
}

static int read_argument(cli_invocation *invocation, const char *word)
{
    const cli_subcommand *subcommand = invocation->subcommand;
    if (!*word)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0904, EMPTY_HINT,
                                "an argument is empty");
    if (invocation->argument_count == subcommand->most) {
        char hint[SWP_HINT_SIZE];
        (void)snprintf(hint, sizeof hint, "usage: swp %s %s [OPTION]...", subcommand->name,
                       subcommand->arguments);
        return diagnostics_fail(&invocation->diagnostics, CLI_E0905, hint,
                                "`%s` is one argument too many", word);
    }
    invocation->arguments[invocation->argument_count++] = word;
    return EXIT_DONE;
}

static int check_argument_count(const cli_invocation *invocation)
{
    const cli_subcommand *subcommand = invocation->subcommand;
    if (invocation->help || invocation->argument_count >= subcommand->least)
        return EXIT_DONE;
    char hint[SWP_HINT_SIZE];
    (void)snprintf(hint, sizeof hint, "`swp help %s` explains it", subcommand->name);
    return diagnostics_fail(&invocation->diagnostics, CLI_E0904, hint,
                            "an argument is missing: swp %s %s", subcommand->name,
                            subcommand->arguments);
}

/* Nodes are another measure, but seconds are counted in one way only. */
static int check_limits(const cli_invocation *invocation)
{
    if (invocation->time_limit <= 0 || invocation->work_seconds <= 0)
        return EXIT_DONE;
    char seconds[NUMBER_SECONDS_SIZE];
    number_format_seconds(invocation->work_seconds, seconds);
    return diagnostics_fail(&invocation->diagnostics, CLI_E0903,
                            "leave one of them out, or give --work-limit a number of nodes",
                            "--time-limit counts seconds by the clock, and --work-limit %ss by the "
                            "work: a search has one or the other",
                            seconds);
}

int invocation_read(cli_invocation *invocation, int count, char **words)
{
    cursor rest = {count, words};
    invocation->arguments = calloc((size_t)count + 2, sizeof *invocation->arguments);
    if (!invocation->arguments)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    bool options_ended = false;
    int status = EXIT_DONE;
    while (status == EXIT_DONE && rest.count > 0) {
        const char *word = next_word(&rest);
        if (!options_ended && !strcmp(word, "--"))
            options_ended = true;
        else if (!options_ended && !strncmp(word, "--", 2))
            status = read_long_option(invocation, word, &rest);
        else if (!options_ended && word[0] == '-' && word[1])
            status = read_short_option(invocation, word, &rest);
        else
            status = read_argument(invocation, word);
    }
    if (status == EXIT_DONE)
        status = check_limits(invocation);
    return status == EXIT_DONE ? check_argument_count(invocation) : status;
}

void invocation_free(cli_invocation *invocation)
{
    while (invocation->settings) {
        cli_setting *first = invocation->settings;
        invocation->settings = first->next;
        free(first->path);
        free(first);
    }
    for (size_t i = 0; i < invocation->accepted_count; i++)
        free((char *)invocation->accepted[i].role);
    free(invocation->accepted);
    free((char *)invocation->target_file.text);
    free((int *)invocation->sweep.tiles);
    free(invocation->arguments);
    free((swp_audit_argument *)invocation->launch.arguments);
    for (size_t i = 0; i < invocation->kept_count; i++)
        free(invocation->kept[i]);
    free(invocation->kept);
    free((swp_audit_box *)invocation->launch.boxes);
}
