/* SPDX-License-Identifier: Apache-2.0 */
/* What retires operations, and when an operation comes before what is issued now. */
#ifndef SWP_BODIES_RETIRE_H
#define SWP_BODIES_RETIRE_H

#include "verify/bodies/state.h"

/* An operation that issues now; one that nothing tracks is retired at once. */
swp_bodies_flight swp_bodies_flight_new(swp_sync_object object);

/* An operation that never was in flight. */
swp_bodies_flight swp_bodies_flight_done(void);

bool swp_bodies_flight_retired(const swp_state *state, const swp_bodies_flight *flight);

/*
 * Whether the operation is before whatever any wave issues now, in the same wave and in every other.
 * `both_lds` says that it and what comes now are LDS operations, which one wave does in order.
 */
bool swp_bodies_flight_before_now(const swp_state *state, const swp_bodies_flight *flight,
                                  bool both_lds);

/* A wave issues `accesses` on an object; what that pushes out of a full counter is retired. */
void swp_bodies_state_issue(swp_state *state, swp_sync_object object, int accesses);

/* Retires what has at least `outstanding` accesses after it on an object that the wait is for. */
void swp_bodies_state_wait(swp_state *state, swp_wait_kind kind, int outstanding);

/* Retires an operation and everything older on its object. */
void swp_bodies_state_retire_through(swp_state *state, swp_bodies_flight *flight);

/* Every wave meets a barrier; `fenced` waits for LDS operations first. */
void swp_bodies_state_barrier(swp_state *state);

/* Group 1 alone passes a barrier. */
void swp_bodies_state_lag(swp_state *state);

#endif
