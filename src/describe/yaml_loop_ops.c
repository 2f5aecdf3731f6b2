/* SPDX-License-Identifier: Apache-2.0 */
/* `values:` and `ops:` of a loop. */
#include "describe/yaml_loop.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_names.h"

/* A value or an op on its way, and the loop that it is of. */
typedef struct part {
    swp_yaml_loop *loop;
    swp_loop_value value;
    swp_loop_op op;
    bool is_global; /* the value */
} part;

static const swp_yaml_range any_size = {0, SWP_YAML_MOST_NUMBER, SWP_E0105};

static swp_status read_number(swp_yaml_reader *reader, const swp_yaml_item *item, int64_t *out)
{
    int number = (int)*out;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, any_size, &number));
    *out = number;
    return SWP_OK;
}

static swp_status read_space(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    part *p = into;
    int number = 0;
    SWP_TRY(swp_describe_yaml_space(reader, item, &number));
    p->is_global = number == SWP_YAML_GLOBAL;
    p->value.space = p->is_global ? SWP_SPACE_SHARED : (swp_space)number;
    return SWP_OK;
}

/* By then its space is known: those in global memory are listed apart. */
static swp_status read_value_name(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    part *p = into;
    swp_yaml_loop *loop = p->loop;
    const swp_name_list *others = p->is_global ? &loop->value_names : &loop->global_names;
    SWP_TRY(swp_describe_yaml_new_name(reader, item->value, "value",
                                       p->is_global ? &loop->global_names : &loop->value_names,
                                       &p->value.name));
    if (!p->value.name || swp_name_list_find(others, p->value.name) < 0)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0103, swp_describe_yaml_place(reader, item->value),
                                    "", "the value `%s` stands twice", p->value.name);
}

static swp_status read_bytes(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return read_number(reader, item, &((part *)into)->value.bytes);
}

static swp_status read_bytes_of(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    int number = SWP_OF_WORK_GROUP;
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_bytes_of_names, &number));
    ((part *)into)->value.bytes_of = (swp_bytes_of)number;
    return SWP_OK;
}

/* A number, or the least and the most. */
static swp_status read_slots(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop_value *value = &((part *)into)->value;
    const swp_yaml_range range = {1, SWP_MOST_SLOTS, SWP_E0105};
    if (item->value->type != YAML_SEQUENCE_NODE) {
        SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, range, &value->least_slots));
        value->most_slots = value->least_slots;
        return SWP_OK;
    }
    const yaml_node_item_t *items = item->value->data.sequence.items.start;
    if (item->value->data.sequence.items.top - items != 2)
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, item->value), "write [least, most]",
            "`slots` must be a number or two of them");
    SWP_TRY(swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, items[0]), "slots", range,
                                  &value->least_slots));
    SWP_TRY(swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, items[1]), "slots", range,
                                  &value->most_slots));
    if (value->most_slots == 0 || value->least_slots <= value->most_slots)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0105, swp_describe_yaml_place(reader, item->value),
                                    "the least number stands first: [least, most]",
                                    "`slots` is at least %d and at most %d", value->least_slots,
                                    value->most_slots);
}

enum { SLOTS = 4 }; /* index */

static const swp_yaml_key value_keys[] = {
    {"space", read_space, true},
    {"value", read_value_name, true},
    {"bytes", read_bytes, false},
    {"bytes_of", read_bytes_of, false},
    [SLOTS] = {"slots", read_slots, false},
};

static swp_status add_global(swp_yaml_reader *reader, const part *p, const yaml_node_t *slots)
{
    if (slots)
        SWP_TRY(swp_describe_yaml_report(reader, SWP_E0108, swp_describe_yaml_place(reader, slots),
                                         "only values in shared memory and registers have slots",
                                         "`slots` means nothing for %s, which is in global memory",
                                         p->value.name));
    return swp_describe_yaml_add_global(reader, p->loop, p->value.place);
}

static swp_status read_value(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    part p = {.loop = into,
              .value = {.least_slots = 1, .place = swp_describe_yaml_place(reader, node)}};
    swp_yaml_item found[SWP_COUNT_OF(value_keys)];
    const size_t errors = reader->errors;
    SWP_TRY(swp_describe_yaml_find(reader, node, "a value", value_keys, SWP_COUNT_OF(value_keys),
                                   found));
    SWP_TRY(swp_describe_yaml_read_found(reader, value_keys, SWP_COUNT_OF(value_keys), found, &p));
    if (reader->errors != errors)
        p.loop->sound = false;
    if (p.value.name && p.is_global)
        return add_global(reader, &p, found[SLOTS].value);
    return p.value.name ? SWP_PUSH(reader->ctx, &p.loop->values, p.value) : SWP_OK;
}

