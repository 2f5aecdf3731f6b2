/* SPDX-License-Identifier: Apache-2.0 */
#include "problems.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_USES = 4 };

static const char *skip_space(const char *text)
{
    return text + strspn(text, " ");
}

static int64_t number(const char **text)
{
    char *end = NULL;
    const int64_t value = strtoll(*text, &end, 10);
    *text = end;
    return value;
}

static const char *read_op(swp_context *ctx, const char *text, swp_problem_op *op)
{
    swp_problem_use *uses = swp_context_take(ctx, MOST_USES * sizeof *uses);
    op->name = "op";
    op->latency = number(&text);
    op->uses = uses;
    text++;
    while (*text && *text != ' ') {
        swp_problem_use *use = &uses[op->use_count++];
        use->resource = *text++ - 'r';
        use->amount = number(&text);
        text++;
        use->cycles = number(&text);
        text += *text == '+';
    }
    return text;
}

static const char *read_edge(const char *text, const swp_problem_op *ops, swp_problem_edge *edge)
{
    edge->producer = (int)number(&text);
    text++;
    edge->consumer = (int)number(&text);
    edge->delay = ops[edge->producer].latency;
    if (*text == '/') {
        text++;
        edge->distance = number(&text);
    }
    if (*text == '=') {
        text++;
        edge->delay = number(&text);
    }
    return text;
}

swp_problem problem_of(swp_context *ctx, swp_problem_kind kind, const char *capacities,
                       const char *ops, const char *edges)
{
    static const char *const names[] = {"r", "s", "t", "u"};
    swp_problem problem = {.name = "test", .kind = kind};
    swp_problem_resource *resource_items = swp_context_take(ctx, MOST * sizeof *resource_items);
    swp_problem_op *op_items = swp_context_take(ctx, MOST * sizeof *op_items);
    swp_problem_edge *edge_items = swp_context_take(ctx, MOST * sizeof *edge_items);
    for (const char *at = skip_space(capacities); *at; at = skip_space(at)) {
        swp_problem_resource *resource = &resource_items[problem.resource_count];
        resource->name = names[problem.resource_count++];
        resource->capacity = number(&at);
    }
    for (const char *at = skip_space(ops); *at; at = skip_space(at))
        at = read_op(ctx, at, &op_items[problem.op_count++]);
    for (const char *at = skip_space(edges); *at; at = skip_space(at))
        at = read_edge(at, op_items, &edge_items[problem.edge_count++]);
    problem.resources = resource_items;
    problem.ops = op_items;
    problem.edges = edge_items;
    return problem;
}
