/* SPDX-License-Identifier: Apache-2.0 */
/* Finds why the ops of an order stand where they do: it follows the resource model op by op. */
#include "swp/explain.h"

#include "base/require.h"
#include "order/loop_reasons.h"
#include "order/partial_order.h"

#include <string.h>

/* The state of the model while it follows the order. */
typedef struct walk {
    const swp_schedule *schedule;
    swp_dag dag;
    swp_partial partial;
    int *position;                   /* of each op */
    int last_on[SWP_UNIT_COUNT + 1]; /* position of each unit's last op; -1: none yet */
} walk;

static swp_status start(swp_context *ctx, const swp_schedule *schedule, walk *w)
{
    const swp_search search = {.lds_contention_penalty = schedule->schedule.lds_contention_penalty};
    swp_loop_body body = {0};
    w->schedule = schedule;
    SWP_TRY(swp_loop_body_init(ctx, schedule->body.items, schedule->body.count, &schedule->edges,
                               &body));
    /* The evaluation also refuses an order that is no permutation. */
    SWP_TRY(swp_evaluate_schedule(ctx, &body, &schedule->order, search.lds_contention_penalty,
                                  &(swp_evaluation){0}));
    SWP_TRY(swp_order_dag_build(ctx, &body, &search, &w->dag));
    SWP_TRY(swp_order_partial_new(ctx, &w->dag, &w->partial));
    SWP_TRY(SWP_TAKE(ctx, body.count, &w->position));
    for (size_t i = 0; i < body.count; i++)
        w->position[schedule->order.items[i]] = (int)i;
    for (int unit = 0; unit <= SWP_UNIT_COUNT; unit++)
        w->last_on[unit] = -1;
    return SWP_OK;
}

static void read_edges(const walk *w, int position, swp_order_reason *reason)
{
    for (size_t i = 0; i < w->schedule->edges.count; i++) {
        const swp_edge *edge = &w->schedule->edges.items[i];
        if (edge->consumer != reason->op || edge->distance != 0)
            continue;
        const int producer = w->position[edge->producer];
        if (producer > position) {
            reason->late = producer;
            continue;
        }
        if (producer > reason->after) {
            reason->after = producer;
            reason->kind = edge->kind;
        }
        if (reason->start > 0 && w->partial.finish[edge->producer] == reason->start &&
            producer > reason->binding_op) {
            reason->constraint = SWP_BOUND_BY_EDGE;
            reason->binding_op = producer;
        }
    }
}

/* An edge that holds the op as long comes first, so a unit is named only if there is none. */
static void read_unit(const walk *w, swp_order_reason *reason)
{
    const swp_unit unit = w->dag.ops[reason->op].unit;
    if (reason->constraint != SWP_BOUND_BY_NOTHING || reason->start == 0)
        return;
    reason->constraint = SWP_BOUND_BY_UNIT;
    reason->binding_op = w->last_on[unit];
}

static swp_status explain(swp_context *ctx, const swp_schedule *schedule,
                          swp_order_reason_list *out)
{
    walk w = {0};
    SWP_TRY(start(ctx, schedule, &w));
    for (size_t i = 0; i < schedule->order.count; i++) {
        const int op = schedule->order.items[i];
        swp_order_reason reason = {.op = op,
                                   .after = -1,
                                   .late = -1,
                                   .start = swp_order_partial_start(&w.partial, op),
                                   .binding_op = -1,
                                   .edge = -1,
                                   .unit = -1};
        read_edges(&w, (int)i, &reason);
        read_unit(&w, &reason);
        swp_order_partial_place(&w.partial, op);
        w.last_on[w.dag.ops[op].unit] = (int)i;
        out->items[out->count++] = reason;
    }
    return SWP_OK;
}

static swp_status explain_body(swp_context *ctx, const swp_schedule *schedule,
                               swp_order_reason_list *out)
{
    const size_t count = schedule->order.count;
    *out = (swp_order_reason_list){.capacity = count};
    if (count == 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, count, &out->items));
    /*
     * Errors of the graph do not concern a reader who asks about waits and barriers, so they go to
     * a scratch context.
     */
    swp_context *scratch = swp_context_within(ctx);
    if (!scratch)
        return swp_out_of_memory(ctx);
    swp_status status = explain(scratch, schedule, out);
    if (status == SWP_INVALID) {
        size_t diag_count = 0;
        char *reason = NULL;
        const swp_diag *diags = swp_context_diags(scratch, &diag_count);
        const char *message = diag_count > 0 ? diags[0].message : "";
        status = swp_copy_text(ctx, message, strlen(message), &reason);
        out->unexplained = reason;
        out->count = 0;
    }
    swp_context_free(scratch);
    return swp_pass_on(ctx, status);
}

swp_status swp_explain_order(swp_context *ctx, const swp_schedule *schedule,
                             swp_order_reason_list *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    *out = (swp_order_reason_list){0};
    if (schedule->pipeline)
        return swp_order_explain_loop(ctx, schedule->pipeline, out);
    if (!schedule->dataflow)
        return explain_body(ctx, schedule, out);
    out->unexplained = "its cycles in the interval are not known";
    return SWP_OK;
}
