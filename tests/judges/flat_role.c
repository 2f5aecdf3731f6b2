/* SPDX-License-Identifier: Apache-2.0 */
#include "flat_role.h"

#include "base/context.h"
#include "ir/implied_barriers.h"

#include <stdlib.h>
#include <string.h>

static void *take(swp_context *ctx, size_t bytes)
{
    void *memory = swp_context_take(ctx, bytes + 1);
    if (!memory)
        abort();
    return memory;
}

/* --- The dataflow --- */

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

static bool is_made_before(const swp_loop *loop, size_t op, int value)
{
    for (size_t i = 0; i < op; i++)
        if (makes(&loop->ops[i], value))
            return true;
    return false;
}

/* The shares of all that an update changes are read; the first maker of a version writes it. */
static void spell_updates(swp_context *ctx, const swp_loop *loop, size_t index, swp_loop_op *op)
{
    const size_t updates = op->update_count;
    swp_loop_read *reads = take(ctx, (op->read_count + updates) * sizeof *reads);
    int *writes = take(ctx, (op->write_count + updates) * sizeof *writes);
    int *kept = take(ctx, updates * sizeof *kept);
    const int *updated = op->updates;
    memcpy(reads, op->reads, op->read_count * sizeof *reads);
    memcpy(writes, op->writes, op->write_count * sizeof *writes);
    op->reads = reads;
    op->writes = writes;
    op->updates = kept;
    op->update_latencies = NULL;
    op->update_count = 0;
    for (size_t i = 0; i < updates; i++) {
        const int value = updated[i];
        const bool is_first = !is_made_before(loop, index, value);
        const bool is_shared = loop->values[value].space == SWP_SPACE_SHARED;
        if (is_shared)
            reads[op->read_count++] = (swp_loop_read){.value = value, .distance = is_first};
        if (is_shared && is_first)
            writes[op->write_count++] = value;
        else
            kept[op->update_count++] = value;
    }
}

static const swp_loop_dataflow *spell_dataflow(swp_context *ctx, const swp_loop_dataflow *flat)
{
    swp_loop_dataflow *out = take(ctx, sizeof *out);
    swp_loop *loop = take(ctx, sizeof *loop);
    swp_loop_op *ops = take(ctx, flat->loop->op_count * sizeof *ops);
    memcpy(ops, flat->loop->ops, flat->loop->op_count * sizeof *ops);
    for (size_t i = 0; i < flat->loop->op_count; i++)
        spell_updates(ctx, flat->loop, i, &ops[i]);
    *loop = *flat->loop;
    loop->ops = ops;
    *out = *flat;
    out->loop = loop;
    return out;
}

/* --- The lists --- */

static swp_entry_list by_all(swp_context *ctx, const swp_entry_list *list)
{
    swp_entry_list out = {.items = take(ctx, list->count * sizeof *list->items),
                          .count = list->count,
                          .capacity = list->count};
    for (size_t i = 0; i < list->count; i++) {
        out.items[i] = list->items[i];
        out.items[i].op.by = SWP_ALL_THREADS;
        out.items[i].op.object = -1;
    }
    return out;
}

static swp_entry_list *lists_by_all(swp_context *ctx, const swp_entry_list *lists, size_t count)
{
    swp_entry_list *out = take(ctx, count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = by_all(ctx, &lists[i]);
    return out;
}

swp_schedule flat_role(swp_context *ctx, const swp_schedule *flat)
{
    const swp_machine *machine = &flat->machine;
    const swp_schedule *listed = NULL;
    if (swp_ir_list_barriers(ctx, flat, &listed) != SWP_OK)
        abort();
    swp_schedule out = *listed;
    swp_stream *s = &out.streams[0];
    out.dataflow = spell_dataflow(ctx, flat->dataflow);
    s->name = "all";
    s->instances = machine->groups > 1 && machine->lag ? machine->groups : 1;
    s->warps = machine->groups * machine->waves_per_group / s->instances;
    s->prologue = by_all(ctx, &s->prologue);
    s->kernel = by_all(ctx, &s->kernel);
    s->epilogue = by_all(ctx, &s->epilogue);
    s->tails.epilogues = lists_by_all(ctx, s->tails.epilogues, s->tails.epilogue_count);
    s->tails.straight = lists_by_all(ctx, s->tails.straight, s->tails.straight_count);
    return out;
}

void flat_role_publish(const swp_schedule *role, swp_hazard_list *hazards)
{
    const swp_entry_list *prologue = &role->streams[0].prologue;
    for (size_t i = 0; i < hazards->count; i++) {
        swp_entry_ref *at = &hazards->items[i].at;
        int implied = 0;
        for (int e = 0; at->phase == SWP_PROLOGUE && e < at->entry; e++)
            implied += swp_ir_is_implied(&prologue->items[e].op);
        at->entry -= implied;
    }
}

/* --- What they tell --- */

static bool is_told(const swp_hazard_list *list, const swp_hazard *h)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_hazard *other = &list->items[i];
        if (other->kind == h->kind && other->at.phase == h->at.phase &&
            other->at.entry == h->at.entry && other->smallest_n == h->smallest_n)
            return true;
    }
    return false;
}

static bool are_told(const swp_hazard_list *hazards, const swp_hazard_list *list)
{
    for (size_t i = 0; i < hazards->count; i++)
        if (!is_told(list, &hazards->items[i]))
            return false;
    return true;
}

bool flat_role_agree(const swp_hazard_list *one, const swp_hazard_list *other)
{
    return one->count == other->count && are_told(one, other) && are_told(other, one);
}
