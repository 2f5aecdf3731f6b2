/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches the prefixes of an order depth first. A prefix is given up:
 * - when a remaining op cannot end in time, by the longest paths or by the load of a unit;
 * - when a state of the same ops that was nowhere later is known to be refuted.
 * Of orders that differ in nothing that matters only one is tried. Ops that take no unit and no
 * register come as soon as they can. Equal ops come in index order. No op waits for its unit while
 * another could have finished on it.
 */
#include "order/branch_and_bound.h"

#include <string.h>

static int64_t urgency(const swp_dag_op *op)
{
    return op->latency + op->tail;
}

static swp_status rank(swp_context *ctx, const swp_dag *dag, int **out)
{
    SWP_TRY(SWP_TAKE(ctx, (size_t)dag->count, out));
    for (int i = 0; i < dag->count; i++) {
        int at = i;
        for (; at > 0 && urgency(&dag->ops[(*out)[at - 1]]) < urgency(&dag->ops[i]); at--)
            (*out)[at] = (*out)[at - 1];
        (*out)[at] = i;
    }
    return SWP_OK;
}

swp_status swp_order_decider_new(swp_context *ctx, const swp_dag *dag, const swp_search *search,
                                 swp_budget *budget, swp_decider *out)
{
    const size_t count = (size_t)dag->count;
    *out = (swp_decider){.dag = dag, .rules = swp_order_rules_of(search), .budget = budget};
    for (int i = 0; i < dag->count; i++)
        out->total_def += dag->ops[i].vgpr_def;
    SWP_TRY(swp_order_refuted_new(ctx, &out->refuted));
    SWP_TRY(swp_order_partial_new(ctx, dag, &out->partial));
    SWP_TRY(rank(ctx, dag, &out->ranking));
    SWP_TRY(SWP_TAKE(ctx, count, &out->cursor));
    SWP_TRY(SWP_TAKE(ctx, count, &out->open)); // NOLINT(bugprone-sizeof-expression): pointers
    SWP_TRY(SWP_TAKE(ctx, count, &out->head));
    SWP_TRY(SWP_TAKE(ctx, count, &out->lateness));
    SWP_TRY(SWP_TAKE(ctx, count, &out->jobs));
    return SWP_TAKE(ctx, count, &out->heap);
}

void swp_order_decider_free(swp_decider *decider)
{
    swp_order_refuted_free(&decider->refuted);
}

static bool registers_matter(const swp_decider *d)
{
    return d->rules.max_vgpr < d->total_def;
}

/* Returns whether the rules count this op as a load or as an MMA, which bounds its order against others. */
static bool is_counted(const swp_decider *d, const swp_dag_op *op)
{
    return d->rules.halves &&
           (op->is_compute || (op->is_global && d->rules.max_globals_per_block > 0));
}

/* Returns an op that takes nothing from any other if it comes now, or -1. */
static int free_op(const swp_decider *d)
{
    for (int i = 0; i < d->dag->count; i++) {
        const swp_dag_op *op = &d->dag->ops[i];
        if (op->unit == SWP_UNIT_NONE && !is_counted(d, op) &&
            (op->vgpr_def == 0 || !registers_matter(d)) &&
            swp_order_partial_allows(&d->partial, i, &d->rules))
            return i;
    }
    return -1;
}

/* Computes the earliest starts of the remaining ops; returns false if one of them ends too late. */
static bool compute_heads(swp_decider *d, int64_t target)
{
    const swp_partial *partial = &d->partial;
    for (int t = 0; t < d->dag->count; t++) {
        const int i = d->dag->topological[t];
        const swp_dag_op *op = &d->dag->ops[i];
        if (partial->placed[i])
            continue;
        int64_t head = partial->free_at[op->unit];
        for (int p = 0; p < op->pred_count; p++) {
            const int pred = op->preds[p];
            const int64_t finish = partial->placed[pred]
                                       ? partial->finish[pred]
                                       : d->head[pred] + d->dag->ops[pred].latency;
            if (finish > head)
                head = finish;
        }
        d->head[i] = head;
        if (head + op->latency + op->tail > target)
            return false;
    }
    return true;
}

/* Collects the jobs of one unit in one half; none starts before `free_at`. */
static int collect_jobs(swp_decider *d, swp_unit unit, int half, int64_t free_at, int64_t target)
{
    const int begin = half == 0 ? 0 : d->dag->half_size;
    const int end = half == 0 ? d->dag->half_size : d->dag->count;
    int count = 0;
    for (int i = begin; i < end; i++) {
        const swp_dag_op *op = &d->dag->ops[i];
        if (op->unit != unit || d->partial.placed[i])
            continue;
        const int64_t head = d->head[i] > free_at ? d->head[i] : free_at;
        d->jobs[count++] = (swp_job){head, op->busy, target - op->tail - op->latency + op->busy};
    }
    return count;
}

static bool units_fit(swp_decider *d, int64_t target)
{
    for (int unit = 0; unit < SWP_UNIT_COUNT; unit++) {
        int64_t free_at = d->partial.free_at[unit];
        for (int half = 0; half < 2; half++) {
            const int count = collect_jobs(d, (swp_unit)unit, half, free_at, target);
            if (!swp_order_unit_load_fits(d->jobs, count, free_at, d->heap, &free_at))
                return false;
        }
    }
    return true;
}

