/* SPDX-License-Identifier: Apache-2.0 */
/* What an op leaves behind once it is issued. */
#ifndef SWP_SIMULATE_START_H
#define SWP_SIMULATE_START_H

#include "simulate/engine.h"

/* The step is granted its units. What is asynchronous is so behind its issue. */
swp_status swp_simulate_start(swp_sim_engine *engine, const swp_sim_event *event,
                              const swp_sim_step *step, int64_t issue, int64_t *finished);

/* Ends a group of what its instance has issued since the last one. */
swp_status swp_simulate_commit(swp_sim_engine *engine, const swp_sim_event *event,
                               const swp_sim_step *step);

/* When a group's part in an object takes effect, and what it had to be behind. */
swp_sim_flight swp_simulate_part(const swp_sim_engine *engine, const swp_sim_event *event,
                                 int64_t issue);

#endif
