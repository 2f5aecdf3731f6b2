/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_conditions.h"

#include <string.h>

static const swp_loop_when some = {.kind = SWP_WHEN_USER};

static bool is_register(const draft *d, int value)
{
    return d->values[value].space == SWP_SPACE_REGISTERS;
}

static bool makes(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (op->writes[i] == value)
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (op->updates[i] == value)
            return true;
    return false;
}

static bool is_made_before(const swp_loop_op *ops, int op, int value)
{
    for (int i = 0; i < op; i++)
        if (makes(&ops[i], value))
            return true;
    return false;
}

/* Ordinary, and nothing but registers that it reads and updates. */
static bool may_have_condition(const draft *d, int index)
{
    const swp_loop_op *op = &d->ops[index];
    if (op->completion != SWP_COMPLETION_NONE || op->write_count > 0 || op->update_count == 0)
        return false;
    for (size_t i = 0; i < op->read_count; i++)
        if (!is_register(d, op->reads[i].value))
            return false;
    for (size_t i = 0; i < op->update_count; i++)
        if (!is_register(d, op->updates[i]) ||
            (d->slots[op->updates[i]] > 1 && !is_made_before(d->ops, index, op->updates[i])))
            return false;
    return true;
}

/* A register that the op updates, or reads of its own iteration; -1: none. */
static int register_of(const draft *d, int index)
{
    const swp_loop_op *op = &d->ops[index];
    for (size_t i = 0; i < op->update_count; i++)
        if (is_register(d, op->updates[i]))
            return op->updates[i];
    for (size_t i = 0; i < op->read_count; i++)
        if (is_register(d, op->reads[i].value) && op->reads[i].distance == 0)
            return op->reads[i].value;
    return -1;
}

/* In front of an op, in sequential order. */
static void insert_op(draft *d, int at, int value)
{
    const int added = draft_add_op(d, "MASK", SWP_COMPLETION_NONE);
    draft_updates(d, added, value);
    const swp_loop_op mask = d->ops[added];
    memmove(&d->ops[at + 1], &d->ops[at], (size_t)(added - at) * sizeof *d->ops);
    d->ops[at] = mask;
    for (int b = 0; b < d->body_count; b++)
        for (int i = 0; i < d->bodies[b].count; i++) {
            swp_op *op = &d->bodies[b].lines[i].op;
            if (!swp_infrastructure_name(op->tag) && swp_loop_op_of_tag(op->tag) >= at)
                op->tag = swp_tag_of_loop_op(swp_loop_op_of_tag(op->tag) + 1);
        }
}

static void insert_line(draft_body *body, int at, int op)
{
    draft_line line = body->lines[at];
    line.op.tag = swp_tag_of_loop_op(op);
    (void)draft_add_line(body, line.op, line.stage);
    memmove(&body->lines[at + 1], &body->lines[at],
            (size_t)(body->count - 1 - at) * sizeof *body->lines);
    body->lines[at] = line;
    for (int i = 0; i < body->count; i++)
        body->lines[i].commit += body->lines[i].commit >= at;
}

static int lines_of(const draft_body *body, int op)
{
    int count = 0;
    for (int i = 0; i < body->count; i++)
        count += body->lines[i].op.tag == swp_tag_of_loop_op(op);
    return count;
}

/* In front of an op: a new one, wherever that stands. */
static void insert(draft *d, int at)
{
    insert_op(d, at, register_of(d, at));
    for (int b = 0; b < d->body_count; b++)
        for (int i = 0; i < d->bodies[b].count; i++)
            if (d->bodies[b].lines[i].op.tag == swp_tag_of_loop_op(at + 1))
                insert_line(&d->bodies[b], i++, at);
}

static bool has_room(const draft *d, int op)
{
    for (int b = 0; b < d->body_count; b++)
        if (d->bodies[b].count + lines_of(&d->bodies[b], op) > DRAFT_MOST_LINES)
            return false;
    return d->op_count < DRAFT_MOST_OPS;
}

static bool fits_before(const draft *d, int op)
{
    const int value = register_of(d, op);
    return d->ops[op].completion == SWP_COMPLETION_NONE && value >= 0 && has_room(d, op) &&
           (d->slots[value] == 1 || is_made_before(d->ops, op, value));
}

void draft_add_conditions(draft *d, test_random *random)
{
    for (int op = d->op_count - 1; op >= 0; op--)
        if (fits_before(d, op) && random_chance(random, 70))
            insert(d, op);
    for (int op = 0; op < d->op_count; op++)
        if (may_have_condition(d, op) && random_chance(random, 70))
            d->ops[op].when = some;
}

bool conditions_have_slots(const swp_loop_dataflow *dataflow)
{
    const swp_loop *loop = dataflow->loop;
    for (int op = 0; op < (int)loop->op_count; op++)
        for (size_t i = 0; i < loop->ops[op].update_count; i++) {
            const int value = loop->ops[op].updates[i];
            if (loop->ops[op].when.kind != SWP_WHEN_ALWAYS && dataflow->slots[value] > 1 &&
                !is_made_before(loop->ops, op, value))
                return false;
        }
    return true;
}

/* --- A schedule without an op --- */

static swp_entry_list list_without(swp_context *ctx, const swp_entry_list *list, int op)
{
    swp_entry_list out = {.items = draft_take(ctx, list->count * sizeof *list->items)};
    for (size_t i = 0; i < list->count; i++) {
        swp_entry entry = list->items[i];
        const int own =
            swp_infrastructure_name(entry.op.tag) ? -1 : swp_loop_op_of_tag(entry.op.tag);
        if (own == op)
            continue;
        if (own > op)
            entry.op.tag = swp_tag_of_loop_op(own - 1);
        out.items[out.count++] = entry;
    }
    return out;
}

static swp_entry_list *lists_without(swp_context *ctx, const swp_entry_list *lists, size_t count,
                                     int op)
{
    swp_entry_list *out = draft_take(ctx, count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = list_without(ctx, &lists[i], op);
    return out;
}

static const swp_loop_dataflow *dataflow_without(swp_context *ctx,
                                                 const swp_loop_dataflow *dataflow, int op)
{
    swp_loop *loop = draft_take(ctx, sizeof *loop);
    swp_loop_op *ops = draft_take(ctx, dataflow->loop->op_count * sizeof *ops);
    swp_loop_dataflow *out = draft_take(ctx, sizeof *out);
    *loop = *dataflow->loop;
    loop->op_count = 0;
    for (int i = 0; i < (int)dataflow->loop->op_count; i++)
        if (i != op)
            ops[loop->op_count++] = dataflow->loop->ops[i];
    loop->ops = ops;
    *out = *dataflow;
    out->loop = loop;
    return out;
}

swp_schedule roles_without_op(swp_context *ctx, const swp_schedule *schedule, int op)
{
    swp_schedule out = *schedule;
    out.dataflow = dataflow_without(ctx, schedule->dataflow, op);
    for (size_t i = 0; i < out.stream_count; i++) {
        swp_stream *s = &out.streams[i];
        s->prologue = list_without(ctx, &s->prologue, op);
        s->kernel = list_without(ctx, &s->kernel, op);
        s->epilogue = list_without(ctx, &s->epilogue, op);
        s->tails.epilogues = lists_without(ctx, s->tails.epilogues, s->tails.epilogue_count, op);
        s->tails.straight = lists_without(ctx, s->tails.straight, s->tails.straight_count, op);
    }
    return out;
}
