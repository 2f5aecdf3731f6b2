/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places an op at the end of a partial order: computes its start from operands and units, and the
 * registers alive.
 */
#include "order/partial_order.h"

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

swp_order_rules swp_order_rules_of(const swp_search *search)
{
    const bool limited = search->max_vgpr < SWP_NO_VGPR_LIMIT;
    return (swp_order_rules){.halves = search->halves,
                             .max_globals_per_block = search->max_globals_per_block,
                             .max_vgpr = limited ? search->max_vgpr : INT64_MAX};
}

swp_status swp_order_partial_new(swp_context *ctx, const swp_dag *dag, swp_partial *out)
{
    const size_t count = (size_t)dag->count;
    *out = (swp_partial){.dag = dag};
    SWP_TRY(SWP_TAKE(ctx, count, &out->order));
    SWP_TRY(SWP_TAKE(ctx, count, &out->placed));
    SWP_TRY(SWP_TAKE(ctx, count, &out->waiting));
    SWP_TRY(SWP_TAKE(ctx, count, &out->finish));
    SWP_TRY(SWP_TAKE(ctx, count, &out->steps));
    for (int i = 0; i < dag->count; i++) {
        const swp_dag_op *op = &dag->ops[i];
        out->waiting[i] = op->pred_count;
        out->left[op->half]++;
        out->computes_left[op->half] += op->is_compute;
        out->globals_left[op->half] += op->is_global;
    }
    return SWP_OK;
}

/* Returns the half that the next position belongs to. */
static int half_of(const swp_partial *partial)
{
    return partial->count >= partial->dag->half_size;
}

/* Returns the latest finish of the op's predecessors, which must be placed. */
static int64_t ready_of(const swp_partial *partial, int op)
{
    const swp_dag_op *o = &partial->dag->ops[op];
    int64_t ready = 0;
    for (int p = 0; p < o->pred_count; p++)
        ready = greater(ready, partial->finish[o->preds[p]]);
    return ready;
}

int64_t swp_order_partial_start(const swp_partial *partial, int op)
{
    return greater(ready_of(partial, op), partial->free_at[partial->dag->ops[op].unit]);
}

void swp_order_partial_place(swp_partial *partial, int op)
{
    const swp_dag_op *o = &partial->dag->ops[op];
    const int64_t start = swp_order_partial_start(partial, op);
    partial->steps[partial->count] = (swp_partial_step){
        partial->free_at[o->unit], partial->makespan, partial->peak, partial->globals};
    partial->finish[op] = start + o->latency;
    if (o->unit != SWP_UNIT_NONE)
        partial->free_at[o->unit] = start + o->busy;
    partial->makespan = greater(partial->makespan, partial->finish[op]);
    partial->live += o->vgpr_def;
    partial->peak = greater(partial->peak, partial->live);
    partial->live -= o->vgpr_kill;
    partial->left[o->half]--;
    partial->computes_left[o->half] -= o->is_compute;
    partial->globals_left[o->half] -= o->is_global;
    partial->order[partial->count++] = op;
    partial->placed[op] = true;
    for (int s = 0; s < o->succ_count; s++)
        partial->waiting[o->succs[s]]--;
    partial->globals += o->is_global;
    if (o->is_compute || partial->count == partial->dag->half_size)
        partial->globals = 0;
}

void swp_order_partial_undo(swp_partial *partial)
{
    const int op = partial->order[--partial->count];
    const swp_dag_op *o = &partial->dag->ops[op];
    const swp_partial_step *step = &partial->steps[partial->count];
    partial->placed[op] = false;
    for (int s = 0; s < o->succ_count; s++)
        partial->waiting[o->succs[s]]++;
    partial->free_at[o->unit] = step->free_at;
    partial->makespan = step->makespan;
    partial->peak = step->peak;
    partial->globals = step->globals;
    partial->live += o->vgpr_kill - o->vgpr_def;
    partial->left[o->half]++;
    partial->computes_left[o->half] += o->is_compute;
    partial->globals_left[o->half] += o->is_global;
}

/* Returns whether the half can still end with a COMPUTE and place its loads after this op. */
static bool half_can_end(const swp_partial *partial, const swp_dag_op *op, int max_globals)
{
    const int half = op->half;
    const int computes = partial->computes_left[half] - op->is_compute;
    if (computes == 0 && partial->left[half] > 1)
        return false;
    if (max_globals == 0)
        return op->is_compute || computes > 0;
    const int used = op->is_compute ? 0 : partial->globals + op->is_global;
    const int64_t room =
        computes == 0 ? 0 : (int64_t)max_globals - used + (int64_t)(computes - 1) * max_globals;
    return (op->is_compute || computes > 0) && used <= max_globals &&
           partial->globals_left[half] - op->is_global <= room;
}

bool swp_order_partial_allows(const swp_partial *partial, int op, const swp_order_rules *rules)
{
    const swp_dag_op *o = &partial->dag->ops[op];
    if (partial->placed[op] || partial->waiting[op] > 0 || o->half != half_of(partial))
        return false;
    if (partial->live + o->vgpr_def > rules->max_vgpr)
        return false;
    return !rules->halves || half_can_end(partial, o, rules->max_globals_per_block);
}
