/* SPDX-License-Identifier: Apache-2.0 */
/* `variables:`, whose values may need each other, and the names of ranges. */
#include "describe/yaml_scope.h"

#include "base/text.h"
#include "describe/hint.h"
#include "describe/yaml_fill.h"

#include <string.h>

enum { MOST_VARIABLES = 1024, LONGEST_NAME = 60 };

const swp_yaml_binding *swp_describe_yaml_binding(const swp_yaml_scope *scope, const char *name,
                                                  size_t length)
{
    for (size_t i = 0; i < scope->bindings.count; i++) {
        const swp_yaml_binding *binding = &scope->bindings.items[i];
        if (strlen(binding->name) == length && memcmp(binding->name, name, length) == 0)
            return binding;
    }
    return NULL;
}

/* The nearest of all names that stand for something here. */
static swp_status hint_of_names(const swp_yaml_scope *scope, const char *name, char **hint)
{
    swp_context *ctx = scope->reader->ctx;
    const size_t bound = scope->bindings.count;
    const size_t count = bound + scope->names.count;
    const char **names = NULL;
    if (count == 0)
        return swp_format(ctx, hint, "list it under `variables`");
    SWP_TRY(SWP_TAKE(ctx, count, &names));
    for (size_t i = 0; i < count; i++)
        names[i] = i < bound ? scope->bindings.items[i].name : scope->names.items[i - bound];
    return swp_describe_hint_of_names(ctx, name, names, count, hint);
}

static swp_status report_unknown(const swp_yaml_scope *scope, const swp_yaml_slice *name)
{
    char *word = NULL;
    char *hint = NULL;
    SWP_TRY(swp_copy_text(scope->reader->ctx, name->text, name->length, &word));
    SWP_TRY(hint_of_names(scope, word, &hint));
    return swp_describe_yaml_report(scope->reader, SWP_E0106, name->place, hint,
                                    "there is no variable `%s`", word);
}

/* The variables that are being worked on from this one on need each other in a circle. */
static swp_status report_circle(const swp_yaml_scope *scope, const swp_yaml_slice *name, int number)
{
    swp_text text = {.ctx = scope->reader->ctx};
    char *hint = NULL;
    size_t first = scope->needed.count - 1;
    while (scope->needed.items[first] != number)
        first--;
    for (size_t i = first; i < scope->needed.count; i++) {
        const bool is_last = i + 1 == scope->needed.count;
        const int next = is_last ? number : scope->needed.items[i + 1];
        swp_text_format(&text, "`%s` needs `%s`%s", scope->names.items[scope->needed.items[i]],
                        scope->names.items[next], is_last ? "" : ", ");
    }
    SWP_TRY(swp_text_end(&text, &hint, NULL));
    return swp_describe_yaml_report(scope->reader, SWP_E0113, name->place, hint,
                                    "the value of `%s` needs itself", scope->names.items[number]);
}

/* Finds the value of a variable, which nobody has looked for yet. */
static swp_status resolve(swp_yaml_scope *scope, int number)
{
    swp_yaml_variable *variable = &scope->variables.items[number];
    const char *name = scope->names.items[number];
    bool found = false;
    variable->progress = SWP_YAML_IN_WORK;
    SWP_TRY(SWP_PUSH(scope->reader->ctx, &scope->needed, number));
    if (variable->text.text)
        SWP_TRY(
            swp_describe_yaml_fill_number(scope, &variable->text, name, &variable->value, &found));
    else
        SWP_TRY(
            swp_describe_yaml_report(scope->reader, SWP_E0107, variable->place,
                                     "state it here, or `--set variables.NAME=NUMBER` for one run",
                                     "the variable `%s` has no value", name));
    scope->needed.count--;
    variable->progress = found ? SWP_YAML_KNOWN : SWP_YAML_FAULTY;
    return SWP_OK;
}

static swp_status find_variable(swp_yaml_scope *scope, const swp_yaml_slice *name, int number,
                                int64_t *value, bool *found)
{
    swp_yaml_variable *variable = &scope->variables.items[number];
    variable->used = true;
    if (variable->progress == SWP_YAML_IN_WORK)
        return report_circle(scope, name, number);
    if (variable->progress == SWP_YAML_UNKNOWN)
        SWP_TRY(resolve(scope, number));
    *value = variable->value;
    *found = variable->progress == SWP_YAML_KNOWN;
    return SWP_OK;
}

swp_status swp_describe_yaml_find_number(swp_yaml_scope *scope, const swp_yaml_slice *name,
                                         int64_t *value, bool *found)
{
    const swp_yaml_binding *binding = swp_describe_yaml_binding(scope, name->text, name->length);
    const int number = swp_key_index_find(&scope->names.index, name->text, name->length);
    *found = false;
    if (!binding && number < 0)
        return report_unknown(scope, name);
    if (!binding)
        return find_variable(scope, name, number, value, found);
    if (binding->word)
        return swp_describe_yaml_report(
            scope->reader, SWP_E0112, name->place, "a word stands alone: ${name}",
            "`%s` is the word `%s` and no number", binding->name, binding->word);
    *value = binding->number;
    *found = true;
    return SWP_OK;
}

