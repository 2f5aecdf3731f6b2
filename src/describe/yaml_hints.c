/* SPDX-License-Identifier: Apache-2.0 */
/* One table of hints, by what is wanted and what stands there. */
#include "describe/yaml_hints.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char as_list[] = "begin each element with `- `, or write [first, second]";
static const char as_mapping[] = "write {key: value}, or a line `key: value` for each";

/* NULL: no scalar stands for it. */
static const struct {
    const char *wanted; /* how that begins */
    const char *of_list;
    const char *of_mapping;
    const char *of_nothing;
    const char *of_plain;
    const char *of_quoted;
} rows[] = {
    {"a whole number", "write one number", "write one number", "state it, or leave its key out",
     "write digits", "write it without quotes"},
    {"text", "write one word", "write one word", "state it, or leave its key out", "write a word",
     "write a word"},
    {"a list", as_list, as_list, as_list, "write [ ] around it", "write [ ] around it"},
    {"a mapping", as_mapping, as_mapping, as_mapping, as_mapping, as_mapping},
    {"[", "write as many as that", "write a list", "write a list", "write a list", "write a list"},
    {"`default` or a list", as_list, as_list, as_list, "write `default`", "write `default`"},
    {"three of", "write three numbers, as in [256, 256, 64]",
     "write three numbers, as in [256, 256, 64]", "write three numbers, as in [256, 256, 64]",
     "write three numbers, as in [256, 256, 64]", "write the numbers without quotes"},
    {"", "write one value", "write one value", "state it, or leave its key out",
     "write one of these", "write it without quotes"},
};

static const char *of_node(size_t row, const yaml_node_t *node)
{
    if (node->type == YAML_SEQUENCE_NODE)
        return rows[row].of_list;
    if (node->type == YAML_MAPPING_NODE)
        return rows[row].of_mapping;
    if (swp_describe_yaml_is_null(node))
        return rows[row].of_nothing;
    return swp_describe_yaml_is_plain(node) ? rows[row].of_plain : rows[row].of_quoted;
}

const char *swp_describe_yaml_hint_of_type(const char *wanted, const yaml_node_t *node)
{
    size_t row = 0;
    while (strncmp(wanted, rows[row].wanted, strlen(rows[row].wanted)) != 0)
        row++;
    return of_node(row, node);
}

/* The shift of a size such as 8KiB or 8K, whose digits end at `unit`; 0: it has no such unit. */
static int shift_of_unit(const char *unit)
{
    static const char letters[] = "kmgt";
    const char *letter = *unit ? strchr(letters, tolower((unsigned char)*unit)) : NULL;
    const bool is_binary = letter && unit[1] == 'i';
    if (!letter || (unit[1] && strcasecmp(unit + 1 + is_binary, "b") != 0))
        return 0;
    return 10 * (int)(letter - letters + 1);
}

swp_status swp_describe_yaml_hint_of_number(swp_context *ctx, const char *text,
                                            const char *otherwise, char **hint)
{
    const size_t digits = strspn(text, "0123456789");
    const int shift = shift_of_unit(text + digits + (text[digits] == ' '));
    const long long size = strtoll(text, NULL, 10);
    if (digits > 0 && shift > 0 && size <= INT64_MAX >> shift)
        return swp_format(ctx, hint, "sizes are in bytes: write %lld for %s", size << shift, text);
    return swp_format(ctx, hint, "%s",
                      swp_describe_yaml_is_octal(text) ? SWP_YAML_OCTAL_HINT : otherwise);
}

swp_status swp_describe_yaml_hint_of_range(swp_context *ctx, swp_yaml_range range, bool is_below,
                                           char **hint)
{
    if (range.least == range.most)
        return swp_format(ctx, hint, "write %d", range.least);
    return swp_format(ctx, hint, "%s is %d", is_below ? "the least" : "the most",
                      is_below ? range.least : range.most);
}

const char *swp_describe_yaml_hint_of_namesake(const swp_yaml_reader *reader)
{
    return reader->instance ? "let its name have what it runs over, as in a${i}"
                            : "give each a name of its own";
}
