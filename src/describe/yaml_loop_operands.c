/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the values that an op of a loop reads, writes and updates. */
#include "describe/yaml_loop_op.h"

typedef struct value_list {
    swp_yaml_op *owner;
    swp_loop_read *items;
    size_t count;
    size_t capacity;
    const swp_yaml_key *keys; /* of an element that says more than a name; NULL: none does */
    size_t key_count;
    bool reads;
    bool writes;
    bool is_global; /* what it named last */
} value_list;

static swp_status known_value(swp_yaml_reader *reader, const yaml_node_t *node, value_list *list,
                              int *value)
{
    swp_yaml_loop *loop = list->owner->loop;
    *value = -1;
    SWP_TRY(swp_describe_yaml_access_global(reader, node, loop, &list->owner->op, list->reads,
                                            list->writes, &list->is_global));
    if (list->is_global)
        return SWP_OK;
    return swp_describe_yaml_known_name(reader, node, "value", &loop->value_names, loop->sound,
                                        value);
}

static swp_status read_before(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {0, SWP_MOST_SLOTS - 1, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_loop_read *)into)->distance);
}

/* 0 is the number that stands for the maker's latency. */
static swp_status read_own_latency(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_YAML_MOST_NUMBER, SWP_E0105};
    int latency = 0;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, range, &latency));
    ((swp_loop_read *)into)->latency = latency;
    return SWP_OK;
}

/* The value is read with its list, which knows the names. */
static const swp_yaml_key version_keys[] = {
    {"value", NULL, true}, {"before", read_before, false}, {"latency", read_own_latency, false}};
static const swp_yaml_key updated_keys[] = {{"value", NULL, true},
                                            {"latency", read_own_latency, false}};

static swp_status read_detailed(swp_yaml_reader *reader, yaml_node_t *node, value_list *list,
                                swp_loop_read *read)
{
    swp_yaml_item found[SWP_COUNT_OF(version_keys)];
    SWP_TRY(swp_describe_yaml_find(reader, node, "an operand", list->keys, list->key_count, found));
    if (!found[0].value)
        return SWP_OK;
    SWP_TRY(known_value(reader, found[0].value, list, &read->value));
    SWP_TRY(
        swp_describe_yaml_read_found(reader, list->keys + 1, list->key_count - 1, found + 1, read));
    if (!list->is_global || (read->distance == 0 && read->latency == 0))
        return SWP_OK;
    return swp_describe_yaml_report(
        reader, SWP_E0323, swp_describe_yaml_place(reader, node), "name it alone",
        "a value in global memory has no versions, and nothing waits for them");
}

/* A version counts once, however often it is named; more than one latency of it would mean nothing. */
static swp_status refuse_twice(swp_yaml_reader *reader, const yaml_node_t *node,
                               const value_list *list, const swp_loop_read *read)
{
    const char *under = !list->writes ? "reads" : list->reads ? "updates" : "writes";
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].value == read->value && list->items[i].distance == read->distance)
            return swp_describe_yaml_report(
                reader, SWP_E0103, swp_describe_yaml_place(reader, node),
                "name it once: an op takes a version as a whole", "`%s` stands twice under `%s`",
                list->owner->loop->value_names.items[read->value], under);
    return SWP_OK;
}

static swp_status read_operand(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    value_list *list = into;
    swp_loop_read read = {.value = -1};
    if (node->type == YAML_MAPPING_NODE && list->keys)
        SWP_TRY(read_detailed(reader, node, list, &read));
    else
        SWP_TRY(known_value(reader, node, list, &read.value));
    if (read.value < 0)
        return SWP_OK;
    SWP_TRY(refuse_twice(reader, node, list, &read));
    return SWP_PUSH(reader->ctx, list, read);
}

static swp_status read_operands(swp_yaml_reader *reader, const swp_yaml_item *item,
                                value_list *list)
{
    return swp_describe_yaml_each(reader, item, "a list of values", SWP_MOST_OP_OPERANDS,
                                  read_operand, list);
}

swp_status swp_describe_yaml_read_reads(swp_yaml_reader *reader, const swp_yaml_item *item,
                                        void *into)
{
    swp_yaml_op *p = into;
    value_list list = {
        .owner = p, .keys = version_keys, .key_count = SWP_COUNT_OF(version_keys), .reads = true};
    SWP_TRY(read_operands(reader, item, &list));
    p->op.reads = list.items;
    p->op.read_count = list.count;
    return SWP_OK;
}

static swp_status copy_values(swp_yaml_reader *reader, const value_list *list, const int **values,
                              size_t *count)
{
    int *made = NULL;
    SWP_TRY(SWP_TAKE(reader->ctx, list->count, &made));
    for (size_t i = 0; i < list->count; i++)
        made[i] = list->items[i].value;
    *values = made;
    *count = list->count;
    return SWP_OK;
}

swp_status swp_describe_yaml_read_writes(swp_yaml_reader *reader, const swp_yaml_item *item,
                                         void *into)
{
    swp_loop_op *op = &((swp_yaml_op *)into)->op;
    value_list list = {.owner = into, .writes = true};
    SWP_TRY(read_operands(reader, item, &list));
    return copy_values(reader, &list, &op->writes, &op->write_count);
}

swp_status swp_describe_yaml_read_updates(swp_yaml_reader *reader, const swp_yaml_item *item,
                                          void *into)
{
    swp_loop_op *op = &((swp_yaml_op *)into)->op;
    value_list list = {.owner = into,
                       .keys = updated_keys,
                       .key_count = SWP_COUNT_OF(updated_keys),
                       .reads = true,
                       .writes = true};
    int64_t *latencies = NULL;
    SWP_TRY(read_operands(reader, item, &list));
    SWP_TRY(SWP_TAKE(reader->ctx, list.count, &latencies));
    for (size_t i = 0; i < list.count; i++)
        latencies[i] = list.items[i].latency;
    op->update_latencies = latencies;
    return copy_values(reader, &list, &op->updates, &op->update_count);
}
