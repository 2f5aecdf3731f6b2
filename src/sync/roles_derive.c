/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derives mbarriers, waits, arrivals, groups and fences of a schedule with warp roles from the dataflow of its loop and
 * the times of its pipeline (docs/roles.md, "Derivation").
 */
#include "sync/roles.h"

/* All roles do their ops of a step in the order of the pipeline, in which the kernel's list begins. */
static swp_status list_ops(swp_roles *r, const swp_loop_phases *phases)
{
    const size_t ops = r->loop->op_count;
    SWP_TRY(SWP_TAKE(r->ctx, ops, &r->position));
    for (int role = 0; role < r->plan_count; role++) {
        swp_role_plan *plan = &r->plans[role];
        SWP_TRY(SWP_TAKE(r->ctx, ops, &plan->ops));
        SWP_TRY(SWP_TAKE(r->ctx, ops, &plan->commits));
        SWP_TRY(SWP_TAKE(r->ctx, ops, &plan->fences));
    }
    for (size_t i = 0; i < ops; i++) {
        const int op = phases->kernel.items[i].op;
        swp_role_plan *plan = &r->plans[r->loop->ops[op].role];
        r->position[op] = plan->count;
        plan->ops[plan->count++] = op;
    }
    return SWP_OK;
}

static swp_status begin(swp_roles *r, const swp_loop_phases *phases)
{
    r->plan_count = (int)r->schedule->stream_count;
    SWP_TRY(SWP_TAKE(r->ctx, (size_t)r->plan_count, &r->plans));
    for (int role = 0; role < r->plan_count; role++) {
        const swp_stream *stream = &r->schedule->streams[role];
        r->plans[role] = (swp_role_plan){.warps = stream->warps,
                                         .instances = stream->instances,
                                         .threads = stream->warps * SWP_IR_WARP_THREADS};
    }
    return list_ops(r, phases);
}

/*
 * A slot may be given back steps after its version was read. The kernel begins where what it gives back in its first
 * pass was there.
 */
static void find_extra(swp_roles *r)
{
    for (int role = 0; role < r->plan_count; role++) {
        const swp_role_plan *plan = &r->plans[role];
        for (size_t i = 0; i < plan->items.count; i++) {
            const swp_role_item *item = &plan->items.items[i];
            const int step = swp_sync_roles_step(plan, item->point) + item->least;
            if (item->given_back >= 0 && step > r->extra)
                r->extra = step;
        }
    }
}

static swp_status write(swp_roles *r)
{
    swp_schedule *schedule = r->schedule;
    for (int role = 0; role < r->plan_count; role++)
        SWP_TRY(swp_sync_roles_write(r, role, &schedule->streams[role]));
    schedule->objects = r->objects.items;
    schedule->object_count = r->objects.count;
    schedule->loop.tiles_per_pass = r->unroll;
    schedule->loop.min_tiles = r->least + r->extra;
    return SWP_OK;
}

swp_status swp_sync_derive_roles(swp_context *ctx, swp_schedule *schedule,
                                 const swp_loop_phases *phases)
{
    swp_roles r = {.ctx = ctx,
                   .schedule = schedule,
                   .pipeline = schedule->pipeline,
                   .loop = schedule->pipeline->loop,
                   .least = phases->least,
                   .unroll = phases->unroll};
    SWP_TRY(begin(&r, phases));
    SWP_TRY(swp_sync_roles_find_channels(&r));
    SWP_TRY(swp_sync_roles_find_register_needs(&r));
    SWP_TRY(swp_sync_roles_find_fences(&r));
    SWP_TRY(swp_sync_roles_place_edges(&r));
    SWP_TRY(swp_sync_roles_find_groups(&r));
    find_extra(&r);
    SWP_TRY(write(&r));
    return swp_ir_check_roles(ctx, schedule);
}
