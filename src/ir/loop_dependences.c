/* SPDX-License-Identifier: Apache-2.0 */
/* The edges that a loop's dataflow asks for (docs/loops.md, "Dependences"). */
#include "base/require.h"
#include "base/text.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_delays.h"
#include "ir/loop_instances.h"
#include "ir/loop_issue.h"

/* Both lists have a capacity of their own, but are one list. */
typedef struct edge_list {
    swp_problem_edge *items;
    size_t count;
    size_t capacity;
} edge_list;

typedef struct meaning_list {
    swp_loop_edge *items;
    size_t count;
    size_t capacity;
} meaning_list;

typedef struct builder {
    swp_context *ctx;
    const swp_loop *loop;
    const int *slots;
    edge_list edges;
    meaning_list meanings;
} builder;

static swp_status add_one(builder *b, swp_loop_edge meaning, swp_problem_edge edge)
{
    SWP_TRY(SWP_PUSH(b->ctx, &b->edges, edge));
    return SWP_PUSH(b->ctx, &b->meanings, meaning);
}

/* Within a role each instance has its own; all instances of one role depend on all of another one. */
static swp_status add(builder *b, swp_loop_edge meaning, swp_problem_edge edge)
{
    const swp_loop *loop = b->loop;
    const bool within = loop->ops[edge.producer].role == loop->ops[edge.consumer].role;
    const int producers = swp_ir_loop_instances(loop, edge.producer);
    const int consumers = swp_ir_loop_instances(loop, edge.consumer);
    for (int i = 0; i < producers; i++)
        for (int j = within ? i : 0; j < (within ? i + 1 : consumers); j++)
            SWP_TRY(add_one(b, meaning,
                            (swp_problem_edge){swp_ir_loop_op_of(loop, edge.producer, i),
                                               swp_ir_loop_op_of(loop, edge.consumer, j),
                                               edge.distance, edge.delay}));
    return SWP_OK;
}

/*
 * Whether the next iteration's version is made in the slot of this one's. If it may move, more slots must not be worse
 * than one, so nothing is made of the one.
 */
static bool stays_in_place(const builder *b, int value)
{
    return (!b->slots || b->slots[value] <= 1) && swp_ir_loop_most_slots(b->loop, value) == 1;
}

/* The reader comes before whatever changes what it reads: in its slot, or the slot itself. */
static swp_status add_replacing(builder *b, int value, int reader, int distance)
{
    const swp_loop *loop = b->loop;
    const int slots = b->slots ? b->slots[value] : 0;
    const int first = swp_ir_loop_first_maker(loop, value);
    const int next = distance == 0 ? swp_ir_loop_maker_after(loop, value, reader) : SWP_NO_OP;
    const swp_loop_edge meaning = {SWP_LOOP_REPLACES, value};
    if (next != SWP_NO_OP)
        SWP_TRY(
            add(b, meaning,
                (swp_problem_edge){reader, next, 0, swp_ir_until_read(loop, reader, value, next)}));
    if (slots == 0)
        return SWP_OK;
    return add(b, meaning,
               (swp_problem_edge){reader, first, slots - distance,
                                  swp_ir_until_read(loop, reader, value, first)});
}

static swp_status add_read(builder *b, int reader, const swp_loop_read *read)
{
    const swp_loop *loop = b->loop;
    const int maker = read->distance == 0 ? swp_ir_loop_maker_before(loop, read->value, reader)
                                          : swp_ir_loop_last_maker(loop, read->value);
    if (maker == SWP_NO_OP)
        return SWP_OK; /* an input: it is there before the loop, and stays */
    SWP_TRY(add(b, (swp_loop_edge){SWP_LOOP_READS, read->value},
                (swp_problem_edge){maker, reader, read->distance,
                                   swp_ir_until_there(loop, maker, reader, read->latency)}));
    return add_replacing(b, read->value, reader, read->distance);
}

/* What an update reads is in its own slot, or with several of them in the one before. */
static swp_status add_replacing_update(builder *b, int op, int value, bool is_first)
{
    const int slots = b->slots ? b->slots[value] : 0;
    const int next = swp_ir_loop_maker_after(b->loop, value, op);
    const int first = swp_ir_loop_first_maker(b->loop, value);
    const swp_loop_edge meaning = {SWP_LOOP_REPLACES, value};
    if (is_first && slots != 1)
        return slots == 0 ? SWP_OK
                          : add(b, meaning,
                                (swp_problem_edge){op, op, slots - 1,
                                                   swp_ir_until_read(b->loop, op, value, op)});
    if (next != SWP_NO_OP)
        return add(
            b, meaning,
            (swp_problem_edge){op, next, 0, swp_ir_until_updated(b->loop, op, value, next, true)});
    return slots == 0 ? SWP_OK
                      : add(b, meaning,
                            (swp_problem_edge){op, first, slots,
                                               swp_ir_until_updated(b->loop, op, value, first,
                                                                    stays_in_place(b, value))});
}

