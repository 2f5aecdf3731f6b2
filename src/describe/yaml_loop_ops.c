/* SPDX-License-Identifier: Apache-2.0 */
/* Reads `ops:` of a loop. */
#include "describe/yaml_loop_op.h"

#include "base/text.h"
#include "describe/hint.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_names.h"
#include "ir/type_names.h"

static swp_status read_op_name(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_op *p = into;
    return swp_describe_yaml_new_name(reader, item->value, "op", &p->loop->op_names, &p->op.name);
}

static swp_status read_latency(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_size(reader, item, &((swp_yaml_op *)into)->op.latency);
}

static swp_status read_read_cycles(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    return swp_describe_yaml_size(reader, item, &((swp_yaml_op *)into)->op.read_cycles);
}

static swp_status read_issue(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_YAML_MOST_NUMBER, SWP_E0105};
    int cycles = 0;
    SWP_TRY(swp_describe_yaml_int(reader, item->value, item->name, range, &cycles));
    ((swp_yaml_op *)into)->op.issue = cycles;
    return SWP_OK;
}

static swp_status read_accesses(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    const swp_yaml_range range = {1, SWP_MOST_ACCESSES, SWP_E0105};
    return swp_describe_yaml_int(reader, item->value, item->name, range,
                                 &((swp_yaml_op *)into)->op.accesses);
}

static swp_status read_completion(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    int number = SWP_COMPLETION_UNSTATED;
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_completion_names, &number));
    ((swp_yaml_op *)into)->op.completion = (swp_completion)number;
    return SWP_OK;
}

static swp_status read_multicast(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    static const swp_name rows[] = {{0, "false", NULL}, {1, "true", NULL}};
    static const swp_name_table words = SWP_NAME_TABLE(rows);
    int number = 0;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &words, &number));
    ((swp_yaml_op *)into)->op.multicast = number != 0;
    return SWP_OK;
}

/* Adds a role to those of which the search takes one; each stands once. */
static swp_status add_role(swp_yaml_reader *reader, const yaml_node_t *node, swp_yaml_op *p,
                           int *roles)
{
    int role = 0;
    SWP_TRY(swp_describe_yaml_known_name(reader, node, "role", &p->loop->role_names, p->loop->sound,
                                         &role));
    if (role < 0)
        return SWP_OK;
    for (size_t i = 0; i < p->op.role_count; i++)
        if (roles[i] == role)
            return swp_describe_yaml_report(
                reader, SWP_E0103, swp_describe_yaml_place(reader, node), "",
                "the role `%s` stands twice in `role`", p->loop->role_names.items[role]);
    roles[p->op.role_count++] = role;
    return SWP_OK;
}

static swp_status add_all_roles(swp_yaml_reader *reader, const yaml_node_t *node, swp_yaml_op *p,
                                int *roles)
{
    if (p->loop->roles.count == 0)
        return swp_describe_yaml_report(reader, SWP_E0106, swp_describe_yaml_place(reader, node),
                                        "list them under `roles` of the loop",
                                        "the loop has no roles to choose from");
    for (size_t i = 0; i < p->loop->roles.count; i++)
        roles[p->op.role_count++] = (int)i;
    return SWP_OK;
}

static swp_status add_roles(swp_yaml_reader *reader, const yaml_node_t *node, swp_yaml_op *p,
                            int *roles)
{
    const yaml_node_item_t *first = node->data.sequence.items.start;
    const yaml_node_item_t *end = node->data.sequence.items.top;
    if (first == end)
        return swp_describe_yaml_report(reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                                        "name one, or write `any`", "`role` names no role");
    for (; first < end; first++)
        SWP_TRY(add_role(reader, swp_describe_yaml_node(reader, *first), p, roles));
    return SWP_OK;
}

/* One role; a list of them, or the word for all, leaves the choice to the search. */
static swp_status read_role(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_op *p = into;
    const yaml_node_t *node = item->value;
    const bool is_list = node->type == YAML_SEQUENCE_NODE;
    const long long listed =
        is_list ? node->data.sequence.items.top - node->data.sequence.items.start : 0;
    int *roles = NULL;
    bool fits = true;
    SWP_TRY(swp_describe_yaml_count(reader, item, listed, SWP_MOST_LOOP_ROLES, &fits));
    if (!fits)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(reader->ctx, p->loop->roles.count + (size_t)listed + 1, &roles));
    if (is_list)
        SWP_TRY(add_roles(reader, node, p, roles));
    else if (swp_describe_yaml_is_any_role(node))
        SWP_TRY(add_all_roles(reader, node, p, roles));
    else
        SWP_TRY(add_role(reader, node, p, roles));
    p->op.role = roles[0];
    if (p->op.role_count > 1)
        p->op.roles = roles;
    else
        p->op.role_count = 0; /* there is nothing to choose */
    return SWP_OK;
}

/* Cycles, or [amount, cycles]. */
static swp_status read_use(swp_yaml_reader *reader, const yaml_node_t *node, const char *unit,
                           swp_problem_use *use)
{
    const swp_yaml_range amounts = {1, SWP_YAML_MOST_NUMBER, SWP_E0105};
    swp_yaml_item cycles = {"uses", NULL, (yaml_node_t *)node};
    char *name = NULL;
    int amount = 1;
    if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *items = node->data.sequence.items.start;
        if (node->data.sequence.items.top - items != 2)
            return swp_describe_yaml_report(
                reader, SWP_E0104, swp_describe_yaml_place(reader, node),
                "write cycles, or [amount, cycles]",
                "what an op uses of a unit must be a number or two of them");
        SWP_TRY(swp_format(reader->ctx, &name, "amount of %s", unit));
        SWP_TRY(swp_describe_yaml_int(reader, swp_describe_yaml_node(reader, items[0]), name,
                                      amounts, &amount));
        cycles.value = swp_describe_yaml_node(reader, items[1]);
    }
    use->amount = amount;
    return swp_describe_yaml_size(reader, &cycles, &use->cycles);
}

