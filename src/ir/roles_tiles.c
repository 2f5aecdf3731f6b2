/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the clocks of ops, values and entries, and refuses output tiles without a meaning (docs/roles-reference.md). */
#include "base/diag.h"
#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"

swp_role_clock swp_ir_entry_clock(const swp_schedule *schedule, const swp_op *op)
{
    const swp_loop_op *work = swp_ir_loop_op(schedule, op);
    if (work)
        return work->clock;
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
static bool accesses_passes(const swp_loop *loop, const swp_loop_op *op)
{
    bool found = reads_passes(loop, op);
    for (size_t i = 0; i < op->write_count; i++)
        found |= swp_ir_is_of_passes(loop, op->writes[i]);
    return found;
}

/* What entries may not be. The first that holds is told. */
typedef enum tile_rule {
    IN_DRAIN,
    OBJECT_IN_KERNEL,
    OP_IN_KERNEL,
    OTHER_TILE,
    TOO_EARLY,
    OTHER_CLOCK
} tile_rule;

static const swp_ir_problem entry_rules[] = {
    [IN_DRAIN] = {"drain has an op of the dataflow",
                  "behind the last tile there are waits and fences alone"},
    [OBJECT_IN_KERNEL] = {"the kernel has an mbarrier of the tile clock",
                          "work on it in another list: passes are many a tile"},
    [OP_IN_KERNEL] = {"the kernel has an op of the tile clock",
                      "do it in another list: passes are many a tile"},
    [OTHER_TILE] = {"it touches registers of the pass clock for another tile",
                    "let its `iteration` be 0"},
    [TOO_EARLY] = {"it reads what the passes of its tile make, in front of them",
                   "do it in the epilogue or in `end`"},
    [OTHER_CLOCK] = {"it completes on an mbarrier of the other clock",
                     "the entry's `iteration` counts for both: let their clocks be the same"},
};

static bool breaks(tile_rule rule, const swp_schedule *schedule, swp_phase list, const swp_op *op)
{
    const bool is_tiled = swp_ir_entry_clock(schedule, op) == SWP_TILE_CLOCK;
    const swp_loop *loop = schedule->dataflow->loop;
    const swp_loop_op *work = swp_ir_loop_op(schedule, op);
    switch (rule) {
    case IN_DRAIN:
        return work && list == SWP_DRAIN;
    case OBJECT_IN_KERNEL:
        return !work && is_tiled && list == SWP_KERNEL;
    case OP_IN_KERNEL:
        return work && is_tiled && list == SWP_KERNEL;
    case OTHER_TILE:
        return work && is_tiled && op->iteration != 0 && accesses_passes(loop, work);
    case TOO_EARLY:
        return work && is_tiled && (list == SWP_BEGIN || list == SWP_PROLOGUE) &&
               reads_passes(loop, work);
    case OTHER_CLOCK:
        break;
    }
    return work && op->object >= 0 && schedule->objects[op->object].clock != work->clock;
}

const swp_ir_problem *swp_ir_tile_problem(const swp_schedule *schedule, swp_phase list,
                                          const swp_op *op)
{
    for (int rule = IN_DRAIN; rule <= OTHER_CLOCK; rule++)
        if (breaks((tile_rule)rule, schedule, list, op))
            return &entry_rules[rule];
    return NULL;
}

/* --- Dataflow --- */

static swp_status refuse(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op, int value,
                         swp_ir_problem problem)
{
    return swp_error(ctx, SWP_E0705, op->place, problem.hint, "op %s: %s %s", op->name,
                     problem.what, loop->values[value].name);
}

/* Of an op of the tile clock: what passes make of a tile is its last version, in registers. */
static swp_status check_tile_read(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                                  const swp_loop_read *read)
{
    static const swp_ir_problem shared = {"once a tile it reads the shared value of passes",
                                          "pass it on in registers"};
    static const swp_ir_problem early = {"once a tile it reads an earlier version than the last of",
                                         "let `before` be 0"};
    if (!swp_ir_is_of_passes(loop, read->value))
        return SWP_OK;
    if (loop->values[read->value].space == SWP_SPACE_SHARED)
        return refuse(ctx, loop, op, read->value, shared);
    return read->distance == 0 ? SWP_OK : refuse(ctx, loop, op, read->value, early);
}

/* Of one of the pass clock: from before iteration 0 it can only want what its tile begins with. */
static swp_status check_pass_read(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                                  const swp_loop_read *read)
{
    static const swp_ir_problem tile_before = {"in passes it reads an earlier tile's version of",
                                               "let `before` be 0"};
    static const swp_ir_problem shared = {
        "at iteration 0 it reads what another tile left in the shared value",
        "let `before` be 0, or carry it in registers that each tile clears"};
    static const swp_ir_problem cleared = {
        "it reads from more than one iteration before what each tile clears,",
        "let `before` be 1 at most"};
    const bool is_shared = loop->values[read->value].space == SWP_SPACE_SHARED;
    if (read->distance == 0)
        return SWP_OK;
    if (swp_ir_is_of_tiles(loop, read->value))
        return refuse(ctx, loop, op, read->value, tile_before);
    if (is_shared && swp_ir_is_of_passes(loop, read->value))
        return refuse(ctx, loop, op, read->value, shared);
    if (read->distance > 1 && swp_ir_is_cleared(loop, read->value))
        return refuse(ctx, loop, op, read->value, cleared);
    return SWP_OK;
}

static swp_status check_op(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    static const swp_ir_problem updated = {"once a tile it updates what passes make,",
                                           "let it read that, and write a value of its own"};
    for (size_t i = 0; i < op->read_count; i++)
        SWP_TRY((op->clock == SWP_TILE_CLOCK ? check_tile_read : check_pass_read)(ctx, loop, op,
                                                                                  &op->reads[i]));
    for (size_t i = 0; op->clock == SWP_TILE_CLOCK && i < op->update_count; i++)
        if (swp_ir_is_of_passes(loop, op->updates[i]))
            return refuse(ctx, loop, op, op->updates[i], updated);
    return SWP_OK;
}

static swp_status check_value(swp_context *ctx, const swp_loop *loop, int value)
{
    static const swp_ir_problem second = {"it is the second that once a tile writes",
                                          "let one op clear it"};
    const swp_loop_op *first = NULL;
    if (!swp_ir_is_cleared(loop, value))
        return SWP_OK;
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        if (op->clock != SWP_TILE_CLOCK || !swp_ir_loop_makes(op, value))
            continue;
        if (first)
            return refuse(ctx, loop, op, value, second);
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

swp_status swp_ir_check_tile_dataflow(swp_context *ctx, const swp_loop *loop)
{
    for (size_t i = 0; i < loop->op_count; i++)
        SWP_TRY(check_op(ctx, loop, &loop->ops[i]));
    for (size_t v = 0; v < loop->value_count; v++)
        SWP_TRY(check_value(ctx, loop, (int)v));
    return SWP_OK;
}

swp_status swp_ir_check_tiles(swp_context *ctx, const swp_schedule *schedule)
{
    if (!schedule->output_tiles)
        return check_plain(ctx, schedule);
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER &&
            schedule->objects[i].clock == SWP_TILE_CLOCK)
            return swp_error(ctx, SWP_E0705, SWP_NOWHERE, "let its `clock` be pass",
                             "object %s is a named barrier, and has no turns that a clock counts",
                             schedule->objects[i].name);
    return swp_ir_check_tile_dataflow(ctx, schedule->dataflow->loop);
}
