/* SPDX-License-Identifier: Apache-2.0 */
/* Applies target, geometry and settings in their order of precedence, and refuses what they mean together. */
#include "describe/resolve.h"

#include "base/diag.h"
#include "base/names.h"
#include "target/figures.h"

#include <string.h>

enum { BODY_VM = 4, BODY_MAX_GLOBALS = 1 };

static swp_status apply(swp_context *ctx, const swp_description *description, swp_section section,
                        swp_settings *settings)
{
    for (size_t i = 0; i < description->settings.count; i++) {
        const swp_setting *setting = &description->settings.items[i];
        if (setting->field->section == section)
            SWP_TRY(swp_field_parse(ctx, setting->field, setting->text, setting->value, settings));
    }
    return SWP_OK;
}

static swp_status set_depth(swp_context *ctx, const swp_description *description, int *depth)
{
    swp_settings settings = swp_settings_default();
    SWP_TRY(apply(ctx, description, SWP_SECTION_PIPELINE, &settings));
    *depth = settings.pipeline.depth;
    return SWP_OK;
}

/* A body starts from the target's own pipeline of its depth. */
static swp_status body_defaults(swp_context *ctx, const swp_description *description,
                                swp_settings *settings)
{
    const swp_target *target = description->target;
    int depth = 0;
    SWP_TRY(set_depth(ctx, description, &depth));
    settings->pipeline = depth == 1
                             ? target->single_buffer().pipeline
                             : target->double_buffer(BODY_VM, BODY_VM, BODY_MAX_GLOBALS).pipeline;
    settings->machine.barrier = depth == 1 ? SWP_BARRIER_FENCED : SWP_BARRIER_RAW;
    return SWP_OK;
}

/* What the target's own instructions do, whatever the kernel. */
static void apply_target(const swp_target *target, swp_settings *settings)
{
    settings->machine.vm_max = (int)swp_target_value_of(target, SWP_TARGET_VMCNT);
    settings->machine.lgkm_max = (int)swp_target_value_of(target, SWP_TARGET_LGKMCNT);
    settings->machine.wait_cycles = (int)swp_target_value_of(target, SWP_TARGET_SYNC_WAIT);
    settings->machine.arrive_cycles = (int)swp_target_value_of(target, SWP_TARGET_SYNC_ARRIVE);
    settings->machine.fence_cycles = (int)swp_target_value_of(target, SWP_TARGET_SYNC_FENCE);
    settings->machine.barrier_cycles = (int)swp_target_value_of(target, SWP_TARGET_SYNC_BARRIER);
    if (target->barrier == SWP_BARRIER_FENCED)
        settings->machine.barrier = SWP_BARRIER_FENCED;
    settings->geometry = target->tile_shape;
}

static void set_registers(const swp_target *target, swp_machine *machine)
{
    machine->registers = swp_target_registers(target, machine->registers);
}

/* Two groups are what a stagger is for (docs/descriptions.md, "What a body starts from"). */
static void stagger_machine(swp_settings *settings)
{
    if (settings->pipeline.depth == 1 || settings->pipeline.warp_stagger.rule == SWP_STAGGER_NONE)
        return;
    settings->machine.groups = 2;
    settings->machine.lag = 1;
}

static const swp_setting *first_of(const swp_description *description, swp_section section)
{
    for (size_t i = 0; i < description->settings.count; i++)
        if (description->settings.items[i].field->section == section)
            return &description->settings.items[i];
    return NULL;
}

/* The waves of a body stand as in the published kernel with as many groups. */
static swp_wave_layout published_layout(const swp_description *description,
                                        const swp_machine *machine)
{
    if (description->builtin)
        return description->builtin->layout();
    return machine->groups == 1 ? swp_wave_layout_four_wave() : swp_wave_layout_ping_pong();
}

/* Where the target decides how many waves a block has, the groups share them. */
static swp_status set_waves(swp_context *ctx, const swp_target *target, swp_wave_layout layout,
                            swp_machine *machine)
{
    const int waves = layout.warps_m * layout.warps_n;
    if (target->wave_tile[0] == 0)
        return SWP_OK;
    if (waves % machine->groups != 0)
        return swp_error_about(ctx, SWP_E0601, "geometry.block", "choose a larger block",
                               "%d wave%s cannot stand in %d warp groups", waves,
                               waves == 1 ? "" : "s", machine->groups);
    machine->waves_per_group = waves / machine->groups;
    return SWP_OK;
}

