/* SPDX-License-Identifier: Apache-2.0 */
/* The loop dependence graph: validation, earliest and latest starts (docs/scheduling.md, "The lower bound"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "swp/graph.h"
#include "swp/reference.h"

#include <string.h>

swp_status swp_loop_body_init(swp_context *ctx, const swp_op *body, size_t count,
                              const swp_edge_list *edges, swp_loop_body *out)
{
    SWP_REQUIRE(ctx, ctx && (body || count == 0) && edges && out);
    *out = (swp_loop_body){.count = count};
    SWP_TRY(SWP_TAKE(ctx, count, &out->nodes));
    for (size_t i = 0; i < count; i++)
        out->nodes[i] = (swp_op_node){body[i], body[i].latency};
    for (size_t i = 0; i < edges->count; i++)
        SWP_TRY(SWP_PUSH(ctx, &out->edges, edges->items[i]));
    return SWP_OK;
}

static swp_status check_edge(swp_context *ctx, const swp_loop_body *body, size_t index)
{
    const swp_edge edge = body->edges.items[index];
    const int ends[2] = {edge.producer, edge.consumer};
    for (int i = 0; i < 2; i++)
        if (ends[i] < 0 || (size_t)ends[i] >= body->count)
            return swp_error(ctx, SWP_E0302, SWP_NOWHERE, "ops count from 0 in body order",
                             "edge %zu names op %d as its %s, but the body has %zu ops", index,
                             ends[i], i == 0 ? "producer" : "consumer", body->count);
    if (edge.distance < 0)
        return swp_error(ctx, SWP_E0305, SWP_NOWHERE,
                         "a consumer reads what was made 0 or more "
                         "iterations ago",
                         "edge %zu (op %d to op %d) has distance %d", index, edge.producer,
                         edge.consumer, edge.distance);
    if (edge.producer == edge.consumer && edge.distance == 0) {
        char buffer[SWP_OP_NAME_SIZE];
        return swp_error(
            ctx, SWP_E0303, SWP_NOWHERE, "give it a distance of 1 or more, or remove it",
            "edge %zu makes op %d (%s) wait for itself in the same iteration", index, edge.producer,
            swp_op_name(&ctx->op_namer, body->nodes[edge.producer].op.tag, buffer));
    }
    return SWP_OK;
}

/* Distance-0 edges grouped by consumer, and an order of the ops that respects them. */
typedef struct topology {
    int *waiting; /* distance-0 producers of an op that are not placed yet */
    int *order;
    size_t placed; /* less than the number of ops if there is a cycle */
} topology;

static bool is_immediate(const swp_edge *edge)
{
    return edge->distance == 0;
}

/* The edges out of each op, as a list of next[edge] starting at first[op]. */
typedef struct successors {
    int *first;
    int *next;
} successors;

static swp_status link_successors(swp_context *ctx, const swp_loop_body *body, successors *out)
{
    SWP_TRY(SWP_TAKE(ctx, body->count, &out->first));
    SWP_TRY(SWP_TAKE(ctx, body->edges.count, &out->next));
    for (size_t i = 0; i < body->count; i++)
        out->first[i] = -1;
    for (size_t i = body->edges.count; i-- > 0;) {
        const swp_edge *edge = &body->edges.items[i];
        if (!is_immediate(edge))
            continue;
        out->next[i] = out->first[edge->producer];
        out->first[edge->producer] = (int)i;
    }
    return SWP_OK;
}

static swp_status sort_topologically(swp_context *ctx, const swp_loop_body *body, topology *out)
{
    successors successor = {0};
    SWP_TRY(link_successors(ctx, body, &successor));
    SWP_TRY(SWP_TAKE(ctx, body->count, &out->waiting));
    SWP_TRY(SWP_TAKE(ctx, body->count, &out->order));
    out->placed = 0;
    for (size_t i = 0; i < body->edges.count; i++)
        out->waiting[body->edges.items[i].consumer] += is_immediate(&body->edges.items[i]);
    for (size_t i = 0; i < body->count; i++)
        if (out->waiting[i] == 0)
            out->order[out->placed++] = (int)i;
    for (size_t done = 0; done < out->placed; done++)
        for (int e = successor.first[out->order[done]]; e >= 0; e = successor.next[e]) {
            const int consumer = body->edges.items[e].consumer;
            if (--out->waiting[consumer] == 0)
                out->order[out->placed++] = consumer;
        }
    return SWP_OK;
}

