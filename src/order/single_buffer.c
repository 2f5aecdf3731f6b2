/* SPDX-License-Identifier: Apache-2.0 */
/* Reorders the single-buffer loop (docs/descriptions.md, "reorder"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "swp/body.h"
#include "swp/solve.h"

typedef enum carried { CARRIED_ANY, CARRIED_ONLY, CARRIED_NOT } carried;

static swp_status append(swp_context *ctx, const swp_op *ops, size_t count,
                         const swp_pipeline_config *config, swp_role role, carried which,
                         swp_op_list *out)
{
    for (size_t i = 0; i < count; i++)
        if (ops[i].role == role &&
            (which == CARRIED_ANY ||
             (which == CARRIED_ONLY) == swp_is_loop_carried(config, &ops[i])))
            SWP_TRY(SWP_PUSH(ctx, out, ops[i]));
    return SWP_OK;
}

/* Accepts only roles that have a place in the order below; the body's own barriers are replaced. */
static swp_status check_roles(swp_context *ctx, const swp_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const swp_role role = ops[i].role;
        char buffer[SWP_OP_NAME_SIZE];
        if (role == SWP_FRAGMENT_LOAD || role == SWP_COMPUTE || role == SWP_SHARED_STORE ||
            role == SWP_GLOBAL_LOAD || ops[i].tag == SWP_TAG_BARRIER)
            continue;
        return swp_error(ctx, SWP_E0309, SWP_NOWHERE,
                         "a single-buffer body holds loads, stores, fragment loads, COMPUTE ops "
                         "and barriers",
                         "op %zu (%s) of kind %s has no place in the single-buffer order", i,
                         swp_op_name(&ctx->op_namer, ops[i].tag, buffer), swp_role_name(role));
    }
    return SWP_OK;
}

swp_status swp_single_buffer_reorder(swp_context *ctx, const swp_op *ops, size_t count,
                                     const swp_pipeline_config *config, swp_op_list *out)
{
    SWP_REQUIRE(ctx, ctx && (ops || count == 0) && config && out);
    SWP_TRY(check_roles(ctx, ops, count));
    SWP_TRY(append(ctx, ops, count, config, SWP_FRAGMENT_LOAD, CARRIED_NOT, out));
    SWP_TRY(append(ctx, ops, count, config, SWP_COMPUTE, CARRIED_ONLY, out));
    SWP_TRY(SWP_PUSH(ctx, out, swp_op_barrier()));
    SWP_TRY(append(ctx, ops, count, config, SWP_SHARED_STORE, CARRIED_ANY, out));
    SWP_TRY(append(ctx, ops, count, config, SWP_GLOBAL_LOAD, CARRIED_ANY, out));
    SWP_TRY(append(ctx, ops, count, config, SWP_COMPUTE, CARRIED_NOT, out));
    SWP_TRY(SWP_PUSH(ctx, out, swp_op_barrier()));
    return append(ctx, ops, count, config, SWP_FRAGMENT_LOAD, CARRIED_ONLY, out);
}

/* Collects the edges of distance 0 that lie inside [begin, end), renumbered from 0. */
static swp_status edges_inside(swp_context *ctx, const swp_edge_list *edges, int begin, int end,
                               swp_edge_list *out)
{
    for (size_t i = 0; i < edges->count; i++) {
        swp_edge edge = edges->items[i];
        if (edge.distance != 0 || edge.producer < begin || edge.producer >= end ||
            edge.consumer < begin || edge.consumer >= end)
            continue;
        edge.producer -= begin;
        edge.consumer -= begin;
        SWP_TRY(SWP_PUSH(ctx, out, edge));
    }
    return SWP_OK;
}

static swp_status order_segment(swp_context *ctx, const swp_op *ops, const swp_edge_list *edges,
                                int begin, int end, swp_op_list *out)
{
    swp_edge_list inside = {0};
    swp_loop_body segment = {0};
    swp_solution solution = {0};
    SWP_TRY(edges_inside(ctx, edges, begin, end, &inside));
    SWP_TRY(swp_loop_body_init(ctx, ops + begin, (size_t)(end - begin), &inside, &segment));
    SWP_TRY(swp_optimal_schedule(ctx, &segment, SWP_NO_VGPR_LIMIT, &solution));
    for (size_t i = 0; i < solution.order.count; i++)
        SWP_TRY(SWP_PUSH(ctx, out, ops[begin + solution.order.items[i]]));
    return SWP_OK;
}

swp_status swp_optimize_within_barriers(swp_context *ctx, const swp_op *ops, size_t count,
                                        const swp_pipeline_config *config, swp_op_list *out)
{
    SWP_REQUIRE(ctx, ctx && (ops || count == 0) && config && out);
    swp_edge_list edges = {0};
    SWP_TRY(swp_derive_edges_from_ops(ctx, ops, count, config, &edges));
    int begin = 0;
    for (int i = 0; i <= (int)count; i++) {
        const bool barrier = i < (int)count && ops[i].tag == SWP_TAG_BARRIER;
        if (!barrier && i < (int)count)
            continue;
        SWP_TRY(order_segment(ctx, ops, &edges, begin, i, out));
        if (barrier)
            SWP_TRY(SWP_PUSH(ctx, out, ops[i]));
        begin = i + 1;
    }
    return SWP_OK;
}