swp_status swp_describe_yaml_read_loop_values(swp_yaml_reader *reader, const swp_yaml_item *item,
                                              void *into)
{
    return swp_describe_yaml_each(reader, item, "a list of values", SWP_MOST_LOOP_VALUES,
                                  read_value, into);
}

static swp_status read_op_name(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    part *p = into;
    return swp_describe_yaml_new_name(reader, item->value, "op", &p->loop->op_names, &p->op.name);
}

static swp_status read_latency(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return read_number(reader, item, &((part *)into)->op.latency);
}

static swp_status read_read_cycles(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return read_number(reader, item, &((part *)into)->op.read_cycles);
}

static swp_status read_accesses(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_MOST_ACCESSES, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((part *)into)->op.accesses);
}

static swp_status read_completion(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    int number = SWP_COMPLETION_UNSTATED;
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_completion_names, &number));
    ((part *)into)->op.completion = (swp_completion)number;
    return SWP_OK;
}

static swp_status read_role(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    part *p = into;
    int role = 0;
    SWP_TRY(swp_describe_yaml_known_name(reader, item->value, "role", &p->loop->roles,
                                         p->loop->sound, &role));
    p->op.role = role < 0 ? 0 : role;
    return SWP_OK;
}

/* Cycles, or [amount, cycles]. */
static swp_status read_use(swp_yaml_reader *reader, const yaml_node_t *node, swp_problem_use *use)
{
    int64_t numbers[2] = {1, 0};
    const swp_yaml_item one = {"uses", NULL, (yaml_node_t *)node};
    if (node->type != YAML_SEQUENCE_NODE) {
        SWP_TRY(read_number(reader, &one, &numbers[1]));
    } else if (node->data.sequence.items.top - node->data.sequence.items.start == 2) {
        for (int i = 0; i < 2; i++) {
            const swp_yaml_item item = {
                "uses", NULL, swp_describe_yaml_node(reader, node->data.sequence.items.start[i])};
            SWP_TRY(read_number(reader, &item, &numbers[i]));
        }
    } else {
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, node),
            "write cycles, or [amount, cycles]",
            "what an op uses of a unit must be a number or two of them");
    }
    use->amount = numbers[0];
    use->cycles = numbers[1];
    return SWP_OK;
}

static swp_status read_uses(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    part *p = into;
    swp_problem_use *uses = NULL;
    if (item->value->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name,
                                             "a mapping of units to cycles");
    yaml_node_pair_t *first = item->value->data.mapping.pairs.start;
    yaml_node_pair_t *end = item->value->data.mapping.pairs.top;
    bool fits = false;
    SWP_TRY(swp_describe_yaml_count(reader, item, end - first, SWP_MOST_OP_OPERANDS, &fits));
    if (!fits)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(reader->ctx, (size_t)(end - first), &uses));
    for (yaml_node_pair_t *pair = first; pair < end; pair++) {
        swp_problem_use *use = &uses[p->op.use_count];
        SWP_TRY(swp_describe_yaml_known_name(reader, swp_describe_yaml_node(reader, pair->key),
                                             "unit", &p->loop->unit_names, p->loop->sound,
                                             &use->resource));
        SWP_TRY(read_use(reader, swp_describe_yaml_node(reader, pair->value), use));
        p->op.use_count += use->resource >= 0;
    }
    p->op.uses = uses;
    return SWP_OK;
}

