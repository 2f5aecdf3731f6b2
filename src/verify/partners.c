/* SPDX-License-Identifier: Apache-2.0 */
/* Finds, by their turns, the waits of an arrival, the arrivals and copies of a wait, and what a wait for groups retires. */
#include "verify/partners.h"

#include "ir/entry.h"
#include "ir/roles.h"

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
            const bool waits = other->tag == SWP_TAG_WAIT_PHASE;
            if (other->object == op->object && waits != (op->tag == SWP_TAG_WAIT_PHASE) &&
                apart % tiles == 0)
                SWP_TRY(add(f, stream, i, apart / tiles));
        }
    }
    return SWP_OK;
}

static bool retires_in_group(const finder *f, const swp_op *op, swp_completion completion)
{
    const swp_loop_op *work = swp_ir_loop_op(f->schedule, op);
    return work && work->completion == completion;
}

/* The last op of the newest group that a wait retires: so many commits back, round the kernel. */
static swp_status add_retired(const finder *f, const swp_op *op)
{
    const bool is_matrix = op->tag == SWP_TAG_MATRIX_WAIT;
    const int commit = is_matrix ? SWP_TAG_MATRIX_COMMIT : SWP_TAG_BULK_COMMIT;
    const swp_completion completion =
        is_matrix ? SWP_COMPLETION_MATRIX_GROUP : SWP_COMPLETION_STORE_GROUP;
    const int stream = f->explanation->stream;
    const swp_entry_list *kernel = kernel_of(f, stream);
    const int64_t count = (int64_t)kernel->count;
    int64_t left = op->wait_value;
    for (int64_t back = 1; back <= count * (SWP_MOST_SLOTS + 1); back++) {
        const int64_t at = f->explanation->at.entry - back;
        const int64_t entry = (at % count + count) % count;
        const swp_op *before = &kernel->items[entry].op;
        left -= before->tag == commit;
        if (left < 0 && retires_in_group(f, before, completion))
            return add(f, stream, (size_t)entry, (int)((at - entry) / count));
    }
    return SWP_OK;
}

swp_status swp_verify_list_partners(swp_context *ctx, const swp_schedule *schedule,
                                    swp_explanation *explanation)
{
    const finder f = {ctx, schedule, explanation};
    if (!swp_ir_has_roles(schedule) || explanation->at.phase != SWP_KERNEL)
        return SWP_OK;
    const swp_op *op = &kernel_of(&f, explanation->stream)->items[explanation->at.entry].op;
    switch (op->tag) {
    case SWP_TAG_ARRIVE:
    case SWP_TAG_ARRIVE_EXPECT:
    case SWP_TAG_WAIT_PHASE:
        return add_of_phase(&f, op);
    case SWP_TAG_MATRIX_WAIT:
    case SWP_TAG_BULK_WAIT:
    case SWP_TAG_BULK_WAIT_READ:
        return add_retired(&f, op);
    default:
        return SWP_OK;
    }
}