/* A producer of `op` that waits for others too: on a cycle, or behind one. */
static int stuck_producer(const swp_loop_body *body, const topology *sorted, int op)
{
    for (size_t i = 0; i < body->edges.count; i++) {
        const swp_edge *edge = &body->edges.items[i];
        if (is_immediate(edge) && edge->consumer == op && sorted->waiting[edge->producer] > 0)
            return edge->producer;
    }
    return -1;
}

/* Going from producer to producer among the stuck ops must come round: that round is the cycle. */
static swp_status report_cycle(swp_context *ctx, const swp_loop_body *body, const topology *sorted)
{
    int op = 0;
    while (sorted->waiting[op] == 0)
        op++;
    for (size_t i = 0; i < body->count; i++)
        op = stuck_producer(body, sorted, op);
    int *cycle = NULL;
    size_t length = 0;
    SWP_TRY(SWP_TAKE(ctx, body->count, &cycle));
    const int start = op;
    do {
        cycle[length++] = op;
        op = stuck_producer(body, sorted, op);
    } while (op != start);
    swp_text text = {.ctx = ctx};
    char buffer[SWP_OP_NAME_SIZE];
    for (size_t i = 0; i <= length; i++) {
        const int at = cycle[(2 * length - 1 - i) % length];
        swp_text_format(&text, "%sop %d (%s)", i ? " -> " : "", at,
                        swp_op_name(&ctx->op_namer, body->nodes[at].op.tag, buffer));
    }
    char *path = NULL;
    SWP_TRY(swp_text_end(&text, &path, NULL));
    return swp_error(ctx, SWP_E0304, SWP_NOWHERE,
                     "one of these edges must have a distance of 1 or more",
                     "ops wait for each other in the same iteration: %s", path);
}

swp_status swp_loop_body_validate(swp_context *ctx, const swp_loop_body *body)
{
    SWP_REQUIRE(ctx, ctx && body);
    for (size_t i = 0; i < body->edges.count; i++)
        SWP_TRY(check_edge(ctx, body, i));
    topology sorted = {0};
    SWP_TRY(sort_topologically(ctx, body, &sorted));
    return sorted.placed == body->count ? SWP_OK : report_cycle(ctx, body, &sorted);
}

swp_status swp_loop_body_compute_asap(swp_context *ctx, const swp_loop_body *body, int64_t *asap)
{
    SWP_REQUIRE(ctx, ctx && body && asap);
    topology sorted = {0};
    successors successor = {0};
    SWP_TRY(sort_topologically(ctx, body, &sorted));
    SWP_TRY(link_successors(ctx, body, &successor));
    memset(asap, 0, body->count * sizeof *asap);
    for (size_t i = 0; i < sorted.placed; i++) {
        const int op = sorted.order[i];
        const int64_t finish = asap[op] + body->nodes[op].latency;
        for (int e = successor.first[op]; e >= 0; e = successor.next[e]) {
            int64_t *start = &asap[body->edges.items[e].consumer];
            if (finish > *start)
                *start = finish;
        }
    }
    return SWP_OK;
}

swp_status swp_loop_body_compute_alap(swp_context *ctx, const swp_loop_body *body, int64_t makespan,
                                      int64_t *alap)
{
    SWP_REQUIRE(ctx, ctx && body && alap);
    topology sorted = {0};
    successors successor = {0};
    SWP_TRY(sort_topologically(ctx, body, &sorted));
    SWP_TRY(link_successors(ctx, body, &successor));
    for (size_t i = sorted.placed; i-- > 0;) {
        const int op = sorted.order[i];
        int64_t end = makespan;
        for (int e = successor.first[op]; e >= 0; e = successor.next[e]) {
            const int64_t start = alap[body->edges.items[e].consumer];
            if (start < end)
                end = start;
        }
        alap[op] = end - body->nodes[op].latency;
    }
    return SWP_OK;
}
