/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the graph of a body: edges without repeats, a topological order, tails (longest paths to
 * the end), and twins.
 */
#include "order/dag.h"

static swp_unit unit_of(const swp_op *op, int penalty)
{
    switch (op->resource) {
    case SWP_MMA_UNIT:
        return SWP_UNIT_MMA;
    case SWP_VALU:
        return SWP_UNIT_VALU;
    case SWP_LDS:
    case SWP_GLOBAL_MEM:
        return penalty > 0 ? SWP_UNIT_PORT : SWP_UNIT_NONE;
    default:
        return SWP_UNIT_NONE;
    }
}

static swp_dag_op dag_op(const swp_op_node *node, int penalty, int half)
{
    const swp_unit unit = unit_of(&node->op, penalty);
    return (swp_dag_op){.latency = node->latency,
                        .busy = unit == SWP_UNIT_PORT ? penalty : node->latency,
                        .vgpr_def = node->op.vgpr_def,
                        .vgpr_kill = node->op.vgpr_kill,
                        .unit = unit,
                        .is_compute = node->op.role == SWP_COMPUTE,
                        .is_global = node->op.role == SWP_GLOBAL_LOAD,
                        .half = half,
                        .twin = -1};
}

/* The neighbours of all ops in one array, in which those of one op stand together. */
typedef struct neighbours {
    int *begin; /* count + 1 of them */
    int *items;
} neighbours;

static swp_status collect(swp_context *ctx, const swp_loop_body *body, bool consumers,
                          neighbours *out)
{
    SWP_TRY(SWP_TAKE(ctx, body->count + 2, &out->begin));
    SWP_TRY(SWP_TAKE(ctx, body->edges.count, &out->items));
    /* The counts go to begin[i + 2], so that begin[i + 1] can advance while the rows are filled. */
    for (size_t e = 0; e < body->edges.count; e++) {
        const swp_edge *edge = &body->edges.items[e];
        if (edge->distance == 0)
            out->begin[(consumers ? edge->producer : edge->consumer) + 2]++;
    }
    for (size_t i = 0; i + 1 < body->count + 2; i++)
        out->begin[i + 1] += out->begin[i];
    for (size_t e = 0; e < body->edges.count; e++) {
        const swp_edge *edge = &body->edges.items[e];
        if (edge->distance != 0)
            continue;
        const int of = consumers ? edge->producer : edge->consumer;
        out->items[out->begin[of + 1]++] = consumers ? edge->consumer : edge->producer;
    }
    return SWP_OK;
}

static int drop_repeats(int *items, int count)
{
    /* Edge lists are short, and are sorted by rule and not by op, so a plain comparison of all does. */
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int j = 0; j < kept && !seen; j++)
            seen = items[j] == items[i];
        if (!seen)
            items[kept++] = items[i];
    }
    return kept;
}

static void sort_topologically(swp_dag *dag, int *waiting)
{
    int placed = 0;
    for (int i = 0; i < dag->count; i++) {
        waiting[i] = dag->ops[i].pred_count;
        if (waiting[i] == 0)
            dag->topological[placed++] = i;
    }
    for (int done = 0; done < placed; done++) {
        const swp_dag_op *op = &dag->ops[dag->topological[done]];
        for (int s = 0; s < op->succ_count; s++)
            if (--waiting[op->succs[s]] == 0)
                dag->topological[placed++] = op->succs[s];
    }
}

static void compute_tails(swp_dag *dag)
{
    for (int i = dag->count; i-- > 0;) {
        swp_dag_op *op = &dag->ops[dag->topological[i]];
        for (int s = 0; s < op->succ_count; s++) {
            const swp_dag_op *succ = &dag->ops[op->succs[s]];
            if (succ->latency + succ->tail > op->tail)
                op->tail = succ->latency + succ->tail;
        }
    }
}

static bool same_set(const int *a, int a_count, const int *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++) {
        bool found = false;
        for (int j = 0; j < b_count && !found; j++)
            found = a[i] == b[j];
        if (!found)
            return false;
    }
    return true;
}

static bool are_twins(const swp_dag_op *a, const swp_dag_op *b)
{
    return a->latency == b->latency && a->busy == b->busy && a->unit == b->unit &&
           a->vgpr_def == b->vgpr_def && a->vgpr_kill == b->vgpr_kill &&
           a->is_compute == b->is_compute && a->is_global == b->is_global && a->half == b->half &&
           same_set(a->preds, a->pred_count, b->preds, b->pred_count) &&
           same_set(a->succs, a->succ_count, b->succs, b->succ_count);
}

/* Twins make the search of small bodies much shorter; in huge ones finding them would cost more. */
enum { MOST_OPS_FOR_TWINS = 512 };

static void find_twins(swp_dag *dag)
{
    if (dag->count > MOST_OPS_FOR_TWINS)
        return;
    for (int i = 0; i < dag->count; i++)
        for (int j = i - 1; j >= 0 && dag->ops[i].twin < 0; j--)
            if (are_twins(&dag->ops[i], &dag->ops[j]))
                dag->ops[i].twin = j;
}

swp_status swp_order_dag_build(swp_context *ctx, const swp_loop_body *body,
                               const swp_search *search, swp_dag *out)
{
    neighbours preds = {0};
    neighbours succs = {0};
    int *waiting = NULL;
    out->count = (int)body->count;
    out->half_size = search->halves ? out->count / 2 : out->count;
    SWP_TRY(SWP_TAKE(ctx, body->count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, body->count, &out->topological));
    SWP_TRY(SWP_TAKE(ctx, body->count, &waiting));
    SWP_TRY(collect(ctx, body, false, &preds));
    SWP_TRY(collect(ctx, body, true, &succs));
    for (int i = 0; i < out->count; i++) {
        swp_dag_op *op = &out->ops[i];
        *op = dag_op(&body->nodes[i], search->lds_contention_penalty, i >= out->half_size);
        op->preds = preds.items + preds.begin[i];
        op->succs = succs.items + succs.begin[i];
        op->pred_count =
            drop_repeats(preds.items + preds.begin[i], preds.begin[i + 1] - preds.begin[i]);
        op->succ_count =
            drop_repeats(succs.items + succs.begin[i], succs.begin[i + 1] - succs.begin[i]);
    }
    sort_topologically(out, waiting);
    compute_tails(out);
    find_twins(out);
    return SWP_OK;
}
