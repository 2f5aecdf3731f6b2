/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses configurations that cannot be meant (docs/descriptions.md, "What cannot be combined"). */
#include "base/diag.h"
#include "base/require.h"
#include "swp/config.h"
#include "swp/fields.h"

swp_status swp_settings_check(swp_context *ctx, swp_section section, const swp_settings *settings)
{
    SWP_REQUIRE(ctx, ctx && settings);
    swp_status status = SWP_OK;
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count; i++) {
        const swp_field *field = &fields[i];
        if (field->section != section || swp_field_in_domain(field, settings))
            continue;
        char path[SWP_FIELD_PATH_SIZE];
        char value[SWP_FIELD_TEXT_SIZE];
        char domain[SWP_FIELD_TEXT_SIZE];
        swp_field_format(field, settings, value);
        swp_field_domain(field, domain);
        status = swp_error_about(ctx, SWP_E0201, swp_field_path(field, path), field->meaning,
                                 "%s is %s, but must be %s", path, value, domain);
    }
    return status;
}

swp_status swp_pipeline_config_check(swp_context *ctx, const swp_pipeline_config *config)
{
    SWP_REQUIRE(ctx, ctx && config);
    swp_settings settings = {.pipeline = *config};
    SWP_TRY(swp_settings_check(ctx, SWP_SECTION_PIPELINE, &settings));
    if (config->depth > 2 || config->depth != config->num_partitions)
        return swp_error(
            ctx, SWP_E0202, SWP_NOWHERE,
            "use depth 1 with num_partitions 1, or depth 2 with num_partitions 2; deeper "
            "pipelines are for `loop:` descriptions",
            "depth %d does not go with num_partitions %d", config->depth, config->num_partitions);
    return SWP_OK;
}

static swp_status warn_overridden(swp_context *ctx, const char *setting, const char *by)
{
    return swp_warn_about(ctx, SWP_W0201, setting, "leave one of the two at its default",
                          "%s has no effect: %s overrides it", setting, by);
}

static swp_status warn_of_waits(swp_context *ctx, const swp_schedule_config *config)
{
    const swp_schedule_config standard = swp_schedule_config_default();
    if (config->auto_waits && config->wait_lgkm_first != standard.wait_lgkm_first)
        SWP_TRY(warn_overridden(ctx, "schedule.wait_lgkm_first", "schedule.auto_waits"));
    if (config->auto_waits && config->wait_vm_last != standard.wait_vm_last)
        SWP_TRY(warn_overridden(ctx, "schedule.wait_vm_last", "schedule.auto_waits"));
    if (config->auto_waits && config->auto_drain && config->drain_lgkm_mask != 0)
        SWP_TRY(warn_overridden(ctx, "schedule.drain_lgkm_mask", "schedule.auto_drain"));
    if (config->lgkm_after_last && config->minimal_barriers)
        SWP_TRY(warn_overridden(ctx, "schedule.lgkm_after_last", "schedule.minimal_barriers"));
    return SWP_OK;
}

swp_status swp_schedule_config_check(swp_context *ctx, const swp_schedule_config *config)
{
    SWP_REQUIRE(ctx, ctx && config);
    swp_settings settings = {.schedule = *config};
    swp_status status = swp_settings_check(ctx, SWP_SECTION_SCHEDULE, &settings);
    if (config->omit_mma_set_prio && !config->minimal_barriers)
        status =
            swp_error_about(ctx, SWP_E0203, "schedule.omit_mma_set_prio",
                            "set schedule.minimal_barriers too, or leave omit_mma_set_prio false",
                            "schedule.omit_mma_set_prio needs schedule.minimal_barriers");
    SWP_TRY(status);
    SWP_TRY(warn_of_waits(ctx, config));
    if (config->auto_drain && !config->auto_waits)
        return swp_warn_about(ctx, SWP_W0202, "schedule.auto_drain",
                              "set schedule.auto_waits, or give drain_lgkm_mask by hand",
                              "schedule.auto_drain has no effect without schedule.auto_waits");
    return SWP_OK;
}

swp_status swp_machine_check(swp_context *ctx, const swp_machine *machine)
{
    SWP_REQUIRE(ctx, ctx && machine);
    swp_settings settings = {.machine = *machine};
    SWP_TRY(swp_settings_check(ctx, SWP_SECTION_MACHINE, &settings));
    if (machine->registers == SWP_REGISTERS_SCOREBOARD &&
        machine->counter_full == SWP_COUNTER_WRAPS)
        return swp_error_about(
            ctx, SWP_E0203, "machine.counter_full",
            "set machine.counter_full to stall, or machine.registers to managed",
            "machine.counter_full is wraps, but machine.registers is scoreboard: "
            "a wait for one access alone does not tell how many a counter holds");
    if (machine->lag == 0 || machine->groups == 2)
        return SWP_OK;
    return swp_error_about(
        ctx, SWP_E0203, "machine.lag", "set machine.groups to 2, or machine.lag to 0",
        "machine.lag is %d, but machine.groups is %d: of two groups, only group 1 can lag",
        machine->lag, machine->groups);
}
