/* SPDX-License-Identifier: Apache-2.0 */
/* Copies what holds `${...}` or `for:`, once outside of ranges and once for each step of one, within a budget of work. */
#include "describe/yaml_expand.h"

#include "describe/yaml_expander.h"
#include "describe/yaml_fill.h"

#include <string.h>

/*
 * A file may have half a million values; aliases and ranges can make any number of them. What is deeper
 * than the format goes only aliases reach: it is left as it is, for the readers to refuse.
 */
enum { MOST_WORK = 300000, BYTES_OF_WORK = 64, MOST_DEPTH = 64 };

static yaml_node_t *get(const swp_yaml_expander *x, int index)
{
    return swp_describe_yaml_node(x->reader, index);
}

static bool is_text(const yaml_node_t *node, const char *text)
{
    return node->type == YAML_SCALAR_NODE && strcmp((char *)node->data.scalar.value, text) == 0;
}

const yaml_node_pair_t *swp_describe_yaml_pair(swp_yaml_expander *x, const yaml_node_t *node,
                                               const char *key)
{
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        if (is_text(get(x, pair->key), key))
            return pair;
    return NULL;
}

/* What has been written out stands after the nodes of the file; an alias of the whole comes to it. */
static bool holds(const swp_yaml_expander *x, int index)
{
    return index <= x->reader->instances.after && x->holds[index];
}

static bool holds_something(const swp_yaml_expander *x, const yaml_node_t *node)
{
    bool found = false;
    if (node->type == YAML_SCALAR_NODE)
        found = swp_describe_yaml_has_expression((char *)node->data.scalar.value,
                                                 node->data.scalar.length);
    if (node->type == YAML_SEQUENCE_NODE)
        for (const yaml_node_item_t *item = node->data.sequence.items.start;
             item < node->data.sequence.items.top && !found; item++)
            found = holds(x, *item);
    if (node->type == YAML_MAPPING_NODE)
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top && !found; pair++)
            found =
                holds(x, pair->key) || holds(x, pair->value) || is_text(get(x, pair->key), "for");
    return found;
}

/*
 * Children stand after their parents but for those of aliases, so a pass from the last node settles a
 * level of aliases or more. Below the deepest level nothing is written out.
 */
static void find_holders(swp_yaml_expander *x, int count)
{
    bool found = true;
    for (int pass = 0; found && pass < MOST_DEPTH; pass++) {
        found = false;
        for (int index = count; index > 0; index--)
            if (!x->holds[index] && holds_something(x, get(x, index))) {
                x->holds[index] = true;
                found = true;
            }
    }
}

static bool has_stopped(const swp_yaml_expander *x)
{
    return x->work > MOST_WORK;
}

swp_status swp_describe_yaml_spend(swp_yaml_expander *x, size_t work, const yaml_node_t *at)
{
    if (has_stopped(x))
        return SWP_OK;
    x->work += work;
    if (!has_stopped(x))
        return SWP_OK;
    return swp_describe_yaml_report(
        x->reader, SWP_E0105, swp_describe_yaml_place(x->reader, at),
        "make its ranges smaller, and its aliases fewer",
        "what its variables and ranges stand for takes more than %d steps to write out", MOST_WORK);
}

/* Gives a new node the place of the one that it comes from; 0 is none. */
static swp_status place_node(swp_yaml_expander *x, int made, int from)
{
    const char *name = NULL;
    if (!made)
        return swp_out_of_memory(x->reader->ctx);
    get(x, made)->start_mark = get(x, from)->start_mark;
    get(x, made)->end_mark = get(x, from)->end_mark;
    return SWP_PUSH(x->reader->ctx, &x->reader->instances, name);
}

static swp_status expand_scalar(swp_yaml_expander *x, int index, int *made)
{
    const yaml_node_t *node = get(x, index);
    const swp_yaml_slice text = swp_describe_yaml_slice_of(x->reader, node);
    swp_yaml_filled filled;
    SWP_TRY(swp_describe_yaml_fill(&x->scope, &text, &filled));
    if (!filled.text)
        return SWP_OK;
    SWP_TRY(swp_describe_yaml_spend(x, (text.length + filled.length) / BYTES_OF_WORK, node));
    *made = yaml_document_add_scalar(
        &x->reader->document, NULL, (const yaml_char_t *)filled.text, (int)filled.length,
        filled.whole ? YAML_PLAIN_SCALAR_STYLE : node->data.scalar.style);
    return place_node(x, *made, index);
}

/* What a node has become: itself, where nothing changes or has been reported. */
static swp_status expand_node(swp_yaml_expander *x, int index, size_t depth, int *made);

