/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small random loops with roles, and their least intervals by plain enumeration of roles, slots, shifts and times,
 * from docs/loops.md ("Dependences", "Instances", "Issue", "Registers of a role", "Roles to be found") alone.
 */
#ifndef TEST_SUPPORT_ENUMERATED_ROLES_H
#define TEST_SUPPORT_ENUMERATED_ROLES_H

#include "random.h"

#include "swp/loop.h"

enum { SMALL_ROLES = 2, SMALL_UNITS = 2, SMALL_OPS = 4, SMALL_READS = 4, SMALL_INTERVAL = 24 };

/* Op i makes value i, and no other. */
typedef struct small_loop {
    swp_loop loop;
    swp_loop_role roles[SMALL_ROLES];
    swp_problem_resource units[SMALL_UNITS];
    swp_loop_value values[SMALL_OPS];
    int value_count;
    swp_loop_op ops[SMALL_OPS];
    int op_count;
    swp_problem_use uses[SMALL_OPS][SMALL_UNITS];
    swp_loop_read reads[SMALL_OPS][SMALL_READS];
    int made[SMALL_OPS];
    int may[SMALL_OPS][SMALL_ROLES]; /* roles of which an op takes one */
} small_loop;

/* `out` is zero. */
void make_small_loop(test_random *random, small_loop *out);

/* The least interval; above SMALL_INTERVAL: there is none. */
int enumerated_interval(const small_loop *small);

#endif
