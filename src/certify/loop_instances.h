/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the instances of a loop's roles, and applies their shifts, by docs/certificates.md alone. */
#ifndef SWP_CERTIFY_LOOP_INSTANCES_H
#define SWP_CERTIFY_LOOP_INSTANCES_H

#include "base/context.h"
#include "swp/loop.h"

int swp_certify_instances_of_role(const swp_loop *loop, int role);
int swp_certify_instances_of(const swp_loop *loop, int op);

/*
 * Returns the number of an instance's op in the problem. For op `op_count` and instance 0 it is the
 * number of all ops.
 */
int swp_certify_op_of_instance(const swp_loop *loop, int op, int instance);

/* Returns whether the op reads, writes or updates the value. */
bool swp_certify_accesses(const swp_loop_op *op, int value);

/*
 * Returns whether the op is a matrix op in a group, if its role is one of several; such ops are a
 * warp group's.
 */
bool swp_certify_is_matrix_group(const swp_loop *loop, int op);

/* Returns how many warps an instance has. */
int swp_certify_warps_of(const swp_loop *loop, int role);

/*
 * The first returns how many bytes of registers so many slots of a role's values take; the second
 * how many the role may have (-1: any).
 */
int64_t swp_certify_role_bytes(const swp_loop *loop, int role, const int *slots);
int64_t swp_certify_role_budget(const swp_loop *loop, int role);

/* Returns how many shifts there are. */
size_t swp_certify_shift_count(const swp_loop *loop);

/* Adds the edges that these shifts ask for to a problem of the loop. */
swp_status swp_certify_add_shifts(swp_context *ctx, const swp_loop *loop, const int64_t *shifts,
                                  swp_problem *problem);

/* Computes the times of all ops of the problem from those of the loop's ops. */
swp_status swp_certify_shift_times(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                   const int64_t *shifts, const int64_t **out);

/* Goes from all 0 through all shifts below `end` that grow within each role; returns false after the last. */
bool swp_certify_next_shifts(const swp_loop *loop, int64_t end, int64_t *shifts);

/*
 * Makes the units of a loop's problem, and an op of it as an instance executes it. Where an op has
 * a time of issue, each instance of each role has a unit of its own after the loop's, of capacity
 * 1. Each op takes it for its time of issue, or for 1 cycle.
 */
swp_status swp_certify_units_of_loop(swp_context *ctx, const swp_loop *loop, swp_problem *problem);
swp_status swp_certify_op_of_loop(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out);

#endif
