/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions as a list of settings by path, the last of which counts, on a built-in, a body or a loop. */
#include "describe/description.h"

#include "base/diag.h"
#include "base/require.h"
#include "describe/hint.h"

#include <string.h>

#define DEFAULT_TARGET "mi355x"

swp_status swp_describe_new(swp_context *ctx, swp_description **out)
{
    swp_description *description = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &description));
    description->name = "body";
    description->target = swp_target_find(DEFAULT_TARGET);
    *out = description;
    return SWP_OK;
}

void swp_describe_take_builtin(swp_description *description, const swp_builtin *builtin)
{
    description->builtin = builtin;
    description->name = builtin->name;
    if (builtin->target)
        description->target = swp_target_find(builtin->target);
}

swp_status swp_description_from_builtin(swp_context *ctx, const char *name, swp_description **out)
{
    SWP_REQUIRE(ctx, ctx && name && out);
    *out = NULL;
    const swp_builtin *builtin = swp_builtin_find(name);
    if (!builtin) {
        char *hint = NULL;
        SWP_TRY(swp_describe_hint_of_builtins(ctx, name, &hint));
        return swp_error(ctx, SWP_E0106, SWP_NOWHERE, hint, "there is no built-in `%s`", name);
    }
    SWP_TRY(swp_describe_new(ctx, out));
    swp_describe_take_builtin(*out, builtin);
    return SWP_OK;
}

swp_status swp_description_set_target(swp_context *ctx, swp_description *description,
                                      const char *name, swp_place place)
{
    SWP_REQUIRE(ctx, ctx && description && name);
    const swp_target *target = swp_target_find(name);
    if (!target) {
        char *hint = NULL;
        SWP_TRY(swp_describe_hint_of_targets(ctx, name, true, &hint));
        return swp_error(ctx, SWP_E0106, place, hint, "there is no target `%s`", name);
    }
    description->target = target;
    return SWP_OK;
}

swp_status swp_description_use_target(swp_context *ctx, swp_description *description,
                                      const swp_target *target)
{
    SWP_REQUIRE(ctx, ctx && description && target);
    description->target = target;
    return SWP_OK;
}

bool swp_describe_is_loop(const swp_description *description)
{
    return description->builtin ? description->builtin->loop != NULL : description->loop != NULL;
}

bool swp_describe_takes(const swp_description *description, swp_section section)
{
    const swp_builtin *builtin = description->builtin;
    const bool is_loop = swp_describe_is_loop(description);
    switch (section) {
    case SWP_SECTION_LOOP:
        return builtin && builtin->loop;
    case SWP_SECTION_PIPELINE:
        return !is_loop;
    case SWP_SECTION_KERNEL:
    case SWP_SECTION_HINTS:
        return builtin && builtin->depth == 1;
    case SWP_SECTION_GEOMETRY:
        return !is_loop && (!builtin || builtin->layout != NULL);
    default:
        return true;
    }
}

swp_status swp_describe_refuse(swp_context *ctx, const swp_description *description,
                               swp_section section, const char *what, swp_place place)
{
    static const char *const hints[SWP_SECTION_COUNT] = {
        [SWP_SECTION_KERNEL] = "only the built-in single_buffer has it",
        [SWP_SECTION_HINTS] = "only the built-in single_buffer has it",
        [SWP_SECTION_GEOMETRY] = "a tile shape is for double-buffered kernels",
        [SWP_SECTION_PIPELINE] = "the structure of a loop is found, not set",
        [SWP_SECTION_LOOP] = "only built-in loops such as gemm_fragments have it"};
    const char *hint = hints[section] ? hints[section] : "";
    if (section == SWP_SECTION_LOOP && description->loop)
        hint = "a loop of your own has keys in its place, such as `shared_bytes`, "
               "`resident_work_groups` and the `slots` of a value; `variables.NAME` changes what "
               "the file calls ${NAME}";
    const char *kernel = description->builtin ? description->builtin->name
                         : description->loop  ? "a loop of your own"
                                              : "a body of your own";
    return swp_error(ctx, SWP_E0108, place, hint, "`%s` means nothing for %s", what, kernel);
}

/* A built-in is written for one depth. */
static swp_status check_depth(swp_context *ctx, const swp_description *description,
                              const swp_setting *setting)
{
    const swp_builtin *builtin = description->builtin;
    const char *name = setting->field->name;
    if (!builtin || builtin->loop || setting->field->section != SWP_SECTION_PIPELINE ||
        (strcmp(name, "depth") != 0 && strcmp(name, "num_partitions") != 0))
        return SWP_OK;
    swp_settings scratch = swp_settings_default();
    SWP_TRY(swp_field_parse(ctx, setting->field, setting->text, setting->value, &scratch));
    const int value = name[0] == 'd' ? scratch.pipeline.depth : scratch.pipeline.num_partitions;
    if (value == builtin->depth)
        return SWP_OK;
    return swp_error(ctx, SWP_E0108, setting->value,
                     "other depths need a kernel written for them: a `body:` of depth 1 or 2",
                     "pipeline.%s is %d, but the built-in %s has %d", name, value, builtin->name,
                     builtin->depth);
}

static void forget(swp_setting_list *settings, const swp_field *field)
{
    size_t kept = 0;
    for (size_t i = 0; i < settings->count; i++)
        if (settings->items[i].field != field)
            settings->items[kept++] = settings->items[i];
    settings->count = kept;
}

swp_status swp_describe_add(swp_context *ctx, swp_description *description, swp_setting setting)
{
    swp_settings scratch = swp_settings_default();
    SWP_TRY(swp_field_parse(ctx, setting.field, setting.text, setting.value, &scratch));
    SWP_TRY(check_depth(ctx, description, &setting));
    char *text = NULL;
    SWP_TRY(swp_copy_text(ctx, setting.text, strlen(setting.text), &text));
    setting.text = text;
    forget(&description->settings, setting.field);
    return SWP_PUSH(ctx, &description->settings, setting);
}

static swp_status report_no_setting(swp_context *ctx, const swp_description *description,
                                    const char *path, swp_place place)
{
    char *hint = NULL;
    if (swp_name_list_find(&description->variables, path) >= 0)
        SWP_TRY(swp_format(ctx, &hint, "did you mean `variables.%s`?", path));
    else
        SWP_TRY(swp_describe_hint_of_fields(ctx, path, &hint));
    return swp_error(ctx, SWP_E0102, place, hint, "there is no setting `%s`", path);
}

swp_status swp_description_set(swp_context *ctx, swp_description *description, const char *path,
                               const char *value, swp_place place)
{
    SWP_REQUIRE(ctx, ctx && description && path && value);
    const swp_field *field = swp_field_find(path);
    if (!field)
        return report_no_setting(ctx, description, path, place);
    if (!swp_describe_takes(description, field->section))
        return swp_describe_refuse(ctx, description, field->section, path, place);
    return swp_describe_add(ctx, description, (swp_setting){field, value, place, place});
}

const swp_setting *swp_describe_setting(const swp_description *description, const char *path)
{
    const swp_field *field = swp_field_find(path);
    for (size_t i = 0; i < description->settings.count; i++)
        if (description->settings.items[i].field == field)
            return &description->settings.items[i];
    return NULL;
}
