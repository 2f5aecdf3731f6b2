/* SPDX-License-Identifier: Apache-2.0 */
/* `loop:` its units, roles and objectives, and the way in. */
#include "describe/yaml_loop.h"
#include "describe/yaml_hints.h"

#include "base/text.h"
#include "describe/hint.h"
#include "ir/loop_names.h"

#include <string.h>

swp_status swp_describe_yaml_count(swp_yaml_reader *reader, const swp_yaml_item *item,
                                   long long count, int most, bool *fits)
{
    *fits = count <= most;
    if (*fits)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0105, swp_describe_yaml_place(reader, item->value),
                                    "make it shorter, or its ranges",
                                    "`%s` has %lld elements, but may have %d", item->name, count,
                                    most);
}

swp_status swp_describe_yaml_each(
    swp_yaml_reader *reader, const swp_yaml_item *item, const char *wanted, int most,
    swp_status (*read)(swp_yaml_reader *reader, yaml_node_t *node, void *into), void *into)
{
    if (item->value->type != YAML_SEQUENCE_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name, wanted);
    const yaml_node_item_t *first = item->value->data.sequence.items.start;
    const yaml_node_item_t *end = item->value->data.sequence.items.top;
    bool fits = false;
    SWP_TRY(swp_describe_yaml_count(reader, item, end - first, most, &fits));
    for (const yaml_node_item_t *i = first; fits && i < end; i++) {
        const char *outer = swp_describe_yaml_enter(reader, *i);
        SWP_TRY(read(reader, swp_describe_yaml_node(reader, *i), into));
        reader->instance = outer;
    }
    return SWP_OK;
}

swp_status swp_describe_yaml_size(swp_yaml_reader *reader, const swp_yaml_item *item, int64_t *out)
{
    const swp_yaml_range range = {0, SWP_YAML_MOST_NUMBER, SWP_E0105};
    int number = (int)*out;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, range, &number));
    *out = number;
    return SWP_OK;
}

swp_status swp_describe_yaml_span(swp_yaml_reader *reader, const swp_yaml_item *item, int most,
                                  int *least, int *greatest)
{
    const swp_yaml_range range = {1, most, SWP_E0105};
    if (item->value->type != YAML_SEQUENCE_NODE) {
        SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, range, least));
        *greatest = *least;
        return SWP_OK;
    }
    const yaml_node_item_t *items = item->value->data.sequence.items.start;
    if (item->value->data.sequence.items.top - items != 2)
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, item->value), "write [least, most]",
            "`%s` must be a number or two of them", item->name);
    SWP_TRY(swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, items[0]), item->name,
                                  range, least));
    SWP_TRY(swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, items[1]), item->name,
                                  range, greatest));
    if (*greatest == 0 || *least <= *greatest)
        return SWP_OK;
    return swp_describe_yaml_report(reader, SWP_E0105, swp_describe_yaml_place(reader, item->value),
                                    "the least number stands first: [least, most]",
                                    "`%s` is at least %d and at most %d", item->name, *least,
                                    *greatest);
}

enum { LONGEST_NAME = 60 };

static bool is_name(const char *text)
{
    return swp_is_name(text) && !strchr(text, ' ') && strlen(text) <= LONGEST_NAME;
}

swp_status swp_describe_yaml_new_name(swp_yaml_reader *reader, const yaml_node_t *node,
                                      const char *what, swp_name_list *known, const char **out)
{
    const char *name = NULL;
    int tag = 0;
    *out = NULL;
    SWP_TRY(swp_describe_yaml_text(reader, node, what, &name));
    if (!name)
        return SWP_OK;
    if (!is_name(name) || swp_infrastructure_tag(name, &tag))
        return swp_describe_yaml_report(
            reader, SWP_E0104, swp_describe_yaml_place(reader, node),
            "a name has 1 to 60 characters, no spaces, control characters or "
            "marks of direction, and is none of the framework's, such as "
            "barrier",
            "no %s can be named `%s`", what, name);
    if (swp_name_list_find(known, name) >= 0)
        return swp_describe_yaml_report(reader, SWP_E0103, swp_describe_yaml_place(reader, node),
                                        swp_describe_yaml_hint_of_namesake(reader),
                                        "the %s `%s` stands twice", what, name);
    SWP_TRY(swp_copy_text(reader->ctx, name, strlen(name), (char **)out));
    return swp_name_list_add(reader->ctx, known, *out);
}

