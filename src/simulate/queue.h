/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses in flight on one object of a group. */
#ifndef SWP_SIMULATE_QUEUE_H
#define SWP_SIMULATE_QUEUE_H

#include "simulate/engine.h"

/* Appends an access that itself finishes at `done`; older ones retire before it. */
swp_status swp_simulate_queue_push(swp_context *ctx, swp_sim_queue *queue, swp_sim_flight flight);

/* The same where older ones need not retire before it: those in flight stand as they finish. */
swp_status swp_simulate_queue_put(swp_context *ctx, swp_sim_queue *queue, swp_sim_flight flight);

/* Forgets what has finished by `now`. */
void swp_simulate_queue_drop(swp_sim_queue *queue, int64_t now);

/* The newest access that must have finished for at most `outstanding` to be in flight, or NULL. */
const swp_sim_flight *swp_simulate_queue_retired(const swp_sim_queue *queue, int64_t outstanding);

/*
 * The newest access that must have finished before `accesses` more fit below `max`, or NULL. All of
 * an operation's accesses finish at once.
 */
const swp_sim_flight *swp_simulate_queue_room(const swp_sim_queue *queue, int64_t accesses,
                                              int64_t max);

/* What a wait that leaves so many of each object, or a fenced barrier, waits for longest, or NULL. */
const swp_sim_flight *swp_simulate_queues_awaited(const swp_sim_queue *queues,
                                                  const swp_machine *machine, swp_wait_kind kind,
                                                  int64_t outstanding);
const swp_sim_flight *swp_simulate_queues_fenced(const swp_sim_queue *queues);

#endif
