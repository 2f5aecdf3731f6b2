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

void swp_lower_state_accesses(swp_schedule *schedule)
{
    swp_entry_list *phases[] = {&schedule->prologue, &schedule->kernel, &schedule->epilogue};
    for (int p = 0; p < 3; p++)
        for (size_t i = 0; i < phases[p]->count; i++)
            state(&phases[p]->items[i].op, schedule);
}
