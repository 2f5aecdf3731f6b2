/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What warp roles share beyond the units of their loop (docs/simulation.md, "Roles by figures"): the issue slots of the
 * schedulers, as each scheduler has a warp of every warp group; and the matrix unit, which is simulated, so that an op on
 * it ends its own latency after its turn.
 */
#include "simulate/role_figures.h"

#include "ir/roles.h"
#include "target/figures.h"

bool swp_simulate_roles_by_figures(const swp_schedule *schedule,
                                   const swp_simulate_options *options)
{
    return options->target && swp_ir_has_roles(schedule) &&
           options->target->figures[SWP_TARGET_MMA_LATENCY].stated &&
           options->target->figures[SWP_TARGET_EXP_LANES].stated;
}

swp_unit_load swp_simulate_issue_slots(void)
{
    return (swp_unit_load){.name = "issue_slots", .unit = SWP_RESOURCE_NONE, .capacity = 1};
}

static int64_t longest_use(const swp_sim_step *step)
{
    int64_t cycles = 0;
    for (size_t i = 0; i < step->use_count; i++)
        cycles = step->uses[i].cycles > cycles ? step->uses[i].cycles : cycles;
    return cycles;
}

/* While a slower unit works at what it was given, others issue: so many of its cycles are not the op's own. */
static int64_t slots_of(const swp_sim_step *step, const swp_target *target)
{
    const int64_t on_unit = longest_use(step);
    const int64_t given = on_unit * swp_target_value_of(target, SWP_TARGET_EXP_LANES) /
                          swp_target_value_of(target, SWP_TARGET_VECTOR_LANES);
    return on_unit < step->issue ? step->issue - on_unit + given : given;
}

static swp_status add_use(const swp_sim_builder *b, int unit, int64_t cycles, swp_sim_step *step)
{
    swp_sim_use *uses = NULL;
    SWP_TRY(SWP_TAKE(b->ctx, step->use_count + 1, &uses));
    for (size_t i = 0; i < step->use_count; i++)
        uses[i] = step->uses[i];
    uses[step->use_count++] = (swp_sim_use){unit, 1, cycles};
    step->uses = uses;
    return SWP_OK;
}

swp_status swp_simulate_role_op_by_figures(const swp_sim_builder *b, const swp_loop_op *work,
                                           int issue_slots, swp_sim_step *step)
{
    const swp_target *target = b->options->target;
    if (work->completion == SWP_COMPLETION_MATRIX_GROUP && step->use_count > 0) {
        step->latency = longest_use(step) + swp_target_value_of(target, SWP_TARGET_MMA_LATENCY);
        if (step->read_cycles > step->latency)
            step->read_cycles = step->latency;
    }
    return step->kind == SWP_SIM_COMPUTE && step->issue > 0
               ? add_use(b, issue_slots, slots_of(step, target), step)
               : SWP_OK;
}
