/* SPDX-License-Identifier: Apache-2.0 */
/* The instances of a loop's roles, and by how much they are shifted, by docs/certificates.md alone. */
#ifndef SWP_CERTIFY_LOOP_INSTANCES_H
#define SWP_CERTIFY_LOOP_INSTANCES_H

#include "base/context.h"
#include "swp/loop.h"

int swp_certify_instances_of_role(const swp_loop *loop, int role);
int swp_certify_instances_of(const swp_loop *loop, int op);

/* The number of an instance's op among those of the problem; of op `op_count` and instance 0: how many there are. */
int swp_certify_op_of_instance(const swp_loop *loop, int op, int instance);

/* Whether the op reads, writes or updates the value. */
bool swp_certify_accesses(const swp_loop_op *op, int value);

/* Whether the op is a matrix op in a group, if its role is one of several; such ops are a warp group's. */
bool swp_certify_is_matrix_group(const swp_loop *loop, int op);

/* The warps of an instance. */
int swp_certify_warps_of(const swp_loop *loop, int role);

/* Bytes of registers that so many slots of a role's values take, and that it may have; -1: any. */
int64_t swp_certify_role_bytes(const swp_loop *loop, int role, const int *slots);
int64_t swp_certify_role_budget(const swp_loop *loop, int role);

/* How many shifts there are. */
size_t swp_certify_shift_count(const swp_loop *loop);

/* Adds the edges of these shifts to a problem of the loop. */
swp_status swp_certify_add_shifts(swp_context *ctx, const swp_loop *loop, const int64_t *shifts,
                                  swp_problem *problem);

/* The times of all ops of the problem, from those of the loop's ops. */
swp_status swp_certify_shift_times(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                   const int64_t *shifts, const int64_t **out);

/* Goes from all 0 through all shifts below `end` that grow within each role; false behind the last. */
bool swp_certify_next_shifts(const swp_loop *loop, int64_t end, int64_t *shifts);

/*
 * The units of a loop's problem, and an op of it as an instance does it. Where an op has a time of issue, each instance
 * of each role has a unit of its own behind the loop's, of a capacity of 1; each op takes it for that time, or for 1.
 */
swp_status swp_certify_units_of_loop(swp_context *ctx, const swp_loop *loop, swp_problem *problem);
swp_status swp_certify_op_of_loop(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out);

#endif
