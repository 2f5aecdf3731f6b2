/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a loop without warp roles as one role, whose threads are its waves. */
#include "verify/loop_role.h"

#include "ir/effects.h"
#include "ir/implied_barriers.h"
#include "ir/loop_dataflow.h"

#include <string.h>

/* --- The dataflow --- */

static bool is_made_before(const swp_loop *loop, size_t op, int value)
{
    for (size_t i = 0; i < op; i++)
        if (swp_ir_loop_makes(&loop->ops[i], value))
            return true;
    return false;
}

/* The shares of all that an update changes are read; the first maker of a version writes it. */
static swp_status spell_updates(swp_context *ctx, const swp_loop *loop, size_t index,
                                swp_loop_op *op)
{
    const size_t updates = op->update_count;
    const int *updated = op->updates;
    swp_loop_read *reads = NULL;
    int *writes = NULL;
    int *kept = NULL;
    if (updates == 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, op->read_count + updates, &reads));
    SWP_TRY(SWP_TAKE(ctx, op->write_count + updates, &writes));
    SWP_TRY(SWP_TAKE(ctx, updates, &kept));
    if (op->read_count > 0)
        memcpy(reads, op->reads, op->read_count * sizeof *reads);
    if (op->write_count > 0)
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
    return SWP_OK;
}

static swp_status spell_dataflow(swp_context *ctx, const swp_loop_dataflow *flat,
                                 const swp_loop_dataflow **out)
{
    swp_loop_dataflow *spelt = NULL;
    swp_loop *loop = NULL;
    swp_loop_op *ops = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &spelt));
    SWP_TRY(SWP_TAKE(ctx, 1, &loop));
    SWP_TRY(SWP_TAKE(ctx, flat->loop->op_count, &ops));
    memcpy(ops, flat->loop->ops, flat->loop->op_count * sizeof *ops);
    for (size_t i = 0; i < flat->loop->op_count; i++)
        SWP_TRY(spell_updates(ctx, flat->loop, i, &ops[i]));
    *loop = *flat->loop;
    loop->ops = ops;
    *spelt = *flat;
    spelt->loop = loop;
    *out = spelt;
    return SWP_OK;
}

/* --- The lists --- */

static swp_status let_all_do(swp_context *ctx, swp_entry_list *list)
{
    const swp_entry_list from = *list;
    *list = (swp_entry_list){.count = from.count, .capacity = from.count};
    SWP_TRY(SWP_TAKE(ctx, from.count, &list->items));
    for (size_t i = 0; i < from.count; i++) {
        list->items[i] = from.items[i];
        list->items[i].op.by = SWP_ALL_THREADS;
        list->items[i].op.object = -1;
    }
    return SWP_OK;
}

static swp_status let_all_do_each(swp_context *ctx, swp_entry_list **lists, size_t count)
{
    const swp_entry_list *from = *lists;
    SWP_TRY(SWP_TAKE(ctx, count, lists));
    for (size_t i = 0; i < count; i++) {
        (*lists)[i] = from[i];
        SWP_TRY(let_all_do(ctx, &(*lists)[i]));
    }
    return SWP_OK;
}

/* An entry that means nothing has no place in a list of a role. */
static swp_status check_forms(swp_context *ctx, const swp_schedule *schedule)
{
    for (int i = 0; i < swp_schedule_forms(schedule); i++) {
        const swp_schedule form = swp_schedule_form(schedule, i);
        swp_effects effects;
        SWP_TRY(swp_ir_effects(ctx, &form, &effects));
        SWP_TRY(swp_ir_check_effects(ctx, &effects));
    }
    return SWP_OK;
}

/* Whether the threads of a warp group do something together that others have no part in. */
static bool has_collective(const swp_loop *loop)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (swp_ir_completion_kind(loop->ops[i].completion) != SWP_COMPLETION_NONE &&
            swp_ir_sync_object_row(swp_ir_loop_object_of(loop, &loop->ops[i]))->collective)
            return true;
    return false;
}

swp_status swp_verify_loop_as_role(swp_context *ctx, const swp_schedule *schedule,
                                   swp_schedule *out)
{
    const swp_machine *machine = &schedule->machine;
    const swp_schedule *listed = NULL;
    SWP_TRY(check_forms(ctx, schedule));
    SWP_TRY(swp_ir_list_barriers(ctx, schedule, &listed));
    *out = *listed;
    swp_stream *s = &out->streams[0];
    SWP_TRY(spell_dataflow(ctx, schedule->dataflow, &out->dataflow));
    s->name = "all";
    const bool are_apart = machine->lag || has_collective(schedule->dataflow->loop);
    s->instances = machine->groups > 1 && are_apart ? machine->groups : 1;
    s->warps = machine->groups * machine->waves_per_group / s->instances;
    SWP_TRY(let_all_do(ctx, &s->prologue));
    SWP_TRY(let_all_do(ctx, &s->kernel));
    SWP_TRY(let_all_do(ctx, &s->epilogue));
    SWP_TRY(let_all_do_each(ctx, &s->tails.epilogues, s->tails.epilogue_count));
    return let_all_do_each(ctx, &s->tails.straight, s->tails.straight_count);
}
