/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses schedules with warp roles that mean something, and that no instruction can carry out. */
#include "base/diag.h"
#include "base/text.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"

enum { COPY_UNIT = 16 };

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
    return swp_error(ctx, SWP_E0705, SWP_NOWHERE,
                     "`bytes` of a copy are those of the values that it writes, of an "
                     "arrive_expect those of all copies of the phase",
                     "role %s: op %s copies %d bytes, and what it writes has %lld", stream->name,
                     work->name, op->bytes, (long long)bytes);
}

/* PTX ISA, "wgmma" and "cp.async.bulk". */
static swp_status check_op(swp_context *ctx, const swp_stream *stream, const swp_loop_op *work,
                           const swp_op *op)
{
    if (work->completion == SWP_COMPLETION_MATRIX_GROUP && stream->warps != SWP_IR_GROUP_WARPS)
        return swp_error(ctx, SWP_E0705, SWP_NOWHERE,
                         "a warp group of 4 warps issues it; `instances` says how many there are",
                         "role %s: op %s is a wgmma, and an instance has %d warp%s", stream->name,
                         work->name, stream->warps, swp_plural(stream->warps));
    if (work->completion == SWP_COMPLETION_COPY_MBARRIER && op->bytes % COPY_UNIT != 0)
        return swp_error(
            ctx, SWP_E0705, SWP_NOWHERE,
            "let the value have a multiple of 16 bytes for each work group",
            "role %s: op %s copies %d bytes, and a tensor copy brings a multiple of %d",
            stream->name, work->name, op->bytes, COPY_UNIT);
    return SWP_OK;
}

/* PTX ISA, "wgmma": D is input and output, so an update stays where its accumulator is. */
static swp_status check_accumulators(swp_context *ctx, const swp_loop_dataflow *dataflow,
                                     const swp_stream *stream, const swp_loop_op *work)
{
    if (work->completion != SWP_COMPLETION_MATRIX_GROUP)
        return SWP_OK;
    for (size_t i = 0; i < work->update_count; i++) {
        const int value = work->updates[i];
        const swp_loop_value *accumulator = &dataflow->loop->values[value];
        if (accumulator->space == SWP_SPACE_REGISTERS && dataflow->slots[value] > 1)
            return swp_error(ctx, SWP_E0705, work->place,
                             "give it `slots: 1`, or let the op write it and not update it",
                             "role %s: op %s is a wgmma that updates %s, which has %d slots, and a "
                             "wgmma leaves its accumulator where it was",
                             stream->name, work->name, accumulator->name, dataflow->slots[value]);
    }
    return SWP_OK;
}

static swp_status check_list(swp_context *ctx, const swp_schedule *schedule,
                             const swp_stream *stream, const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        const swp_loop_op *work = swp_ir_loop_op(schedule, op);
        if (!work)
            continue;
        SWP_TRY(check_op(ctx, stream, work, op));
        SWP_TRY(check_copied(ctx, schedule, stream, work, op));
        SWP_TRY(check_accumulators(ctx, schedule->dataflow, stream, work));
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

swp_status swp_ir_check_role_hardware(swp_context *ctx, const swp_schedule *schedule)
{
    for (size_t i = 0; i < schedule->stream_count; i++)
        SWP_TRY(check_stream(ctx, schedule, &schedule->streams[i]));
    return SWP_OK;
}
