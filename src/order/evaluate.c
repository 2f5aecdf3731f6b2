/* SPDX-License-Identifier: Apache-2.0 */
/* Applies the resource model to a whole order, and computes its lower bound (docs/scheduling.md). */
#include "base/diag.h"
#include "base/require.h"
#include "order/partial_order.h"

swp_status swp_evaluate_schedule(swp_context *ctx, const swp_loop_body *body,
                                 const swp_order *order, int lds_contention_penalty,
                                 swp_evaluation *out)
{
    SWP_REQUIRE(ctx, ctx && body && order && out);
    const swp_search search = {.lds_contention_penalty = lds_contention_penalty};
    swp_dag dag = {0};
    swp_partial partial = {0};
    if (order->count != body->count)
        return swp_error(ctx, SWP_E0405, SWP_NOWHERE, "an order is a permutation of the body",
                         "an order of %zu ops for a body of %zu", order->count, body->count);
    SWP_TRY(swp_loop_body_validate(ctx, body));
    SWP_TRY(swp_order_dag_build(ctx, body, &search, &dag));
    SWP_TRY(swp_order_partial_new(ctx, &dag, &partial));
    for (size_t i = 0; i < order->count; i++) {
        const int op = order->items[i];
        if (op < 0 || op >= dag.count || partial.placed[op])
            return swp_error(ctx, SWP_E0405, SWP_NOWHERE, "an order is a permutation of the body",
                             "position %zu of the order names op %d, which does not exist or "
                             "stands twice",
                             i, op);
        swp_order_partial_place(&partial, op);
    }
    *out = (swp_evaluation){.makespan = partial.makespan, .vgpr_peak = partial.peak};
    return SWP_OK;
}

/* Sums up the ops of one unit. */
typedef struct unit_sum {
    int64_t earliest; /* least ASAP start of the ops */
    int64_t latencies;
    int64_t least_latency;
    int64_t count;
} unit_sum;

static void add_to_unit(unit_sum *sum, int64_t asap, int64_t latency)
{
    if (sum->count == 0 || asap < sum->earliest)
        sum->earliest = asap;
    if (sum->count == 0 || latency < sum->least_latency)
        sum->least_latency = latency;
    sum->latencies += latency;
    sum->count++;
}

swp_status swp_makespan_lower_bound(swp_context *ctx, const swp_loop_body *body,
                                    int lds_contention_penalty, int64_t *out)
{
    SWP_REQUIRE(ctx, ctx && body && out);
    int64_t *asap = NULL;
    SWP_TRY(swp_loop_body_validate(ctx, body));
    SWP_TRY(SWP_TAKE(ctx, body->count, &asap));
    SWP_TRY(swp_loop_body_compute_asap(ctx, body, asap));
    unit_sum mma = {0};
    unit_sum valu = {0};
    unit_sum port = {0};
    int64_t bound = 0;
    for (size_t i = 0; i < body->count; i++) {
        const swp_resource resource = body->nodes[i].op.resource;
        const int64_t latency = body->nodes[i].latency;
        if (asap[i] + latency > bound)
            bound = asap[i] + latency;
        if (resource == SWP_MMA_UNIT)
            add_to_unit(&mma, asap[i], latency);
        else if (resource == SWP_VALU)
            add_to_unit(&valu, asap[i], latency);
        else if (resource == SWP_LDS || resource == SWP_GLOBAL_MEM)
            add_to_unit(&port, asap[i], latency);
    }
    const int64_t by_unit[] = {mma.earliest + mma.latencies, valu.earliest + valu.latencies,
                               lds_contention_penalty > 0 && port.count > 0
                                   ? (port.count - 1) * lds_contention_penalty + port.least_latency
                                   : 0};
    for (int i = 0; i < 3; i++)
        if (by_unit[i] > bound)
            bound = by_unit[i];
    *out = bound;
    return SWP_OK;
}
