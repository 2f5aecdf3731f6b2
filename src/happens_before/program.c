/* SPDX-License-Identifier: Apache-2.0 */
/* Lays the lists of each instance of a warp role out as the steps of a run. */
#include "happens_before/program.h"

#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"

static swp_status keep_entries(swp_context *ctx, const swp_entry_list *entries,
                               swp_happens_instance *in, swp_phase list)
{
    SWP_TRY(SWP_TAKE(ctx, entries->count, &in->lists[list]));
    for (size_t i = 0; i < entries->count; i++)
        if (swp_ir_runs_in(&entries->items[i].op, in->number))
            in->lists[list][in->lengths[list]++] = (int)i;
    return SWP_OK;
}

static swp_status add_instance(swp_context *ctx, swp_happens_program *p, int rank, int stream,
                               int number)
{
    const swp_stream *of = &p->schedule->streams[stream];
    swp_happens_instance *in = &p->instances[p->count++];
    *in = (swp_happens_instance){.stream = stream,
                                 .number = number,
                                 .rank = rank,
                                 .threads = of->warps * SWP_IR_WARP_THREADS};
    for (swp_phase list = SWP_PROLOGUE; list <= SWP_DRAIN; list++)
        SWP_TRY(keep_entries(ctx, swp_stream_phase(of, list), in, list));
    return SWP_OK;
}

static swp_status add_rank(swp_context *ctx, swp_happens_program *p, int rank)
{
    for (size_t i = 0; i < p->schedule->stream_count; i++)
        for (int k = 0; k < p->schedule->streams[i].instances; k++)
            SWP_TRY(add_instance(ctx, p, rank, (int)i, k));
    return SWP_OK;
}

swp_status swp_happens_program_build(swp_context *ctx, const swp_schedule *schedule,
                                     swp_happens_program *out)
{
    *out = (swp_happens_program){.schedule = schedule, .ranks = swp_ir_ranks(schedule)};
    for (size_t i = 0; i < schedule->stream_count; i++)
        out->of_a_rank += schedule->streams[i].instances;
    SWP_TRY(SWP_TAKE(ctx, (size_t)(out->ranks * out->of_a_rank), &out->instances));
    for (int rank = 0; rank < out->ranks; rank++)
        SWP_TRY(add_rank(ctx, out, rank));
    return SWP_OK;
}

/* What counts an op; of one that is over at once nothing does. */
static swp_sync_object queue_of(const swp_loop *loop, const swp_loop_op *op)
{
    return swp_ir_completion_kind(op->completion) == SWP_COMPLETION_NONE
               ? SWP_NO_OBJECT
               : swp_ir_loop_object_of(loop, op);
}

swp_status swp_happens_program_build_flat(swp_context *ctx, const swp_schedule *schedule,
                                          swp_happens_program *out)
{
    const swp_loop *loop = schedule->dataflow->loop;
    SWP_TRY(swp_happens_program_build(ctx, schedule, out));
    out->is_flat = true;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &out->queues));
    for (size_t op = 0; op < loop->op_count; op++) {
        out->queues[op] = queue_of(loop, &loop->ops[op]);
        out->uses_queue[out->queues[op]] = true;
    }
    return SWP_OK;
}

int swp_happens_steps_before(const swp_happens_instance *instance, int pass)
{
    return instance->lengths[SWP_PROLOGUE] + pass * instance->lengths[SWP_KERNEL];
}

int swp_happens_length(const swp_happens_instance *instance, int passes)
{
    return swp_happens_steps_before(instance, passes) + instance->lengths[SWP_EPILOGUE];
}

static swp_sync_object tracker_of(const swp_loop_op *work)
{
    return swp_ir_sync_tracker(work ? work->completion : SWP_COMPLETION_NONE);
}

swp_happens_step swp_happens_step_in(const swp_happens_program *p, const swp_happens_instance *in,
                                     swp_phase list, int index, int pass)
{
    const swp_stream *stream = &p->schedule->streams[in->stream];
    const int entry = in->lists[list][index];
    const swp_op *op = &swp_stream_phase(stream, list)->items[entry].op;
    const int64_t base =
        list == SWP_PROLOGUE ? 0 : (int64_t)pass * p->schedule->loop.tiles_per_pass;
    const swp_loop_op *work = swp_ir_loop_op(p->schedule, op);
    const bool may_be_queued = work && p->queues;
    return (swp_happens_step){.op = op,
                              .work = work,
                              .queue = may_be_queued ? p->queues[swp_loop_op_of_tag(op->tag)]
                                                     : SWP_NO_OBJECT,
                              .tracker = tracker_of(work),
                              .list = list,
                              .entry = entry,
                              .pass = pass,
                              .phase = -1,
                              .barrier = -1,
                              .retires = -1,
                              .retired_by = -1,
                              .earlier = -1,
                              .iteration = base + op->iteration};
}
