/* SPDX-License-Identifier: Apache-2.0 */
/* Copies what holds `${...}` or `for:`, once outside of ranges and once for each step of one, within a budget of work. */
#include "describe/yaml_expand.h"

#include "base/text.h"
#include "describe/yaml_fill.h"
#include "describe/yaml_series.h"

#include <string.h>

/*
 * A file may have half a million values; aliases and ranges can make any number of them. What is deeper
 * than the format goes only aliases reach: it is left as it is, for the readers to refuse.
 */
enum {
    MOST_WORK = 300000,
    BYTES_OF_WORK = 64,   /* of text */
    WORK_OF_INSTANCE = 4, /* has a name made for it */
    MOST_DEPTH = 64,
    MOST_RANGES = 16
};

typedef enum holding { HOLDS_UNKNOWN, HOLDS_NOTHING, HOLDS_SOMETHING } holding;

typedef struct expander {
    swp_yaml_reader *reader;
    swp_yaml_scope scope;
    holding *holds; /* by node: whether `${` or `for` stands somewhere within */
    int *outside;   /* by node: what it has become outside of ranges; 0: nothing yet */
    size_t work;
    bool empty; /* a range is, so that what only it uses seems unused */
} expander;

/* An element of a list that stands for several. */
typedef struct ranged {
    int list; /* to which they are added */
    int item;
    const yaml_node_pair_t *own; /* the pair of `for`, which none of them has */
    const yaml_node_pair_t *end; /* of the ranges */
    struct {
        const yaml_node_item_t *first;
        const yaml_node_item_t *end;
    } body; /* the list of `do`; NULL: the mapping itself is what is repeated */
    size_t depth;
} ranged;

static yaml_node_t *get(const expander *x, int index)
{
    return swp_describe_yaml_node(x->reader, index);
}

static bool is_text(const yaml_node_t *node, const char *text)
{
    return node->type == YAML_SCALAR_NODE && strcmp((char *)node->data.scalar.value, text) == 0;
}

static const yaml_node_pair_t *find_key(const expander *x, const yaml_node_t *node, const char *key)
{
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        if (is_text(get(x, pair->key), key))
            return pair;
    return NULL;
}

static bool holds(expander *x, int index, size_t depth);

static bool children_hold(expander *x, const yaml_node_t *node, size_t depth)
{
    bool found = false;
    if (node->type == YAML_SCALAR_NODE)
        return swp_describe_yaml_has_expression((char *)node->data.scalar.value,
                                                node->data.scalar.length);
    if (node->type == YAML_SEQUENCE_NODE)
        for (const yaml_node_item_t *item = node->data.sequence.items.start;
             item < node->data.sequence.items.top; item++)
            found = holds(x, *item, depth + 1) || found;
    if (node->type == YAML_MAPPING_NODE)
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top; pair++) {
            found = holds(x, pair->key, depth + 1) || is_text(get(x, pair->key), "for") || found;
            found = holds(x, pair->value, depth + 1) || found;
        }
    return found;
}

static bool holds(expander *x, int index, size_t depth)
{
    if (x->holds[index] == HOLDS_UNKNOWN && depth < MOST_DEPTH) {
        x->holds[index] = HOLDS_NOTHING; /* where an alias comes back to it */
        if (children_hold(x, get(x, index), depth))
            x->holds[index] = HOLDS_SOMETHING;
    }
    return x->holds[index] == HOLDS_SOMETHING;
}

static bool has_stopped(const expander *x)
{
    return x->work > MOST_WORK;
}

static swp_status spend(expander *x, size_t work, swp_place place)
{
    if (has_stopped(x))
        return SWP_OK;
    x->work += work;
    if (!has_stopped(x))
        return SWP_OK;
    return swp_describe_yaml_report(
        x->reader, SWP_E0105, place, "make its ranges smaller, and its aliases fewer",
        "what its variables and ranges stand for takes more than %d steps to write out", MOST_WORK);
}

/* Gives a new node the place of the one that it comes from; 0 is none. */
static swp_status place_node(expander *x, int made, int from)
{
    const char *name = NULL;
    if (!made)
        return swp_out_of_memory(x->reader->ctx);
    get(x, made)->start_mark = get(x, from)->start_mark;
    get(x, made)->end_mark = get(x, from)->end_mark;
    return SWP_PUSH(x->reader->ctx, &x->reader->instances, name);
}

static swp_status expand(expander *x, int index, size_t depth, int *made);

static swp_status expand_scalar(expander *x, int index, int *made)
{
    const yaml_node_t *node = get(x, index);
    const swp_yaml_slice text = swp_describe_yaml_slice_of(x->reader, node);
    swp_yaml_filled filled;
    SWP_TRY(swp_describe_yaml_fill(&x->scope, &text, &filled));
    if (!filled.text)
        return SWP_OK;
    SWP_TRY(spend(x, (text.length + filled.length) / BYTES_OF_WORK, text.place));
    *made = yaml_document_add_scalar(
        &x->reader->document, NULL, (const yaml_char_t *)filled.text, (int)filled.length,
        filled.whole ? YAML_PLAIN_SCALAR_STYLE : node->data.scalar.style);
    return place_node(x, *made, index);
}