/* Opens the node at the current position; `*hopeful` is false if no completion can meet the target. */
static swp_status open_node(swp_context *ctx, swp_decider *d, int64_t target, bool *hopeful)
{
    const int depth = d->partial.count;
    d->cursor[depth] = 0;
    *hopeful = compute_heads(d, target) && units_fit(d, target);
    if (!*hopeful)
        return SWP_OK;
    int left = 0;
    for (int i = 0; i < d->dag->count; i++)
        if (!d->partial.placed[i])
            d->lateness[left++] = d->head[i] - target;
    const swp_refuted_key key = {d->partial.placed, d->dag->count, d->partial.globals,
                                 registers_matter(d) ? d->rules.max_vgpr : INT64_MAX};
    *hopeful = !swp_order_refuted_covers(&d->refuted, &key, d->lateness, left);
    return *hopeful
               ? swp_order_refuted_add(ctx, &d->refuted, &key, d->lateness, left, &d->open[depth])
               : SWP_OK;
}

/* Returns whether another op could come and go on the unit before this one starts. */
static bool unit_would_idle(const swp_decider *d, int op, int64_t start)
{
    const swp_unit unit = d->dag->ops[op].unit;
    if (unit == SWP_UNIT_NONE || registers_matter(d))
        return false;
    for (int i = 0; i < d->dag->count; i++) {
        const swp_dag_op *other = &d->dag->ops[i];
        if (i != op && other->unit == unit && other->busy > 0 && !is_counted(d, other) &&
            swp_order_partial_allows(&d->partial, i, &d->rules) &&
            swp_order_partial_start(&d->partial, i) + other->busy <= start)
            return true;
    }
    return false;
}

static bool worth_trying(const swp_decider *d, int op, int64_t target)
{
    const swp_dag_op *o = &d->dag->ops[op];
    if (!swp_order_partial_allows(&d->partial, op, &d->rules) ||
        (o->twin >= 0 && !d->partial.placed[o->twin]))
        return false;
    const int64_t start = swp_order_partial_start(&d->partial, op);
    return start + o->latency + o->tail <= target && !unit_would_idle(d, op, start);
}

/* Places the next candidate of the node; returns false if it has none left. */
static bool advance(swp_decider *d, int64_t target)
{
    const int depth = d->partial.count;
    while (d->cursor[depth] < d->dag->count) {
        const int op = d->ranking[d->cursor[depth]++];
        if (worth_trying(d, op, target)) {
            swp_order_partial_place(&d->partial, op);
            return true;
        }
    }
    return false;
}

/* Places a free op, or opens a node and places its first candidate. `*branched` is false at a dead end. */
static swp_status branch(swp_context *ctx, swp_decider *d, int64_t target, bool *branched)
{
    const int depth = d->partial.count;
    const int op = free_op(d);
    d->open[depth] = NULL;
    if (op >= 0) {
        d->cursor[depth] = d->dag->count;
        swp_order_partial_place(&d->partial, op);
        *branched = d->partial.makespan <= target;
        if (!*branched)
            swp_order_partial_undo(&d->partial);
        return SWP_OK;
    }
    SWP_TRY(open_node(ctx, d, target, branched));
    *branched = *branched && advance(d, target);
    return SWP_OK;
}

/* Goes back to the last node with a candidate left and places that; returns false if there is none. */
static bool backtrack(swp_decider *d, int base, int64_t target)
{
    while (d->partial.count > base) {
        swp_order_partial_undo(&d->partial);
        if (advance(d, target))
            return true;
    }
    return false;
}

/* Nodes that are still open were not refuted, so their states are withdrawn. */
static void leave(swp_decider *d, int base)
{
    while (d->partial.count > base) {
        swp_order_partial_undo(&d->partial);
        swp_order_refuted_withdraw(d->open[d->partial.count]);
    }
}

/* A node looks at all ops, which costs so many steps for each. */
enum { STEPS_OF_AN_OP = 16 };

static swp_status search(swp_context *ctx, swp_decider *d, int64_t target, swp_decision *answer)
{
    const int base = d->partial.count;
    while (d->partial.count < d->dag->count) {
        bool branched = false;
        *answer = SWP_UNDECIDED;
        swp_budget_count(d->budget, STEPS_OF_AN_OP * (uint64_t)d->dag->count);
        if (!swp_budget_spend(d->budget)) {
            if (d->partial.count < d->dag->count)
                d->open[d->partial.count] = NULL;
            return SWP_OK;
        }
        SWP_TRY(branch(ctx, d, target, &branched));
        *answer = SWP_REFUTED;
        if (!branched && !backtrack(d, base, target))
            return SWP_OK;
    }
    *answer = SWP_FOUND;
    return SWP_OK;
}

swp_status swp_order_branch_and_bound(swp_context *ctx, swp_decider *decider, int64_t makespan,
                                      int64_t max_vgpr, int *order, swp_decision *answer)
{
    const int base = decider->partial.count;
    decider->rules.max_vgpr = max_vgpr;
    const swp_status status = search(ctx, decider, makespan, answer);
    if (status == SWP_OK && *answer == SWP_FOUND)
        memcpy(order, decider->partial.order, (size_t)decider->dag->count * sizeof *order);
    leave(decider, base);
    return status;
}
