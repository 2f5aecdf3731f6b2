/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the table of options, and says what the value of each one sets. */
#include "invocation.h"
#include "number.h"
#include "terminal.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int option_reject(const cli_invocation *invocation, cli_option option, const char *value,
                  const char *hint)
{
    return diagnostics_fail(&invocation->diagnostics, CLI_E0903, hint, "`%s` is no value of --%s",
                            value, option_row_of(option)->name);
}

static int option_set_text(cli_invocation *invocation, cli_option option, const char *value)
{
    *(const char **)option_member(invocation, option) = value;
    return EXIT_DONE;
}

static int option_set_flag(cli_invocation *invocation, cli_option option, const char *value)
{
    (void)value;
    *(bool *)option_member(invocation, option) = true;
    return EXIT_DONE;
}

int option_set_number(cli_invocation *invocation, cli_option option, const char *value, int least,
                      int most, const char *hint)
{
    uint64_t number = 0;
    if (!number_read(value, (uint64_t)least, (uint64_t)most, NULL, &number))
        return option_reject(invocation, option, value, hint);
    *(int *)option_member(invocation, option) = (int)number;
    return EXIT_DONE;
}

bool setting_is_for(const cli_setting *setting, int argument)
{
    return setting->option == OPTION_SET ||
           setting->option == (argument ? OPTION_SET_B : OPTION_SET_A);
}

const cli_setting *setting_for(const cli_setting *from, int argument)
{
    while (from && !setting_is_for(from, argument))
        from = from->next;
    return from;
}

static int option_set_setting(cli_invocation *invocation, cli_option option, const char *text)
{
    const char *sign = strchr(text, '=');
    if (!sign || sign == text) {
        char hint[96];
        (void)snprintf(hint, sizeof hint, "write key=value, such as --%s schedule.scheduling=csp",
                       option_row_of(option)->name);
        return option_reject(invocation, option, text, hint);
    }
    cli_setting *added = calloc(1, sizeof *added);
    char *path = strndup(text, (size_t)(sign - text));
    if (!added || !path) {
        free(added);
        free(path);
        return diagnostics_out_of_memory(&invocation->diagnostics);
    }
    (void)snprintf(added->label, sizeof added->label, "--%s", option_row_of(option)->name);
    added->option = option;
    added->text = (cli_source){.name = added->label, .text = text, .length = strlen(text)};
    added->path = path;
    added->value = sign + 1;
    cli_setting **end = &invocation->settings;
    while (*end)
        end = &(*end)->next;
    *end = added;
    diagnostics_add_source(&invocation->diagnostics, &added->text);
    return EXIT_DONE;
}

static int option_set_target(cli_invocation *invocation, cli_option option, const char *name)
{
    const bool again = invocation->target.text != NULL;
    (void)option;
    invocation->target.name = "--target";
    invocation->target.text = name;
    invocation->target.length = strlen(name);
    if (!again)
        diagnostics_add_source(&invocation->diagnostics, &invocation->target);
    return EXIT_DONE;
}

/*
 * Returns the number before the unit, or 0 if there is none above 0. strtod() alone would take nan,
 * inf, hexadecimal and signs.
 */
static double seconds_of(const char *value, const char *unit)
{
    char *end = NULL;
    const double seconds = strtod(value, &end);
    const bool whole =
        end == value + strspn(value, "0123456789.") && strcmp(end, unit) == 0 && isfinite(seconds);
    return whole ? seconds : 0;
}

static int option_set_time_limit(cli_invocation *invocation, cli_option option, const char *value)
{
    invocation->time_limit = seconds_of(value, "");
    if (invocation->time_limit <= 0)
        invocation->time_limit = seconds_of(value, "s");
    if (invocation->time_limit > 0)
        return EXIT_DONE;
    return option_reject(invocation, option, value, "give seconds above 0, such as 2.5");
}

/* If it is given several times, the last one counts, whatever its unit is. */
static int option_set_work_limit(cli_invocation *invocation, cli_option option, const char *value)
{
    invocation->work_limit = 0;
    invocation->work_seconds = seconds_of(value, "s");
    if (invocation->work_seconds > 0 ||
        number_read(value, 1, UINT64_MAX, NULL, &invocation->work_limit))
        return EXIT_DONE;
    return option_reject(invocation, option, value,
                         "give the work of some seconds, such as 60s, or a number of search nodes "
                         "above 0, such as 100000");
}

enum { MOST_JOBS = 256 };

static int option_set_jobs(cli_invocation *invocation, cli_option option, const char *value)
{
    return option_set_number(invocation, option, value, 1, MOST_JOBS,
                             "give a number from 1 to 256");
}

static int option_set_cycles(cli_invocation *invocation, cli_option option, const char *value)
{
    return option_set_number(invocation, option, value, 0, SWP_MOST_CYCLES,
                             "give cycles, from 0 to 1000000");
}

static int option_set_load_latency(cli_invocation *invocation, cli_option option, const char *value)
{
    return option_set_number(invocation, option, value, 100, SWP_MOST_LOAD_LATENCY,
                             "give percent, from 100 to 10000");
}

static int option_set_color(cli_invocation *invocation, cli_option option, const char *value)
{
    const bool by_terminal = !strcmp(value, "auto");
    const bool always = !strcmp(value, "always");
    if (!by_terminal && !always && strcmp(value, "never") != 0)
        return option_reject(invocation, option, value, "choose auto, always or never");
    invocation->diagnostics.color = by_terminal ? terminal_has_color(STDERR_FILENO) : always;
    invocation->report_color = by_terminal ? terminal_has_color(STDOUT_FILENO) : always;
    return EXIT_DONE;
}

static int option_set_style(cli_invocation *invocation, cli_option option, const char *value)
{
    if (!strcmp(value, "text"))
        invocation->diagnostics.style = DIAGNOSTICS_TEXT;
    else if (!strcmp(value, "json"))
        invocation->diagnostics.style = DIAGNOSTICS_JSON;
    else
        return option_reject(invocation, option, value, "choose text or json");
    return EXIT_DONE;
}

static const cli_option_row rows[] = {
#define ROW(option, name, letter, value, setter, member, meaning)                                  \
    {name, letter, value, meaning, option_set_##setter, offsetof(cli_invocation, member)},
    OPTIONS(ROW)
#undef ROW
};

const cli_option_row *option_row_of(cli_option option)
{
    return &rows[option];
}

void *option_member(cli_invocation *invocation, cli_option option)
{
    return (char *)invocation + rows[option].member;
}

/* Returns the value in `words[0]` or after it if that is the option of this name, else "". */
static const char *value_in(int count, char **words, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(words[0], name, length) != 0)
        return "";
    if (words[0][length] == '=')
        return words[0] + length + 1;
    return !words[0][length] && count > 1 ? words[1] : "";
}

cli_diagnostics diagnostics_asked_for(int count, char **words)
{
    cli_diagnostics asked = {.stream = stderr, .color = terminal_has_color(STDERR_FILENO)};
    for (int i = 1; i < count && strcmp(words[i], "--") != 0; i++) {
        const char *color = value_in(count - i, words + i, "--color");
        if (!strcmp(value_in(count - i, words + i, "--diagnostics"), "json"))
            asked.style = DIAGNOSTICS_JSON;
        if (!strcmp(color, "always") || !strcmp(color, "never"))
            asked.color = !strcmp(color, "always");
    }
    return asked;
}
