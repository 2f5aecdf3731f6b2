/* SPDX-License-Identifier: Apache-2.0 */
/* When phases of mbarriers are complete (docs/roles-reference.md, "Objects"). */
#ifndef SWP_SIMULATE_MBARRIERS_H
#define SWP_SIMULATE_MBARRIERS_H

#include "simulate/engine.h"

swp_status swp_simulate_mbarriers_new(swp_sim_engine *engine);

/* What a group's operation for its turn adds to the phase: threads that arrive, bytes that are expected or land. */
swp_status swp_simulate_mbarrier_add(swp_sim_engine *engine, const swp_sim_step *step, int group,
                                     const swp_sim_flight *flight);

/* The last part of the phase that a group waits for, and when it sees that; false: it is not complete. */
bool swp_simulate_mbarrier_phase(const swp_sim_engine *engine, const swp_sim_step *step, int group,
                                 const swp_sim_flight **last, int64_t *seen);

#endif
