/* SPDX-License-Identifier: Apache-2.0 */
/* Puts tables into schemas: words, limits, names and lists; the other keywords have files of their own. */
#include "schema/keywords.h"

#include "describe/description.h"
#include "describe/spaces.h"
#include "ir/loop_names.h"
#include "ir/type_names.h"
#include "problem/names.h"
#include "schema/parts.h"
#include "swp/kernels.h"
#include "swp/target.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bool swp_schema_put(json_t *out, const char *key, json_t *value)
{
    return json_object_set_new(out, key, value) == 0;
}

bool swp_schema_append(json_t *out, json_t *value)
{
    return json_array_append_new(out, value) == 0;
}

bool swp_schema_put_value(json_t *out, json_t *value)
{
    return swp_schema_put(out, "anyOf",
                          json_pack("[o {ss}]", value, "$ref", SWP_SCHEMA_EXPRESSION));
}

static const swp_name reorder_rows[] = {SWP_REORDERS(SWP_NAME_ROW)};
static const swp_name block_rows[] = {SWP_BLOCK_FORMS(SWP_NAME_ROW)};
static const swp_name_table reorders = SWP_NAME_TABLE(reorder_rows);
static const swp_name_table blocks = SWP_NAME_TABLE(block_rows);

typedef struct word_row {
    const char *name;
    const swp_name_table *words;
} word_row;

static const word_row word_rows[] = {
    {"kinds", &swp_ir_role_names},
    {"resources", &swp_ir_resource_names},
    {"k_offsets", &swp_ir_k_offset_names},
    {"dep_kinds", &swp_ir_dep_kind_names},
    {"clocks", &swp_ir_clock_names},
    {"completions", &swp_ir_completion_names},
    {"whens", &swp_ir_plain_when_names},
    {"spaces", &swp_ir_space_names},
    {"described_spaces", &swp_describe_space_names},
    {"bytes_of", &swp_ir_bytes_of_names},
    {"objectives", &swp_ir_objective_names},
    {"problems", &swp_problem_kind_names},
    {"reorders", &reorders},
    {"blocks", &blocks},
};

json_t *swp_schema_names_of(const swp_name_table *table)
{
    json_t *names = json_array();
    for (size_t i = 0; names && i < table->count; i++)
        if (!swp_schema_append(names, json_string(table->names[i].name))) {
            json_decref(names);
            return NULL;
        }
    return names;
}

static json_t *words_of(const json_t *name)
{
    for (size_t i = 0; i < SWP_COUNT_OF(word_rows); i++)
        if (strcmp(word_rows[i].name, json_string_value(name)) == 0)
            return swp_schema_names_of(word_rows[i].words);
    return NULL;
}

static bool put_words(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    return swp_schema_put(out, "enum", words_of(argument));
}

static bool put_word(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    return swp_schema_put_value(out, json_pack("{so}", "enum", words_of(argument)));
}

static bool put_truth(json_t *out, const json_t *argument, const json_t *node)
{
    (void)argument;
    (void)node;
    return swp_schema_put_value(out, json_pack("{ss}", "type", "boolean"));
}

typedef struct limit_row {
    const char *name;
    int most;
} limit_row;

static const limit_row limits[] = {
    {"cluster", SWP_MOST_CLUSTER},     {"resident", SWP_MOST_RESIDENT},
    {"instances", SWP_MOST_INSTANCES}, {"slots", SWP_MOST_SLOTS},
    {"every", SWP_MOST_EVERY},
};

static json_int_t limit_of(const json_t *most)
{
    if (json_is_integer(most))
        return json_integer_value(most);
    for (size_t i = 0; i < SWP_COUNT_OF(limits); i++)
        if (most && strcmp(limits[i].name, json_string_value(most)) == 0)
            return limits[i].most;
    return INT_MAX;
}

json_t *swp_schema_integer_between(json_int_t least, json_int_t most)
{
    return json_pack("{ss sI sI}", "type", "integer", "minimum", least, "maximum", most);
}