swp_status swp_describe_yaml_known_name(swp_yaml_reader *reader, const yaml_node_t *node,
                                        const char *what, const swp_name_list *known, bool sound,
                                        int *out)
{
    const char *name = NULL;
    char *hint = NULL;
    *out = -1;
    SWP_TRY(swp_describe_yaml_text(reader, node, what, &name));
    if (!name)
        return SWP_OK;
    *out = swp_name_list_find(known, name);
    if (*out >= 0 || !sound)
        return SWP_OK;
    if (known->count > 0)
        SWP_TRY(swp_describe_hint_of_names(reader->ctx, name, known->items, known->count, &hint));
    else
        SWP_TRY(swp_format(reader->ctx, &hint, "list it under `%ss` of the loop", what));
    return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, node), hint,
                                    "the loop has no %s `%s`", what, name);
}

typedef struct yaml_rate {
    const char *unit;
    int *capacity;
} yaml_rate;

static swp_status read_rate(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_YAML_MOST_NUMBER, SWP_E0105};
    const yaml_rate *rate = into;
    return swp_describe_yaml_int(reader, item->value, rate->unit, range, rate->capacity);
}

/* A number, or `{rate: number}`. */
static swp_status read_capacity(swp_yaml_reader *reader, yaml_node_t *node, const char *unit,
                                int *capacity, bool *is_rate)
{
    static const swp_yaml_key keys[] = {{"rate", read_rate, true}};
    const swp_yaml_range range = {1, SWP_YAML_MOST_NUMBER, SWP_E0105};
    swp_yaml_item found[SWP_COUNT_OF(keys)];
    yaml_rate rate = {unit, capacity};
    *is_rate = node->type == YAML_MAPPING_NODE;
    if (!*is_rate)
        return swp_describe_yaml_int(reader, node, unit, range, capacity);
    SWP_TRY(swp_describe_yaml_find(reader, node, "a unit", keys, SWP_COUNT_OF(keys), found));
    return swp_describe_yaml_read_found(reader, keys, SWP_COUNT_OF(keys), found, &rate);
}

static swp_status read_units(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_loop *loop = into;
    if (item->value->type != YAML_MAPPING_NODE)
        return swp_describe_yaml_report_type(reader, item->value, item->name,
                                             "a mapping of units to capacities");
    yaml_node_pair_t *first = item->value->data.mapping.pairs.start;
    yaml_node_pair_t *end = item->value->data.mapping.pairs.top;
    bool fits = false;
    SWP_TRY(swp_describe_yaml_count(reader, item, end - first, SWP_MOST_LOOP_UNITS, &fits));
    for (yaml_node_pair_t *pair = first; fits && pair < end; pair++) {
        swp_problem_resource unit = {0};
        int capacity = 1;
        bool is_rate = false;
        SWP_TRY(swp_describe_yaml_new_name(reader, swp_describe_yaml_node(reader, pair->key),
                                           "unit", &loop->unit_names, &unit.name));
        if (!unit.name)
            continue;
        SWP_TRY(read_capacity(reader, swp_describe_yaml_node(reader, pair->value), unit.name,
                              &capacity, &is_rate));
        unit.capacity = capacity;
        SWP_TRY(SWP_PUSH(reader->ctx, &loop->rates, is_rate));
        SWP_TRY(SWP_PUSH(reader->ctx, &loop->units, unit));
    }
    return SWP_OK;
}

static swp_status read_signal(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_size(reader, item, &((swp_yaml_loop *)into)->loop.signal);
}

static swp_status read_cluster(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_MOST_CLUSTER, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_yaml_loop *)into)->loop.cluster);
}

static swp_status read_resident(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop *loop = &((swp_yaml_loop *)into)->loop;
    return swp_describe_yaml_span(reader, item, SWP_MOST_RESIDENT, &loop->least_resident,
                                  &loop->most_resident);
}

static swp_status read_shared_bytes(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_size(reader, item, &((swp_yaml_loop *)into)->loop.shared_budget);
}

static swp_status read_lane_registers(swp_yaml_reader *reader, const swp_yaml_item *item,
                                      void *into)
{
    const swp_yaml_range range = {0, SWP_MOST_LANE_REGISTERS, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_yaml_loop *)into)->loop.lane_registers);
}