static bool has_geometry(const swp_description *description)
{
    const bool by_default = description->builtin && description->builtin->default_geometry;
    return by_default || first_of(description, SWP_SECTION_GEOMETRY);
}

static swp_status apply_geometry(swp_context *ctx, const swp_description *description,
                                 swp_settings *settings, swp_wave_layout *layout)
{
    const swp_target *target = description->target;
    swp_kernel_geometry geometry;
    *layout = (swp_wave_layout){0};
    if (!has_geometry(description))
        return SWP_OK;
    SWP_TRY(apply(ctx, description, SWP_SECTION_GEOMETRY, settings));
    SWP_TRY(swp_target_layout(ctx, target, &settings->geometry,
                              published_layout(description, &settings->machine), layout));
    SWP_TRY(swp_kernel_geometry_derive(ctx, &settings->geometry, *layout, &target->accesses,
                                       &geometry));
    SWP_TRY(set_waves(ctx, target, *layout, &settings->machine));
    settings->pipeline.vm_per_load_a = geometry.vm_per_load_a;
    settings->pipeline.vm_per_load_b = geometry.vm_per_load_b;
    settings->pipeline.lgkm_per_load_a = geometry.lgkm_per_load_a;
    settings->pipeline.lgkm_per_load_b = geometry.lgkm_per_load_b;
    return SWP_OK;
}

static swp_status check_depth(swp_context *ctx, const swp_pipeline_config *pipeline)
{
    if (pipeline->depth <= 2 && pipeline->depth == pipeline->num_partitions)
        return SWP_OK;
    return swp_error(ctx, SWP_E0202, SWP_NOWHERE,
                     "use depth 1 with num_partitions 1, or depth 2 with num_partitions 2",
                     "pipeline.depth is %d, which does not go with pipeline.num_partitions %d",
                     pipeline->depth, pipeline->num_partitions);
}

static swp_status refuse_key(swp_context *ctx, const char *key, swp_place place, int depth)
{
    return swp_error(ctx, SWP_E0108, place, "leave it out, or set pipeline.depth",
                     "`%s` means nothing for a body with pipeline.depth %d", key, depth);
}

/* Keys and sections of a body that belong to one of the depths. */
static swp_status check_keys_of_depth(swp_context *ctx, const swp_description *description,
                                      int depth)
{
    const swp_own_body *body = &description->body;
    const swp_setting *geometry = first_of(description, SWP_SECTION_GEOMETRY);
    if (body->reorder == SWP_REORDER_SINGLE_BUFFER && depth != 1)
        return refuse_key(ctx, "reorder: single_buffer", body->reorder_place, depth);
    if (body->reorder == SWP_REORDER_DOUBLE_BUFFER && depth != 2)
        return refuse_key(ctx, "reorder: double_buffer", body->reorder_place, depth);
    if (body->blocks == SWP_BLOCKS_MINIMAL && depth != 2)
        return refuse_key(ctx, "blocks: minimal", body->blocks_place, depth);
    if (body->bootstrap.count && depth != 2)
        return refuse_key(ctx, "bootstrap", body->bootstrap_place, depth);
    if (geometry && depth != 2)
        return refuse_key(ctx, "geometry", geometry->key, depth);
    return SWP_OK;
}

/* The single-buffer loop is ordered and synchronised by recipe; these settings still count. */
static bool counts_at_depth_1(const swp_field *field)
{
    static const char *const names[] = {
        "sync",         "sync_goal", "sync_pace", "depth",           "num_partitions",
        "loop_carried", "m_mmas",    "n_mmas",    "lgkm_per_load_a", "lgkm_per_load_b",
        "warp_stagger"};
    if (field->section != SWP_SECTION_PIPELINE && field->section != SWP_SECTION_SCHEDULE)
        return true;
    for (size_t i = 0; i < SWP_COUNT_OF(names); i++)
        if (strcmp(names[i], field->name) == 0)
            return true;
    return false;
}

static swp_status warn_of_depth_1(swp_context *ctx, const swp_description *description)
{
    for (size_t i = 0; i < description->settings.count; i++) {
        const swp_setting *setting = &description->settings.items[i];
        if (counts_at_depth_1(setting->field))
            continue;
        char path[SWP_FIELD_PATH_SIZE];
        SWP_TRY(swp_warn(ctx, SWP_W0202, setting->key,
                         "the single-buffer loop takes its order and its waits from its recipe",
                         "%s has no effect with pipeline.depth 1",
                         swp_field_path(setting->field, path)));
    }
    return SWP_OK;
}

