/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of warp roles take by the figures of a target, beyond what the loop says of them. */
#ifndef SWP_SIMULATE_ROLE_FIGURES_H
#define SWP_SIMULATE_ROLE_FIGURES_H

#include "simulate/program.h"

/* Whether the options ask for it, and the target has what it takes. */
bool swp_simulate_roles_by_figures(const swp_schedule *schedule,
                                   const swp_simulate_options *options);

/* The unit that all instances of all roles issue on. */
swp_unit_load swp_simulate_issue_slots(void);

/* Cycles of a step that does the op; `issue_slots` is the index of that unit. */
swp_status swp_simulate_role_op_by_figures(const swp_sim_builder *b, const swp_loop_op *work,
                                           int issue_slots, swp_sim_step *step);

#endif
