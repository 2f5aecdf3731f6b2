/* SPDX-License-Identifier: Apache-2.0 */
/* Opens an argument as assembly, JSON, YAML or a built-in, compiles it, and emits it again. */
#include "schedule.h"

#include "swp/suggest.h"

#include "description.h"
#include "input.h"
#include "interrupt.h"
#include "number.h"
#include "output.h"
#include "report.h"
#include "search.h"
#include "search_cache.h"
#include "shell.h"
#include "subcommand.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const swp_emit_format *schedule_format(const cli_invocation *invocation)
{
    const swp_emit_format *found = swp_emit_format_find(invocation->format);
    if (found)
        return found;
    size_t count = 0;
    const swp_emit_format *formats = swp_emit_formats(&count);
    swp_suggestion near = swp_suggest_start(invocation->format);
    for (size_t i = 0; i < count; i++)
        swp_suggest_offer(&near, formats[i].name);
    char hint[SWP_HINT_SIZE];
    (void)diagnostics_fail(&invocation->diagnostics, CLI_E0903,
                           swp_suggest_hint(&near, "`swp list formats` shows them all", hint),
                           "there is no format `%s`", invocation->format);
    return NULL;
}

static void print_settings(FILE *stream, const cli_invocation *invocation)
{
    for (const cli_setting *s = invocation->settings; s; s = s->next) {
        (void)fprintf(stream, " --%s ", option_row_of(s->option)->name);
        shell_print_word(stream, s->text.text);
    }
    if (invocation->target.text) {
        (void)fputs(" --target ", stream);
        shell_print_word(stream, invocation->target.text);
    }
}

static void print_limits(FILE *stream, const cli_invocation *invocation)
{
    char seconds[NUMBER_SECONDS_SIZE];
    if (invocation->time_limit > 0) {
        number_format_seconds(invocation->time_limit, seconds);
        (void)fprintf(stream, " --time-limit %s", seconds);
    }
    if (invocation->work_limit > 0)
        (void)fprintf(stream, " --work-limit %llu", (unsigned long long)invocation->work_limit);
    if (invocation->work_seconds > 0) {
        number_format_seconds(invocation->work_seconds, seconds);
        (void)fprintf(stream, " --work-limit %ss", seconds);
    }
}

static void print_accepted(FILE *stream, const cli_invocation *invocation)
{
    for (size_t i = 0; i < invocation->accepted_count; i++) {
        const swp_acceptance *accepted = &invocation->accepted[i];
        (void)fprintf(stream, " --accept %s:%s%s%s:%d", swp_hazard_name(accepted->kind),
                      accepted->role ? accepted->role : "", accepted->role ? ":" : "",
                      swp_phase_name(accepted->at.phase), accepted->at.entry);
    }
}

void schedule_print_options(FILE *stream, const cli_invocation *invocation)
{
    print_settings(stream, invocation);
    print_limits(stream, invocation);
    print_accepted(stream, invocation);
}

void schedule_print_arguments(FILE *stream, const void *user)
{
    const cli_invocation *invocation = user;
    const char *name = invocation->arguments[0];
    shell_print_word(stream, strcmp(name, "-") == 0 ? "FILE" : name);
    schedule_print_options(stream, invocation);
}

/* A name without a dot or slash that is no file can only be meant for a built-in. */
static bool is_builtin(const char *name)
{
    if (swp_builtin_find(name))
        return true;
    return *name && strcmp(name, "-") != 0 && !strpbrk(name, "./") && access(name, F_OK) != 0;
}

static int compile(const cli_invocation *invocation, int argument, swp_context *ctx,
                   const cli_source *text, swp_schedule **out)
{
    swp_description *description = NULL;
    cli_cache_key key;
    swp_status status = description_open(invocation, argument, ctx, text, &description);
    if (status != SWP_OK)
        return exit_status_of(status);
    status = search_cache_begin(invocation, argument, text, ctx, &key);
    if (status == SWP_OK)
        status = swp_description_compile(ctx, description, out);
    search_cache_keep(ctx, status == SWP_OK && !interrupt_seen(), &key);
    const bool interrupted = status == SWP_OK && (*out)->metrics.stopped && interrupt_seen();
    return interrupted ? EXIT_STOPPED : exit_status_of(status);
}

