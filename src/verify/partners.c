/* SPDX-License-Identifier: Apache-2.0 */
/* Finds, by their turns, the waits of an arrival, the arrivals and copies of a wait, and what a wait for groups retires. */
#include "verify/partners.h"

#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/sync_objects.h"

typedef struct finder {
    swp_context *ctx;
    const swp_schedule *schedule;
    swp_explanation *explanation;
} finder;

static const swp_entry_list *kernel_of(const finder *f, int stream)
{
    return &f->schedule->streams[stream].kernel;
}

static swp_status add(const finder *f, int stream, size_t entry, int passes_later)
{
    const swp_partner partner = {stream, (int)entry, passes_later};
    return SWP_PUSH(f->ctx, &f->explanation->partners, partner);
}

/* Of a wait those that complete its phase, of an arrival those that wait for it. */
static swp_status add_of_phase(const finder *f, const swp_op *op)
{
    const int tiles = f->schedule->loop.tiles_per_pass;
    for (int stream = 0; stream < (int)f->schedule->stream_count; stream++) {
        const swp_entry_list *kernel = kernel_of(f, stream);
        for (size_t i = 0; i < kernel->count; i++) {
            const swp_op *other = &kernel->items[i].op;
            const int apart = op->iteration - other->iteration;
            const bool waits = swp_ir_sync_operation(other->tag)->waits;
            if (other->object == op->object && waits != swp_ir_sync_operation(op->tag)->waits &&
                apart % tiles == 0)
                SWP_TRY(add(f, stream, i, apart / tiles));
        }
    }
    return SWP_OK;
}

static bool retires_in_group(const finder *f, const swp_op *op, swp_sync_object object)
{
    const swp_loop_op *work = swp_ir_loop_op(f->schedule, op);
    return work && swp_ir_sync_tracker(work->completion) == object;
}

/* The last op of the newest group that a wait retires: so many commits back, round the kernel. */
static swp_status add_retired(const finder *f, const swp_op *op)
{
    const swp_sync_object object = swp_ir_sync_operation(op->tag)->object;
    const int stream = f->explanation->stream;
    const swp_entry_list *kernel = kernel_of(f, stream);
    const int64_t count = (int64_t)kernel->count;
    int64_t left = op->wait_value;
    for (int64_t back = 1; back <= count * (SWP_MOST_SLOTS + 1); back++) {
        const int64_t at = f->explanation->at.entry - back;
        const int64_t entry = (at % count + count) % count;
        const swp_op *before = &kernel->items[entry].op;
        const swp_sync_operation *operation = swp_ir_sync_operation(before->tag);
        left -= operation->commits && operation->object == object;
        if (left < 0 && retires_in_group(f, before, object))
            return add(f, stream, (size_t)entry, (int)((at - entry) / count));
    }
    return SWP_OK;
}

swp_status swp_verify_list_partners(swp_context *ctx, const swp_schedule *schedule,
                                    swp_explanation *explanation)
{
    const finder f = {ctx, schedule, explanation};
    if (explanation->at.phase != SWP_KERNEL)
        return SWP_OK;
    const swp_op *op = &kernel_of(&f, explanation->stream)->items[explanation->at.entry].op;
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    if (swp_ir_sync_completes(operation) == SWP_COMPLETES_BY_PHASE)
        return add_of_phase(&f, op);
    return swp_ir_sync_waits_for_groups(operation) ? add_retired(&f, op) : SWP_OK;
}
