/* SPDX-License-Identifier: Apache-2.0 */
/* Finds why the ops of a pipeline are issued when they are: a dependence or a unit bars the cycle before. */
#include "order/loop_reasons.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"

/* At the same cycle the op of the older iteration stands first, as in the kernel. */
static bool stands_before(const swp_pipeline *p, const swp_order_reason *a,
                          const swp_order_reason *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (p->stage[a->op] != p->stage[b->op])
        return p->stage[a->op] > p->stage[b->op];
    return a->op < b->op;
}

static void list_ops(const swp_pipeline *p, swp_order_reason_list *out)
{
    for (int op = 0; op < (int)p->loop->op_count; op++) {
        const swp_order_reason reason = {.op = op,
                                         .after = -1,
                                         .late = -1,
                                         .start = p->answer.times[op] % p->answer.value,
                                         .binding_op = -1,
                                         .edge = -1,
                                         .unit = -1};
        size_t to = out->count++;
        for (; to > 0 && stands_before(p, &reason, &out->items[to - 1]); to--)
            out->items[to] = out->items[to - 1];
        out->items[to] = reason;
    }
}

/*
 * A lower rank says more: reading a value says more than needing its slot, and another op more than
 * the op itself.
 */
static int rank(const swp_pipeline *p, int edge)
{
    static const struct {
        int of_another;
        int of_itself;
    } ranks[] = {[SWP_LOOP_READS] = {0, 4},
                 [SWP_LOOP_REPLACES] = {1, 5},
                 [SWP_LOOP_REWRITES] = {2, 6},
                 [SWP_LOOP_WITHIN] = {3, 7}};
    const swp_problem_edge *e = &p->problem.problem.edges[edge];
    const swp_loop_edge_kind kind = p->problem.edges[edge].kind;
    return e->producer == e->consumer ? ranks[kind].of_itself : ranks[kind].of_another;
}

static void read_edges(const swp_pipeline *p, const int *position, swp_order_reason *reason)
{
    for (int i = 0; i < (int)p->problem.problem.edge_count; i++) {
        const swp_problem_edge *e = &p->problem.problem.edges[i];
        if (e->consumer != reason->op || !swp_ir_loop_is_tight(p, e) ||
            (reason->edge >= 0 && rank(p, reason->edge) <= rank(p, i)))
            continue;
        reason->constraint = SWP_BOUND_BY_EDGE;
        reason->binding_op = position[e->producer];
        reason->edge = i;
    }
}

/* Returns how much of a unit an op issued at `time` holds in a cycle of the interval. */
static int64_t held_at(const swp_pipeline *p, int op, int unit, int64_t time, int64_t cycle)
{
    const swp_problem_op *o = &p->problem.problem.ops[op];
    const int64_t interval = p->answer.value;
    const int64_t since = ((cycle - time) % interval + interval) % interval;
    int64_t held = 0;
    for (size_t u = 0; u < o->use_count; u++)
        if (o->uses[u].resource == unit)
            held += o->uses[u].amount *
                    (o->uses[u].cycles / interval + (since < o->uses[u].cycles % interval));
    return held;
}

/*
 * All uses of an op begin with its issue. So issuing it a cycle sooner adds a hold in that cycle
 * and in no other.
 */
static bool is_busy(const swp_pipeline *p, int op, int unit, int *binding_op)
{
    const int64_t before = p->answer.times[op] - 1;
    int64_t held = held_at(p, op, unit, before, before);
    for (int other = 0; other < (int)p->problem.problem.op_count; other++) {
        const int64_t own =
            other == op ? 0 : held_at(p, other, unit, p->answer.times[other], before);
        held += own;
        *binding_op = own > 0 ? other : *binding_op;
    }
    return held > p->problem.problem.resources[unit].capacity;
}

static void read_units(const swp_pipeline *p, const int *position, swp_order_reason *reason)
{
    const swp_problem_op *op = &p->problem.problem.ops[reason->op];
    for (size_t u = 0; u < op->use_count && reason->constraint == SWP_BOUND_BY_NOTHING; u++) {
        int binding_op = reason->op;
        if (!is_busy(p, reason->op, op->uses[u].resource, &binding_op))
            continue;
        reason->constraint = SWP_BOUND_BY_UNIT;
        reason->unit = op->uses[u].resource;
        reason->binding_op = position[binding_op];
    }
}

/* Ops of other instances get the position of the first instance's op. */
static void list_positions(const swp_pipeline *p, const swp_order_reason_list *order, int *position)
{
    for (size_t i = 0; i < order->count; i++) {
        const int op = order->items[i].op;
        for (int instance = 0; instance < swp_ir_loop_instances(p->loop, op); instance++)
            position[swp_ir_loop_op_of(p->loop, op, instance)] = (int)i;
    }
}

swp_status swp_order_explain_loop(swp_context *ctx, const swp_pipeline *p,
                                  swp_order_reason_list *out)
{
    int *position = NULL;
    *out = (swp_order_reason_list){.capacity = p->loop->op_count};
    SWP_TRY(SWP_TAKE(ctx, p->loop->op_count, &out->items));
    SWP_TRY(SWP_TAKE(ctx, p->problem.problem.op_count, &position));
    list_ops(p, out);
    list_positions(p, out, position);
    for (size_t i = 0; i < out->count; i++) {
        read_edges(p, position, &out->items[i]);
        read_units(p, position, &out->items[i]);
    }
    return SWP_OK;
}
