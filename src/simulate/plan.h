/* SPDX-License-Identifier: Apache-2.0 */
/* When the next entry of a group issues, and what holds it until then. */
#ifndef SWP_SIMULATE_PLAN_H
#define SWP_SIMULATE_PLAN_H

#include "simulate/engine.h"

/* What holds a step, in the order in which it is met. */
enum { SWP_SIM_MOST_DELAYS = 3 };

/* When the next step of a group issues, as things stand, and why not earlier. */
typedef struct swp_sim_plan {
    const swp_sim_step *step;
    int64_t issue; /* of a barrier: when the group reaches it */
    swp_sim_delay delays[SWP_SIM_MOST_DELAYS];
    int delay_count;
    bool is_stuck; /* what it waits for has not begun to end */
} swp_sim_plan;

void swp_simulate_plan_step(const swp_sim_engine *engine, int group, swp_sim_plan *out);

/* Puts the issue off until then, if it would be earlier. */
void swp_simulate_delay_until(swp_sim_plan *plan, swp_stall_cause cause, int64_t time,
                              const swp_sim_event *other);

#endif
