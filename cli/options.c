/* SPDX-License-Identifier: Apache-2.0 */
/* The values that options take. */
#include "invocation.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int option_reject(const cli_invocation *invocation, cli_option option, const char *value,
                  const char *hint)
{
    return diagnostics_fail(&invocation->diagnostics, CLI_E0903, hint, "`%s` is no value of --%s",
                            value, option_row_of(option)->name);
}

bool setting_is_for(const cli_setting *setting, int argument)
{
    return setting->option == OPTION_SET ||
           setting->option == (argument ? OPTION_SET_B : OPTION_SET_A);
}

static int take_setting(cli_invocation *invocation, cli_option option, const char *text)
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

static int take_target(cli_invocation *invocation, const char *name)
{
    const bool again = invocation->target.text != NULL;
    invocation->target.name = "--target";
    invocation->target.text = name;
    invocation->target.length = strlen(name);
    if (!again)
        diagnostics_add_source(&invocation->diagnostics, &invocation->target);
    return EXIT_DONE;
}

/* strtod() alone would take nan, inf, hexadecimal and signs. */
static int take_time_limit(cli_invocation *invocation, const char *value)
{
    char *end = NULL;
    const double seconds = strtod(value, &end);
    if (value[strspn(value, "0123456789.")] || *end || !*value || !isfinite(seconds) ||
        seconds <= 0)
        return option_reject(invocation, OPTION_TIME_LIMIT, value,
                             "give seconds above 0, such as 2.5");
    invocation->time_limit = seconds;
    invocation->time_limited = true;
    return EXIT_DONE;
}

static int take_work_limit(cli_invocation *invocation, const char *value)
{
    uint64_t nodes = 0;
    if (!number_read(value, 1, UINT64_MAX, NULL, &nodes))
        return option_reject(invocation, OPTION_WORK_LIMIT, value,
                             "give a number of search nodes above 0, such as 100000");
    invocation->work_limit = nodes;
    return EXIT_DONE;
}

enum { MOST_JOBS = 256 };

static int take_jobs(cli_invocation *invocation, const char *value)
{
    uint64_t jobs = 0;
    if (!number_read(value, 1, MOST_JOBS, NULL, &jobs))
        return option_reject(invocation, OPTION_JOBS, value, "give a number from 1 to 256");
    invocation->jobs = (int)jobs;
    return EXIT_DONE;
}

static int take_cycles(const cli_invocation *invocation, cli_option option, const char *value,
                       int *out)
{
    uint64_t cycles = 0;
    if (!number_read(value, 0, SWP_MOST_CYCLES, NULL, &cycles))
        return option_reject(invocation, option, value, "give cycles, from 0 to 1000000");
    *out = (int)cycles;
    return EXIT_DONE;
}

static bool terminal_has_color(void)
{
    const char *terminal = getenv("TERM");
    const char *refusal = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && (!refusal || !*refusal) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

static int take_color(cli_invocation *invocation, const char *value)
{
    if (!strcmp(value, "auto"))
        invocation->diagnostics.color = terminal_has_color();
    else if (!strcmp(value, "always"))
        invocation->diagnostics.color = true;
    else if (!strcmp(value, "never"))
        invocation->diagnostics.color = false;
    else
        return option_reject(invocation, OPTION_COLOR, value, "choose auto, always or never");
    return EXIT_DONE;
}

static int take_diagnostics(cli_invocation *invocation, const char *value)
{
    if (!strcmp(value, "text"))
        invocation->diagnostics.style = DIAGNOSTICS_TEXT;
    else if (!strcmp(value, "json"))
        invocation->diagnostics.style = DIAGNOSTICS_JSON;
    else
        return option_reject(invocation, OPTION_DIAGNOSTICS, value, "choose text or json");
    return EXIT_DONE;
}

int option_take(cli_invocation *invocation, cli_option option, const char *value)
{
    switch (option) {
    case OPTION_SET:
    case OPTION_SET_A:
    case OPTION_SET_B:
        return take_setting(invocation, option, value);
    case OPTION_TARGET:
        return take_target(invocation, value);
    case OPTION_FORMAT:
        invocation->format = value;
        return EXIT_DONE;
    case OPTION_FROM:
        invocation->from = value;
        return EXIT_DONE;
    case OPTION_PREFIX:
        invocation->prefix = value;
        return EXIT_DONE;
    case OPTION_OUTPUT:
        invocation->output = value;
        return EXIT_DONE;
    case OPTION_ACCEPT:
        return option_take_acceptance(invocation, value);
    case OPTION_REQUIRE_PROOF:
        invocation->require_proof = true;
        return EXIT_DONE;
    case OPTION_ALLOW_UNSAFE:
        invocation->allow_unsafe = true;
        return EXIT_DONE;
    case OPTION_OCCUPANCY_GLOBAL:
        return take_cycles(invocation, option, value, &invocation->simulation.occupancy_global);
    case OPTION_OCCUPANCY_LDS:
        return take_cycles(invocation, option, value, &invocation->simulation.occupancy_lds);
    case OPTION_N:
    case OPTION_SEEDS:
    case OPTION_TIMING:
    case OPTION_WAVES:
        return option_take_run(invocation, option, value);
    case OPTION_COUNTEREXAMPLE:
        invocation->counterexample = value;
        return EXIT_DONE;
    case OPTION_CERTIFICATE:
        invocation->certificate = value;
        return EXIT_DONE;
    case OPTION_REPLAY:
        invocation->replay = value;
        return EXIT_DONE;
    case OPTION_SCHEDULE:
        invocation->schedule = value;
        return EXIT_DONE;
    case OPTION_TIME_LIMIT:
        return take_time_limit(invocation, value);
    case OPTION_WORK_LIMIT:
        return take_work_limit(invocation, value);
    case OPTION_JOBS:
        return take_jobs(invocation, value);
    case OPTION_DIAGNOSTICS:
        return take_diagnostics(invocation, value);
    case OPTION_COLOR:
        return take_color(invocation, value);
    case OPTION_HELP:
        invocation->help = true;
        return EXIT_DONE;
    case OPTION_COUNT:
        break;
    }
    return EXIT_BAD;
}

/* The value in `words[0]` or after it, if that is the option of this name, else "". */
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
    cli_diagnostics asked = {.stream = stderr, .color = terminal_has_color()};
    for (int i = 1; i < count && strcmp(words[i], "--") != 0; i++) {
        const char *color = value_in(count - i, words + i, "--color");
        if (!strcmp(value_in(count - i, words + i, "--diagnostics"), "json"))
            asked.style = DIAGNOSTICS_JSON;
        if (!strcmp(color, "always") || !strcmp(color, "never"))
            asked.color = !strcmp(color, "always");
    }
    return asked;
}
