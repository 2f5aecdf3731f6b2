/* SPDX-License-Identifier: Apache-2.0 */
/* `body:` and `bootstrap:` lists of ops. */
#include "describe/yaml_description.h"

#include "ir/type_names.h"

#include <string.h>

/* Rules compare every op with every other, so a body must end somewhere. */
enum { MOST_OPS = 4096, MOST_SUBTILE = 1023, MOST_FAN = 1024, MOST_GRID = 64, LDS_BUFFERS = 2 };

/* One item: an op, and how many of it. */
typedef struct body_item {
    const swp_yaml_top *top;
    const swp_yaml_cost *cost;
    swp_op op;
    int fan;
    int rows;
    int columns;
} body_item;

static swp_status read_op(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    body_item *made = into;
    const char *name = NULL;
    char *hint = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, item->value, item->name, &name));
    if (!name)
        return SWP_OK;
    if (strcmp(name, "barrier") == 0)
        return swp_describe_yaml_report(
            reader, SWP_E0106, swp_describe_yaml_place(reader, item->value),
            "write `- barrier` by itself", "`barrier` is no op with a cost");
    SWP_TRY(swp_describe_yaml_find_cost(reader, made->top, name, &made->cost, &hint));
    if (made->cost || !made->top->costs_sound)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, item->value),
                                    hint, "`costs` has no op `%s`", name);
}

static swp_status read_channel(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {-1, 1, SWP_E0301};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((body_item *)into)->op.channel);
}

static swp_status read_stage(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {0, MOST_SUBTILE, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((body_item *)into)->op.stage);
}

static swp_status read_subtile(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {0, MOST_SUBTILE, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((body_item *)into)->op.subtile);
}

/* The offsets that the edge rules of bodies know; the others come from pipelines. */
static const swp_name body_offsets[] = {{SWP_K0, "k0", NULL},
                                        {SWP_K1, "k1", NULL},
                                        {SWP_K_NEXT, "k_next", NULL},
                                        {SWP_K_PREV, "k_prev", NULL},
                                        {SWP_K_NONE, "none", NULL}};
static const swp_name_table body_offset_names = SWP_NAME_TABLE(body_offsets);

static swp_status read_k_offset(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    body_item *made = into;
    int number = (int)made->op.k_offset;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &body_offset_names, &number));
    made->op.k_offset = (swp_k_offset)number;
    return SWP_OK;
}

static swp_status read_fan(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, MOST_FAN, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range, &((body_item *)into)->fan);
}

static swp_status read_grid(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, MOST_GRID, SWP_E0105};
    body_item *made = into;
    if (item->value->type != YAML_SEQUENCE_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name, "[ROWS, COLUMNS]");
    const yaml_node_item_t *extents = item->value->data.sequence.items.start;
    const long long length = item->value->data.sequence.items.top - extents;
    if (length != 2)
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, item->value),
            "write two numbers, as in [2, 2]", "`grid` must be [ROWS, COLUMNS], not a list of %lld",
            length);
    SWP_TRY(swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, extents[0]), "grid", range,
                                  &made->rows));
    return swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, extents[1]), "grid", range,
                                 &made->columns);
}

#define ITEM_KEYS(X)                                                                               \
    X(op, true)                                                                                    \
    X(fan, false)                                                                                  \
    X(grid, false)                                                                                 \
    X(channel, false)                                                                              \
    X(stage, false)                                                                                \
    X(subtile, false)                                                                              \
    X(k_offset, false)

#define INDEX(name, required) KEY_##name,
enum item_key { ITEM_KEYS(INDEX) KEY_COUNT };
#undef INDEX
#define ROW(name, required) {#name, read_##name, required},
static const swp_yaml_key item_keys[] = {ITEM_KEYS(ROW)};
#undef ROW

