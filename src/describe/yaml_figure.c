/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of the target as numbers of expressions: `target.load.latency`. */
#include "base/text.h"
#include "describe/hint.h"
#include "describe/yaml_scope.h"
#include "target/figures.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "target."

enum { LONGEST_PATH = 64 };

/* Without its prefix; cut off where that is too long. */
static const char *path_of(swp_target_figure figure, char path[LONGEST_PATH])
{
    const swp_figure_row *row = swp_target_figure_row(figure);
    (void)snprintf(path, LONGEST_PATH, "%s.%s", row->section, row->key);
    return path;
}

/* SWP_TARGET_FIGURE_COUNT: there is none of this path. */
static swp_target_figure figure_of(const char *wanted)
{
    char path[LONGEST_PATH];
    swp_target_figure figure = 0;
    while (figure < SWP_TARGET_FIGURE_COUNT && strcmp(path_of(figure, path), wanted) != 0)
        figure++;
    return figure;
}

static swp_status report_unknown(const swp_yaml_scope *scope, const swp_yaml_slice *at,
                                 const char *wanted)
{
    char paths[SWP_TARGET_FIGURE_COUNT][LONGEST_PATH];
    const char *names[SWP_TARGET_FIGURE_COUNT];
    size_t count = 0;
    char *hint = NULL;
    for (swp_target_figure f = 0; f < SWP_TARGET_FIGURE_COUNT; f++)
        if (scope->target->figures[f].stated)
            names[count++] = path_of(f, paths[f]);
    SWP_TRY(swp_describe_hint_of_names(scope->reader->ctx, wanted, names, count, &hint));
    return swp_describe_yaml_report(scope->reader, SWP_E0106, at->place, hint,
                                    "no target has a figure `%s`", wanted);
}

static swp_status report_not_stated(const swp_yaml_scope *scope, const swp_yaml_slice *at,
                                    swp_target_figure figure)
{
    swp_text text = {.ctx = scope->reader->ctx};
    char path[LONGEST_PATH];
    size_t count = 0;
    const swp_target *const *targets = swp_targets(&count);
    char *hint = NULL;
    const char *before = "targets that have it: ";
    for (size_t i = 0; i < count; i++) {
        if (!targets[i]->figures[figure].stated)
            continue;
        swp_text_format(&text, "%s%s", before, targets[i]->name);
        before = ", ";
    }
    SWP_TRY(swp_text_end(&text, &hint, NULL));
    return swp_describe_yaml_report(scope->reader, SWP_E0106, at->place, hint,
                                    "the target %s has no figure `%s`", scope->target->name,
                                    path_of(figure, path));
}

swp_status swp_describe_yaml_find_figure(swp_yaml_scope *scope, const swp_yaml_slice *path,
                                         int64_t *number, bool *found)
{
    char *word = NULL;
    *number = 1;
    *found = true;
    SWP_TRY(swp_copy_text(scope->reader->ctx, path->text, path->length, &word));
    const bool is_of_target = strncmp(word, PREFIX, strlen(PREFIX)) == 0;
    const char *wanted = is_of_target ? word + strlen(PREFIX) : word;
    if (!is_of_target) {
        *found = false;
        return swp_describe_yaml_report(scope->reader, SWP_E0112, path->place,
                                        "names with dots are figures, such as target.load.latency",
                                        "`%s` does not begin with `" PREFIX "`", word);
    }
    *found = !scope->target_is_later;
    if (scope->target_is_later)
        return swp_describe_yaml_report(scope->reader, SWP_E0112, path->place, "write its name out",
                                        "`%s` needs a target whose name is no expression", word);
    if (!scope->target)
        return SWP_OK;
    const swp_target_figure figure = figure_of(wanted);
    *found = figure < SWP_TARGET_FIGURE_COUNT && scope->target->figures[figure].stated;
    if (figure == SWP_TARGET_FIGURE_COUNT)
        return report_unknown(scope, path, wanted);
    if (!*found)
        return report_not_stated(scope, path, figure);
    *number = scope->target->figures[figure].value;
    return SWP_OK;
}
