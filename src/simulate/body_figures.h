/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a body take by the figures of a target, for all warps of a block at once. */
#ifndef SWP_SIMULATE_BODY_FIGURES_H
#define SWP_SIMULATE_BODY_FIGURES_H

#include "simulate/program.h"

/* Whether the options ask for it, and the schedule and its target have what it takes. */
bool swp_simulate_by_figures(const swp_schedule *schedule, const swp_simulate_options *options);

/* Says why they do not count, where the target has them. */
swp_status swp_simulate_warn_of_groups(swp_context *ctx, const swp_schedule *schedule,
                                       const swp_simulate_options *options);

/* The warps of each warp group that share a scheduler. */
int swp_simulate_warps_of_scheduler(const swp_schedule *schedule);

/* The machine of the schedule, with what the target's synchronisation costs. */
swp_machine swp_simulate_machine_by_figures(const swp_schedule *schedule, const swp_target *target);

/* Cycles of a step that does the op, of one warp. */
swp_status swp_simulate_op_by_figures(const swp_sim_builder *b, const swp_op *op,
                                      swp_sim_step *step);

#endif
