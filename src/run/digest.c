/* SPDX-License-Identifier: Apache-2.0 */
/* What tells schedules apart that the executor would execute differently. */
#include "swp/run.h"

#include <stdio.h>

/* FNV-1a, 64 bits. */
typedef struct digest {
    uint64_t state;
} digest;

static void add(digest *d, int64_t number)
{
    for (int byte = 0; byte < 8; byte++) {
        d->state ^= (uint64_t)number >> (8 * byte) & 0xff;
        d->state *= UINT64_C(0x100000001b3);
    }
}

/*
 * Cycles change nothing that can be computed wrong, nor do more waves than two. A single wave needs no
 * barrier: what goes wrong with more of them is right with one.
 */
static void add_machine(digest *d, const swp_machine *machine)
{
    add(d, machine->groups);
    add(d, machine->waves_per_group > 1);
    add(d, machine->lag);
    add(d, machine->lag_prologue_index);
    add(d, machine->lag_end_barrier);
    add(d, (int64_t)machine->barrier);
    add(d, (int64_t)machine->registers);
    add(d, machine->vm_max);
    add(d, machine->lgkm_max);
    add(d, (int64_t)machine->counter_full);
}

static void add_loop(digest *d, const swp_loop_shape *loop)
{
    add(d, loop->tiles_per_pass);
    add(d, loop->first_base);
    add(d, loop->min_tiles);
    add(d, loop->multiple);
    add(d, loop->m_mmas);
    add(d, loop->n_mmas);
    add(d, (int64_t)loop->placement);
}

static void add_op(digest *d, const swp_op *op)
{
    add(d, op->tag);
    add(d, (int64_t)op->role);
    add(d, op->channel);
    add(d, op->stage);
    add(d, op->subtile);
    add(d, (int64_t)op->k_offset);
    add(d, op->wait_value);
    add(d, op->vm_cost);
    add(d, op->lgkm_cost);
}

void swp_schedule_digest(const swp_schedule *schedule, char out[SWP_DIGEST_SIZE])
{
    digest d = {UINT64_C(0xcbf29ce484222325)};
    add_machine(&d, &schedule->machine);
    add_loop(&d, &schedule->loop);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        add(&d, (int64_t)entries->count);
        for (size_t i = 0; i < entries->count; i++)
            add_op(&d, &entries->items[i].op);
    }
    (void)snprintf(out, SWP_DIGEST_SIZE, "%016llx", (unsigned long long)d.state);
}
