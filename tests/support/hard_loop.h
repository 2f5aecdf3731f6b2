/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose least initiation interval is above both bounds, found by chance and proven so. */
#ifndef TEST_SUPPORT_HARD_LOOP_H
#define TEST_SUPPORT_HARD_LOOP_H

#include "random.h"

#include "swp/problem.h"

/* The larger of the resource and the recurrence bound, by trying one interval after the other. */
int64_t plain_loop_bound(const swp_problem *problem);

typedef enum plain_verdict { PLAIN_YES, PLAIN_NO, PLAIN_GAVE_UP } plain_verdict;

/* Whether a loop of up to 64 ops has a schedule at an interval: all slots of all ops. */
plain_verdict plain_loop_has_schedule(const swp_problem *problem, int64_t interval,
                                      long most_nodes);

/*
 * A loop of `least` to `most` ops that has no schedule at the larger of its bounds, as the search above
 * has proven.
 */
swp_problem hard_loop(swp_context *ctx, test_random *random, int least, int most);

#endif
