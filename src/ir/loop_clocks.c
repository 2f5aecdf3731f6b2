/* SPDX-License-Identifier: Apache-2.0 */
/* Tells ops that are done once an output tile from those in passes, and refuses those that are neither. */
#include "ir/loop_clocks.h"

#include "base/diag.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "ir/type_names.h"

static bool is_of_tiles(const swp_loop_op *op)
{
    return op->clock == SWP_TILE_CLOCK;
}

/* One behind the last op of passes. */
static int end_of_passes(const swp_loop *loop)
{
    int end = (int)loop->op_count;
    while (end > 0 && is_of_tiles(&loop->ops[end - 1]))
        end--;
    return end;
}

int swp_ir_loop_first_of_passes(const swp_loop *loop)
{
    int first = 0;
    while (first < (int)loop->op_count && is_of_tiles(&loop->ops[first]))
        first++;
    return first;
}

swp_loop swp_ir_loop_of_passes(const swp_loop *loop)
{
    const int first = swp_ir_loop_first_of_passes(loop);
    swp_loop passes = *loop;
    passes.ops = loop->ops + first;
    passes.op_count = (size_t)(end_of_passes(loop) - first);
    passes.output_tiles = false;
    return passes;
}

static swp_status check_op(swp_context *ctx, const swp_loop *loop, int index)
{
    const swp_loop_op *op = &loop->ops[index];
    if (!swp_name_of(swp_ir_clock_names.names, swp_ir_clock_names.count, (int)op->clock))
        return swp_error(ctx, SWP_E0322, op->place, "take one of swp_role_clock",
                         "op %s: there is no clock %d", op->name, (int)op->clock);
    if (!is_of_tiles(op))
        return SWP_OK;
    if (!loop->output_tiles)
        return swp_error(ctx, SWP_E0322, op->place, "let the loop have `output_tiles: true`",
                         "op %s is done once a tile, but the loop has no output tiles", op->name);
    if (op->role_count > 0)
        return swp_error(ctx, SWP_E0322, op->place, "name one role: the search places passes alone",
                         "op %s is done once a tile, and names no role of its own", op->name);
    if (index > swp_ir_loop_first_of_passes(loop) && index < end_of_passes(loop))
        return swp_error(ctx, SWP_E0322, op->place,
                         "list it before all ops of the passes, or behind them",
                         "op %s is done once a tile, and stands among ops of the passes", op->name);
    return SWP_OK;
}

/* An op that makes the value before this one does in an iteration. */
static bool is_made_before(const swp_loop *loop, int index, int value)
{
    for (int i = swp_ir_loop_first_of_passes(loop); i < index; i++)
        if (swp_ir_loop_makes(&loop->ops[i], value))
            return true;
    return false;
}

/* In the first iteration of a tile it would take what the tile before has left. */
static swp_status check_cleared(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                                int value)
{
    if (loop->values[value].space != SWP_SPACE_REGISTERS || !swp_ir_is_of_passes(loop, value) ||
        swp_ir_is_cleared(loop, value))
        return SWP_OK;
    return swp_error(ctx, SWP_E0705, op->place,
                     "list an op with `clock: tile` that writes it before all ops of the passes",
                     "op %s: it takes on what an iteration before made, and between tiles nobody "
                     "clears %s",
                     op->name, loop->values[value].name);
}

/* A tile without iterations would take what the tile before has left. */
static swp_status check_results(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->read_count; i++) {
        const int value = op->reads[i].value;
        if (loop->values[value].space == SWP_SPACE_REGISTERS && swp_ir_is_of_passes(loop, value) &&
            !swp_ir_is_cleared(loop, value))
            return swp_error(ctx, SWP_E0705, op->place,
                             "list an op with `clock: tile` that writes it before all ops of the "
                             "passes",
                             "op %s: in a tile of 0 iterations it reads what the tile before left "
                             "in %s, since between tiles nobody clears that",
                             op->name, loop->values[value].name);
    }
    return SWP_OK;
}

static swp_status check_sums(swp_context *ctx, const swp_loop *loop, int index)
{
    const swp_loop_op *op = &loop->ops[index];
    if (is_of_tiles(op))
        return check_results(ctx, loop, op);
    for (size_t i = 0; i < op->update_count; i++)
        if (!is_made_before(loop, index, op->updates[i]))
            SWP_TRY(check_cleared(ctx, loop, op, op->updates[i]));
    for (size_t i = 0; i < op->read_count; i++)
        if (op->reads[i].distance > 0)
            SWP_TRY(check_cleared(ctx, loop, op, op->reads[i].value));
    return SWP_OK;
}

swp_status swp_ir_check_loop_clocks(swp_context *ctx, const swp_loop *loop)
{
    for (int i = 0; i < (int)loop->op_count; i++)
        SWP_TRY(check_op(ctx, loop, i));
    if (!loop->output_tiles)
        return SWP_OK;
    if (!swp_ir_loop_has_roles(loop))
        return swp_error(ctx, SWP_E0320, loop->place, "list `roles`, and say the warps of one",
                         "the loop has output tiles, but no warp roles");
    if (end_of_passes(loop) == 0)
        return swp_error(ctx, SWP_E0320, loop->place,
                         "leave `clock` out of what each iteration does",
                         "all ops of the loop are done once a tile: none is left for the passes");
    for (int i = 0; i < (int)loop->op_count; i++)
        SWP_TRY(check_sums(ctx, loop, i));
    return SWP_OK;
}
