/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises a GEMM by its dataflow alone, whatever its ops are called (docs/loops-proof.md, "GEMMs"). */
#include "ir/gemm_labels.h"

#include "base/names.h"
#include "ir/loop_dataflow.h"

typedef struct recogniser {
    const swp_loop *loop;
    swp_op *labels; /* of each op */
    int *side;      /* of each value: 1 + its number among the operands of its channel; 0: none */
    int *channel;   /* of a value with a side */
    int count[2];   /* operands of a channel: rows and columns */
} recogniser;

static swp_space space_of(const recogniser *r, int value)
{
    return r->loop->values[value].space;
}

static bool is_mma(const recogniser *r, const swp_loop_op *op)
{
    return op->when.kind == SWP_WHEN_ALWAYS && op->read_count == 2 && op->write_count == 0 &&
           op->update_count == 1 && op->reads[0].distance == 0 && op->reads[1].distance == 0 &&
           space_of(r, op->reads[0].value) == SWP_SPACE_REGISTERS &&
           space_of(r, op->reads[1].value) == SWP_SPACE_REGISTERS;
}

static bool is_fragment(const recogniser *r, const swp_loop_op *op)
{
    return op->read_count == 1 && op->write_count == 1 && op->update_count == 0 &&
           op->reads[0].distance == 0 && space_of(r, op->reads[0].value) == SWP_SPACE_SHARED &&
           space_of(r, op->writes[0]) == SWP_SPACE_REGISTERS;
}

static bool is_load(const recogniser *r, const swp_loop_op *op)
{
    return op->read_count == 0 && op->write_count == 1 && op->update_count == 0 &&
           space_of(r, op->writes[0]) == SWP_SPACE_SHARED;
}

static swp_role kind_of(const recogniser *r, const swp_loop_op *op)
{
    return is_mma(r, op)        ? SWP_COMPUTE
           : is_fragment(r, op) ? SWP_FRAGMENT_LOAD
           : is_load(r, op)     ? SWP_GLOBAL_LOAD
                                : SWP_ROLE_NONE;
}

/* The first operand of an MMA is a row of A, the second a column of B. */
static bool take_operand(recogniser *r, int channel, int value, int *number)
{
    if (r->side[value] == 0) {
        r->side[value] = ++r->count[channel];
        r->channel[value] = channel;
    }
    *number = r->side[value] - 1;
    return r->channel[value] == channel;
}

/* An op that hands a value on is what its taker needs; so is the value that it takes. */
static bool take_access(recogniser *r, const swp_loop_op *op, swp_op *label)
{
    const int made = op->writes[0];
    label->channel = r->channel[made];
    label->subtile = r->side[made] - 1;
    if (label->role == SWP_GLOBAL_LOAD) {
        label->k_offset = SWP_K0;
    } else {
        r->side[op->reads[0].value] = r->side[made];
        r->channel[op->reads[0].value] = r->channel[made];
    }
    return r->side[made] > 0;
}

static bool take(recogniser *r, size_t index)
{
    const swp_loop_op *op = &r->loop->ops[index];
    swp_op *label = &r->labels[index];
    if (label->role != SWP_COMPUTE)
        return take_access(r, op, label);
    return take_operand(r, 0, op->reads[0].value, &label->stage) &&
           take_operand(r, 1, op->reads[1].value, &label->subtile);
}

/* From the last ops of the dataflow to the first: MMAs name the operands, fragments and loads bring them. */
static bool take_all(recogniser *r)
{
    static const swp_role order[] = {SWP_COMPUTE, SWP_FRAGMENT_LOAD, SWP_GLOBAL_LOAD};
    for (size_t i = 0; i < r->loop->op_count; i++) {
        r->labels[i].role = kind_of(r, &r->loop->ops[i]);
        if (r->labels[i].role == SWP_ROLE_NONE)
            return false;
    }
    for (size_t k = 0; k < SWP_COUNT_OF(order); k++)
        for (size_t i = 0; i < r->loop->op_count; i++)
            if (r->labels[i].role == order[k] && !take(r, i))
                return false;
    return true;
}

static bool is_same_job(const recogniser *r, size_t i, size_t j)
{
    const swp_op *a = &r->labels[i];
    const swp_op *b = &r->labels[j];
    const bool same_sum = a->role == SWP_COMPUTE && b->role == SWP_COMPUTE &&
                          r->loop->ops[i].updates[0] == r->loop->ops[j].updates[0];
    return same_sum || (a->role == b->role && a->channel == b->channel &&
                        a->subtile == b->subtile && a->stage == b->stage);
}

/* One load and one fragment of each operand, one MMA and accumulator for each pair. */
static bool is_grid(const recogniser *r)
{
    const size_t operands = (size_t)r->count[0] + (size_t)r->count[1];
    const size_t pairs = (size_t)r->count[0] * (size_t)r->count[1];
    if (pairs == 0 || r->loop->op_count != pairs + 2 * operands)
        return false;
    for (size_t i = 0; i < r->loop->op_count; i++)
        for (size_t j = 0; j < i; j++)
            if (is_same_job(r, i, j))
                return false;
    return true;
}

swp_status swp_ir_gemm_label_body(swp_context *ctx, const swp_loop *loop, swp_op_list *body)
{
    recogniser r = {.loop = loop};
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &r.labels));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &r.side));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &r.channel));
    for (size_t i = 0; i < loop->op_count; i++)
        r.labels[i] = body->items[i];
    if (!take_all(&r) || !is_grid(&r))
        return SWP_OK;
    for (size_t i = 0; i < loop->op_count; i++)
        body->items[i] = r.labels[i];
    return SWP_OK;
}

bool swp_ir_gemm_is_labelled(const swp_schedule *schedule)
{
    for (size_t i = 0; schedule->dataflow && i < schedule->body.count; i++)
        if (schedule->body.items[i].role != SWP_ROLE_NONE)
            return true;
    return false;
}

/* The slot in shared memory that a load fills or a fragment comes from; 0: of anything else. */
static int slot_of(const swp_loop_dataflow *dataflow, const swp_op *op)
{
    const swp_loop_op *o = &dataflow->loop->ops[swp_loop_op_of_tag(op->tag)];
    const bool has_value = op->role == SWP_GLOBAL_LOAD ? o->write_count > 0 : o->read_count > 0;
    if (!has_value)
        return 0;
    const int value = op->role == SWP_GLOBAL_LOAD ? o->writes[0] : o->reads[0].value;
    return swp_ir_loop_slot(dataflow, value, op->iteration);
}

swp_op swp_ir_gemm_label_entry(const swp_schedule *schedule, const swp_op *entry, int kb)
{
    swp_op op = *entry;
    size_t i = 0;
    while (i < schedule->body.count && schedule->body.items[i].tag != op.tag)
        i++;
    if (i == schedule->body.count ||
        (size_t)swp_loop_op_of_tag(op.tag) >= schedule->dataflow->loop->op_count)
        return op;
    const swp_op *label = &schedule->body.items[i];
    op.role = label->role;
    op.channel = label->channel;
    op.subtile = label->subtile;
    op.stage = label->role == SWP_COMPUTE ? label->stage : slot_of(schedule->dataflow, &op);
    if (op.role == SWP_GLOBAL_LOAD)
        (void)swp_k_offset_of(op.iteration - kb, &op.k_offset);
    return op;
}
