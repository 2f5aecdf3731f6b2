/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses schedules with warp roles that mean something, and that no instruction can carry out. */
#include "base/diag.h"
#include "base/text.h"
#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "ir/schedule.h"

enum {
    COPY_UNIT = 16,
    MOST_BARRIERS = 15 /* but for number 0, which is the work group's */
};

/* PTX ISA, "setmaxnreg". */
static swp_status check_registers(swp_context *ctx, const swp_stream *stream)
{
    if (stream->registers == 0 || swp_ir_can_set_registers(stream->registers))
        return SWP_OK;
    return swp_error(ctx, SWP_E0705, SWP_NOWHERE,
                     "setmaxnreg takes multiples of 8 from 24 to 256; 0 states none",
                     "role %s: %d registers", stream->name, stream->registers);
}

int64_t swp_ir_written_bytes(const swp_loop *loop, const swp_loop_op *op, int instances, int ranks)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < op->write_count; i++)
        if (loop->values[op->writes[i]].space == SWP_SPACE_SHARED)
            bytes += loop->values[op->writes[i]].bytes;
    return bytes / instances / (op->multicast ? ranks : 1);
}

/* A tensor copy brings a whole box: what its mbarrier counts is what the values have. */
static swp_status check_copied(swp_context *ctx, const swp_schedule *schedule,
                               const swp_stream *stream, const swp_loop_op *work, const swp_op *op)
{
    const int64_t bytes = swp_ir_written_bytes(schedule->dataflow->loop, work, stream->instances,
                                               swp_ir_ranks(schedule));
    if (work->completion != SWP_COMPLETION_COPY_MBARRIER || bytes == op->bytes || bytes == 0)
        return SWP_OK;
    return swp_error(ctx, SWP_E0705, work->place,
                     "`bytes` of a copy are those of the values that it writes, of an "
                     "arrive_expect those of all copies of the phase",
                     "role %s: op %s copies %d bytes, and what it writes has %lld", stream->name,
                     work->name, op->bytes, (long long)bytes);
}

/* PTX ISA, "wgmma" and "cp.async.bulk". */
static swp_status check_issue(swp_context *ctx, const swp_op_issuer *by, const swp_loop_op *work,
                              int64_t bytes)
{
    if (work->completion == SWP_COMPLETION_MATRIX_GROUP && by->warps != SWP_IR_GROUP_WARPS)
        return swp_error(ctx, SWP_E0705, work->place,
                         "a warp group of 4 warps issues it; `instances` says how many there are",
                         "role %s: op %s is a wgmma, and an instance has %d warp%s", by->role,
                         work->name, by->warps, swp_plural(by->warps));
    if (work->completion == SWP_COMPLETION_COPY_MBARRIER && bytes % COPY_UNIT != 0)
        return swp_error(
            ctx, SWP_E0705, work->place,
            "let the value have a multiple of 16 bytes for each work group",
            "role %s: op %s copies %lld bytes, and a tensor copy brings a multiple of %d", by->role,
            work->name, (long long)bytes, COPY_UNIT);
    return SWP_OK;
}

/* PTX ISA, "wgmma": D is input and output, so an update stays where its accumulator is. */
swp_status swp_ir_check_accumulators(swp_context *ctx, const swp_loop *loop,
                                     const swp_op_issuer *by, const swp_loop_op *work)
{
    if (work->completion != SWP_COMPLETION_MATRIX_GROUP)
        return SWP_OK;
    for (size_t i = 0; i < work->update_count; i++) {
        const int value = work->updates[i];
        const swp_loop_value *accumulator = &loop->values[value];
        const int slots = by->slots ? by->slots[value] : swp_ir_loop_least_slots(loop, value);
        if (accumulator->space == SWP_SPACE_REGISTERS && slots > 1)
            return swp_error(ctx, SWP_E0705, work->place,
                             "give it `slots: 1`, or let the op write it and not update it",
                             "role %s: op %s is a wgmma that updates %s, which has %d slots, and a "
                             "wgmma leaves its accumulator where it was",
                             by->role, work->name, accumulator->name, slots);
    }
    return SWP_OK;
}

swp_status swp_ir_check_op_hardware(swp_context *ctx, const swp_loop *loop, const swp_op_issuer *by,
                                    const swp_loop_op *work, int64_t bytes)
{
    SWP_TRY(check_issue(ctx, by, work, bytes));
    return swp_ir_check_accumulators(ctx, loop, by, work);
}

/* PTX ISA, "mbarrier": of the tx-count. */
static swp_status check_bytes(swp_context *ctx, const swp_stream *stream, const swp_op *op)
{
    if (op->bytes <= SWP_IR_MOST_PENDING)
        return SWP_OK;
    return swp_error(ctx, SWP_E0705, SWP_NOWHERE,
                     "let the copies of a phase be smaller, or complete on two mbarriers",
                     "role %s: %d bytes, and a phase of an mbarrier counts up to %d", stream->name,
                     op->bytes, SWP_IR_MOST_PENDING);
}

