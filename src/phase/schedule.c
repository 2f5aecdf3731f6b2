/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "swp/compile.h"

void swp_schedule_free(swp_schedule *schedule)
{
    if (schedule)
        swp_arena_free(schedule->arena);
}

const char *swp_schedule_op_name(const swp_schedule *schedule, int tag)
{
    const char *name = swp_infrastructure_name(tag);
    if (name)
        return name;
    const bool is_named = tag >= 0 && tag < SWP_KERNEL_TAGS && schedule->op_names;
    return is_named && schedule->op_names[tag] ? schedule->op_names[tag] : "?";
}

const swp_entry_list *swp_schedule_phase(const swp_schedule *schedule, swp_phase phase)
{
    switch (phase) {
    case SWP_PROLOGUE:
        return &schedule->prologue;
    case SWP_EPILOGUE:
        return &schedule->epilogue;
    case SWP_KERNEL:
        break;
    }
    return &schedule->kernel;
}
