/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles what a description resolves to: a kernel, a body or a loop. */
#include "describe/body_kernel.h"
#include "describe/description.h"
#include "describe/place_diags.h"
#include "describe/resolve.h"

#include "base/diag.h"
#include "base/require.h"
#include "ir/loop_resident.h"
#include "lower/sync_choice.h"
#include "swp/loop_compile.h"
#include "target/figures.h"

/* All prefetch loads of a pass may be outstanding at once: the prologue's waits count them all. */
static swp_status warn_of_counter(swp_context *ctx, const swp_schedule *schedule)
{
    int64_t in_flight = 0;
    for (size_t i = 0; i < schedule->body.count; i++) {
        const swp_op *op = &schedule->body.items[i];
        if (op->role == SWP_GLOBAL_LOAD && swp_op_is_prefetch(op))
            in_flight += swp_vm_per_channel(&schedule->config, op->channel);
    }
    if (in_flight <= schedule->machine.vm_max)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0601, SWP_NOWHERE,
                    "choose smaller tiles, or more waves: a full counter stalls or wraps",
                    "the prefetch loads of a pass are %lld vmcnt accesses, but the counter holds "
                    "%d",
                    (long long)in_flight, schedule->machine.vm_max);
}

/* Each of the slots holds a tile of A and one of B. The published kernels take any block. */
static swp_status warn_of_room(swp_context *ctx, const swp_target *target, int slots,
                               const swp_tile_shape *shape)
{
    const int64_t bytes = (int64_t)slots * (shape->block[0] + (int64_t)shape->block[1]) *
                          shape->block[2] * shape->elem_bytes;
    const int64_t room = swp_target_value_of(target, SWP_TARGET_GROUP_BYTES);
    if (bytes <= room)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0602, SWP_NOWHERE, "choose a smaller block",
                    "%d slot%s of %d x %d and %d x %d elements of %d bytes take %lld bytes of "
                    "shared memory, but a work group has %lld on %s",
                    slots, slots == 1 ? "" : "s", shape->block[0], shape->block[2], shape->block[1],
                    shape->block[2], shape->elem_bytes, (long long)bytes, (long long)room,
                    target->name);
}

static swp_status find_loop(swp_context *ctx, const swp_description *description,
                            const swp_settings *settings, swp_loop *out)
{
    const swp_builtin *builtin = description->builtin;
    if (builtin)
        SWP_TRY(swp_status_behind(ctx, builtin->loop(ctx, description->target, settings, out)));
    else
        *out = *description->loop;
    out->name = description->name;
    return SWP_OK;
}

/* As many waves as its registers take, where nobody says how many. */
static swp_status fit_machine(swp_context *ctx, const swp_description *description,
                              const swp_loop *loop, swp_machine *machine)
{
    SWP_TRY(swp_check_loop(ctx, loop));
    SWP_TRY(swp_machine_check(ctx, machine));
    if (!swp_describe_setting(description, "machine.waves_per_group"))
        machine->waves_per_group =
            swp_loop_waves(description->target, loop, machine->groups, machine->waves_per_group);
    return SWP_OK;
}

static swp_status compile_loop(swp_context *ctx, const swp_description *description,
                               swp_settings *settings, swp_schedule **out)
{
    swp_loop loop;
    SWP_TRY(find_loop(ctx, description, settings, &loop));
    SWP_TRY(fit_machine(ctx, description, &loop, &settings->machine));
    const swp_loop_options options = {.target = description->target->name,
                                      .machine = settings->machine,
                                      .sync_goal = settings->schedule.sync_goal,
                                      .sync_pace = settings->schedule.sync_pace,
                                      .limits = description->target};
    return swp_compile_loop(ctx, &loop, &options, out);
}

