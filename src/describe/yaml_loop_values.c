/* SPDX-License-Identifier: Apache-2.0 */
/* Reads `values:` of a loop. */
#include "describe/yaml_loop.h"

#include "describe/yaml_hints.h"

#include "ir/loop_names.h"

/* A value on its way, and the loop that it is of. */
typedef struct yaml_value {
    swp_yaml_loop *loop;
    swp_loop_value value;
    bool is_global;
} yaml_value;

static swp_status read_space(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    yaml_value *p = into;
    int number = 0;
    SWP_TRY(swp_describe_yaml_space(reader, item, &number));
    p->is_global = number == SWP_YAML_GLOBAL;
    p->value.space = p->is_global ? SWP_SPACE_SHARED : (swp_space)number;
    return SWP_OK;
}

/* By then its space is known: those in global memory are listed apart. */
static swp_status read_value_name(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    yaml_value *p = into;
    swp_yaml_loop *loop = p->loop;
    const swp_name_list *others = p->is_global ? &loop->value_names : &loop->global_names;
    SWP_TRY(swp_describe_yaml_new_name(reader, item->value, "value",
                                       p->is_global ? &loop->global_names : &loop->value_names,
                                       &p->value.name));
    if (!p->value.name || swp_name_list_find(others, p->value.name) < 0)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0103, swp_describe_yaml_place(reader, item->value),
                                    swp_describe_yaml_hint_of_namesake(reader),
                                    "the value `%s` stands twice", p->value.name);
}

static swp_status read_bytes(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_size(reader, item, &((yaml_value *)into)->value.bytes);
}

static swp_status read_bytes_of(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    int number = SWP_OF_WORK_GROUP;
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_bytes_of_names, &number));
    ((yaml_value *)into)->value.bytes_of = (swp_bytes_of)number;
    return SWP_OK;
}

static swp_status read_slots(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop_value *value = &((yaml_value *)into)->value;
    return swp_describe_yaml_span(reader, item, SWP_MOST_SLOTS, &value->least_slots,
                                  &value->most_slots);
}

enum { SLOTS = 4 }; /* index */

static const swp_yaml_key value_keys[] = {
    {"space", read_space, true},
    {"value", read_value_name, true},
    {"bytes", read_bytes, false},
    {"bytes_of", read_bytes_of, false},
    [SLOTS] = {"slots", read_slots, false},
};

static swp_status add_global(swp_yaml_reader *reader, const yaml_value *p, const yaml_node_t *slots)
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
    yaml_value p = {.loop = into,
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