static swp_status refuse_pair(swp_yaml_reader *reader, const swp_yaml_item *found,
                              enum item_key first, enum item_key second, const char *hint)
{
    if (!found[first].value || !found[second].value)
        return SWP_OK;
    return swp_describe_yaml_report(
        reader, SWP_E0108, swp_describe_yaml_place(reader, found[second].key), hint,
        "`%s` cannot stand beside `%s`", item_keys[second].name, item_keys[first].name);
}

static swp_status check_pairs(swp_yaml_reader *reader, const swp_yaml_item *found)
{
    SWP_TRY(refuse_pair(reader, found, KEY_fan, KEY_grid, "an item is either a fan or a grid"));
    SWP_TRY(refuse_pair(reader, found, KEY_fan, KEY_subtile, "a fan numbers its subtiles itself"));
    SWP_TRY(refuse_pair(reader, found, KEY_grid, KEY_stage, "`stage` is the row of the grid"));
    SWP_TRY(
        refuse_pair(reader, found, KEY_grid, KEY_subtile, "the subtile is the column of the grid"));
    return refuse_pair(reader, found, KEY_grid, KEY_channel, "a grid has no channel");
}

/* What the op's kind allows; needs a known op. */
static swp_status check_role(swp_yaml_reader *reader, const swp_yaml_item *found,
                             const body_item *made)
{
    const swp_role role = made->cost->cost.role;
    if (found[KEY_grid].value && role != SWP_COMPUTE)
        SWP_TRY(swp_describe_yaml_report(
            reader, SWP_E0108, swp_describe_yaml_place(reader, found[KEY_grid].key),
            "only MMAs form a grid", "`grid` means nothing for `%s`, whose kind is %s",
            made->cost->name, swp_role_name(role)));
    if (made->op.k_offset != SWP_K_NONE && role != SWP_GLOBAL_LOAD)
        SWP_TRY(swp_describe_yaml_report(reader, SWP_E0108,
                                         swp_describe_yaml_place(reader, found[KEY_k_offset].key),
                                         "only global loads fetch a K tile",
                                         "`k_offset` means nothing for `%s`, whose kind is %s",
                                         made->cost->name, swp_role_name(role)));
    if (swp_role_has_stage(role) && made->op.stage >= LDS_BUFFERS)
        SWP_TRY(swp_describe_yaml_report(reader, SWP_E0301,
                                         swp_describe_yaml_place(reader, found[KEY_stage].value),
                                         "`stage` is 0 or 1", "`%s` uses slot %d, but there are %d",
                                         made->cost->name, made->op.stage, LDS_BUFFERS));
    return SWP_OK;
}

static swp_op op_of(const body_item *made, int index)
{
    swp_op op = made->op;
    op.tag = made->cost->tag;
    swp_op_stamp(&op, &made->cost->cost);
    if (made->fan)
        op.subtile = index;
    if (made->rows) {
        op.stage = index / made->columns;
        op.subtile = index % made->columns;
    }
    return op;
}

static swp_status append(swp_yaml_reader *reader, const yaml_node_t *node, const body_item *made,
                         swp_op_list *ops)
{
    int count = 1;
    if (made->fan)
        count = made->fan;
    if (made->rows)
        count = made->rows * made->columns;
    for (int i = 0; i < count; i++) {
        if (ops->count == MOST_OPS)
            return swp_describe_yaml_report(
                reader, SWP_E0105, swp_describe_yaml_place(reader, node),
                "repeat less with `fan` and `grid`", "the list has more than %d ops", MOST_OPS);
        SWP_TRY(SWP_PUSH(reader->ctx, ops, op_of(made, i)));
    }
    return SWP_OK;
}

