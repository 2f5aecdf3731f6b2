/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a name of `for:` runs over: `4` for 0 to 3, `[1, 4]` for 1 to 4, or words. */
#include "describe/yaml_series.h"

#include "describe/yaml_fill.h"

#include <string.h>

enum { MOST_STEPS = 65536, LONGEST_WORD = 200 };

#define SERIES "a number, [from, to] or a list of words"

static swp_status check_count(swp_yaml_scope *scope, const yaml_node_t *node, const char *name,
                              swp_yaml_series *series, bool *found)
{
    *found = series->count >= 0 && series->count <= MOST_STEPS;
    if (*found)
        return SWP_OK;
    return swp_describe_yaml_report(
        scope->reader, SWP_E0105, swp_describe_yaml_place(scope->reader, node),
        series->count < 0 ? "write how many, or [from, to] with `to` no less than `from`"
                          : "make it smaller",
        "`%s` has %lld values, but may have 0 to %d", name, (long long)series->count, MOST_STEPS);
}

static swp_status read_bounds(swp_yaml_scope *scope, const yaml_node_t *node, const char *name,
                              swp_yaml_series *series, bool *found)
{
    const yaml_node_item_t *items = node->data.sequence.items.start;
    int64_t bounds[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const swp_yaml_slice text = swp_describe_yaml_slice_of(
            scope->reader, swp_describe_yaml_node(scope->reader, items[i]));
        SWP_TRY(swp_describe_yaml_fill_number(scope, &text, name, &bounds[i], found));
        if (!*found)
            return SWP_OK;
    }
    series->first = bounds[0];
    if (__builtin_sub_overflow(bounds[1], bounds[0], &series->count) ||
        __builtin_add_overflow(series->count, 1, &series->count))
        series->count = bounds[1] < bounds[0] ? INT64_MIN : INT64_MAX;
    return check_count(scope, node, name, series, found);
}

/* A word as it stands in the list, or a number that is none of a range; NULL after a report. */
static swp_status read_word(swp_yaml_scope *scope, const yaml_node_t *node, const char *name,
                            const char **word, bool *is_number)
{
    const char *text = NULL;
    swp_yaml_filled filled;
    *word = NULL;
    SWP_TRY(swp_describe_yaml_text(scope->reader, node, name, &text));
    if (!text)
        return SWP_OK;
    const swp_yaml_slice slice = swp_describe_yaml_slice_of(scope->reader, node);
    SWP_TRY(swp_describe_yaml_fill(scope, &slice, &filled));
    if (!filled.text)
        return SWP_OK;
    *is_number = (filled.whole || swp_describe_yaml_is_plain(node)) &&
                 swp_describe_yaml_is_decimal(filled.text);
    if (filled.length > LONGEST_WORD)
        return swp_describe_yaml_report(scope->reader, SWP_E0105, slice.place, "make it shorter",
                                        "a word of `%s` has %zu bytes, but may have %d", name,
                                        filled.length, LONGEST_WORD);
    *word = filled.text;
    return SWP_OK;
}

static swp_status read_list(swp_yaml_scope *scope, const yaml_node_t *node, const char *name,
                            swp_yaml_series *series, bool *found)
{
    const yaml_node_item_t *items = node->data.sequence.items.start;
    bool only_numbers = true;
    series->count = node->data.sequence.items.top - items;
    SWP_TRY(check_count(scope, node, name, series, found));
    if (!*found)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(scope->reader->ctx, (size_t)series->count + 1, &series->words));
    for (int64_t i = 0; *found && i < series->count; i++) {
        bool is_number = false;
        SWP_TRY(read_word(scope, swp_describe_yaml_node(scope->reader, items[i]), name,
                          &series->words[i], &is_number));
        *found = series->words[i] != NULL;
        only_numbers = only_numbers && is_number;
    }
    if (!*found || !only_numbers)
        return SWP_OK;
    series->words = NULL;
    if (series->count == 2)
        return read_bounds(scope, node, name, series, found);
    *found = false;
    return swp_describe_yaml_report(
        scope->reader, SWP_E0104, swp_describe_yaml_place(scope->reader, node),
        "a range of numbers has two, and its steps are 1: write ${2 * i} for others",
        "`%s` must be " SERIES ", not a list of %lld numbers", name, (long long)series->count);
}

swp_status swp_describe_yaml_read_series(swp_yaml_scope *scope, const yaml_node_t *node,
                                         const char *name, swp_yaml_series *series, bool *found)
{
    *series = (swp_yaml_series){0};
    *found = false;
    if (node->type == YAML_SEQUENCE_NODE)
        return read_list(scope, node, name, series, found);
    if (node->type != YAML_SCALAR_NODE || swp_describe_yaml_is_null(node))
        return swp_describe_yaml_report_type(scope->reader, node, name, SERIES);
    const swp_yaml_slice text = swp_describe_yaml_slice_of(scope->reader, node);
    SWP_TRY(swp_describe_yaml_fill_number(scope, &text, name, &series->count, found));
    return *found ? check_count(scope, node, name, series, found) : SWP_OK;
}

swp_yaml_binding swp_describe_yaml_step(const swp_yaml_series *series, const char *name,
                                        int64_t number)
{
    return (swp_yaml_binding){name, series->words ? series->words[number] : NULL,
                              series->first + number};
}
