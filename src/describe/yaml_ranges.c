/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an element `{for: ...}` of a list out: once for each step of its ranges, with a name for errors. */
#include "describe/yaml_expander.h"

#include "base/text.h"
#include "describe/yaml_series.h"

enum { MOST_NAMES = 16, WORK_OF_STEP = 4 };

/* An element of a list that stands for several. */
typedef struct ranged {
    int list; /* to which they are added */
    int item;
    const yaml_node_pair_t *own; /* the pair of `for`, which none of them has */
    const yaml_node_pair_t *end; /* of the ranges */
    struct {
        const yaml_node_item_t *first;
        const yaml_node_item_t *end;
    } body;       /* the list of `do` */
    bool is_list; /* else the mapping itself is what is repeated */
    size_t depth;
} ranged;

static yaml_node_t *get(const swp_yaml_expander *x, int index)
{
    return swp_describe_yaml_node(x->reader, index);
}

/* What the element of a range is called in errors: its name, if it has one, and what the names stand for. */
static swp_status name_instance(swp_yaml_expander *x, int made)
{
    const char *instance = x->reader->instance;
    const int number = made - x->reader->instances.after - 1;
    if (number < 0)
        return SWP_OK; /* it could not be made, and that has been reported */
    const yaml_node_pair_t *pair = NULL;
    for (const char *const *key = x->naming; *key && !pair; key++)
        pair = swp_describe_yaml_pair(x, get(x, made), *key);
    const yaml_node_t *name = pair ? get(x, pair->value) : NULL;
    char *full = (char *)instance;
    if (name && name->type == YAML_SCALAR_NODE)
        SWP_TRY(swp_format(x->reader->ctx, &full, "`%s`, %s", (char *)name->data.scalar.value,
                           instance));
    x->reader->instances.items[number] = full;
    return SWP_OK;
}

static swp_status describe_bindings(swp_yaml_expander *x, const char **instance)
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

/* Adds an element of a `do`, which is a node of its own in each step. */
static swp_status append_element(swp_yaml_expander *x, const ranged *r, int item)
{
    const yaml_node_pair_t *own = swp_describe_yaml_pair(x, get(x, item), "for");
    int made = item;
    if (own)
        return swp_describe_yaml_append_ranges(x, r->list, item, own, r->depth + 1);
    SWP_TRY(swp_describe_yaml_copy_node(x, item, NULL, r->depth, &made));
    SWP_TRY(name_instance(x, made));
    return swp_describe_yaml_append(x, r->list, made);
}

/* What one step of the ranges adds to the list. */
static swp_status append_step(swp_yaml_expander *x, const ranged *r)
{
    const char *outer = x->reader->instance;
    int made = 0;
    SWP_TRY(describe_bindings(x, &x->reader->instance));
    for (const yaml_node_item_t *i = r->body.first; i < r->body.end; i++)
        SWP_TRY(append_element(x, r, *i));
    if (!r->is_list) {
        SWP_TRY(swp_describe_yaml_copy_node(x, r->item, r->own, r->depth, &made));
        SWP_TRY(name_instance(x, made));
        SWP_TRY(swp_describe_yaml_append(x, r->list, made));
    }
    x->reader->instance = outer;
    return SWP_OK;
}

/* Takes the steps of this range, and in each those of the ranges after it; ends with a step that has errors. */
static swp_status run(swp_yaml_expander *x, const ranged *r, const yaml_node_pair_t *range)
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
        SWP_TRY(swp_describe_yaml_spend(x, WORK_OF_STEP, get(x, range->key)));
        SWP_TRY(
            SWP_PUSH(x->reader->ctx, &x->scope.bindings, swp_describe_yaml_step(&series, name, i)));
        SWP_TRY(run(x, r, range + 1));
        x->scope.bindings.count--;
    }
    return SWP_OK;
}

/* The list of `do`, beside which nothing but `for` stands. */
static swp_status find_body(swp_yaml_expander *x, ranged *r, bool *sound)
{
    const yaml_node_t *item = get(x, r->item);
    const yaml_node_pair_t *body = swp_describe_yaml_pair(x, item, "do");
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
    r->is_list = true;
    r->body.first = list->data.sequence.items.start;
    r->body.end = list->data.sequence.items.top;
    *sound = true;
    return SWP_OK;
}

swp_status swp_describe_yaml_append_ranges(swp_yaml_expander *x, int list, int item,
                                           const yaml_node_pair_t *own, size_t depth)
{
    ranged r = {.list = list, .item = item, .own = own, .depth = depth};
    const yaml_node_t *ranges = get(x, own->value);
    bool sound = true;
    if (ranges->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(x->reader, ranges, "for",
                                             "a mapping of names to what they run over");
    const yaml_node_pair_t *first = ranges->data.mapping.pairs.start;
    r.end = ranges->data.mapping.pairs.top;
    const long long names = r.end - first;
    const int most = MOST_NAMES - (int)x->scope.bindings.count;
    if (names == 0 || names > most)
        return swp_describe_yaml_report(
            x->reader, SWP_E0105, swp_describe_yaml_place(x->reader, ranges),
            names == 0 ? "write {i: 4}" : "compute the others from these, as in ${i / 4}",
            "`for` has %lld names, but may have 1 to %d here", names, most);
    SWP_TRY(find_body(x, &r, &sound));
    return sound ? run(x, &r, first) : SWP_OK;
}