/* The pairs of a mapping but for one, NULL for none. */
static swp_status expand_mapping(expander *x, int index, const yaml_node_pair_t *without,
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
        SWP_TRY(expand(x, pair->key, depth + 1, &key));
        SWP_TRY(expand(x, pair->value, depth + 1, &value));
        if (!yaml_document_append_mapping_pair(document, *made, key, value))
            return swp_out_of_memory(x->reader->ctx);
    }
    return SWP_OK;
}

static swp_status append(expander *x, int list, int item, size_t depth, const char *instance);

static swp_status expand_list(expander *x, int index, size_t depth, int *made)
{
    const yaml_node_item_t *item = get(x, index)->data.sequence.items.start;
    const yaml_node_item_t *end = get(x, index)->data.sequence.items.top;
    *made = yaml_document_add_sequence(&x->reader->document, NULL, YAML_ANY_SEQUENCE_STYLE);
    SWP_TRY(place_node(x, *made, index));
    for (; item < end; item++)
        SWP_TRY(append(x, *made, *item, depth + 1, NULL));
    return SWP_OK;
}

static swp_status copy(expander *x, int index, size_t depth, int *made)
{
    switch (get(x, index)->type) {
    case YAML_SCALAR_NODE:
        return expand_scalar(x, index, made);
    case YAML_SEQUENCE_NODE:
        return expand_list(x, index, depth, made);
    case YAML_MAPPING_NODE:
        return expand_mapping(x, index, NULL, depth, made);
    default:
        return SWP_OK;
    }
}

/* What a node has become: itself, where nothing changes or has been reported. */
static swp_status expand(expander *x, int index, size_t depth, int *made)
{
    const bool outside = x->scope.bindings.count == 0;
    *made = index;
    if (!holds(x, index, depth) || depth >= MOST_DEPTH || has_stopped(x))
        return SWP_OK;
    if (outside && x->outside[index]) {
        *made = x->outside[index];
        return SWP_OK;
    }
    if (outside)
        x->outside[index] = index; /* where an alias comes back to it */
    SWP_TRY(spend(x, 1, swp_describe_yaml_place(x->reader, get(x, index))));
    SWP_TRY(copy(x, index, depth, made));
    if (outside)
        x->outside[index] = *made;
    return SWP_OK;
}

static swp_status append_node(expander *x, int list, int made)
{
    return yaml_document_append_sequence_item(&x->reader->document, list, made)
               ? SWP_OK
               : swp_out_of_memory(x->reader->ctx);
}

/* What the element of a range is called in errors: its name, if it has one, and what the names stand for. */
static swp_status name_instance(expander *x, int made, const char *instance)
{
    const yaml_node_pair_t *pair = find_key(x, get(x, made), "op");
    if (!pair)
        pair = find_key(x, get(x, made), "value");
    const yaml_node_t *name = pair ? get(x, pair->value) : NULL;
    char *full = (char *)instance;
    if (name && name->type == YAML_SCALAR_NODE)
        SWP_TRY(swp_format(x->reader->ctx, &full, "`%s`, %s", (char *)name->data.scalar.value,
                           instance));
    x->reader->instances.items[made - x->reader->instances.after - 1] = full;
    return SWP_OK;
}

static swp_status describe_bindings(expander *x, const char **instance)
{
    swp_text text = {.ctx = x->reader->ctx};
    char *made = NULL;
    for (size_t i = 0; i < x->scope.bindings.count; i++) {
        const swp_yaml_binding *binding = &x->scope.bindings.items[i];
        swp_text_format(&text, "%s%s = ", i ? ", " : "", binding->name);
        if (binding->word)
            swp_text_format(&text, "%s", binding->word);
        else
            swp_text_format(&text, "%lld", (long long)binding->number);
    }
    SWP_TRY(swp_text_end(&text, &made, NULL));
    *instance = made;
    return SWP_OK;
}

/* What one step of the ranges adds to the list. */
static swp_status append_step(expander *x, const ranged *r)
{
    const char *outer = x->reader->instance;
    int made = 0;
    SWP_TRY(describe_bindings(x, &x->reader->instance));
    const char *instance = x->reader->instance;
    for (const yaml_node_item_t *i = r->body.first; i < r->body.end; i++)
        SWP_TRY(append(x, r->list, *i, r->depth, instance));
    if (!r->body.first) {
        SWP_TRY(expand_mapping(x, r->item, r->own, r->depth, &made));
        SWP_TRY(name_instance(x, made, instance));
        SWP_TRY(append_node(x, r->list, made));
    }
    x->reader->instance = outer;
    return SWP_OK;
}

