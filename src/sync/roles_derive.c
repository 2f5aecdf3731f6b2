/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derives mbarriers, waits, arrivals, groups and fences of a schedule with warp roles from the dataflow of its loop and
 * the times of its pipeline (docs/roles-proof.md, "Derivation").
 */
#include "ir/loop_clocks.h"
#include "sync/roles.h"

static void list_op(swp_roles *r, int op)
{
    swp_role_plan *plan = &r->plans[r->loop->ops[op].role];
    r->position[op] = plan->count;
    plan->ops[plan->count++] = op;
}

/* In the loop's order, and all passes in between. */
static void list_ops_of_tiles(swp_roles *r)
{
    const int first = swp_ir_loop_first_of_passes(r->loop);
    for (int op = 0; op < first; op++)
        list_op(r, op);
    for (int op = r->passes; op < (int)r->loop->op_count; op++)
        list_op(r, op);
    for (int op = first; op < r->passes; op++)
        if (r->loop->ops[op].clock == SWP_TILE_CLOCK)
            list_op(r, op);
}

/* All roles do their ops of a step in the order of the pipeline, in which the kernel's list begins. */
static swp_status list_ops(swp_roles *r, const swp_loop_phases *phases)
{
    const int first = r->output_tiles ? swp_ir_loop_first_of_passes(r->loop) : 0;
    const size_t in_passes = r->schedule->pipeline->loop->op_count;
    const size_t ops = r->loop->op_count;
    SWP_TRY(SWP_TAKE(r->ctx, ops, &r->position));
    for (int role = 0; role < r->plan_count; role++) {
        swp_role_plan *plan = &r->plans[role];
        SWP_TRY(SWP_TAKE(r->ctx, ops, &plan->ops));
        SWP_TRY(SWP_TAKE(r->ctx, ops, &plan->commits));
        SWP_TRY(SWP_TAKE(r->ctx, ops, &plan->fences));
    }
    for (size_t i = 0; i < in_passes; i++)
        list_op(r, first + phases->kernel.items[i].op);
    if (r->output_tiles)
        list_ops_of_tiles(r);
    return SWP_OK;
}

