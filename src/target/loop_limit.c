/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits a loop to the shared memory and registers that a target has for a work group, and checks
 * its completions.
 */
#include "swp/target.h"

#include "base/diag.h"
#include "base/require.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/loop_resident.h"
#include "ir/roles.h"
#include "target/completions.h"
#include "target/figures.h"
#include "target/loop_role.h"
#include "target/residency.h"
#include "target/role_figures.h"
#include "target/roles.h"

/* SIMDs of a compute unit or SM; most threads of a work group, by 32. */
enum { SIMDS = 4, MOST_WAVES = 32 };

int swp_target_lane_registers(const swp_target *target, int waves)
{
    SWP_REQUIRE_OR(0, target && waves > 0);
    const int rounds = waves / SIMDS + (waves % SIMDS != 0);
    const int most = (int)swp_target_value_of(target, SWP_TARGET_LANE_REGISTERS);
    const int share = (int)swp_target_value_of(target, SWP_TARGET_REGISTER_FILE) /
                      (target->accesses.wave_size * SIMDS) / rounds;
    const int granted = share - share % SWP_TARGET_REGISTER_GRANULE;
    return granted < most ? granted : most;
}

/* Returns what a work group of so many waves needs at least, with the fewest slots of each value. */
static int64_t least_registers(const swp_loop *loop, int waves)
{
    int64_t bytes = 0;
    for (int v = 0; v < (int)loop->value_count; v++) {
        const swp_loop_value *value = &loop->values[v];
        if (value->space == SWP_SPACE_REGISTERS)
            bytes += value->bytes * swp_ir_loop_least_slots(loop, v) *
                     (value->bytes_of == SWP_OF_WAVE ? waves : 1);
    }
    return bytes;
}

int swp_loop_waves(const swp_target *target, const swp_loop *loop, int groups, int waves)
{
    SWP_REQUIRE_OR(0, target && loop && groups > 0 && waves > 0);
    for (int each = waves; each * groups <= MOST_WAVES; each++) {
        const int all = each * groups;
        const int64_t registers =
            (int64_t)swp_target_lane_registers(target, all) * target->accesses.wave_size * all;
        if (all % SIMDS == 0 && least_registers(loop, all) <= registers * SWP_REGISTER_BYTES)
            return each;
    }
    return waves;
}

/* Returns the waves of the value's role, or all if it has none. */
static int waves_of(const swp_loop *loop, int value, int all)
{
    const int role =
        swp_ir_loop_has_roles(loop) ? swp_ir_loop_role_of_value(loop, value) : SWP_NO_ROLE;
    return role == SWP_NO_ROLE
               ? all
               : swp_ir_loop_role_warps(loop, role) * swp_ir_loop_role_instances(loop, role);
}

/* Budgets are about all waves together, so the registers of all are joined. */
static swp_status join_waves(swp_context *ctx, int waves, swp_loop *loop)
{
    swp_loop_value *values = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &values));
    for (size_t v = 0; v < loop->value_count; v++) {
        values[v] = loop->values[v];
        if (values[v].bytes_of == SWP_OF_WORK_GROUP)
            continue;
        if (values[v].space != SWP_SPACE_REGISTERS)
            return swp_error(ctx, SWP_E0321, values[v].place,
                             "leave `bytes_of` out: the waves of a work group share it",
                             "value %s: its bytes in shared memory are said to be those of a wave",
                             values[v].name);
        values[v].bytes *= waves_of(loop, (int)v, waves);
        values[v].bytes_of = SWP_OF_WORK_GROUP;
    }
    loop->values = values;
    return SWP_OK;
}

static int64_t least_shared(const swp_loop *loop)
{
    int64_t bytes = 0;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == SWP_SPACE_SHARED)
            bytes += loop->values[v].bytes * swp_ir_loop_least_slots(loop, v);
    return bytes;
}

/*
 * Returns at most how many bytes mbarriers take. Each value alone has two mbarriers, each with as
 * many slots as the value has room for.
 */
static int64_t room_for_mbarriers(int64_t share, const swp_loop *loop)
{
    int64_t slots = 0;
    for (int v = 0; swp_ir_loop_has_roles(loop) && v < (int)loop->value_count; v++) {
        const swp_loop_value *value = &loop->values[v];
        const int64_t most = swp_ir_loop_most_slots(loop, v);
        if (value->space != SWP_SPACE_SHARED || value->bytes <= 0)
            continue;
        const int64_t fit = share / value->bytes;
        slots += most > 0 && most < fit ? most : fit < SWP_MOST_SLOTS ? fit : SWP_MOST_SLOTS;
    }
    return 2 * slots * SWP_TARGET_MBARRIER_BYTES;
}