static swp_status read_mapping(swp_yaml_reader *reader, yaml_node_t *node, const swp_yaml_top *top,
                               swp_op_list *ops)
{
    body_item made = {.top = top, .op = swp_op_none()};
    swp_yaml_item found[KEY_COUNT];
    const size_t errors = reader->errors;
    SWP_TRY(swp_describe_yaml_find(reader, node, "an op", item_keys, KEY_COUNT, found));
    SWP_TRY(check_pairs(reader, found));
    SWP_TRY(swp_describe_yaml_read_found(reader, item_keys, KEY_COUNT, found, &made));
    /* The kind of a row that was not understood would only repeat its error. */
    if (made.cost && top->costs_sound)
        SWP_TRY(check_role(reader, found, &made));
    if (reader->errors != errors || !made.cost)
        return SWP_OK;
    return append(reader, node, &made, ops);
}

static swp_status read_item(swp_yaml_reader *reader, yaml_node_t *node, const swp_yaml_top *top,
                            swp_op_list *ops)
{
    const char *word = NULL;
    if (node->type != YAML_SCALAR_NODE)
        return read_mapping(reader, node, top, ops);
    SWP_TRY(swp_describe_yaml_text(reader, node, "an op", &word));
    if (!word)
        return SWP_OK;
    if (strcmp(word, "barrier") != 0)
        return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                                        "write an op as {op: NAME}",
                                        "an op must be a mapping or `barrier`, not `%s`", word);
    if (ops->count == MOST_OPS)
        return swp_describe_yaml_report(reader, SWP_E0105, swp_describe_yaml_place(reader, node),
                                        "repeat less with `fan` and `grid`",
                                        "the list has more than %d ops", MOST_OPS);
    return SWP_PUSH(reader->ctx, ops, swp_op_barrier());
}

static swp_status read_ops(swp_yaml_reader *reader, const swp_yaml_item *item,
                           const swp_yaml_top *top, swp_op_list *ops)
{
    if (item->value->type != YAML_SEQUENCE_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name, "a list of ops");
    const yaml_node_item_t *end = item->value->data.sequence.items.top;
    for (const yaml_node_item_t *i = item->value->data.sequence.items.start; i < end; i++) {
        const size_t count = ops->count;
        const char *outer = swp_describe_yaml_enter(reader, *i);
        SWP_TRY(read_item(reader, swp_describe_yaml_node(reader, *i), top, ops));
        reader->instance = outer;
        /* The list is full, and has been reported so. */
        if (count == MOST_OPS)
            break;
    }
    return SWP_OK;
}

static bool has_compute(const swp_op_list *ops)
{
    for (size_t i = 0; i < ops->count; i++)
        if (ops->items[i].role == SWP_COMPUTE)
            return true;
    return false;
}

swp_status swp_describe_yaml_read_body(swp_yaml_reader *reader, const swp_yaml_item *item,
                                       void *into)
{
    swp_yaml_top *top = into;
    swp_own_body *body = &top->description->body;
    const size_t errors = reader->errors;
    body->body_place = swp_describe_yaml_place(reader, item->key);
    SWP_TRY(read_ops(reader, item, top, &body->ops));
    top->body_sound = top->costs_sound && reader->errors == errors;
    if (!top->body_sound || has_compute(&body->ops))
        return SWP_OK;
    top->body_sound = false;
    return swp_describe_yaml_report(reader, SWP_E0306, body->body_place,
                                    "an MMA is an op whose `role` is compute",
                                    "the body has no MMA");
}

swp_status swp_describe_yaml_read_bootstrap(swp_yaml_reader *reader, const swp_yaml_item *item,
                                            void *into)
{
    swp_yaml_top *top = into;
    swp_own_body *body = &top->description->body;
    const size_t errors = reader->errors;
    body->bootstrap_place = swp_describe_yaml_place(reader, item->key);
    SWP_TRY(read_ops(reader, item, top, &body->bootstrap));
    for (size_t i = 0; reader->errors == errors && i < body->bootstrap.count; i++)
        if (body->bootstrap.items[i].role != SWP_FRAGMENT_LOAD)
            return swp_describe_yaml_report(reader, SWP_E0301, body->bootstrap_place,
                                            "the prologue makes all other ops itself",
                                            "op %zu of `bootstrap` is no fragment_load", i);
    return SWP_OK;
}
