/* SPDX-License-Identifier: Apache-2.0 */
#include "random_problem.h"

#include <stdio.h>

enum { MOST_USES = 3, MOST_EDGES = 24 };

static void random_uses(swp_context *ctx, test_random *random, const problem_shape *shape,
                        const swp_problem *problem, swp_problem_op *op)
{
    swp_problem_use *uses = swp_context_take(ctx, MOST_USES * sizeof *uses);
    const int wanted = random_chance(random, 70) ? 1 : random_int(random, 0, MOST_USES);
    for (int i = 0; i < wanted && problem->resource_count > 0; i++) {
        const int resource = random_int(random, 0, (int)problem->resource_count - 1);
        int left = (int)problem->resources[resource].capacity;
        for (size_t u = 0; u < op->use_count; u++)
            if (uses[u].resource == resource)
                left -= (int)uses[u].amount;
        if (left < 1)
            continue;
        uses[op->use_count].resource = resource;
        uses[op->use_count].amount = random_int(random, 1, left);
        uses[op->use_count++].cycles = random_int(random, 0, shape->most_cycles);
    }
    op->uses = uses;
}

static swp_problem_edge random_edge(test_random *random, const problem_shape *shape,
                                    const swp_problem *problem)
{
    const int last = (int)problem->op_count - 1;
    swp_problem_edge edge = {.producer = random_int(random, 0, last),
                             .consumer = random_int(random, 0, last)};
    const bool loops = problem->kind == SWP_PROBLEM_MODULO;
    const bool negative = random_chance(random, shape->negative);
    edge.delay = negative ? random_int(random, -shape->most_cycles - 1, 0)
                          : (int)problem->ops[edge.producer].latency;
    if (loops && random_chance(random, 40))
        edge.distance = random_int(random, 1, 2);
    /* Without a distance only negative delays may point back or to the op itself. */
    if (edge.distance == 0 && edge.consumer <= edge.producer && !negative) {
        const int swap = edge.producer;
        edge.producer = edge.consumer;
        edge.consumer = swap;
        if (edge.producer == edge.consumer)
            edge.delay = 0;
    }
    return edge;
}

static swp_problem draw(swp_context *ctx, test_random *random, const problem_shape *shape)
{
    swp_problem problem = {.name = "random", .kind = shape->kind};
    problem.resource_count = (size_t)random_int(random, 0, shape->most_resources);
    problem.op_count = (size_t)random_int(random, 0, shape->most_ops);
    problem.edge_count = problem.op_count ? (size_t)random_int(random, 0, 2 * shape->most_ops) : 0;
    swp_problem_resource *resources = swp_context_take(ctx, 16 * sizeof *resources);
    swp_problem_op *ops = swp_context_take(ctx, 32 * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, (problem.edge_count + 1) * sizeof *edges);
    problem.resources = resources;
    problem.ops = ops;
    problem.edges = edges;
    for (size_t i = 0; i < problem.resource_count; i++)
        resources[i] = (swp_problem_resource){i == 0   ? "r"
                                              : i == 1 ? "s"
                                                       : "t",
                                              random_int(random, 1, shape->most_capacity)};
    for (size_t i = 0; i < problem.op_count; i++) {
        ops[i].name = "op";
        ops[i].latency = random_int(random, 0, shape->most_cycles);
        random_uses(ctx, random, shape, &problem, &ops[i]);
    }
    for (size_t i = 0; i < problem.edge_count; i++)
        edges[i] = random_edge(random, shape, &problem);
    return problem;
}

swp_problem random_problem(swp_context *ctx, test_random *random, const problem_shape *shape)
{
    for (;;) {
        const swp_problem problem = draw(ctx, random, shape);
        const swp_status status = swp_problem_check(ctx, &problem);
        swp_context_clear_diags(ctx);
        if (status == SWP_OK)
            return problem;
    }
}

void print_problem(swp_context *ctx, const swp_problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    if (swp_problem_json(ctx, problem, &text, &length) == SWP_OK)
        printf("%s\n", text);
}