/* A stated budget is of one work group, and no more than its share. */
static swp_status limit_shared(swp_context *ctx, const swp_target *target, int work_groups,
                               swp_loop *loop)
{
    const int64_t all = swp_target_value_of(target, SWP_TARGET_GROUP_BYTES);
    const int64_t share = swp_target_shared_share(target, work_groups);
    if (loop->shared_budget > all)
        return swp_error(ctx, SWP_E0328, loop->place, "leave `shared_bytes` out, or make it less",
                         "a budget of %lld bytes of shared memory is more than the %lld that a "
                         "work group has on %s",
                         (long long)loop->shared_budget, (long long)all, target->name);
    const int64_t room = share - room_for_mbarriers(share, loop);
    if (loop->shared_budget == 0 || loop->shared_budget > share)
        loop->shared_budget = share;
    if (loop->shared_budget > room && least_shared(loop) <= room)
        loop->shared_budget = room;
    return SWP_OK;
}

/* Registers move between warp groups, but in all there are no more than at the launch. */
static swp_status limit_roles(swp_context *ctx, const swp_target *target, int work_groups,
                              const swp_loop *loop)
{
    if (!swp_ir_loop_states_registers(loop))
        return SWP_OK;
    const swp_role_demand r = swp_target_role_registers(target, loop, work_groups);
    const long long lanes_of_group = (long long)SWP_IR_GROUP_WARPS * target->accesses.wave_size;
    if (r.lanes == 0 || r.asked <= (int64_t)r.groups * r.each)
        return SWP_OK;
    char *with = "";
    if (work_groups > 1)
        SWP_TRY(swp_format(ctx, &with, ", with %d work groups of a multiprocessor", work_groups));
    return swp_error(ctx, SWP_E0328, loop->place,
                     "let some have fewer: warps that only fill up a warp group count too",
                     "the roles ask for %lld registers in %d warp group%s of %lld threads, which "
                     "have %lld: %d a thread in a launch of %d threads on %s%s",
                     (long long)r.asked * lanes_of_group, r.groups, r.groups == 1 ? "" : "s",
                     lanes_of_group, (long long)r.groups * r.each * lanes_of_group, r.each, r.lanes,
                     target->name, with);
}

static swp_status limit_registers(swp_context *ctx, const swp_target *target, int waves,
                                  int work_groups, swp_loop *loop)
{
    const int most = swp_target_lane_registers(target, waves);
    const int share = swp_target_lane_registers(target, waves * work_groups);
    if (most == 0 || loop->lane_registers > most)
        return swp_error(ctx, SWP_E0328, loop->place,
                         "make it less, or change machine.waves_per_group",
                         "a budget of %d registers a lane is more than the %d that each lane of %d "
                         "wave%s has on %s",
                         loop->lane_registers, most, waves, waves == 1 ? "" : "s", target->name);
    if (loop->lane_registers == 0 || loop->lane_registers > share)
        loop->lane_registers = share;
    return SWP_OK;
}

static swp_status limit_residency(swp_context *ctx, const swp_target *target, int waves,
                                  int work_groups, const swp_loop *loop)
{
    const swp_target_residency *r = &target->residency;
    char *hint = NULL;
    int most = 1;
    if (swp_target_takes_groups(target, waves, work_groups))
        return SWP_OK;
    while (swp_target_takes_groups(target, waves, most + 1))
        most++;
    SWP_TRY(swp_format(
        ctx, &hint, "make `resident_work_groups` at most %d%s", most,
        swp_ir_loop_has_roles(loop) ? ": warps that only fill up a warp group count too" : ""));
    return swp_error(ctx, SWP_E0328, loop->place, hint,
                     "%d work groups of %d wave%s are more than a multiprocessor has at a time: "
                     "%d work groups and %d waves on %s",
                     work_groups, waves, waves == 1 ? "" : "s", r->work_groups, r->waves,
                     target->name);
}

static bool has_figures(const swp_target *target, const swp_loop *loop)
{
    return swp_ir_loop_has_roles(loop) && swp_target_is_file(target) &&
           swp_target_has_role_figures(target);
}

swp_status swp_loop_limit(swp_context *ctx, const swp_target *target, const swp_machine *machine,
                          swp_loop *loop)
{
    SWP_REQUIRE(ctx, ctx && target && machine && loop);
    const int waves = machine->groups * machine->waves_per_group;
    const int resident = swp_ir_least_resident(loop);
    SWP_TRY(swp_target_give_role(ctx, target, machine, loop));
    SWP_TRY(swp_target_check_completions(ctx, target, loop));
    const bool by_role = swp_ir_loop_states_registers(loop) && loop->lane_registers == 0;
    SWP_TRY(join_waves(ctx, waves, loop));
    SWP_TRY(swp_ir_loop_share_units(ctx, 1, loop));
    if (has_figures(target, loop))
        SWP_TRY(swp_target_set_role_figures(ctx, target, loop));
    SWP_TRY(limit_residency(ctx, target, swp_target_waves(machine, loop), resident, loop));
    SWP_TRY(swp_ir_loop_share_units(ctx, resident, loop));
    SWP_TRY(limit_shared(ctx, target, resident, loop));
    SWP_TRY(limit_roles(ctx, target, resident, loop));
    if (by_role) /* each role has its own budget, and lanes do not share registers across roles */
        return SWP_OK;
    SWP_TRY(limit_registers(ctx, target, waves, resident, loop));
    loop->lanes = waves * target->accesses.wave_size;
    return SWP_OK;
}