/* An update reads what the op before it made: in this iteration, or the last op of the one before. */
static swp_status add_update(builder *b, int op, int value)
{
    const swp_loop *loop = b->loop;
    const int before = swp_ir_loop_maker_before(loop, value, op);
    const int maker = before == SWP_NO_OP ? swp_ir_loop_last_maker(loop, value) : before;
    const bool is_first = before == SWP_NO_OP;
    const int64_t latency =
        swp_ir_until_handed_on(loop, value, maker, op, !is_first || stays_in_place(b, value));
    SWP_TRY(
        add(b, (swp_loop_edge){SWP_LOOP_READS, value},
            (swp_problem_edge){maker, op, is_first, swp_ir_until_there(loop, maker, op, latency)}));
    return add_replacing_update(b, op, value, is_first);
}

/* A slot is written again when what stands in it has landed, whether or not anybody reads it. */
static swp_status add_rewriting(builder *b, int value)
{
    const int first = swp_ir_loop_first_maker(b->loop, value);
    const int last = swp_ir_loop_last_maker(b->loop, value);
    const int slots = b->slots ? b->slots[value] : 0;
    if (first == SWP_NO_OP || slots == 0)
        return SWP_OK;
    return add(b, (swp_loop_edge){SWP_LOOP_REWRITES, value},
               (swp_problem_edge){
                   last, first, slots,
                   swp_ir_until_remade(b->loop, value, last, first, stays_in_place(b, value))});
}

static swp_status add_dataflow(builder *b)
{
    for (int i = 0; i < (int)b->loop->op_count; i++) {
        const swp_loop_op *op = &b->loop->ops[i];
        for (size_t r = 0; r < op->read_count; r++)
            SWP_TRY(add_read(b, i, &op->reads[r]));
        for (size_t u = 0; u < op->update_count; u++)
            SWP_TRY(add_update(b, i, op->updates[u]));
    }
    for (int value = 0; value < (int)b->loop->value_count; value++)
        SWP_TRY(add_rewriting(b, value));
    return SWP_OK;
}

/* All ops are within so many intervals of the mark; the other instances have the stages of the first ones. */
static swp_status add_stages(builder *b, int stages)
{
    const swp_loop_edge meaning = {SWP_LOOP_WITHIN, -1};
    const int mark = swp_ir_loop_problem_ops(b->loop);
    for (int i = 0; i < (int)b->loop->op_count && stages > 0; i++) {
        SWP_TRY(add_one(b, meaning, (swp_problem_edge){mark, i, 0, 0}));
        SWP_TRY(add_one(b, meaning, (swp_problem_edge){i, mark, stages, 1}));
    }
    return SWP_OK;
}

/* An op as each instance of its role does it. */
static swp_status build_op(builder *b, int index, swp_problem_op *ops)
{
    const swp_loop_op *op = &b->loop->ops[index];
    for (int i = 0; i < swp_ir_loop_instances(b->loop, index); i++) {
        char *name = NULL;
        if (i > 0)
            SWP_TRY(swp_format(b->ctx, &name, "%s of instance %d", op->name, i));
        swp_problem_op *out = &ops[swp_ir_loop_op_of(b->loop, index, i)];
        *out = (swp_problem_op){.name = i > 0 ? name : op->name, .latency = op->latency};
        SWP_TRY(swp_ir_loop_build_uses(b->ctx, b->loop, index, i, out));
    }
    return SWP_OK;
}

static swp_status build_ops(builder *b, int stages, swp_problem *problem)
{
    swp_problem_op *ops = NULL;
    const int mark = swp_ir_loop_problem_ops(b->loop);
    problem->op_count = (size_t)mark + (stages > 0);
    SWP_TRY(SWP_TAKE(b->ctx, problem->op_count, &ops));
    for (int i = 0; i < (int)b->loop->op_count; i++)
        SWP_TRY(build_op(b, i, ops));
    if (stages > 0)
        ops[mark] = (swp_problem_op){.name = "iteration"};
    problem->ops = ops;
    return SWP_OK;
}

swp_status swp_ir_loop_build_problem(swp_context *ctx, const swp_loop *loop, const int *slots,
                                     int stages, swp_loop_problem *out)
{
    builder b = {.ctx = ctx, .loop = loop, .slots = slots};
    *out = (swp_loop_problem){
        .problem = {.name = loop->name, .kind = SWP_PROBLEM_MODULO, .place = loop->place}};
    SWP_TRY(swp_ir_loop_build_units(ctx, loop, &out->problem));
    SWP_TRY(build_ops(&b, stages, &out->problem));
    SWP_TRY(add_dataflow(&b));
    SWP_TRY(add_stages(&b, stages));
    out->problem.edges = b.edges.items;
    out->problem.edge_count = b.edges.count;
    out->edges = b.meanings.items;
    return SWP_OK;
}

swp_status swp_loop_dependences(swp_context *ctx, const swp_loop *loop, const int *slots,
                                swp_loop_problem *out)
{
    SWP_REQUIRE(ctx, ctx && loop && out);
    return swp_ir_loop_build_problem(ctx, loop, slots, 0, out);
}
