/* SPDX-License-Identifier: Apache-2.0 */
/* Shares a compute unit or SM among its work groups, and counts how many fit. */
#include "target/residency.h"

#include "base/require.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"
#include "target/figures.h"
#include "target/roles.h"

int64_t swp_target_shared_share(const swp_target *target, int work_groups)
{
    const swp_target_residency *r = &target->residency;
    const int64_t one = swp_target_value_of(target, SWP_TARGET_GROUP_BYTES);
    if (work_groups <= 1)
        return one;
    const int64_t share = (one + r->reserved_bytes) / work_groups;
    const int64_t granted = r->granule > 0 ? share - share % r->granule : share;
    return granted > r->reserved_bytes ? granted - r->reserved_bytes : 0;
}

static int round_up(int value, int to)
{
    return (value + to - 1) / to * to;
}

/* Warps of the launch. A role that states its registers has whole warp groups, as one that issues wgmmas. */
static int count_warps(const swp_loop *loop)
{
    int warps = 0;
    for (int role = 0; role < (int)loop->role_count; role++) {
        const int own = swp_ir_loop_role_warps(loop, role);
        const bool grouped = loop->roles[role].registers > 0 || own % SWP_IR_GROUP_WARPS == 0;
        const int size = grouped ? SWP_IR_GROUP_WARPS : 1;
        warps =
            round_up(warps, size) + round_up(own * swp_ir_loop_role_instances(loop, role), size);
    }
    return warps;
}

int swp_target_waves(const swp_machine *machine, const swp_loop *loop)
{
    return swp_ir_loop_has_roles(loop) ? count_warps(loop)
                                       : machine->groups * machine->waves_per_group;
}

bool swp_target_takes_groups(const swp_target *target, int waves, int work_groups)
{
    const swp_target_residency *r = &target->residency;
    return work_groups <= 1 || (work_groups <= r->work_groups && waves * work_groups <= r->waves);
}

swp_role_demand swp_target_role_registers(const swp_target *target, const swp_loop *loop,
                                          int work_groups)
{
    swp_role_demand out = {.lanes = count_warps(loop) * target->accesses.wave_size};
    if (out.lanes == 0)
        return out;
    const int share =
        (int)swp_target_value_of(target, SWP_TARGET_REGISTER_FILE) / (out.lanes * work_groups);
    const int granted = share - share % SWP_TARGET_REGISTER_GRANULE;
    out.each = granted < SWP_MOST_ROLE_REGISTERS ? granted : SWP_MOST_ROLE_REGISTERS;
    for (int role = 0; role < (int)loop->role_count; role++) {
        const int own =
            round_up(swp_ir_loop_role_warps(loop, role) * swp_ir_loop_role_instances(loop, role),
                     SWP_IR_GROUP_WARPS) /
            SWP_IR_GROUP_WARPS;
        out.groups += loop->roles[role].registers > 0 ? own : 0;
        out.asked += (int64_t)own * loop->roles[role].registers;
    }
    return out;
}

static bool have_registers(const swp_target *target, const swp_loop *loop, int waves, int64_t bytes,
                           int work_groups)
{
    if (swp_ir_loop_states_registers(loop)) {
        const swp_role_demand r = swp_target_role_registers(target, loop, work_groups);
        return r.lanes > 0 && r.asked <= (int64_t)r.groups * r.each;
    }
    const int64_t lanes = (int64_t)waves * target->accesses.wave_size;
    return bytes <=
           swp_target_lane_registers(target, waves * work_groups) * lanes * SWP_REGISTER_BYTES;
}

int swp_loop_fit(const swp_target *target, const swp_machine *machine, const swp_loop *loop,
                 int64_t shared_bytes, int64_t register_bytes)
{
    SWP_REQUIRE_OR(0, target && machine && loop);
    const int waves = swp_target_waves(machine, loop);
    int fit = 1;
    while (fit < SWP_MOST_RESIDENT && waves > 0 &&
           swp_target_takes_groups(target, waves, fit + 1) &&
           shared_bytes <= swp_target_shared_share(target, fit + 1) &&
           have_registers(target, loop, waves, register_bytes, fit + 1))
        fit++;
    return fit;
}
