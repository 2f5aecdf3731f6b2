/* SPDX-License-Identifier: Apache-2.0 */
/* `edges:` the dependences of a body, where the derived ones are not meant. */
#include "describe/yaml_description.h"

#include "ir/type_names.h"

#include <limits.h>
#include <string.h>

/* Any number: what is out of place gets a message of its own. */
static const swp_yaml_range any = {INT_MIN, INT_MAX, SWP_E0105};

static swp_status read_producer(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_int(reader, item->value, item->name, any,
                                 &((swp_edge *)into)->producer);
}

static swp_status read_consumer(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_int(reader, item->value, item->name, any,
                                 &((swp_edge *)into)->consumer);
}

static swp_status read_distance(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_int(reader, item->value, item->name, any,
                                 &((swp_edge *)into)->distance);
}

static swp_status read_kind(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_edge *edge = into;
    int number = (int)edge->kind;
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_dep_kind_names, &number));
    edge->kind = (swp_dep_kind)number;
    return SWP_OK;
}

enum edge_key { KEY_PRODUCER, KEY_CONSUMER, KEY_KIND, KEY_DISTANCE, KEY_COUNT };

static const swp_yaml_key edge_keys[KEY_COUNT] = {
    [KEY_PRODUCER] = {"producer", read_producer, true},
    [KEY_CONSUMER] = {"consumer", read_consumer, true},
    [KEY_KIND] = {"kind", read_kind, false},
    [KEY_DISTANCE] = {"distance", read_distance, false},
};

/* How many ops the body has once it is reordered. */
static size_t final_count(const swp_own_body *body)
{
    if (body->reorder != SWP_REORDER_SINGLE_BUFFER)
        return body->ops.count;
    size_t count = 2;
    for (size_t i = 0; i < body->ops.count; i++)
        count += body->ops.items[i].tag != SWP_TAG_BARRIER;
    return count;
}

static swp_status check_index(swp_yaml_reader *reader, const swp_yaml_item *item, int index,
                              size_t count)
{
    if (index >= 0 && (size_t)index < count)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0302, swp_describe_yaml_place(reader, item->value),
                                    "ops count from 0, in the order after `reorder`",
                                    "`%s` is %d, but the body has %zu ops", item->name, index,
                                    count);
}

static swp_status check_edge(swp_yaml_reader *reader, const swp_yaml_item *found,
                             const swp_yaml_top *top, const swp_edge *edge)
{
    const size_t count = final_count(&top->description->body);
    if (top->body_sound) {
        SWP_TRY(check_index(reader, &found[KEY_PRODUCER], edge->producer, count));
        SWP_TRY(check_index(reader, &found[KEY_CONSUMER], edge->consumer, count));
    }
    if (edge->distance < 0)
        return swp_describe_yaml_report(reader, SWP_E0305,
                                        swp_describe_yaml_place(reader, found[KEY_DISTANCE].value),
                                        "distance 1 reads what the iteration before made",
                                        "`distance` is %d, but must be 0 or more", edge->distance);
    if (edge->producer == edge->consumer && edge->distance == 0)
        return swp_describe_yaml_report(
            reader, SWP_E0303, swp_describe_yaml_place(reader, found[KEY_CONSUMER].value),
            "a distance of 1 or more is possible", "op %d depends on itself in the same iteration",
            edge->producer);
    return SWP_OK;
}

static swp_status read_edge(swp_yaml_reader *reader, yaml_node_t *node, const swp_yaml_top *top)
{
    swp_edge edge = {.kind = SWP_FLOW};
    swp_yaml_item found[KEY_COUNT];
    const size_t errors = reader->errors;
    SWP_TRY(swp_describe_yaml_find(reader, node, "an edge", edge_keys, KEY_COUNT, found));
    SWP_TRY(swp_describe_yaml_read_found(reader, edge_keys, KEY_COUNT, found, &edge));
    if (reader->errors != errors)
        return SWP_OK;
    SWP_TRY(check_edge(reader, found, top, &edge));
    return SWP_PUSH(reader->ctx, &top->description->body.edges, edge);
}

swp_status swp_describe_yaml_read_edges(swp_yaml_reader *reader, const swp_yaml_item *item,
                                        void *into)
{
    const swp_yaml_top *top = into;
    swp_own_body *body = &top->description->body;
    if (item->value->type == YAML_SCALAR_NODE) {
        const char *word = NULL;
        SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &word));
        if (!word || strcmp(word, "default") == 0)
            return SWP_OK;
        return swp_describe_yaml_report(
            reader, SWP_E0106, swp_describe_yaml_place(reader, item->value),
            "write `default`, or a list of edges", "`edges` cannot be `%s`", word);
    }
    if (item->value->type != YAML_SEQUENCE_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name,
                                             "`default` or a list");
    body->own_edges = true;
    body->edges_place = swp_describe_yaml_place(reader, item->key);
    const yaml_node_item_t *end = item->value->data.sequence.items.top;
    for (const yaml_node_item_t *i = item->value->data.sequence.items.start; i < end; i++) {
        const char *outer = swp_describe_yaml_enter(reader, *i);
        SWP_TRY(read_edge(reader, swp_describe_yaml_node(reader, *i), top));
        reader->instance = outer;
    }
    return SWP_OK;
}
