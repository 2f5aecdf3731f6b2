/* SPDX-License-Identifier: Apache-2.0 */
#include "random_body.h"

#include "fixture.h"
#include "ops.h"

static swp_op random_op(test_random *random)
{
    static const struct {
        swp_role role;
        swp_resource resource;
        int tag;
    } kinds[] = {
        {SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, TAG_LOAD_A},
        {SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, TAG_LOAD_B},
        {SWP_FRAGMENT_LOAD, SWP_LDS, TAG_FRAG_A},
        {SWP_FRAGMENT_LOAD, SWP_LDS, TAG_FRAG_B},
        {SWP_COMPUTE, SWP_MMA_UNIT, TAG_MMA},
        {SWP_COMPUTE, SWP_MMA_UNIT, TAG_MMA},
        {SWP_SHARED_STORE, SWP_LDS, TAG_STORE},
        {SWP_VALU_COMPUTE, SWP_VALU, TAG_VALU},
        {SWP_ROLE_NONE, SWP_RESOURCE_NONE, TAG_OTHER},
        {SWP_COMPUTE, SWP_VALU, TAG_MMA},
        {SWP_SYNC, SWP_SCALAR, TAG_OTHER},
    };
    static const int latencies[] = {0, 0, 1, 2, 3, 5, 16, 20, 20, 50};
    const size_t kind = (size_t)random_int(random, 0, (int)COUNT_OF(kinds) - 1);
    swp_op op = plain_op(kinds[kind].role, kinds[kind].resource, 0);
    op.tag = kinds[kind].tag;
    op.latency = latencies[random_int(random, 0, (int)COUNT_OF(latencies) - 1)];
    op.channel = random_int(random, -1, 1);
    op.stage = random_int(random, 0, 1);
    op.vgpr_def = random_chance(random, 60) ? random_int(random, 0, 8) : 0;
    op.vgpr_kill = random_chance(random, 50) ? random_int(random, 0, 8) : 0;
    return op;
}

static void ensure_computes(swp_op *ops, test_random *random, const body_shape *shape)
{
    const int half = shape->count / 2;
    if (!shape->halves || half == 0)
        return;
    for (int h = 0; h < 2; h++) {
        swp_op *op = &ops[h * half + random_int(random, 0, half - 1)];
        op->role = SWP_COMPUTE;
        op->resource = SWP_MMA_UNIT;
    }
}

/* A random order of the indices that the edges follow; with halves, mostly half by half. */
static void random_ranks(test_random *random, const body_shape *shape, int *rank)
{
    for (int i = 0; i < shape->count; i++)
        rank[i] = i;
    const bool crossing = !shape->halves || random_chance(random, 5);
    for (int i = 0; i < shape->count; i++) {
        const int half = shape->count / 2;
        const int from = crossing || i < half ? 0 : half;
        const int to = crossing || i >= half ? shape->count : half;
        const int other = random_int(random, from, to - 1);
        const int kept = rank[i];
        rank[i] = rank[other];
        rank[other] = kept;
    }
}

static void random_edges(swp_context *ctx, test_random *random, const body_shape *shape,
                         const int *rank, swp_edge_list *edges)
{
    for (int p = 0; p < shape->count; p++)
        for (int c = 0; c < shape->count; c++) {
            const swp_dep_kind kind = (swp_dep_kind)random_int(random, 0, 2);
            if (rank[p] < rank[c] && random_chance(random, shape->edge_percent))
                assert_ok(ctx, swp_edge_list_push(ctx, edges, (swp_edge){p, c, kind, 0}));
            if (random_chance(random, 5))
                assert_ok(ctx, swp_edge_list_push(
                                   ctx, edges, (swp_edge){p, c, kind, random_int(random, 1, 2)}));
        }
}

/* Makes an op of the same half equal to another, neighbours included. */
static void make_twin(swp_context *ctx, test_random *random, const body_shape *shape, swp_op *ops,
                      swp_edge_list *edges)
{
    const int half = shape->halves ? shape->count / 2 : shape->count;
    const int base = shape->halves && random_chance(random, 50) ? half : 0;
    const int model = base + random_int(random, 0, half - 1);
    const int twin = base + random_int(random, 0, half - 1);
    if (model == twin || ops[twin].role == SWP_COMPUTE)
        return;
    size_t kept = 0;
    for (size_t e = 0; e < edges->count; e++)
        if (edges->items[e].producer != twin && edges->items[e].consumer != twin)
            edges->items[kept++] = edges->items[e];
    edges->count = kept;
    ops[twin] = ops[model];
    for (size_t e = 0; e < kept; e++) {
        swp_edge edge = edges->items[e];
        if (edge.producer != model && edge.consumer != model)
            continue;
        edge.producer = edge.producer == model ? twin : edge.producer;
        edge.consumer = edge.consumer == model ? twin : edge.consumer;
        assert_ok(ctx, swp_edge_list_push(ctx, edges, edge));
    }
}

swp_loop_body random_body(swp_context *ctx, test_random *random, const body_shape *shape)
{
    swp_op ops[64];
    int rank[64];
    swp_edge_list edges = {0};
    for (int i = 0; i < shape->count; i++)
        ops[i] = random_op(random);
    ensure_computes(ops, random, shape);
    random_ranks(random, shape, rank);
    random_edges(ctx, random, shape, rank, &edges);
    while (random_chance(random, 40) && shape->count > 3)
        make_twin(ctx, random, shape, ops, &edges);
    swp_loop_body body;
    assert_ok(ctx, swp_loop_body_init(ctx, ops, (size_t)shape->count, &edges, &body));
    if (random_chance(random, 30))
        body.nodes[random_int(random, 0, shape->count - 1)].latency = random_int(random, 0, 40);
    return body;
}

void print_body(const swp_loop_body *body)
{
    for (size_t i = 0; i < body->count; i++) {
        const swp_op *op = &body->nodes[i].op;
        print_error("op %zu: %s %s latency %d def %d kill %d\n", i, swp_role_name(op->role),
                    swp_resource_name(op->resource), body->nodes[i].latency, op->vgpr_def,
                    op->vgpr_kill);
    }
    for (size_t e = 0; e < body->edges.count; e++)
        if (body->edges.items[e].distance == 0)
            print_error("edge %d>%d\n", body->edges.items[e].producer,
                        body->edges.items[e].consumer);
}
