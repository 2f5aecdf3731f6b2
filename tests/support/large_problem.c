/* SPDX-License-Identifier: Apache-2.0 */
#include "large_problem.h"

#include "random.h"

static swp_problem_op op_of(swp_context *ctx, const large_shape *shape, int index)
{
    swp_problem_use *uses = swp_context_take(ctx, (size_t)shape->uses * sizeof *uses + 1);
    for (int u = 0; u < shape->uses; u++)
        uses[u] =
            (swp_problem_use){0, shape->uses > 1 ? 1 : 1 + index % shape->capacity, shape->cycles};
    return (swp_problem_op){"op", shape->cycles, uses, (size_t)shape->uses};
}

/* The ops in a random order, each after the one before. */
static void chain(swp_context *ctx, const large_shape *shape, swp_problem *problem)
{
    test_random random = random_for_case(1, 0);
    swp_problem_edge *edges = swp_context_take(ctx, 2 * (size_t)shape->ops * sizeof *edges);
    int *order = swp_context_take(ctx, (size_t)shape->ops * sizeof *order);
    for (int i = 0; i < shape->ops; i++) {
        const int at = random_int(&random, 0, i);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i + 1 < shape->ops; i++) {
        edges[problem->edge_count++] = (swp_problem_edge){order[i], order[i + 1], 0, shape->cycles};
        if (shape->back != 0)
            edges[problem->edge_count++] =
                (swp_problem_edge){order[i + 1], order[i], 0, shape->back};
    }
    problem->edges = edges;
}

swp_problem large_problem(swp_context *ctx, const large_shape *shape)
{
    swp_problem problem = {
        .name = "large", .kind = shape->kind, .resource_count = 1, .op_count = (size_t)shape->ops};
    swp_problem_resource *resource = swp_context_take(ctx, sizeof *resource);
    swp_problem_op *ops = swp_context_take(ctx, problem.op_count * sizeof *ops);
    *resource = (swp_problem_resource){"r", shape->capacity};
    for (int i = 0; i < shape->ops; i++)
        ops[i] = op_of(ctx, shape, i);
    problem.resources = resource;
    problem.ops = ops;
    if (shape->chained)
        chain(ctx, shape, &problem);
    return problem;
}