static swp_status check_list(swp_context *ctx, const swp_schedule *schedule,
                             const swp_stream *stream, const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        const swp_loop_op *work = swp_ir_loop_op(schedule, op);
        SWP_TRY(check_bytes(ctx, stream, op));
        if (!work)
            continue;
        const swp_op_issuer by = {stream->name, stream->warps, schedule->dataflow->slots};
        SWP_TRY(check_issue(ctx, &by, work, op->bytes));
        SWP_TRY(check_copied(ctx, schedule, stream, work, op));
    }
    return SWP_OK;
}

static swp_status check_stream(swp_context *ctx, const swp_schedule *schedule,
                               const swp_stream *stream)
{
    const swp_entry_list *list = NULL;
    SWP_TRY(check_registers(ctx, stream));
    for (size_t i = 0; (list = swp_ir_stream_list(stream, i)); i++)
        SWP_TRY(check_list(ctx, schedule, stream, list));
    return SWP_OK;
}

/* PTX ISA, "mbarrier" and "barrier". */
static swp_status check_object(swp_context *ctx, const swp_schedule *schedule, int number)
{
    const swp_role_object *object = &schedule->objects[number];
    const int64_t bytes = swp_ir_most_phase_bytes(schedule, number);
    if (object->kind == SWP_OBJECT_MBARRIER && object->arrivals > SWP_IR_MOST_PENDING)
        return swp_error(ctx, SWP_E0705, SWP_NOWHERE, "let fewer threads arrive: one of each warp",
                         "mbarrier %s: its phases have %d arrivals, and at most %d can be awaited",
                         object->name, object->arrivals, SWP_IR_MOST_PENDING);
    if (object->kind == SWP_OBJECT_NAMED_BARRIER && object->threads % SWP_IR_WARP_THREADS != 0)
        return swp_error(ctx, SWP_E0705, SWP_NOWHERE, "whole warps meet: give a multiple",
                         "named barrier %s: its %d threads are no multiple of %d", object->name,
                         object->threads, SWP_IR_WARP_THREADS);
    if (bytes > SWP_IR_MOST_PENDING)
        return swp_error(ctx, SWP_E0705, SWP_NOWHERE,
                         "let the copies of a phase be smaller, or complete on two mbarriers",
                         "mbarrier %s: a phase expects %lld bytes, and counts up to %d",
                         object->name, (long long)bytes, SWP_IR_MOST_PENDING);
    return SWP_OK;
}

static swp_status check_objects(swp_context *ctx, const swp_schedule *schedule)
{
    const int barriers = swp_ir_object_slots(schedule, SWP_OBJECT_NAMED_BARRIER);
    for (size_t i = 0; i < schedule->object_count; i++)
        SWP_TRY(check_object(ctx, schedule, (int)i));
    if (barriers <= MOST_BARRIERS)
        return SWP_OK;
    return swp_error(ctx, SWP_E0705, SWP_NOWHERE,
                     "one more, number 0, is the work group's barrier; mbarriers are not counted",
                     "the named barriers have %d slots, and a work group has %d", barriers,
                     MOST_BARRIERS);
}

swp_status swp_ir_check_all_warps(swp_context *ctx, const swp_schedule *schedule)
{
    const int warps = swp_ir_all_warps(schedule);
    char *hint = NULL;
    if (warps <= SWP_MOST_ROLE_WARPS)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint,
                       "a role with `registers`, or of %d warps, takes whole warp groups",
                       SWP_IR_GROUP_WARPS));
    return swp_error(ctx, SWP_E0705, SWP_NOWHERE, hint,
                     "the roles take %d warps, and a work group has %d", warps,
                     SWP_MOST_ROLE_WARPS);
}

/* PTX ISA, "setmaxnreg": it waits until there are as many in the pool that the launch filled. */
static swp_status check_pool(swp_context *ctx, const swp_schedule *schedule)
{
    const int launched = swp_ir_launch_registers(schedule);
    const int all = swp_ir_all_warps(schedule) * launched;
    int registers = 0;
    for (size_t i = 0; i < schedule->stream_count; i++) {
        const swp_stream *stream = &schedule->streams[i];
        const swp_ir_warps own = swp_ir_role_warps(schedule, i);
        registers += (own.end - own.first) * (stream->registers > 0 ? stream->registers : launched);
    }
    if (registers <= all)
        return SWP_OK;
    return swp_error(
        ctx, SWP_E0705, SWP_NOWHERE,
        "setmaxnreg waits for ever for what others do not give back: state fewer `registers`, "
        "or for a role that states none what it can do with",
        "the roles' registers are %d for each lane of their warps, and a launch of %d "
        "warps has %d",
        registers, swp_ir_all_warps(schedule), all);
}

swp_status swp_ir_check_role_hardware(swp_context *ctx, const swp_schedule *schedule)
{
    for (size_t i = 0; i < schedule->stream_count; i++)
        SWP_TRY(check_stream(ctx, schedule, &schedule->streams[i]));
    SWP_TRY(check_objects(ctx, schedule));
    SWP_TRY(swp_ir_check_all_warps(ctx, schedule));
    return schedule->target && schedule->target[0] ? check_pool(ctx, schedule) : SWP_OK;
}
