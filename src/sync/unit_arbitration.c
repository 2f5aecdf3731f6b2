/* SPDX-License-Identifier: Apache-2.0 */
/* Which group is first at a unit, by the barriers between the uses of both. */
#include "sync/unit_arbitration.h"

#include "sync/timing_constraints.h"

static bool uses_unit(const swp_data_op *op, int unit)
{
    return op->effect->use_count > 0 && op->effect->uses[0].unit == unit;
}

static bool is_before(const swp_unit_use *a, const swp_unit_use *b)
{
    if (a->meeting != b->meeting)
        return a->meeting < b->meeting;
    if (a->later != b->later)
        return a->later > b->later;
    return a->op < b->op;
}

static swp_status insert(swp_context *ctx, swp_unit_arbiter *arbiter, swp_unit_use use)
{
    SWP_TRY(swp_list_reserve(ctx, (void **)&arbiter->uses, arbiter->count, &arbiter->capacity,
                             sizeof use));
    size_t at = arbiter->count++;
    for (; at > 0 && is_before(&use, &arbiter->uses[at - 1]); at--)
        arbiter->uses[at] = arbiter->uses[at - 1];
    arbiter->uses[at] = use;
    return SWP_OK;
}

static swp_status collect(swp_context *ctx, const swp_dataflow *flow, const int *gaps, int unit,
                          swp_unit_arbiter *arbiter)
{
    int barriers = 0;
    for (int i = 0; i < flow->count; i++)
        barriers += gaps[i];
    arbiter->count = 0;
    for (int group = 0; group < 2 && barriers > 0; group++) {
        int passed = group * flow->schedule->machine.lag;
        for (int i = 0; i < flow->count; i++) {
            passed += gaps[i];
            if (uses_unit(&flow->ops[i], unit))
                SWP_TRY(insert(ctx, arbiter,
                               (swp_unit_use){group, i, passed % barriers, passed / barriers}));
        }
    }
    return SWP_OK;
}

/* The other group's last use before that keeps the unit, if no use of its own comes between. */
static swp_status find_order(swp_context *ctx, const swp_dataflow *flow, swp_unit_arbiter *arbiter,
                             int unit, size_t index)
{
    const swp_unit_use *use = &arbiter->uses[index];
    size_t at = index;
    int round = 0;
    for (size_t steps = 0; steps < arbiter->count; steps++) {
        round += at == 0;
        at = at == 0 ? arbiter->count - 1 : at - 1;
        const swp_unit_use *before = &arbiter->uses[at];
        if (before->group == use->group)
            break;
        if (before->meeting == use->meeting)
            arbiter->known = false;
        if (swp_sync_keeps(&flow->ops[before->op], unit) == 0)
            continue;
        const swp_unit_order order = {unit, use->group, use->op, before->op,
                                      round + before->later - use->later};
        return SWP_PUSH(ctx, &arbiter->orders, order);
    }
    return SWP_OK;
}

static bool is_kept(const swp_dataflow *flow, int unit)
{
    for (int i = 0; i < flow->count; i++)
        if (swp_sync_keeps(&flow->ops[i], unit) > 0)
            return true;
    return false;
}

/* Whether each op uses one unit at most, and only what is synchronous keeps it, from its issue on. */
static bool is_ordered_by_barriers(const swp_dataflow *flow)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_effect *effect = flow->ops[i].effect;
        if (effect->use_count > 1 || (effect->use_count == 1 && effect->uses[0].cycles > 0 &&
                                      effect->object != SWP_NO_OBJECT))
            return false;
    }
    return !flow->has_wide_units;
}

swp_status swp_sync_find_unit_arbitration(swp_context *ctx, const swp_dataflow *flow,
                                          const int *gaps, swp_unit_arbiter *arbiter)
{
    arbiter->orders.count = 0;
    arbiter->known = is_ordered_by_barriers(flow);
    if (!arbiter->known)
        return SWP_OK;
    for (int unit = 0; unit < (int)flow->effects.unit_count; unit++) {
        if (!is_kept(flow, unit))
            continue;
        SWP_TRY(collect(ctx, flow, gaps, unit, arbiter));
        arbiter->known &= arbiter->count > 0;
        for (size_t i = 0; i < arbiter->count; i++)
            SWP_TRY(find_order(ctx, flow, arbiter, unit, i));
    }
    return SWP_OK;
}
