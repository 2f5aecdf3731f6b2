/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the edges of fragment loads across stages (docs/descriptions.md, "edges"). */
#include "base/context.h"
#include "base/require.h"
#include "swp/graph.h"

static int half_of(int index, size_t count)
{
    return (size_t)index < count / 2 ? 0 : 1;
}

static bool is_cross_stage(const swp_op *body, size_t count, int index)
{
    const swp_op *op = &body[index];
    return op->role == SWP_FRAGMENT_LOAD && op->subtile == 0 && op->stage != half_of(index, count);
}

void swp_filter_spurious_cross_stage_flow(const swp_op *body, size_t count, swp_edge_list *edges)
{
    SWP_REQUIRE_OR(, (body || count == 0) && edges);
    size_t kept = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const swp_edge edge = edges->items[i];
        const bool spurious = edge.kind == SWP_FLOW && is_cross_stage(body, count, edge.producer) &&
                              body[edge.consumer].role == SWP_COMPUTE &&
                              half_of(edge.producer, count) == half_of(edge.consumer, count);
        if (!spurious)
            edges->items[kept++] = edge;
    }
    edges->count = kept;
}

/* Half 0's fragment is used in half 1; half 1's is used by half 0 of the next iteration. */
static swp_edge rotation_edge(int frag, int compute, size_t count)
{
    const int half = half_of(frag, count);
    if (half_of(compute, count) == half)
        return (swp_edge){compute, frag, SWP_ANTI, 0};
    return (swp_edge){frag, compute, SWP_FLOW, half == 0 ? 0 : 1};
}

swp_status swp_derive_cross_stage_rotation_edges(swp_context *ctx, const swp_op *body, size_t count,
                                                 swp_edge_list *edges)
{
    SWP_REQUIRE(ctx, ctx && (body || count == 0) && edges);
    for (int frag = 0; (size_t)frag < count; frag++) {
        if (!is_cross_stage(body, count, frag))
            continue;
        for (int compute = 0; (size_t)compute < count; compute++) {
            const swp_op *op = &body[compute];
            const int key = body[frag].channel == 0 ? op->stage : op->subtile;
            if (op->role == SWP_COMPUTE && key == 0)
                SWP_TRY(SWP_PUSH(ctx, edges, rotation_edge(frag, compute, count)));
        }
    }
    return SWP_OK;
}
