/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a schedule with warp roles against its target: completions, and shared memory with its mbarriers. */
#include "target/roles.h"

#include "base/diag.h"
#include "base/text.h"
#include "swp/loop.h"
#include "swp/target.h"
#include "target/completions.h"
#include "target/figures.h"

static int64_t bytes_of_values(const swp_loop_dataflow *dataflow)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < dataflow->loop->value_count; i++)
        if (dataflow->loop->values[i].space == SWP_SPACE_SHARED)
            bytes += dataflow->loop->values[i].bytes * dataflow->slots[i];
    return bytes;
}

static int64_t bytes_of_mbarriers(const swp_schedule *schedule)
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
    const int64_t mbarriers = bytes_of_mbarriers(schedule);
    const int64_t room = swp_target_value_of(target, SWP_TARGET_GROUP_BYTES);
    char *hint = NULL;
    if (room == 0 || values + mbarriers <= room)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "let `shared_bytes` of the loop be at most %lld",
                       (long long)(room - mbarriers)));
    return swp_error(ctx, SWP_E0328, schedule->dataflow->loop->place, hint,
                     "values take %lld bytes of shared memory and mbarriers %lld, more than the "
                     "%lld that a work group has on %s",
                     (long long)values, (long long)mbarriers, (long long)room, target->name);
}

swp_status swp_target_check_roles(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_target *target = schedule->target ? swp_target_find(schedule->target) : NULL;
    if (!target)
        return SWP_OK;
    SWP_TRY(swp_target_check_completions(ctx, target, schedule->dataflow->loop));
    return check_shared(ctx, target, schedule);
}
