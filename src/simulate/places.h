/* SPDX-License-Identifier: Apache-2.0 */
/* What a group's steps wait for at the registers and values that they touch. */
#ifndef SWP_SIMULATE_PLACES_H
#define SWP_SIMULATE_PLACES_H

#include "simulate/engine.h"

/* The last thing that must be done before the step issues, and when: false if there is none. */
bool swp_simulate_operand(const swp_sim_engine *engine, const swp_sim_group *group,
                          const swp_sim_step *step, swp_sim_flight *last);

/* What an access, and what a synchronous step leave behind. */
void swp_simulate_leave_access(swp_sim_group *group, const swp_sim_step *step,
                               const swp_sim_flight *flight);
void swp_simulate_leave_values(swp_sim_group *group, const swp_sim_step *step, int64_t issue,
                               const swp_sim_event *event);

#endif
