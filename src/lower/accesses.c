/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the counted accesses of the configuration into loads, stores and fragment loads. */
#include "lower/accesses.h"

static void state(swp_op *op, const swp_schedule *schedule)
{
    const bool single_buffer = schedule->config.depth == 1;
    const int lgkm = op->channel == 0 ? schedule->lgkm_per_load_a : schedule->lgkm_per_load_b;
    if (op->role == SWP_GLOBAL_LOAD && op->vm_cost == 0)
        op->vm_cost = single_buffer ? 1 : swp_vm_per_channel(&schedule->config, op->channel);
    else if (op->role == SWP_SHARED_STORE && op->lgkm_cost == 0)
        op->lgkm_cost = 1;
    else if (op->role == SWP_FRAGMENT_LOAD && op->lgkm_cost == 0)
        op->lgkm_cost = lgkm;
}

static void state_phase(const swp_entry_list *entries, const swp_schedule *schedule)
{
    for (size_t i = 0; i < entries->count; i++)
        state(&entries->items[i].op, schedule);
}

void swp_lower_state_accesses(swp_schedule *schedule)
{
    for (size_t s = 0; s < schedule->stream_count; s++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            state_phase(swp_stream_phase(&schedule->streams[s], phase), schedule);
}
