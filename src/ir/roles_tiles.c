/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the clocks of ops, values and entries, and refuses output tiles without a meaning (docs/roles.md). */
#include "base/diag.h"
#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "swp/loop.h"

swp_role_clock swp_ir_entry_clock(const swp_schedule *schedule, const swp_op *op)
{
    if (swp_ir_is_work(op))
        return schedule->dataflow->loop->ops[swp_loop_op_of_tag(op->tag)].clock;
    return op->object < 0 ? SWP_PASS_CLOCK : schedule->objects[op->object].clock;
}

static bool is_made_by(const swp_loop *loop, int value, swp_role_clock clock)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].clock == clock && swp_ir_loop_makes(&loop->ops[i], value))
            return true;
    return false;
}

bool swp_ir_is_of_passes(const swp_loop *loop, int value)
{
    return is_made_by(loop, value, SWP_PASS_CLOCK);
}

bool swp_ir_is_of_tiles(const swp_loop *loop, int value)
{
    return is_made_by(loop, value, SWP_TILE_CLOCK) && !swp_ir_is_of_passes(loop, value);
}

bool swp_ir_is_cleared(const swp_loop *loop, int value)
{
    return is_made_by(loop, value, SWP_TILE_CLOCK) && swp_ir_is_of_passes(loop, value);
}

/* --- Entries --- */

/* Of an op of the tile clock. */
static bool reads_passes(const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->read_count; i++)
        if (swp_ir_is_of_passes(loop, op->reads[i].value))
            return true;
    return false;
}

/* An op of the tile clock that has to do with what passes made. */
static bool touches_passes(const swp_loop *loop, const swp_loop_op *op)
{
    bool found = reads_passes(loop, op);
    for (size_t i = 0; i < op->write_count; i++)
        found |= swp_ir_is_of_passes(loop, op->writes[i]);
    return found;
}

const char *swp_ir_tile_problem(const swp_schedule *schedule, swp_phase list, const swp_op *op)
{
    const swp_role_clock clock = swp_ir_entry_clock(schedule, op);
    if (!swp_ir_is_work(op))
        return list == SWP_KERNEL && clock == SWP_TILE_CLOCK
                   ? "the kernel has an mbarrier of the tile clock"
                   : NULL;
    const swp_loop *loop = schedule->dataflow->loop;
    const swp_loop_op *work = &loop->ops[swp_loop_op_of_tag(op->tag)];
    if (list == SWP_DRAIN)
        return "drain has an op of the dataflow";
    if (clock == SWP_TILE_CLOCK && list == SWP_KERNEL)
        return "the kernel has an op of the tile clock";
    if (clock == SWP_TILE_CLOCK && op->iteration != 0 && touches_passes(loop, work))
        return "it touches registers of the pass clock for another tile";
    if (clock == SWP_TILE_CLOCK && (list == SWP_BEGIN || list == SWP_PROLOGUE) &&
        reads_passes(loop, work))
        return "it reads what the passes of its tile make, in front of them";
    if (op->object >= 0 && schedule->objects[op->object].clock != clock)
        return "it completes on an mbarrier of the other clock";
    return NULL;
}

/* --- Dataflow --- */

static swp_status refuse(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op, int value,
                         const char *what)
{
    return swp_error(ctx, SWP_E0705, op->place, "docs/roles.md, \"Output tiles\"", "op %s: %s %s",
                     op->name, what, loop->values[value].name);
}

static swp_status check_tile_read(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                                  const swp_loop_read *read)
{
    if (!swp_ir_is_of_passes(loop, read->value))
        return SWP_OK;
    if (loop->values[read->value].space == SWP_SPACE_SHARED)
        return refuse(ctx, loop, op, read->value, "once a tile it reads what passes make in");
    return read->distance == 0 ? SWP_OK
                               : refuse(ctx, loop, op, read->value,
                                        "once a tile it reads an earlier version than the last of");
}

static swp_status check_pass_read(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                                  const swp_loop_read *read)
{
    const bool is_shared = loop->values[read->value].space == SWP_SPACE_SHARED;
    if (read->distance == 0)
        return SWP_OK;
    if (swp_ir_is_of_tiles(loop, read->value))
        return refuse(ctx, loop, op, read->value, "each pass reads an earlier tile's version of");
    if (is_shared && swp_ir_is_of_passes(loop, read->value))
        return refuse(ctx, loop, op, read->value,
                      "at iteration 0 it reads what another tile made in");
    if (read->distance > 1 && swp_ir_is_cleared(loop, read->value))
        return refuse(ctx, loop, op, read->value,
                      "it reads from more than one iteration before what each tile clears in");
    return SWP_OK;
}

static swp_status check_op(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->read_count; i++)
        SWP_TRY((op->clock == SWP_TILE_CLOCK ? check_tile_read : check_pass_read)(ctx, loop, op,
                                                                                  &op->reads[i]));
    for (size_t i = 0; op->clock == SWP_TILE_CLOCK && i < op->update_count; i++)
        if (swp_ir_is_of_passes(loop, op->updates[i]))
            return refuse(ctx, loop, op, op->updates[i],
                          "once a tile it updates what passes make,");
    return SWP_OK;
}

static swp_status check_value(swp_context *ctx, const swp_loop *loop, int value)
{
    const swp_loop_op *first = NULL;
    if (!swp_ir_is_cleared(loop, value))
        return SWP_OK;
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        if (op->clock != SWP_TILE_CLOCK || !swp_ir_loop_makes(op, value))
            continue;
        if (first)
            return refuse(ctx, loop, op, value, "it is the second that once a tile writes");
        first = op;
    }
    return SWP_OK;
}

static swp_status check_plain(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_loop *loop = schedule->dataflow->loop;
    size_t marks = 0;
    for (size_t i = 0; i < schedule->stream_count; i++)
        marks += schedule->streams[i].begin.count + schedule->streams[i].end.count +
                 schedule->streams[i].drain.count;
    for (size_t i = 0; i < schedule->object_count; i++)
        marks += schedule->objects[i].clock == SWP_TILE_CLOCK;
    for (size_t i = 0; i < loop->op_count; i++)
        marks += loop->ops[i].clock == SWP_TILE_CLOCK;
    return marks == 0 ? SWP_OK
                      : swp_error(ctx, SWP_E0705, SWP_NOWHERE, "let `output_tiles` be true",
                                  "the schedule has no output tiles, and something counts them");
}

swp_status swp_ir_check_tiles(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_loop *loop = schedule->dataflow->loop;
    if (!schedule->output_tiles)
        return check_plain(ctx, schedule);
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER &&
            schedule->objects[i].clock == SWP_TILE_CLOCK)
            return swp_error(ctx, SWP_E0705, SWP_NOWHERE, "let its `clock` be pass",
                             "object %s is a named barrier, and has no turns that a clock counts",
                             schedule->objects[i].name);
    for (size_t i = 0; i < loop->op_count; i++)
        SWP_TRY(check_op(ctx, loop, &loop->ops[i]));
    for (size_t v = 0; v < loop->value_count; v++)
        SWP_TRY(check_value(ctx, loop, (int)v));
    return SWP_OK;
}