/* Takes the steps of this range, and in each those of the ranges after it; ends with a step that has errors. */
static swp_status run(expander *x, const ranged *r, const yaml_node_pair_t *range)
{
    const size_t errors = x->reader->errors;
    const char *name = NULL;
    swp_yaml_series series = {0};
    bool found = false;
    if (range == r->end)
        return append_step(x, r);
    SWP_TRY(swp_describe_yaml_new_variable(&x->scope, get(x, range->key), &name));
    if (name)
        SWP_TRY(
            swp_describe_yaml_read_series(&x->scope, get(x, range->value), name, &series, &found));
    x->empty = x->empty || (found && series.count == 0);
    for (int64_t i = 0; i < series.count && x->reader->errors == errors; i++) {
        SWP_TRY(spend(x, WORK_OF_INSTANCE, swp_describe_yaml_place(x->reader, get(x, range->key))));
        SWP_TRY(
            SWP_PUSH(x->reader->ctx, &x->scope.bindings, swp_describe_yaml_step(&series, name, i)));
        SWP_TRY(run(x, r, range + 1));
        x->scope.bindings.count--;
    }
    return SWP_OK;
}

/* The list of `do`, beside which nothing but `for` stands. */
static swp_status find_body(expander *x, ranged *r, bool *sound)
{
    const yaml_node_t *item = get(x, r->item);
    const yaml_node_pair_t *body = find_key(x, item, "do");
    if (!body)
        return SWP_OK;
    *sound = false;
    for (const yaml_node_pair_t *pair = item->data.mapping.pairs.start;
         pair < item->data.mapping.pairs.top; pair++)
        if (pair != body && pair != r->own)
            return swp_describe_yaml_report(
                x->reader, SWP_E0108, swp_describe_yaml_place(x->reader, get(x, pair->key)),
                "write it in the elements of the list", "`do` lists all that its ranges repeat");
    const yaml_node_t *list = get(x, body->value);
    if (list->type != YAML_SEQUENCE_NODE)
        return swp_describe_yaml_report_type(x->reader, list, "do", "a list");
    r->body.first = list->data.sequence.items.start;
    r->body.end = list->data.sequence.items.top;
    *sound = true;
    return SWP_OK;
}

static swp_status append_ranges(expander *x, ranged *r)
{
    const yaml_node_t *ranges = get(x, r->own->value);
    bool sound = true;
    if (ranges->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(x->reader, ranges, "for",
                                             "a mapping of names to what they run over");
    const yaml_node_pair_t *first = ranges->data.mapping.pairs.start;
    r->end = ranges->data.mapping.pairs.top;
    if (r->end == first || r->end - first > MOST_RANGES)
        return swp_describe_yaml_report(
            x->reader, SWP_E0105, swp_describe_yaml_place(x->reader, ranges), "",
            "`for` has %lld names, but may have 1 to %d", (long long)(r->end - first), MOST_RANGES);
    SWP_TRY(find_body(x, r, &sound));
    return sound ? run(x, r, first) : SWP_OK;
}

/* Adds what an element of a list has become. With a name it is one of a range's, of which each is a node of its own. */
static swp_status append(expander *x, int list, int item, size_t depth, const char *instance)
{
    ranged r = {.list = list, .item = item, .depth = depth};
    int made = item;
    if (has_stopped(x))
        return SWP_OK;
    r.own = find_key(x, get(x, item), "for");
    if (r.own)
        return append_ranges(x, &r);
    SWP_TRY(expand(x, item, depth, &made));
    if (instance && made == item)
        SWP_TRY(copy(x, item, depth, &made));
    if (instance)
        SWP_TRY(name_instance(x, made, instance));
    return append_node(x, list, made);
}

static swp_status expand_root(expander *x, const yaml_node_t *root,
                              const yaml_node_pair_t *variables)
{
    /* They stay where they are, whatever becomes of the nodes. */
    yaml_node_pair_t *pair = root->data.mapping.pairs.start;
    const yaml_node_pair_t *end = root->data.mapping.pairs.top;
    for (; pair < end; pair++) {
        if (pair == variables)
            continue;
        SWP_TRY(expand(x, pair->key, 1, &pair->key));
        SWP_TRY(expand(x, pair->value, 1, &pair->value));
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_expand(swp_yaml_reader *reader, const swp_variable *given,
                                    size_t given_count, swp_name_list *names)
{
    expander x = {.reader = reader, .scope = {.reader = reader}};
    const yaml_document_t *document = &reader->document;
    const yaml_node_t *root = document->nodes.start;
    const size_t count = (size_t)(document->nodes.top - document->nodes.start);
    const size_t errors = reader->errors;
    if (root->type != YAML_MAPPING_NODE)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(reader->ctx, count + 1, &x.holds));
    SWP_TRY(SWP_TAKE(reader->ctx, count + 1, &x.outside));
    reader->instances.after = (int)count;
    const yaml_node_pair_t *variables = find_key(&x, root, "variables");
    SWP_TRY(swp_describe_yaml_declare(&x.scope, variables ? get(&x, variables->value) : NULL, given,
                                      given_count));
    *names = x.scope.names;
    if (reader->errors == errors)
        SWP_TRY(expand_root(&x, root, variables));
    if (reader->errors == errors && !x.empty)
        SWP_TRY(swp_describe_yaml_warn_of_unused(&x.scope));
    return SWP_OK;
}
