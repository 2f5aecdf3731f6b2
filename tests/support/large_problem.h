/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that are large in one way, for tests of what takes long. */
#ifndef TEST_SUPPORT_LARGE_PROBLEM_H
#define TEST_SUPPORT_LARGE_PROBLEM_H

#include "swp/problem.h"

typedef struct large_shape {
    swp_problem_kind kind;
    int ops;
    int uses;         /* of each op */
    int64_t capacity; /* of the one resource */
    int64_t cycles;   /* of each latency and use */
    bool chained;     /* the ops follow one another, in an order that is not theirs */
    int64_t back;     /* delay of an edge of distance 0 the other way round; 0: none */
} large_shape;

/* Amounts are 1 if an op has several uses, else they go round from 1 to the capacity. */
swp_problem large_problem(swp_context *ctx, const large_shape *shape);

#endif
