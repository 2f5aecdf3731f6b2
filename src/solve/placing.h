/* SPDX-License-Identifier: Apache-2.0 */
/* Composes schedules of whole problems from those of their components. */
#ifndef SWP_SOLVE_PLACING_H
#define SWP_SOLVE_PLACING_H

#include "solve/encoding.h"

/*
 * Completes the times of a modulo schedule. The encoded ops have theirs, up to multiples of the
 * interval between components. The interval must carry the load of each resource.
 */
swp_status swp_solve_place_modulo(swp_context *ctx, const swp_encoding *encoding, int64_t *times);

/*
 * Runs components one after another. `times` holds the times of each component relative to one
 * another, and gets the schedule. `graph` must have the edges of distance 0.
 */
swp_status swp_solve_place_in_sequence(swp_context *ctx, const swp_problem_graph *graph,
                                       int64_t *times, int64_t *value);

#endif
