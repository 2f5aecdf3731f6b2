/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders greedily; where that is legal, ops keep the order of their declaration
 * (docs/scheduling.md, "Greedy").
 */
#include "order/greedy.h"
#include "base/diag.h"
#include "base/require.h"
#include "order/partial_order.h"

/* Returns the lowest-index op of [begin, end) whose predecessors are all placed, or -1. */
static int lowest_ready(const swp_partial *partial, int begin, int end)
{
    for (int op = begin; op < end; op++)
        if (!partial->placed[op] && partial->waiting[op] == 0)
            return op;
    return -1;
}

static swp_status start(swp_context *ctx, const swp_loop_body *body, swp_dag *dag,
                        swp_partial *partial)
{
    const swp_search search = {0};
    SWP_TRY(swp_loop_body_validate(ctx, body));
    SWP_TRY(swp_order_dag_build(ctx, body, &search, dag));
    return swp_order_partial_new(ctx, dag, partial);
}

static void take_order(const swp_partial *partial, swp_order *order)
{
    *order = (swp_order){partial->order, (size_t)partial->count, (size_t)partial->count};
}

static bool place_block(swp_partial *partial, int begin, int end)
{
    for (;;) {
        const int op = lowest_ready(partial, begin, end);
        if (op < 0)
            return false;
        swp_order_partial_place(partial, op);
        if (partial->dag->ops[op].is_compute)
            return true;
    }
}

static int first_unplaced(const swp_partial *partial, int begin, int end)
{
    for (int op = begin; op < end; op++)
        if (!partial->placed[op])
            return op;
    return -1;
}

/* Returns the first op placed after the last COMPUTE, or -1 if a COMPUTE came last. */
static int first_after_compute(const swp_partial *partial)
{
    int at = partial->count;
    while (at > 0 && !partial->dag->ops[partial->order[at - 1]].is_compute)
        at--;
    return at < partial->count ? partial->order[at] : -1;
}

static int unplaced_producer(const swp_partial *partial, int op)
{
    const swp_dag_op *o = &partial->dag->ops[op];
    int i = 0;
    while (i + 1 < o->pred_count && partial->placed[o->preds[i]])
        i++;
    return o->preds[i];
}

/* Places each half. `*stuck` is the first op of a half that found no place before a COMPUTE, or -1. */
static void place_halves(swp_partial *partial, int halves, int blocks_per_half, int *stuck)
{
    const int count = partial->dag->count;
    *stuck = -1;
    for (int half = 0; half < halves && *stuck < 0; half++) {
        const int begin = (int)((int64_t)count * half / halves);
        const int end = (int)((int64_t)count * (half + 1) / halves);
        for (int block = 0; block < blocks_per_half; block++)
            if (!place_block(partial, begin, end))
                break;
        *stuck = first_unplaced(partial, begin, end);
        if (*stuck < 0)
            *stuck = first_after_compute(partial);
    }
}

swp_status swp_order_greedy_seed(swp_context *ctx, const swp_loop_body *body, int halves,
                                 int blocks_per_half, swp_order *order, bool *found)
{
    swp_dag dag = {0};
    swp_partial partial = {0};
    int stuck = -1;
    SWP_TRY(start(ctx, body, &dag, &partial));
    place_halves(&partial, halves, blocks_per_half, &stuck);
    take_order(&partial, order);
    *found = stuck < 0;
    return SWP_OK;
}

swp_status swp_greedy_schedule(swp_context *ctx, const swp_loop_body *body, int halves,
                               int blocks_per_half, swp_order *order)
{
    SWP_REQUIRE(ctx, ctx && body && order);
    swp_dag dag = {0};
    swp_partial partial = {0};
    int stuck = -1;
    SWP_TRY(start(ctx, body, &dag, &partial));
    place_halves(&partial, halves, blocks_per_half, &stuck);
    take_order(&partial, order);
    if (stuck < 0)
        return SWP_OK;
    char buffer[SWP_OP_NAME_SIZE];
    const char *name = swp_op_name(&ctx->op_namer, body->nodes[stuck].op.tag, buffer);
    const int half = (int)((int64_t)stuck * halves / (dag.count > 0 ? dag.count : 1));
    if (partial.waiting[stuck] > 0) {
        char other_buffer[SWP_OP_NAME_SIZE];
        const int other = unplaced_producer(&partial, stuck);
        return swp_error(ctx, SWP_E0402, SWP_NOWHERE, "move the op it waits for before it",
                         "greedy cannot place op %d (%s) of half %d: it waits for op %d (%s)",
                         stuck, name, half, other,
                         swp_op_name(&ctx->op_namer, body->nodes[other].op.tag, other_buffer));
    }
    return swp_error(ctx, SWP_E0402, SWP_NOWHERE,
                     "each half must end with a COMPUTE: move the op before it, or use csp",
                     "op %d (%s) of half %d is left after its last COMPUTE (%d blocks a half)",
                     stuck, name, half, blocks_per_half);
}

swp_status swp_simple_greedy_schedule(swp_context *ctx, const swp_loop_body *body, swp_order *order)
{
    SWP_REQUIRE(ctx, ctx && body && order);
    swp_dag dag = {0};
    swp_partial partial = {0};
    SWP_TRY(start(ctx, body, &dag, &partial));
    for (int op = lowest_ready(&partial, 0, dag.count); op >= 0;
         op = lowest_ready(&partial, 0, dag.count))
        swp_order_partial_place(&partial, op);
    take_order(&partial, order);
    return SWP_OK;
}
