/* SPDX-License-Identifier: Apache-2.0 */
/* Small random scheduling problems, all of them legal. */
#ifndef TEST_SUPPORT_RANDOM_PROBLEM_H
#define TEST_SUPPORT_RANDOM_PROBLEM_H

#include "random.h"

#include "swp/problem.h"

typedef struct problem_shape {
    swp_problem_kind kind;
    int most_ops;
    int most_resources;
    int most_capacity;
    int most_cycles; /* of latencies and uses */
    int negative;    /* percent of the edges with a negative delay, which may point back */
} problem_shape;

/* A problem that swp_problem_check() takes, in the context's memory. */
swp_problem random_problem(swp_context *ctx, test_random *random, const problem_shape *shape);

/* The problem as JSON on standard output, to replay a case that fails. */
void print_problem(swp_context *ctx, const swp_problem *problem);

#endif
