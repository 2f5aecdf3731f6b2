/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/unit_arbitration.h"

static const swp_resource units[] = {SWP_GLOBAL_MEM, SWP_LDS, SWP_MMA_UNIT, SWP_VALU};

enum { UNITS = sizeof units / sizeof *units };

bool swp_sync_is_unit(swp_resource resource)
{
    for (int i = 0; i < UNITS; i++)
        if (units[i] == resource)
            return true;
    return false;
}

bool swp_sync_keeps_unit(const swp_op *op)
{
    return op->role == SWP_COMPUTE && op->latency > 0 && swp_sync_is_unit(op->resource);
}

static bool is_before(const swp_unit_use *a, const swp_unit_use *b)
{
    if (a->meeting != b->meeting)
        return a->meeting < b->meeting;
    if (a->later != b->later)
        return a->later > b->later;
    return a->op < b->op;
}

static swp_status insert(swp_context *ctx, swp_turn_finder *finder, swp_unit_use use)
{
    SWP_TRY(swp_list_reserve(ctx, (void **)&finder->uses, finder->count, &finder->capacity,
                             sizeof use));
    size_t at = finder->count++;
    for (; at > 0 && is_before(&use, &finder->uses[at - 1]); at--)
        finder->uses[at] = finder->uses[at - 1];
    finder->uses[at] = use;
    return SWP_OK;
}

static swp_status collect(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                          swp_resource unit, swp_turn_finder *finder)
{
    int barriers = 0;
    for (int i = 0; i < flow->count; i++)
        barriers += gaps[i];
    finder->count = 0;
    for (int group = 0; group < 2 && barriers > 0; group++) {
        int passed = group * flow->schedule->machine.lag;
        for (int i = 0; i < flow->count; i++) {
            passed += gaps[i];
            if (flow->ops[i].op.resource == unit)
                SWP_TRY(insert(ctx, finder,
                               (swp_unit_use){group, i, passed % barriers, passed / barriers}));
        }
    }
    return SWP_OK;
}

/* The other group's last use before that keeps the unit, if no use of its own comes between. */
static swp_status find_turn(swp_context *ctx, const swp_dataflow *flow, swp_turn_finder *finder,
                            size_t index)
{
    const swp_unit_use *use = &finder->uses[index];
    size_t at = index;
    int round = 0;
    for (size_t steps = 0; steps < finder->count; steps++) {
        round += at == 0;
        at = at == 0 ? finder->count - 1 : at - 1;
        const swp_unit_use *before = &finder->uses[at];
        if (before->group == use->group)
            break;
        if (before->meeting == use->meeting)
            finder->known = false;
        if (!swp_sync_keeps_unit(&flow->ops[before->op].op))
            continue;
        const swp_turn turn = {use->group, use->op, before->op, round + before->later - use->later};
        return SWP_PUSH(ctx, &finder->turns, turn);
    }
    return SWP_OK;
}

static bool is_kept(const swp_dataflow *flow, swp_resource unit)
{
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].op.resource == unit && swp_sync_keeps_unit(&flow->ops[i].op))
            return true;
    return false;
}

swp_status swp_sync_find_unit_arbitration(swp_context *ctx, const swp_dataflow *flow,
                                          const int *gaps, swp_turn_finder *finder)
{
    finder->turns.count = 0;
    finder->known = !flow->schedule->dataflow; /* its units are others */
    if (!finder->known)
        return SWP_OK;
    for (int u = 0; u < UNITS; u++) {
        if (!is_kept(flow, units[u]))
            continue;
        SWP_TRY(collect(ctx, flow, gaps, units[u], finder));
        finder->known &= finder->count > 0;
        for (size_t i = 0; i < finder->count; i++)
            SWP_TRY(find_turn(ctx, flow, finder, i));
    }
    return SWP_OK;
}