/* The pairs of a mapping but for one, NULL for none. */
static swp_status expand_mapping(swp_yaml_expander *x, int index, const yaml_node_pair_t *without,
                                 size_t depth, int *made)
{
    yaml_document_t *document = &x->reader->document;
    const yaml_node_pair_t *pair = get(x, index)->data.mapping.pairs.start;
    const yaml_node_pair_t *end = get(x, index)->data.mapping.pairs.top;
    *made = yaml_document_add_mapping(document, NULL, YAML_ANY_MAPPING_STYLE);
    SWP_TRY(place_node(x, *made, index));
    for (; pair < end; pair++) {
        int key = 0;
        int value = 0;
        if (pair == without)
            continue;
        SWP_TRY(expand_node(x, pair->key, depth + 1, &key));
        SWP_TRY(expand_node(x, pair->value, depth + 1, &value));
        if (!yaml_document_append_mapping_pair(document, *made, key, value))
            return swp_out_of_memory(x->reader->ctx);
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_append(swp_yaml_expander *x, int list, int made)
{
    return yaml_document_append_sequence_item(&x->reader->document, list, made)
               ? SWP_OK
               : swp_out_of_memory(x->reader->ctx);
}

/* Adds what an item of a list has become. */
static swp_status append_item(swp_yaml_expander *x, int list, int item, size_t depth)
{
    const yaml_node_pair_t *ranges = swp_describe_yaml_pair(x, get(x, item), "for");
    int made = item;
    if (has_stopped(x))
        return SWP_OK;
    if (ranges)
        return swp_describe_yaml_append_ranges(x, list, item, ranges, depth);
    SWP_TRY(expand_node(x, item, depth, &made));
    return swp_describe_yaml_append(x, list, made);
}

static swp_status expand_list(swp_yaml_expander *x, int index, size_t depth, int *made)
{
    const yaml_node_item_t *item = get(x, index)->data.sequence.items.start;
    const yaml_node_item_t *end = get(x, index)->data.sequence.items.top;
    *made = yaml_document_add_sequence(&x->reader->document, NULL, YAML_ANY_SEQUENCE_STYLE);
    SWP_TRY(place_node(x, *made, index));
    for (; item < end; item++)
        SWP_TRY(append_item(x, *made, *item, depth + 1));
    return SWP_OK;
}

swp_status swp_describe_yaml_copy_node(swp_yaml_expander *x, int index,
                                       const yaml_node_pair_t *without, size_t depth, int *made)
{
    *made = index;
    if (depth >= MOST_DEPTH || has_stopped(x))
        return SWP_OK;
    SWP_TRY(swp_describe_yaml_spend(x, 1, get(x, index)));
    switch (get(x, index)->type) {
    case YAML_SCALAR_NODE:
        return expand_scalar(x, index, made);
    case YAML_SEQUENCE_NODE:
        return expand_list(x, index, depth, made);
    case YAML_MAPPING_NODE:
        return expand_mapping(x, index, without, depth, made);
    default:
        return SWP_OK;
    }
}

static swp_status expand_node(swp_yaml_expander *x, int index, size_t depth, int *made)
{
    const bool outside = x->scope.bindings.count == 0;
    *made = index;
    if (!holds(x, index) || depth >= MOST_DEPTH || has_stopped(x))
        return SWP_OK;
    if (outside && x->outside[index]) {
        *made = x->outside[index];
        return SWP_OK;
    }
    if (outside)
        x->outside[index] = index; /* where an alias comes back to it */
    SWP_TRY(swp_describe_yaml_copy_node(x, index, NULL, depth, made));
    if (outside)
        x->outside[index] = *made;
    return SWP_OK;
}

static swp_status expand_root(swp_yaml_expander *x, const yaml_node_t *root,
                              const yaml_node_pair_t *variables)
{
    /* They stay where they are, whatever becomes of the nodes. */
    yaml_node_pair_t *pair = root->data.mapping.pairs.start;
    const yaml_node_pair_t *end = root->data.mapping.pairs.top;
    for (; pair < end; pair++) {
        if (pair == variables)
            continue;
        SWP_TRY(expand_node(x, pair->key, 1, &pair->key));
        SWP_TRY(expand_node(x, pair->value, 1, &pair->value));
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_expand(swp_yaml_reader *reader, const swp_yaml_names *known,
                                    const char *const *naming, swp_name_list *names)
{
    swp_yaml_expander x = {.reader = reader,
                           .scope = {.reader = reader,
                                     .target = known->target,
                                     .target_is_later = known->target_is_later},
                           .naming = naming};
    const yaml_document_t *document = &reader->document;
    const yaml_node_t *root = document->nodes.start;
    const size_t count = (size_t)(document->nodes.top - document->nodes.start);
    const size_t errors = reader->errors;
    if (root->type != YAML_MAPPING_NODE)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(reader->ctx, count + 1, &x.holds));
    SWP_TRY(SWP_TAKE(reader->ctx, count + 1, &x.outside));
    reader->instances.after = (int)count;
    find_holders(&x, (int)count);
    const yaml_node_pair_t *variables = swp_describe_yaml_pair(&x, root, "variables");
    SWP_TRY(swp_describe_yaml_declare(&x.scope, variables ? get(&x, variables->value) : NULL,
                                      known->given, known->given_count));
    *names = x.scope.names;
    if (reader->errors == errors)
        SWP_TRY(expand_root(&x, root, variables));
    if (reader->errors == errors && !x.empty)
        SWP_TRY(swp_describe_yaml_warn_of_unused(&x.scope));
    return SWP_OK;
}
