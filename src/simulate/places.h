/* SPDX-License-Identifier: Apache-2.0 */
/* What a group's steps wait for at the registers and values that they touch. */
#ifndef SWP_SIMULATE_PLACES_H
#define SWP_SIMULATE_PLACES_H

#include "simulate/engine.h"

/* The last thing that must be as far as the step needs before it issues, and when; NULL if there is none. */
const swp_sim_flight *swp_simulate_operand(const swp_sim_engine *engine, const swp_sim_group *group,
                                           const swp_sim_step *step, int64_t *done);

/* The matrix op that last made a register which this one updates or makes anew, and from when on this one may begin. NULL: there is none. */
const swp_sim_flight *swp_simulate_chained(const swp_sim_engine *engine, const swp_sim_group *group,
                                           const swp_sim_step *step, int64_t *done);

/* What an access, and what a synchronous step leave behind. */
void swp_simulate_leave_access(const swp_sim_engine *engine, const swp_sim_group *group,
                               const swp_sim_step *step, const swp_sim_flight *flight);
void swp_simulate_leave_values(const swp_sim_engine *engine, const swp_sim_group *group,
                               const swp_sim_step *step, int64_t issue, const swp_sim_event *event);

#endif