/* A loop that leaves the number open is described for one number of its range. */
static swp_status set_resident(swp_context *ctx, int work_groups, swp_loop *loop)
{
    if (work_groups == 0 || work_groups == swp_ir_least_resident(loop))
        work_groups = loop->least_resident;
    else if (work_groups < loop->least_resident || work_groups > loop->most_resident)
        return swp_error(ctx, SWP_E0834, loop->place, "is it the schedule of this loop?",
                         "%d work groups share a multiprocessor there, and %d to %d may",
                         work_groups, swp_ir_least_resident(loop),
                         loop->most_resident > 0 ? loop->most_resident : 1);
    loop->least_resident = work_groups;
    loop->most_resident = work_groups;
    return SWP_OK;
}

static swp_status describe_loop(swp_context *ctx, const swp_description *description,
                                int work_groups, swp_loop *out)
{
    swp_settings settings;
    swp_wave_layout layout;
    if (!swp_describe_is_loop(description))
        return swp_error(ctx, SWP_E0834, SWP_NOWHERE,
                         "`loop:` describes one iteration, and leaves the passes to the search",
                         "%s describes passes, not a loop", description->name);
    SWP_TRY(swp_describe_resolve(ctx, description, &settings, &layout));
    SWP_TRY(find_loop(ctx, description, &settings, out));
    SWP_TRY(fit_machine(ctx, description, out, &settings.machine));
    SWP_TRY(set_resident(ctx, work_groups, out));
    return swp_loop_limit(ctx, description->target, &settings.machine, out);
}

/* Where a file has the figures of a block, they decide what nobody has stated. */
static swp_sync_freedom freedom_of(const swp_description *description)
{
    const swp_target *target = description->target;
    const bool by_figures =
        swp_target_is_file(target) && target->figures[SWP_TARGET_MMA_SYNC_PRODUCTS].stated;
    return (swp_sync_freedom){
        .figures = by_figures ? target : NULL,
        .sync = !swp_describe_setting(description, "schedule.sync"),
        .goal = !swp_describe_setting(description, "schedule.sync_goal"),
        .pace = !swp_describe_setting(description, "schedule.sync_pace"),
    };
}

static swp_status compile(swp_context *ctx, const swp_description *description, swp_schedule **out)
{
    swp_settings settings;
    swp_wave_layout layout;
    swp_pipeline_schedule definition = {0};
    SWP_TRY(swp_describe_resolve(ctx, description, &settings, &layout));
    if (swp_describe_is_loop(description))
        return compile_loop(ctx, description, &settings, out);
    if (description->builtin)
        SWP_TRY(swp_status_behind(
            ctx, description->builtin->define(ctx, description->target, &settings, &definition)));
    else
        SWP_TRY(swp_describe_body_kernel_define(ctx, description, &settings, &definition));
    definition.name = description->name;
    definition.target = description->target->name;
    definition.layout = layout;
    if (layout.warps_m > 0)
        definition.geometry = settings.geometry;
    const swp_sync_freedom freedom = freedom_of(description);
    SWP_TRY(swp_lower_compile_body(ctx, &definition, &freedom, out));
    SWP_TRY(warn_of_counter(ctx, *out));
    if (layout.warps_m == 0)
        return SWP_OK;
    return warn_of_room(ctx, description->target, settings.pipeline.depth, &settings.geometry);
}

swp_status swp_description_compile(swp_context *ctx, const swp_description *description,
                                   swp_schedule **out)
{
    if (out)
        *out = NULL;
    SWP_REQUIRE(ctx, ctx && description && out);
    const size_t first = ctx->diags->count;
    const swp_status status = compile(ctx, description, out);
    swp_describe_place_diags(ctx, description, first);
    if (status != SWP_OK) {
        swp_schedule_free(*out);
        *out = NULL;
    }
    return status;
}

swp_status swp_description_loop(swp_context *ctx, const swp_description *description,
                                int work_groups, swp_loop *out)
{
    SWP_REQUIRE(ctx, ctx && description && out);
    const size_t first = ctx->diags->count;
    const swp_status status = describe_loop(ctx, description, work_groups, out);
    swp_describe_place_diags(ctx, description, first);
    return status;
}
