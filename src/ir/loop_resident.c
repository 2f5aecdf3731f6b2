/* SPDX-License-Identifier: Apache-2.0 */
/* Lets each op hold its units as long as the same op of all work groups together. */
#include "ir/loop_resident.h"

#include "base/diag.h"
#include "ir/sync_objects.h"

#include <string.h>

int swp_ir_loop_resident(const swp_loop *loop)
{
    return loop->resident > 0 ? loop->resident : 1;
}

int swp_ir_least_resident(const swp_loop *loop)
{
    return loop->least_resident > 0 ? loop->least_resident : 1;
}

/* A counter is each wave's own, whoever else is there. */
static bool is_shared(const swp_problem_resource *unit)
{
    for (int o = 0; o < SWP_SYNC_OBJECTS; o++)
        if (strcmp(unit->name, swp_ir_sync_object_name((swp_sync_object)o)) == 0)
            return false;
    return true;
}

static swp_status share_op(swp_context *ctx, int work_groups, const swp_loop *loop, swp_loop_op *op)
{
    const int before = swp_ir_loop_resident(loop);
    swp_problem_use *uses = NULL;
    SWP_TRY(SWP_TAKE(ctx, op->use_count, &uses));
    for (size_t i = 0; i < op->use_count; i++) {
        uses[i] = op->uses[i];
        if (is_shared(&loop->units[uses[i].resource]))
            uses[i].cycles = uses[i].cycles / before * work_groups;
        if (uses[i].cycles > SWP_PROBLEM_MOST)
            return swp_error(ctx, SWP_E0320, op->place, "let fewer work groups share it",
                             "op %s holds %s for %lld cycles with %d work groups, and it may for "
                             "%lld",
                             op->name, loop->units[uses[i].resource].name,
                             (long long)uses[i].cycles, work_groups, (long long)SWP_PROBLEM_MOST);
    }
    op->uses = uses;
    return SWP_OK;
}

swp_status swp_ir_loop_share_units(swp_context *ctx, int work_groups, swp_loop *loop)
{
    swp_loop_op *ops = NULL;
    if (work_groups == swp_ir_loop_resident(loop))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    for (size_t i = 0; i < loop->op_count; i++) {
        ops[i] = loop->ops[i];
        SWP_TRY(share_op(ctx, work_groups, loop, &ops[i]));
    }
    loop->ops = ops;
    loop->resident = work_groups;
    return SWP_OK;
}
