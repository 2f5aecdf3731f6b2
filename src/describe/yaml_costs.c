/* SPDX-License-Identifier: Apache-2.0 */
/* `costs:` what each op of a body costs, by its name. */
#include "describe/yaml_description.h"

#include "describe/hint.h"
#include "ir/type_names.h"

#include <string.h>

enum { MOST_REGISTERS = 65535, LONGEST_NAME = SWP_OP_NAME_SIZE - 1 };

static swp_status read_tag(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_cost *cost = into;
    const swp_yaml_range any = {-SWP_MOST_CYCLES, SWP_MOST_CYCLES, SWP_E0105};
    int tag = 0;
    const size_t errors = reader->errors;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, any, &tag));
    if (reader->errors != errors)
        return SWP_OK;
    if (tag < 0 || tag >= SWP_KERNEL_TAGS)
        return swp_describe_yaml_report(
            reader, SWP_E0301, swp_describe_yaml_place(reader, item->value),
            "the framework owns 128 and above", "`tag` of op `%s` is %d, but must be 0 to %d",
            cost->name, tag, SWP_KERNEL_TAGS - 1);
    cost->tag = tag;
    return SWP_OK;
}

static swp_status read_resource(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_cost *cost = into;
    int number = (int)cost->cost.resource;
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_resource_names, &number));
    cost->cost.resource = (swp_resource)number;
    return SWP_OK;
}

static swp_status read_role(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_cost *cost = into;
    int number = (int)cost->cost.role;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_role_names, &number));
    cost->cost.role = (swp_role)number;
    /* The table has `resource` after `role`, so one that is stated wins. */
    cost->cost.resource = swp_role_resource(cost->cost.role);
    return SWP_OK;
}

static swp_status read_latency(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {0, SWP_MOST_CYCLES, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_yaml_cost *)into)->cost.latency);
}

static swp_status read_vgpr_def(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {0, MOST_REGISTERS, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_yaml_cost *)into)->cost.vgpr_def);
}

static swp_status read_vgpr_kill(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {0, MOST_REGISTERS, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_yaml_cost *)into)->cost.vgpr_kill);
}

static const swp_yaml_key cost_keys[] = {
    {"tag", read_tag, false},           {"role", read_role, true},
    {"resource", read_resource, false}, {"latency", read_latency, false},
    {"vgpr_def", read_vgpr_def, false}, {"vgpr_kill", read_vgpr_kill, false},
};

/* Names stand in every output, so they must be words in all of them. */
static bool is_word(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length <= LONGEST_NAME &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_")] == '\0';
}

static swp_status check_name(swp_yaml_reader *reader, const swp_yaml_top *top, const char *name,
                             swp_place place)
{
    int tag = 0;
    if (!is_word(name))
        return swp_describe_yaml_report(reader, SWP_E0301, place,
                                        "use letters, digits and `_`, at most 63 of them",
                                        "`%s` is no name for an op", name);
    if (swp_infrastructure_tag(name, &tag))
        return swp_describe_yaml_report(reader, SWP_E0301, place, "choose another name",
                                        "`%s` is an op of the framework", name);
    for (size_t i = 0; i < top->costs.count; i++)
        if (strcmp(top->costs.items[i].name, name) == 0)
            return swp_describe_yaml_report(reader, SWP_E0103, place, "each op has one cost",
                                            "`%s` stands twice in `costs`", name);
    return SWP_OK;
}

static swp_status check_tag(swp_yaml_reader *reader, const swp_yaml_top *top,
                            const swp_yaml_cost *cost, swp_place place)
{
    for (size_t i = 0; cost->tag >= 0 && i < top->costs.count; i++)
        if (top->costs.items[i].tag == cost->tag)
            return swp_describe_yaml_report(reader, SWP_E0103, place,
                                            "each op has a tag of its own",
                                            "`%s` and `%s` both have the tag %d",
                                            top->costs.items[i].name, cost->name, cost->tag);
    return SWP_OK;
}