static int read_json(const cli_invocation *invocation, int argument, swp_context *ctx,
                     const cli_source *text, swp_schedule **out)
{
    const cli_setting *setting = setting_for(invocation->settings, argument);
    const char *option = setting ? setting->label : "--target";
    const bool for_both = setting && setting->option == OPTION_SET &&
                          (invocation->subcommand->options & OPTION_BIT(SET_A));
    const char *hint = for_both ? "--set-a and --set-b change only one of the two"
                                : "compile its description again, with this option";
    const bool counts_by_figures =
        strcmp(invocation->subcommand->name, "simulate") == 0 && invocation->target_file.text;
    if (setting || (invocation->target.text && !counts_by_figures))
        return diagnostics_fail(&invocation->diagnostics, CLI_E0909, hint,
                                "%s does not change a compiled schedule, and %s is one", option,
                                text->name);
    return exit_status_of(swp_schedule_read_json(ctx, text->text, text->length, text->name, out));
}

/* The name counts, too: JSON with a comment before it is bad JSON, not YAML. */
static bool is_json(const cli_source *text)
{
    return swp_looks_like_json(text->text, text->length) || input_kind(text->name) == KIND_JSON;
}

/* Gets the schedule and its exit status, and gathers diagnostics in the context. */
static int obtain(cli_invocation *invocation, int argument, swp_context *ctx, cli_source *text,
                  swp_schedule **out)
{
    const char *name = invocation->arguments[argument];
    if (is_builtin(name))
        return compile(invocation, argument, ctx, text, out);
    const int read_status =
        input_read(&invocation->diagnostics, name,
                   "`swp list builtins` shows the names that need no file", text);
    if (read_status != EXIT_DONE)
        return read_status;
    if (input_kind(text->name) == KIND_ASSEMBLY)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0910,
                                "`swp audit` reads assembly, and its schedule is what "
                                "--schedule names",
                                "%s is assembly by its name; a schedule is wanted", text->name);
    return is_json(text) ? read_json(invocation, argument, ctx, text, out)
                         : compile(invocation, argument, ctx, text, out);
}

const char *schedule_file(const cli_invocation *invocation, int argument)
{
    const char *name = invocation->arguments[argument];
    return is_builtin(name) ? NULL : strcmp(name, "-") == 0 ? INPUT_STANDARD : name;
}

int schedule_open(cli_invocation *invocation, int argument, cli_schedule *out)
{
    *out = (cli_schedule){.ctx = swp_context_new(NULL)};
    if (!out->ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    search_limit(out->ctx, invocation);
    report_color(out->ctx, invocation);
    const int status = obtain(invocation, argument, out->ctx, &out->text, &out->schedule);
    out->compiled = out->schedule && !(out->text.text && is_json(&out->text));
    diagnostics_flush(&invocation->diagnostics, out->ctx);
    return status;
}

void schedule_close(cli_schedule *opened)
{
    swp_schedule_free(opened->schedule);
    swp_context_free(opened->ctx);
    free((char *)opened->text.text);
}

int schedule_use(cli_invocation *invocation,
                 int (*use)(cli_invocation *invocation, const cli_schedule *opened))
{
    cli_schedule opened;
    invocation->diagnostics.of = schedule_file(invocation, 0);
    int status = schedule_open(invocation, 0, &opened);
    if (opened.schedule) {
        const int used = use(invocation, &opened);
        status = used == EXIT_DONE ? status : used;
    }
    invocation->diagnostics.of = NULL;
    schedule_close(&opened);
    return status;
}

int schedule_emit(cli_invocation *invocation, const cli_schedule *opened)
{
    char *text = NULL;
    size_t length = 0;
    const swp_emit_format *format = swp_emit_format_find(invocation->format);
    const swp_status status = format->emit(opened->ctx, opened->schedule, &text, &length);
    return report_end(invocation, opened->ctx, status, true, text, length);
}