swp_status swp_describe_yaml_new_variable(swp_yaml_scope *scope, const yaml_node_t *node,
                                          const char **name)
{
    const char *text = NULL;
    *name = NULL;
    SWP_TRY(swp_describe_yaml_text(scope->reader, node, "a variable's name", &text));
    if (!text)
        return SWP_OK;
    const size_t length = strlen(text);
    const swp_place place = swp_describe_yaml_place(scope->reader, node);
    if (length == 0 || length > LONGEST_NAME ||
        swp_describe_yaml_name_length(text, length) != length)
        return swp_describe_yaml_report(
            scope->reader, SWP_E0104, place,
            "it has 1 to 60 letters, digits and _, and begins with no digit",
            "no variable can be named `%s`", text);
    if (swp_name_list_find(&scope->names, text) >= 0 ||
        swp_describe_yaml_binding(scope, text, length))
        return swp_describe_yaml_report(scope->reader, SWP_E0103, place, "choose another name",
                                        "there is a variable `%s` already", text);
    return swp_copy_text(scope->reader->ctx, text, length, (char **)name);
}

static swp_status declare(swp_yaml_scope *scope, const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = swp_describe_yaml_node(scope->reader, pair->key);
    const yaml_node_t *value = swp_describe_yaml_node(scope->reader, pair->value);
    swp_yaml_variable variable = {.place = swp_describe_yaml_place(scope->reader, key)};
    const char *name = NULL;
    SWP_TRY(swp_describe_yaml_new_variable(scope, key, &name));
    if (!name)
        return SWP_OK;
    if (value->type != YAML_SCALAR_NODE)
        return swp_describe_yaml_report_type(scope->reader, value, name, "a whole number");
    if (!swp_describe_yaml_is_null(value))
        variable.text = swp_describe_yaml_slice_of(scope->reader, value);
    SWP_TRY(swp_name_list_add(scope->reader->ctx, &scope->names, name));
    return SWP_PUSH(scope->reader->ctx, &scope->variables, variable);
}

static swp_status declare_all(swp_yaml_scope *scope, const yaml_node_t *mapping)
{
    if (!mapping || swp_describe_yaml_is_null(mapping))
        return SWP_OK;
    if (mapping->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(scope->reader, mapping, "variables",
                                             "a mapping of names to numbers");
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    const yaml_node_pair_t *end = mapping->data.mapping.pairs.top;
    if (end - pair > MOST_VARIABLES)
        return swp_describe_yaml_report(
            scope->reader, SWP_E0105, swp_describe_yaml_place(scope->reader, mapping),
            "leave out what nothing uses", "`variables` has %lld elements, but may have %d",
            (long long)(end - pair), MOST_VARIABLES);
    for (; pair < end; pair++)
        SWP_TRY(declare(scope, pair));
    return SWP_OK;
}

static swp_status override(swp_yaml_scope *scope, const swp_variable *given)
{
    const int number = swp_name_list_find(&scope->names, given->name);
    char *hint = NULL;
    if (number >= 0) {
        scope->variables.items[number].text =
            (swp_yaml_slice){given->value, strlen(given->value), given->value_place, true};
        return SWP_OK;
    }
    SWP_TRY(hint_of_names(scope, given->name, &hint));
    return swp_describe_yaml_report(scope->reader, SWP_E0102, given->place, hint,
                                    "the description has no variable `%s`", given->name);
}

swp_status swp_describe_yaml_declare(swp_yaml_scope *scope, const yaml_node_t *mapping,
                                     const swp_variable *given, size_t count)
{
    const size_t errors = scope->reader->errors;
    SWP_TRY(declare_all(scope, mapping));
    /* What was not understood may be what is given a value, or needed. */
    if (scope->reader->errors != errors)
        return SWP_OK;
    for (size_t i = 0; i < count; i++)
        SWP_TRY(override(scope, &given[i]));
    for (size_t i = 0; i < scope->variables.count; i++)
        if (scope->variables.items[i].progress == SWP_YAML_UNKNOWN)
            SWP_TRY(resolve(scope, (int)i));
    return SWP_OK;
}

swp_status swp_describe_yaml_warn_of_unused(const swp_yaml_scope *scope)
{
    for (size_t i = 0; i < scope->variables.count; i++)
        if (!scope->variables.items[i].used)
            SWP_TRY(swp_warn(scope->reader->ctx, SWP_W0101, scope->variables.items[i].place,
                             "write ${name} where it is meant, or delete it",
                             "nothing uses the variable `%s`", scope->names.items[i]));
    return SWP_OK;
}