static bool put_number(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    const json_int_t least = json_integer_value(json_array_get(argument, 0));
    return swp_schema_put_value(
        out, swp_schema_integer_between(least, limit_of(json_array_get(argument, 1))));
}

static bool put_builtins(json_t *out, const json_t *argument, const json_t *node)
{
    (void)argument;
    (void)node;
    size_t count = 0;
    const swp_builtin *const *rows = swp_builtins(&count);
    json_t *names = json_array();
    bool good = names && swp_schema_put(out, "enum", names);
    for (size_t i = 0; good && i < count; i++)
        good = swp_schema_append(names, json_string(rows[i]->name));
    return good;
}

static bool put_targets(json_t *out, const json_t *argument, const json_t *node)
{
    (void)argument;
    (void)node;
    size_t count = 0;
    const swp_target *const *rows = swp_targets(&count);
    json_t *names = json_array();
    bool good = names && swp_schema_put(out, "examples", names);
    for (size_t i = 0; good && i < count; i++)
        good = swp_schema_append(names, json_string(rows[i]->name));
    return good;
}

/* Accepts an element, or a range of lists of elements. */
static bool put_list(json_t *out, const json_t *argument, const json_t *node)
{
    (void)node;
    char element[64];
    char list[64];
    const char *name = json_string_value(argument);
    (void)snprintf(element, sizeof element, "#/$defs/%s", name);
    (void)snprintf(list, sizeof list, "#/$defs/%s_list", strcmp(name, "text") == 0 ? "name" : name);
    json_t *range = json_pack("{ss s[ss] sb s{s{ss} s{ss}}}", "type", "object", "required", "for",
                              "do", "additionalProperties", 0, "properties", "for", "$ref",
                              "#/$defs/ranges", "do", "$ref", list);
    return swp_schema_put(out, "type", json_string("array")) &&
           swp_schema_put(out, "items", json_pack("{s[{ss} o]}", "anyOf", "$ref", element, range));
}

static bool put_nothing(json_t *out, const json_t *argument, const json_t *node)
{
    (void)out;
    (void)argument;
    (void)node;
    return true;
}

typedef struct keyword {
    const char *name;
    swp_schema_keyword *put;
} keyword;

static const keyword keywords[] = {
    {"@words", put_words},
    {"@word", put_word},
    {"@number", put_number},
    {"@truth", put_truth},
    {"@builtins", put_builtins},
    {"@targets", put_targets},
    {"@list", put_list},
    {"@section", swp_schema_put_section},
    {"@setting", swp_schema_put_setting},
    {"@written", swp_schema_put_written},
    {"@object", swp_schema_put_object},
    {"@members", swp_schema_put_members},
    {"@figures", swp_schema_put_figures},
    {"@optional", put_nothing},
};

static const keyword *keyword_of(const char *key)
{
    for (size_t i = 0; i < SWP_COUNT_OF(keywords); i++)
        if (strcmp(keywords[i].name, key) == 0)
            return &keywords[i];
    return NULL;
}

static bool expand_object(const json_t *schema, json_t *out)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)schema, key, value)
    {
        const keyword *row = keyword_of(key);
        if (!(row ? row->put(out, value, schema)
                  : swp_schema_put(out, key, swp_schema_expand(value))))
            return false;
    }
    return true;
}

static bool expand_array(const json_t *schema, json_t *out)
{
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(schema); i++)
        good = swp_schema_append(out, swp_schema_expand(json_array_get(schema, i)));
    return good;
}

json_t *swp_schema_expand(const json_t *schema)
{
    if (!json_is_object(schema) && !json_is_array(schema))
        return json_copy((json_t *)schema);
    json_t *out = json_is_object(schema) ? json_object() : json_array();
    if (out && (json_is_object(schema) ? expand_object : expand_array)(schema, out))
        return out;
    json_decref(out);
    return NULL;
}
