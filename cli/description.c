/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a description with the variables that --set gives, and applies the other settings and the target. */
#include "description.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLES "variables."

static bool is_variable(const cli_setting *setting)
{
    return strncmp(setting->path, VARIABLES, strlen(VARIABLES)) == 0;
}

static size_t count_variables(const cli_invocation *invocation, int argument)
{
    size_t count = 0;
    for (const cli_setting *s = setting_for(invocation->settings, argument); s;
         s = setting_for(s->next, argument))
        count += is_variable(s);
    return count;
}

static swp_variable variable_of(const cli_setting *setting)
{
    const int value_column = (int)strlen(setting->path) + 2;
    return (swp_variable){.name = setting->path + strlen(VARIABLES),
                          .value = setting->value,
                          .place = {setting->label, 1, (int)strlen(VARIABLES) + 1},
                          .value_place = {setting->label, 1, value_column}};
}

static swp_status read_yaml(const cli_invocation *invocation, int argument, swp_context *ctx,
                            const cli_source *text, const swp_target *target, swp_description **out)
{
    swp_variable *variables = calloc(count_variables(invocation, argument) + 1, sizeof *variables);
    size_t count = 0;
    if (!variables) {
        (void)diagnostics_out_of_memory(&invocation->diagnostics);
        return SWP_OUT_OF_MEMORY;
    }
    for (const cli_setting *s = setting_for(invocation->settings, argument); s;
         s = setting_for(s->next, argument))
        if (is_variable(s))
            variables[count++] = variable_of(s);
    const swp_status status = swp_description_read_yaml_with(
        ctx, text->text, text->length, text->name, variables, count, target, out);
    free(variables);
    return status;
}

/*
 * Returns the column of the fault in a setting: that of its value if the value cannot be read, else
 * that of its key.
 */
static int blamed_column(const cli_setting *setting)
{
    const swp_field *field = swp_field_find(setting->path);
    swp_context *scratch = field ? swp_context_new(NULL) : NULL;
    if (!scratch)
        return 1;
    swp_settings settings = swp_settings_default();
    const swp_place nowhere = {NULL, 0, 0};
    const swp_status status = swp_field_parse(scratch, field, setting->value, nowhere, &settings);
    swp_context_free(scratch);
    return status == SWP_OK ? 1 : (int)strlen(setting->path) + 2;
}

/* Finds the target that the options choose; NULL: they name none, or an unknown one. */
static swp_status find_target(const cli_invocation *invocation, swp_context *ctx,
                              const swp_target **out)
{
    const cli_source *file = &invocation->target_file;
    *out = invocation->target.text ? swp_target_find(invocation->target.text) : NULL;
    return file->text ? swp_target_read_yaml(ctx, file->text, file->length, file->name, out)
                      : SWP_OK;
}

static swp_status use_target(const cli_invocation *invocation, swp_context *ctx,
                             const swp_target *target, swp_description *description)
{
    const swp_place place = {invocation->target.name, 1, 1};
    if (target)
        return swp_description_use_target(ctx, description, target);
    if (!invocation->target.text)
        return SWP_OK;
    return swp_description_set_target(ctx, description, invocation->target.text, place);
}

/* `is_read` says that variables have already been used in reading a file. */
static swp_status apply_options(const cli_invocation *invocation, int argument, swp_context *ctx,
                                bool is_read, const swp_target *target,
                                swp_description *description)
{
    swp_status worst = SWP_OK;
    for (const cli_setting *s = setting_for(invocation->settings, argument); s;
         s = setting_for(s->next, argument)) {
        if (is_read && is_variable(s))
            continue;
        const swp_place place = {s->label, 1, blamed_column(s)};
        const swp_status status = swp_description_set(ctx, description, s->path, s->value, place);
        worst = status == SWP_OK ? worst : status;
    }
    const swp_status status = use_target(invocation, ctx, target, description);
    return worst == SWP_OK ? status : worst;
}

swp_status description_open(const cli_invocation *invocation, int argument, swp_context *ctx,
                            const cli_source *text, swp_description **out)
{
    const bool is_file = text->text != NULL;
    const swp_target *target = NULL;
    swp_status status = find_target(invocation, ctx, &target);
    if (status != SWP_OK)
        return status;
    status = is_file ? read_yaml(invocation, argument, ctx, text, target, out)
                     : swp_description_from_builtin(ctx, invocation->arguments[argument], out);
    return status == SWP_OK ? apply_options(invocation, argument, ctx, is_file, target, *out)
                            : status;
}
