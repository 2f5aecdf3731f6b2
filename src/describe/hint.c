/* SPDX-License-Identifier: Apache-2.0 */
#include "describe/hint.h"

#include "base/suggest.h"
#include "base/text.h"
#include "swp/kernels.h"

#include <string.h>

enum { MOST_FIELDS = 128 };

swp_status swp_hint_of_names(swp_context *ctx, const char *word, const char *const *names,
                             size_t count, char **hint)
{
    swp_suggestion near = swp_suggest_start(word);
    for (size_t i = 0; i < count; i++)
        swp_suggest_offer(&near, names[i]);
    if (near.best)
        return swp_format(ctx, hint, "did you mean `%s`?", near.best);
    swp_text text = {.ctx = ctx};
    swp_text_format(&text, count == 1 ? "there is only " : "one of ");
    for (size_t i = 0; i < count; i++)
        swp_text_format(&text, "%s%s", i ? ", " : "", names[i]);
    return swp_text_end(&text, hint, NULL);
}

swp_status swp_hint_of_builtins(swp_context *ctx, const char *word, char **hint)
{
    size_t count = 0;
    const swp_builtin *const *builtins = swp_builtins(&count);
    const char **names = NULL;
    SWP_TRY(SWP_TAKE(ctx, count, &names));
    for (size_t i = 0; i < count; i++)
        names[i] = builtins[i]->name;
    return swp_hint_of_names(ctx, word, names, count, hint);
}

swp_status swp_hint_of_targets(swp_context *ctx, const char *word, char **hint)
{
    size_t count = 0;
    const swp_target *targets = swp_targets(&count);
    const char **names = NULL;
    SWP_TRY(SWP_TAKE(ctx, count, &names));
    for (size_t i = 0; i < count; i++)
        names[i] = targets[i].name;
    return swp_hint_of_names(ctx, word, names, count, hint);
}

static bool in_section(const swp_field *field, const char *path)
{
    const char *section = swp_section_name(field->section);
    const size_t length = strlen(section);
    return length > 0 && strncmp(path, section, length) == 0 && path[length] == '.';
}

swp_status swp_hint_of_fields(swp_context *ctx, const char *path, char **hint)
{
    const char *near = swp_field_suggest(ctx, path);
    if (near)
        return swp_format(ctx, hint, "did you mean `%s`?", near);
    const char *names[MOST_FIELDS];
    size_t names_count = 0;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count && names_count < MOST_FIELDS; i++)
        if (in_section(&fields[i], path))
            names[names_count++] = fields[i].name;
    if (names_count)
        return swp_hint_of_names(ctx, "", names, names_count, hint);
    return swp_format(ctx, hint,
                      "a path is num_k_tiles, or a field of pipeline, schedule, machine, geometry "
                      "or hints, such as schedule.scheduling");
}