static swp_status warn_of_lgkm(swp_context *ctx, const swp_description *description,
                               const char *path, int schedule, int pipeline)
{
    const swp_setting *setting = swp_describe_setting(description, path);
    if (!setting || pipeline == 0)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0202, setting->value, "set the pipeline's instead",
                    "%s = %d has no effect: pipeline.%s is %d", path, schedule,
                    setting->field->name, pipeline);
}

static swp_status warn_of_lag(swp_context *ctx, const swp_description *description)
{
    const swp_setting *setting = swp_describe_setting(description, "machine.lag_prologue_index");
    if (!setting)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0202, setting->key, "set pipeline.warp_stagger to fixed(N)",
                    "machine.lag_prologue_index has no effect: pipeline.warp_stagger decides");
}

static swp_status warn(swp_context *ctx, const swp_description *description,
                       const swp_settings *settings)
{
    const swp_pipeline_config *pipeline = &settings->pipeline;
    const swp_schedule_config *schedule = &settings->schedule;
    SWP_TRY(warn_of_lag(ctx, description));
    if (pipeline->depth == 1)
        return warn_of_depth_1(ctx, description);
    SWP_TRY(warn_of_lgkm(ctx, description, "schedule.lgkm_per_load_a", schedule->lgkm_per_load_a,
                         pipeline->lgkm_per_load_a));
    return warn_of_lgkm(ctx, description, "schedule.lgkm_per_load_b", schedule->lgkm_per_load_b,
                        pipeline->lgkm_per_load_b);
}

static swp_status warn_of_loop(swp_context *ctx, const swp_description *description)
{
    for (size_t i = 0; i < description->settings.count; i++) {
        const swp_setting *setting = &description->settings.items[i];
        char path[SWP_FIELD_PATH_SIZE];
        if (setting->field->section != SWP_SECTION_SCHEDULE ||
            strcmp(setting->field->name, "sync_goal") == 0 ||
            strcmp(setting->field->name, "sync_pace") == 0)
            continue;
        SWP_TRY(swp_warn(ctx, SWP_W0202, setting->key,
                         "a loop's order is found, and its synchronisation derived",
                         "%s has no effect on a loop", swp_field_path(setting->field, path)));
    }
    return SWP_OK;
}

static swp_status resolve_loop(swp_context *ctx, const swp_description *description,
                               swp_settings *settings)
{
    apply_target(description->target, settings);
    SWP_TRY(apply(ctx, description, SWP_SECTION_MACHINE, settings));
    SWP_TRY(apply(ctx, description, SWP_SECTION_SCHEDULE, settings));
    SWP_TRY(apply(ctx, description, SWP_SECTION_LOOP, settings));
    set_registers(description->target, &settings->machine);
    return warn_of_loop(ctx, description);
}

swp_status swp_describe_resolve(swp_context *ctx, const swp_description *description,
                                swp_settings *settings, swp_wave_layout *layout)
{
    *settings = swp_settings_default();
    if (swp_describe_is_loop(description))
        return resolve_loop(ctx, description, settings);
    if (description->builtin)
        description->builtin->defaults(description->target, settings);
    else
        SWP_TRY(body_defaults(ctx, description, settings));
    apply_target(description->target, settings);
    SWP_TRY(apply(ctx, description, SWP_SECTION_PIPELINE, settings));
    if (!description->builtin)
        stagger_machine(settings);
    /* Before the machine's settings: those are about the proof, not about the tile shape. */
    SWP_TRY(apply_geometry(ctx, description, settings, layout));
    SWP_TRY(apply(ctx, description, SWP_SECTION_MACHINE, settings));
    /* What is stated wins over what the geometry derives. */
    SWP_TRY(apply(ctx, description, SWP_SECTION_PIPELINE, settings));
    SWP_TRY(apply(ctx, description, SWP_SECTION_SCHEDULE, settings));
    SWP_TRY(apply(ctx, description, SWP_SECTION_HINTS, settings));
    SWP_TRY(apply(ctx, description, SWP_SECTION_KERNEL, settings));
    set_registers(description->target, &settings->machine);
    SWP_TRY(check_depth(ctx, &settings->pipeline));
    if (!description->builtin)
        SWP_TRY(check_keys_of_depth(ctx, description, settings->pipeline.depth));
    return warn(ctx, description, settings);
}