/* A number is what comes of a variable. */
static swp_status read_output_tiles(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    static const swp_name words[] = {
        {0, "false", NULL}, {1, "true", NULL}, {0, "0", NULL}, {1, "1", NULL}};
    static const swp_name_table table = SWP_NAME_TABLE(words);
    int number = 0;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &table, &number));
    ((swp_yaml_loop *)into)->loop.output_tiles = number == 1;
    return SWP_OK;
}

typedef struct objective_reader {
    swp_loop *loop;
    int count;
} objective_reader;

/* What is named comes first, in its order; the others follow in theirs. */
static swp_status read_objective(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    objective_reader *r = into;
    int number = -1;
    SWP_TRY(swp_describe_yaml_word(reader, node, "objectives", &swp_ir_objective_names, &number));
    if (number < 0)
        return SWP_OK;
    int at = 0;
    while (r->loop->objectives[at] != (swp_objective)number)
        at++;
    if (at < r->count)
        return swp_describe_yaml_report(reader, SWP_E0103, swp_describe_yaml_place(reader, node),
                                        "name it once, at the place of its importance",
                                        "the objective `%s` stands twice",
                                        swp_objective_name((swp_objective)number));
    for (; at > r->count; at--)
        r->loop->objectives[at] = r->loop->objectives[at - 1];
    r->loop->objectives[r->count++] = (swp_objective)number;
    return SWP_OK;
}

static swp_status read_objectives(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    objective_reader r = {&((swp_yaml_loop *)into)->loop, 0};
    r.loop->objectives_stated = true;
    return swp_describe_yaml_each(reader, item, "a list of objectives", SWP_MOST_LOOP_VALUES,
                                  read_objective, &r);
}

/* They are read in this order: values name nothing, ops name units, roles and values. */
static const swp_yaml_key loop_keys[] = {
    {"units", read_units, false},
    {"roles", swp_describe_yaml_read_loop_roles, false},
    {"signal", read_signal, false},
    {"cluster", read_cluster, false},
    {"resident_work_groups", read_resident, false},
    {"shared_bytes", read_shared_bytes, false},
    {"lane_registers", read_lane_registers, false},
    {"objectives", read_objectives, false},
    {"output_tiles", read_output_tiles, false},
    {"values", swp_describe_yaml_read_loop_values, false},
    {"ops", swp_describe_yaml_read_loop_ops, true},
};

static void hand_out(swp_yaml_loop *made)
{
    made->loop.units = made->units.items;
    made->loop.unit_count = made->units.count;
    for (size_t u = 0; u < made->rates.count; u++)
        if (made->rates.items[u])
            made->loop.rates = made->rates.items;
    made->loop.values = made->values.items;
    made->loop.value_count = made->values.count;
    made->loop.ops = made->ops.items;
    made->loop.op_count = made->ops.count;
    made->loop.roles = made->roles.items;
    made->loop.role_count = made->roles.count;
}

swp_status swp_describe_yaml_read_loop(swp_yaml_reader *reader, const swp_yaml_item *item,
                                       void *into)
{
    swp_description *description = ((swp_yaml_top *)into)->description;
    swp_yaml_item found[SWP_COUNT_OF(loop_keys)];
    swp_yaml_loop *made = NULL;
    const size_t errors = reader->errors;
    SWP_TRY(SWP_TAKE(reader->ctx, 1, &made));
    made->loop =
        (swp_loop){.name = description->name,
                   .place = swp_describe_yaml_place(reader, item->key),
                   .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
    SWP_TRY(swp_describe_yaml_find(reader, item->value, "`loop`", loop_keys,
                                   SWP_COUNT_OF(loop_keys), found));
    if (item->value->type != YAML_MAPPING_NODE)
        return SWP_OK;
    made->sound = reader->errors == errors;
    SWP_TRY(swp_describe_yaml_read_found(reader, loop_keys, SWP_COUNT_OF(loop_keys), found, made));
    hand_out(made);
    description->loop = &made->loop;
    if (reader->errors != errors)
        return SWP_OK;
    SWP_TRY(swp_describe_yaml_warn_of_globals(reader, made));
    const swp_status status = swp_check_loop(reader->ctx, &made->loop);
    reader->errors += status == SWP_INVALID;
    return status == SWP_INVALID ? SWP_OK : status;
}