static swp_status read_row(swp_yaml_reader *reader, const yaml_node_pair_t *pair, swp_yaml_top *top)
{
    yaml_node_t *key = swp_describe_yaml_node(reader, pair->key);
    yaml_node_t *value = swp_describe_yaml_node(reader, pair->value);
    const swp_place place = swp_describe_yaml_place(reader, key);
    swp_yaml_cost cost = {.tag = -1, .line = place.line, .cost = swp_op_cost_none()};
    swp_yaml_item found[SWP_COUNT_OF(cost_keys)];
    char *what = NULL;
    const char *name = NULL;
    const size_t errors = reader->errors;
    SWP_TRY(swp_describe_yaml_text(reader, key, "an op's name", &name));
    if (!name)
        return SWP_OK;
    SWP_TRY(swp_copy_text(reader->ctx, name, strlen(name), (char **)&cost.name));
    SWP_TRY(check_name(reader, top, name, place));
    if (reader->errors != errors)
        return SWP_OK;
    SWP_TRY(swp_format(reader->ctx, &what, "the cost of `%s`", name));
    SWP_TRY(swp_describe_yaml_find(reader, value, what, cost_keys, SWP_COUNT_OF(cost_keys), found));
    SWP_TRY(swp_describe_yaml_read_found(reader, cost_keys, SWP_COUNT_OF(cost_keys), found, &cost));
    SWP_TRY(check_tag(reader, top, &cost, place));
    return SWP_PUSH(reader->ctx, &top->costs, cost);
}

/* Ops without a tag take, in order, the lowest ones that no op states. */
static void give_out_tags(swp_yaml_top *top)
{
    bool taken[SWP_KERNEL_TAGS] = {false};
    for (size_t i = 0; i < top->costs.count; i++)
        if (top->costs.items[i].tag >= 0)
            taken[top->costs.items[i].tag] = true;
    int next = 0;
    for (size_t i = 0; i < top->costs.count; i++) {
        swp_yaml_cost *cost = &top->costs.items[i];
        while (next < SWP_KERNEL_TAGS && taken[next])
            next++;
        if (cost->tag < 0 && next < SWP_KERNEL_TAGS)
            cost->tag = next++;
        if (cost->tag >= 0)
            top->description->body.names[cost->tag] = cost->name;
    }
}

swp_status swp_describe_yaml_read_costs(swp_yaml_reader *reader, const swp_yaml_item *item,
                                        void *into)
{
    swp_yaml_top *top = into;
    const size_t errors = reader->errors;
    if (item->value->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name, "a mapping");
    const yaml_node_pair_t *pair = item->value->data.mapping.pairs.start;
    const yaml_node_pair_t *end = item->value->data.mapping.pairs.top;
    if (end - pair > SWP_KERNEL_TAGS)
        return swp_describe_yaml_report(reader, SWP_E0301,
                                        swp_describe_yaml_place(reader, item->key),
                                        "leave out those that no op of the body names",
                                        "`costs` has %lld ops, but there are tags for %d",
                                        (long long)(end - pair), SWP_KERNEL_TAGS);
    for (; pair < end; pair++)
        SWP_TRY(read_row(reader, pair, top));
    give_out_tags(top);
    top->costs_sound = reader->errors == errors;
    return SWP_OK;
}

swp_status swp_describe_yaml_find_cost(swp_yaml_reader *reader, const swp_yaml_top *top,
                                       const char *name, const swp_yaml_cost **cost, char **hint)
{
    const char *names[SWP_KERNEL_TAGS];
    *cost = NULL;
    for (size_t i = 0; i < top->costs.count; i++) {
        names[i] = top->costs.items[i].name;
        if (strcmp(names[i], name) == 0)
            *cost = &top->costs.items[i];
    }
    if (*cost)
        return SWP_OK;
    if (top->costs.count == 0)
        return swp_format(reader->ctx, hint, "give it a row in `costs`");
    return swp_describe_hint_of_names(reader->ctx, name, names, top->costs.count, hint);
}
