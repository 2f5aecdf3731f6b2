/* SPDX-License-Identifier: Apache-2.0 */
/* Who keeps how much of a unit, until when. */
#ifndef SWP_SIMULATE_UNITS_H
#define SWP_SIMULATE_UNITS_H

#include "simulate/engine.h"

/* The first time from `time` on at which the step has room on all its units, and who was last in its way. */
int64_t swp_simulate_units_grant(const swp_sim_engine *engine, const swp_sim_step *step,
                                 int64_t time, const swp_sim_event **last);

/* The step takes its units at its grant. Forgets who has left them by then: nobody is granted them sooner afterwards. */
swp_status swp_simulate_units_take(swp_sim_engine *engine, const swp_sim_step *step, int64_t grant,
                                   const swp_sim_event *event);

#endif
