/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and nearest words of built-ins, targets and settings, as hints. */
#include "describe/hint.h"

#include "base/text.h"
#include "describe/description.h"
#include "swp/kernels.h"
#include "swp/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of a longer list, so many are looked at for one that is near, and so many are shown. */
enum { MOST_FIELDS = 128, MOST_OFFERED = 1024, MOST_SHOWN = 64 };

static swp_status hint_of(swp_context *ctx, const swp_suggestion *near, char **hint)
{
    char text[SWP_HINT_SIZE];
    (void)swp_suggest_hint(near, "", text);
    return swp_copy_text(ctx, text, strlen(text), hint);
}

swp_status swp_describe_hint_of_choice(swp_context *ctx, const char *const *names, size_t count,
                                       char **hint)
{
    swp_text text = {.ctx = ctx};
    swp_text_format(&text, count == 1 ? "there is only " : "one of ");
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++)
        swp_text_format(&text, "%s%s", i ? ", " : "", names[i]);
    if (count > MOST_SHOWN)
        swp_text_format(&text, " and %zu others", count - MOST_SHOWN);
    return swp_text_end(&text, hint, NULL);
}

swp_status swp_describe_hint_of_names(swp_context *ctx, const char *word, const char *const *names,
                                      size_t count, char **hint)
{
    swp_suggestion near = swp_suggest_start(word);
    for (size_t i = 0; i < count && i < MOST_OFFERED; i++)
        swp_suggest_offer(&near, names[i]);
    return near.best ? hint_of(ctx, &near, hint)
                     : swp_describe_hint_of_choice(ctx, names, count, hint);
}

swp_status swp_describe_hint_of_builtins(swp_context *ctx, const char *word, char **hint)
{
    size_t count = 0;
    const swp_builtin *const *builtins = swp_builtins(&count);
    const char **names = NULL;
    SWP_TRY(SWP_TAKE(ctx, count, &names));
    for (size_t i = 0; i < count; i++)
        names[i] = builtins[i]->name;
    return swp_describe_hint_of_names(ctx, word, names, count, hint);
}

/* The number of a word such as sm_89, which is NVIDIA's for the instructions of a machine; 0: it is no such word. */
static long compute_capability(const char *word)
{
    if (strncasecmp(word, "sm", 2) != 0)
        return 0;
    word += word[2] == '_' ? 3 : 2;
    return strspn(word, "0123456789") > 1 ? strtol(word, NULL, 10) : 0;
}

/* What is said before the list of targets: an NVIDIA GPU runs what older ones run, but for what only one of them has. */
static const char *relation_of(const char *word)
{
    const long capability = compute_capability(word);
    if (capability == 0)
        return "";
    return capability >= 80 ? "it runs what is made for `sm_80`; "
                            : "it lacks cp.async, which NVIDIA's have from sm_80 on; ";
}

swp_status swp_describe_hint_of_targets(swp_context *ctx, const char *word, bool or_file,
                                        char **hint)
{
    size_t count = 0;
    const swp_target *const *targets = swp_targets(&count);
    /* Of machines one letter may be wrong: with another number it is another one. */
    swp_suggestion near = {.word = word, .distance = 2};
    swp_text text = {.ctx = ctx};
    for (size_t i = 0; i < count; i++)
        swp_suggest_offer(&near, targets[i]->name);
    if (near.best && compute_capability(word) == 0)
        return hint_of(ctx, &near, hint);
    swp_text_format(&text, "%sthe targets are ", relation_of(word));
    for (size_t i = 0; i < count; i++)
        swp_text_format(&text, "%s%s", i ? ", " : "", targets[i]->name);
    if (or_file)
        swp_text_format(&text, ", and --target FILE.yaml takes a machine's own figures, as `swp "
                               "list targets --target sm_80 --format yaml` writes them");
    return swp_text_end(&text, hint, NULL);
}

static bool in_section(const swp_field *field, const char *path)
{
    const char *section = swp_section_name(field->section);
    const size_t length = strlen(section);
    return length > 0 && strncmp(path, section, length) == 0 && path[length] == '.';
}

static size_t names_of_section(const char *path, const char *names[MOST_FIELDS])
{
    size_t names_count = 0;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count && names_count < MOST_FIELDS; i++)
        if (in_section(&fields[i], path))
            names[names_count++] = fields[i].name;
    return names_count;
}

/* The path of the field that a name in a section can only mean, or an empty text. */
static void find_path_meant(const char *path, const char *const *names, size_t names_count,
                            char meant[SWP_FIELD_PATH_SIZE])
{
    const char *name = strchr(path, '.') + 1;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0) {
            (void)swp_field_path(&fields[i], meant);
            return;
        }
    swp_suggestion near = swp_suggest_start(name);
    for (size_t i = 0; i < names_count; i++)
        swp_suggest_offer(&near, names[i]);
    *meant = '\0';
    if (near.best)
        (void)snprintf(meant, SWP_FIELD_PATH_SIZE, "%.*s%s", (int)(name - path), path, near.best);
}

swp_status swp_describe_hint_of_fields(swp_context *ctx, const char *path, char **hint)
{
    const char *names[MOST_FIELDS];
    const size_t count = names_of_section(path, names);
    char meant[SWP_FIELD_PATH_SIZE];
    if (count) {
        find_path_meant(path, names, count, meant);
        if (*meant)
            return hint_of(ctx, &(swp_suggestion){.best = meant}, hint);
        return swp_describe_hint_of_names(ctx, "", names, count, hint);
    }
    const swp_suggestion near = {.best = swp_field_suggest(ctx, path)};
    if (near.best)
        return hint_of(ctx, &near, hint);
    return swp_format(
        ctx, hint,
        "a path is num_k_tiles, or a field of pipeline, schedule, machine, geometry, "
        "hints or loop, such as schedule.scheduling, or variables.NAME for a variable "
        "of a file");
}