/* A key of a mapping; what it names may have a use already. */
static swp_status read_unit(swp_yaml_reader *reader, const yaml_node_t *node, const swp_yaml_op *p,
                            int *unit)
{
    SWP_TRY(swp_describe_yaml_known_name(reader, node, "unit", &p->loop->unit_names, p->loop->sound,
                                         unit));
    for (size_t i = 0; i < p->op.use_count && *unit >= 0; i++)
        if (p->op.uses[i].resource == *unit)
            return swp_describe_yaml_report(
                reader, SWP_E0103, swp_describe_yaml_place(reader, node),
                "an op has its unit once, as [amount, cycles]",
                "the unit `%s` stands twice in `uses`", p->loop->unit_names.items[*unit]);
    return SWP_OK;
}

static swp_status read_uses(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_yaml_op *p = into;
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
    p->op.uses = uses;
    for (yaml_node_pair_t *pair = first; pair < end; pair++) {
        swp_problem_use *use = &uses[p->op.use_count];
        SWP_TRY(read_unit(reader, swp_describe_yaml_node(reader, pair->key), p, &use->resource));
        const char *unit = use->resource < 0 ? "a unit" : p->loop->unit_names.items[use->resource];
        SWP_TRY(read_use(reader, swp_describe_yaml_node(reader, pair->value), unit, use));
        p->op.use_count += use->resource >= 0;
    }
    return SWP_OK;
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
    swp_loop_when *when = &((swp_yaml_op *)into)->op.when;
    int number = SWP_WHEN_ALWAYS;
    if (item->value->type == YAML_MAPPING_NODE)
        return read_period(reader, item->value, when);
    SWP_TRY(
        swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_plain_when_names, &number));
    when->kind = (swp_when)number;
    return SWP_OK;
}

static swp_status read_clock(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    int number = SWP_PASS_CLOCK;
    SWP_TRY(swp_describe_yaml_word(reader, item->value, item->name, &swp_ir_clock_names, &number));
    ((swp_yaml_op *)into)->op.clock = (swp_role_clock)number;
    return SWP_OK;
}

static swp_status read_slots(swp_yaml_reader *reader, const swp_yaml_item *item, void *into)
{
    swp_loop_op *op = &((swp_yaml_op *)into)->op;
    return swp_describe_yaml_span(reader, item, SWP_MOST_SLOTS, &op->least_slots, &op->most_slots);
}

enum { ROLE = 1, READ_CYCLES = 4 }; /* indices */

static const swp_yaml_key op_keys[] = {
    {"op", read_op_name, true},
    [ROLE] = {"role", read_role, false},
    {"uses", read_uses, false},
    {"latency", read_latency, true},
    [READ_CYCLES] = {"read_cycles", read_read_cycles, false},
    {"completion", read_completion, false},
    {"issue", read_issue, false},
    {"accesses", read_accesses, false},
    {"reads", swp_describe_yaml_read_reads, false},
    {"writes", swp_describe_yaml_read_writes, false},
    {"slots", read_slots, false},
    {"updates", swp_describe_yaml_read_updates, false},
    {"when", read_when, false},
    {"multicast", read_multicast, false},
    {"clock", read_clock, false},
};

/* An op of the only role need not name it. */
static swp_status check_names_role(swp_yaml_reader *reader, const yaml_node_t *node,
                                   const swp_yaml_loop *loop)
{
    char *hint = NULL;
    if (loop->roles.count <= 1)
        return SWP_OK;
    SWP_TRY(swp_describe_hint_of_choice(reader->ctx, loop->role_names.items, loop->role_names.count,
                                        &hint));
    return swp_describe_yaml_report(reader, SWP_E0334, swp_describe_yaml_place(reader, node), hint,
                                    "an op of a loop with several roles needs the key `role`");
}

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
static swp_status count_operands(swp_yaml_reader *reader, const yaml_node_t *node,
                                 const swp_yaml_op *p)
{
    size_t *all = &p->loop->operands;
    *all += p->op.use_count + p->op.read_count + p->op.write_count + p->op.update_count;
    if (*all <= SWP_MOST_LOOP_OPERANDS)
        return SWP_OK;
    return swp_describe_yaml_report(
        reader, SWP_E0105, swp_describe_yaml_place(reader, node), "make its ranges smaller",
        "the ops up to this one have %zu uses, reads, writes and updates, but all "
        "may have %d",
        *all, SWP_MOST_LOOP_OPERANDS);
}

static swp_status read_op(swp_yaml_reader *reader, yaml_node_t *node, void *into)
{
    swp_yaml_op p = {.loop = into,
                     .op = {.accesses = 1, .place = swp_describe_yaml_place(reader, node)}};
    swp_yaml_item found[SWP_COUNT_OF(op_keys)];
    if (p.loop->operands > SWP_MOST_LOOP_OPERANDS)
        return SWP_OK; /* it has been told */
    SWP_TRY(swp_describe_yaml_find(reader, node, "an op", op_keys, SWP_COUNT_OF(op_keys), found));
    SWP_TRY(swp_describe_yaml_read_found(reader, op_keys, SWP_COUNT_OF(op_keys), found, &p));
    if (!found[ROLE].value)
        SWP_TRY(check_names_role(reader, node, p.loop));
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