typedef struct value_list {
    part *part;
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
    swp_yaml_loop *loop = list->part->loop;
    *value = -1;
    SWP_TRY(swp_describe_yaml_touch_global(reader, node, loop, &list->part->op, list->reads,
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

static swp_status read_operand(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    value_list *list = into;
    swp_loop_read read = {.value = -1};
    if (node->type == YAML_MAPPING_NODE && list->keys)
        SWP_TRY(read_detailed(reader, node, list, &read));
    else
        SWP_TRY(known_value(reader, node, list, &read.value));
    return read.value < 0 ? SWP_OK : SWP_PUSH(reader->ctx, list, read);
}

static swp_status read_operands(swp_yaml_reader *reader, const swp_yaml_item *item,
                                value_list *list)
{
    return swp_describe_yaml_each(reader, item, "a list of values", SWP_MOST_OP_OPERANDS,
                                  read_operand, list);
}

static swp_status read_reads(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    part *p = into;
    value_list list = {
        .part = p, .keys = version_keys, .key_count = SWP_COUNT_OF(version_keys), .reads = true};
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

static swp_status read_writes(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop_op *op = &((part *)into)->op;
    value_list list = {.part = into, .writes = true};
    SWP_TRY(read_operands(reader, item, &list));
    return copy_values(reader, &list, &op->writes, &op->write_count);
}

static swp_status read_updates(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop_op *op = &((part *)into)->op;
    value_list list = {.part = into,
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

static swp_status read_period(swp_yaml_reader *reader, yaml_node_t *node, swp_loop_when *when)
{
    static const swp_yaml_key keys[] = {{"every", NULL, true}, {"offset", NULL, false}};
    const swp_yaml_range ranges[] = {{2, SWP_MOST_EVERY, SWP_E0105},
                                     {0, SWP_MOST_EVERY - 1, SWP_E0105}};
    swp_yaml_item found[SWP_COUNT_OF(keys)];
    SWP_TRY(swp_describe_yaml_find(reader, node, "`when`", keys, SWP_COUNT_OF(keys), found));
    when->kind = SWP_WHEN_EVERY;
    if (found[0].value)
        SWP_TRY(swp_describe_yaml_int(reader, found[0].value, "every", ranges[0], &when->every));
    if (found[1].value)
        SWP_TRY(swp_describe_yaml_int(reader, found[1].value, "offset", ranges[1], &when->offset));
    return SWP_OK;
}

/* A word, or the iterations. */
static swp_status read_when(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop_when *when = &((part *)into)->op.when;
    int number = SWP_WHEN_ALWAYS;
    if (item->value->type == YAML_MAPPING_NODE)
        return read_period(reader, item->value, when);
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_plain_when_names, &number));
    when->kind = (swp_when)number;
    return SWP_OK;
}

enum { READ_CYCLES = 4 }; /* index */

static const swp_yaml_key op_keys[] = {
    {"op", read_op_name, true},
    {"role", read_role, false},
    {"uses", read_uses, false},
    {"latency", read_latency, true},
    [READ_CYCLES] = {"read_cycles", read_read_cycles, false},
    {"completion", read_completion, false},
    {"accesses", read_accesses, false},
    {"reads", read_reads, false},
    {"writes", read_writes, false},
    {"updates", read_updates, false},
    {"when", read_when, false},
};

/* 0 is the number that stands for "not given": an asynchronous op would read for its latency. */
static swp_status check_read_cycles(swp_yaml_reader *reader, const yaml_node_t *node,
                                    const swp_loop_op *op)
{
    if (op->read_cycles > 0 || swp_ir_completion_kind(op->completion) == SWP_COMPLETION_NONE)
        return SWP_OK;
    return swp_describe_yaml_report(
        reader, SWP_E0105, swp_describe_yaml_place(reader, node),
        "1 is the cycle of its issue; leave it out for its latency",
        "`read_cycles` is 0, but an asynchronous op reads for 1 cycle or more");
}

/* Aliases let each op name a long list anew, so that all of them together have to end somewhere. */
static swp_status count_operands(swp_yaml_reader *reader, const yaml_node_t *node, const part *p)
{
    size_t *all = &p->loop->operands;
    *all += p->op.use_count + p->op.read_count + p->op.write_count + p->op.update_count;
    if (*all <= SWP_MOST_LOOP_OPERANDS)
        return SWP_OK;
    return swp_describe_yaml_report(
        reader, SWP_E0105, swp_describe_yaml_place(reader, node), "",
        "the ops up to this one have %zu uses, reads, writes and updates, but all "
        "may have %d",
        *all, SWP_MOST_LOOP_OPERANDS);
}

static swp_status read_op(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    part p = {.loop = into, .op = {.accesses = 1, .place = swp_describe_yaml_place(reader, node)}};
    swp_yaml_item found[SWP_COUNT_OF(op_keys)];
    if (p.loop->operands > SWP_MOST_LOOP_OPERANDS)
        return SWP_OK; /* it has been told */
    SWP_TRY(swp_describe_yaml_find(reader, node, "an op", op_keys, SWP_COUNT_OF(op_keys), found));
    SWP_TRY(swp_describe_yaml_read_found(reader, op_keys, SWP_COUNT_OF(op_keys), found, &p));
    SWP_TRY(count_operands(reader, node, &p));
    if (found[READ_CYCLES].value)
        SWP_TRY(check_read_cycles(reader, found[READ_CYCLES].value, &p.op));
    return p.op.name ? SWP_PUSH(reader->ctx, &p.loop->ops, p.op) : SWP_OK;
}

swp_status swp_describe_yaml_read_loop_ops(swp_yaml_reader *reader, const swp_yaml_item *item,
                                           void *into)
{
    return swp_describe_yaml_each(reader, item, "a list of ops", SWP_MOST_LOOP_OPS, read_op, into);
}