static swp_status begin(swp_roles *r, const swp_loop_phases *phases)
{
    const int roles = (int)r->schedule->stream_count;
    r->plan_count = r->output_tiles ? 2 * roles : roles;
    SWP_TRY(SWP_TAKE(r->ctx, (size_t)r->plan_count, &r->plans));
    for (int role = 0; role < r->plan_count; role++) {
        const swp_stream *stream = &r->schedule->streams[role % roles];
        r->plans[role] = (swp_role_plan){.of_tiles = role >= roles,
                                         .warps = stream->warps,
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
    r->extra = 0;
    for (int role = 0; role < r->plan_count; role++) {
        const swp_role_plan *plan = &r->plans[role];
        for (size_t i = 0; i < plan->items.count; i++) {
            const swp_role_item *item = &plan->items.items[i];
            const int step = swp_sync_roles_step(plan, item->point) + item->least;
            if (item->given_back >= 0 && !item->dropped && step > r->extra)
                r->extra = step;
        }
    }
}

/* Whether anything works on the object, and how many threads arrive there in a phase. */
static bool is_used(const swp_roles *r, int object, int *arrivals)
{
    bool used = false;
    *arrivals = 0;
    for (int role = 0; role < r->plan_count; role++) {
        const swp_role_plan *plan = &r->plans[role];
        for (size_t i = 0; i < plan->items.count; i++) {
            const swp_role_item *item = &plan->items.items[i];
            if (item->object != object || item->dropped)
                continue;
            used = true;
            if (item->tag == SWP_TAG_ARRIVE || item->tag == SWP_TAG_ARRIVE_EXPECT)
                *arrivals += plan->instances * (item->by == SWP_ONE_THREAD ? 1 : plan->threads) *
                             (item->to == SWP_TO_ALL ? swp_ir_ranks(r->schedule) : 1);
        }
    }
    return used;
}

static swp_status write_objects(swp_roles *r)
{
    swp_role_object *objects = NULL;
    int count = 0;
    SWP_TRY(SWP_TAKE(r->ctx, r->objects.count, &objects));
    SWP_TRY(SWP_TAKE(r->ctx, r->objects.count, &r->number));
    for (int i = 0; i < (int)r->objects.count; i++) {
        int arrivals = 0;
        r->number[i] = is_used(r, i, &arrivals) ? count : -1;
        if (r->number[i] < 0)
            continue;
        objects[count] = r->objects.items[i];
        objects[count++].arrivals = arrivals;
    }
    r->schedule->objects = objects;
    r->schedule->object_count = (size_t)count;
    return SWP_OK;
}

bool swp_sync_roles_meet_at_end(const swp_roles *r)
{
    for (int role = 0; role < r->plan_count; role++)
        for (size_t i = 0; i < r->plans[role].items.count; i++)
            if (!r->plans[role].items.items[i].dropped &&
                r->plans[role].items.items[i].to == SWP_TO_ALL)
                return true;
    return false;
}

swp_status swp_sync_roles_write(swp_roles *r)
{
    swp_schedule *schedule = r->schedule;
    const int roles = (int)schedule->stream_count;
    find_extra(r);
    SWP_TRY(write_objects(r));
    for (int role = 0; role < roles; role++)
        SWP_TRY(swp_sync_roles_write_lists(r, role, &schedule->streams[role]));
    for (int plan = roles; plan < r->plan_count; plan++)
        SWP_TRY(swp_sync_roles_write_tile_lists(r, plan, &schedule->streams[plan - roles]));
    schedule->loop.tiles_per_pass = r->unroll;
    schedule->loop.min_tiles = r->least + r->extra;
    return SWP_OK;
}

/* All that might be needed, at the times of the pipeline. */
static swp_status place(swp_context *ctx, swp_schedule *schedule, const swp_loop_phases *phases,
                        bool prompt, swp_roles *r)
{
    *r = (swp_roles){.ctx = ctx,
                     .schedule = schedule,
                     .pipeline = schedule->pipeline,
                     .loop = schedule->pipeline->loop,
                     .output_tiles = schedule->output_tiles,
                     .prompt = prompt,
                     .least = phases->least,
                     .unroll = phases->unroll};
    if (r->output_tiles)
        SWP_TRY(swp_sync_roles_split_clocks(r, schedule->dataflow->loop));
    SWP_TRY(begin(r, phases));
    SWP_TRY(swp_sync_roles_find_channels(r));
    SWP_TRY(swp_sync_roles_find_register_needs(r));
    SWP_TRY(swp_sync_roles_find_fences(r));
    SWP_TRY(swp_sync_roles_place_edges(r));
    SWP_TRY(swp_sync_roles_find_groups(r));
    SWP_TRY(swp_sync_roles_write(r));
    return swp_ir_check_roles(ctx, schedule);
}

swp_status swp_sync_derive_roles(swp_context *ctx, swp_schedule *schedule,
                                 const swp_loop_phases *phases, swp_loop_waits waits)
{
    swp_roles r;
    bool safe = false;
    if (waits == SWP_ALL_WAITS_UNPROVEN)
        return place(ctx, schedule, phases, true, &r);
    SWP_TRY(place(ctx, schedule, phases, false, &r));
    SWP_TRY(swp_sync_roles_prove(&r, &safe));
    if (!safe) { /* what stays in flight less long holds up nobody else */
        SWP_TRY(place(ctx, schedule, phases, true, &r));
        SWP_TRY(swp_sync_roles_prove(&r, &safe));
    }
    if (!safe)
        return swp_sync_roles_refuse(&r);
    return waits == SWP_FEWEST_WAITS ? swp_sync_roles_drop(&r) : SWP_OK;
}
