/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a schedule with warp roles against its target: completions, and shared memory with its mbarriers. */
#include "target/roles.h"

#include "base/diag.h"
#include "base/text.h"
#include "ir/loop_resident.h"
#include "swp/loop.h"
#include "swp/target.h"
#include "target/completions.h"
#include "target/residency.h"

static int64_t bytes_of_values(const swp_loop_dataflow *dataflow)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < dataflow->loop->value_count; i++)
        if (dataflow->loop->values[i].space == SWP_SPACE_SHARED)
            bytes += dataflow->loop->values[i].bytes * dataflow->slots[i];
    return bytes;
}

int64_t swp_target_mbarrier_bytes(const swp_schedule *schedule)
{
    int64_t slots = 0;
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_MBARRIER)
            slots += schedule->objects[i].slots;
    return slots * SWP_TARGET_MBARRIER_BYTES;
}

static swp_status check_shared(swp_context *ctx, const swp_target *target,
                               const swp_schedule *schedule)
{
    const int64_t values = bytes_of_values(schedule->dataflow);
    const int64_t mbarriers = swp_target_mbarrier_bytes(schedule);
    const int resident = swp_ir_loop_resident(schedule->dataflow->loop);
    const int64_t room = swp_target_shared_share(target, resident);
    char *hint = NULL;
    if (room == 0 || values + mbarriers <= room)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "let `shared_bytes` of the loop be at most %lld",
                       (long long)(room - mbarriers)));
    return swp_error(ctx, SWP_E0328, schedule->dataflow->loop->place, hint,
                     "values take %lld bytes of shared memory and mbarriers %lld, more than the "
                     "%lld that %s on %s",
                     (long long)values, (long long)mbarriers, (long long)room,
                     resident > 1 ? "each work group of the multiprocessor has"
                                  : "a work group has",
                     target->name);
}

swp_status swp_target_check_roles(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_target *target = schedule->target ? swp_target_find(schedule->target) : NULL;
    if (!target)
        return SWP_OK;
    SWP_TRY(swp_target_check_completions(ctx, target, schedule->dataflow->loop));
    return check_shared(ctx, target, schedule);
}
