/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling problems for tests, from a short text. */
#ifndef TEST_SUPPORT_PROBLEMS_H
#define TEST_SUPPORT_PROBLEMS_H

#include "swp/problem.h"

/*
 * A problem of resources r, s, … with these capacities, of ops as "LATENCY:USES" and of edges as
 * "PRODUCER>CONSUMER". Uses are "r2x3" (2 of r for 3 cycles) joined by "+"; an edge may go on with
 * "/DISTANCE" and "=DELAY". Words are separated by spaces: "4:r1x2 0:", "0>1 1>0/1=-2".
 */
swp_problem problem_of(swp_context *ctx, swp_problem_kind kind, const char *capacities,
                       const char *ops, const char *edges);

#endif
