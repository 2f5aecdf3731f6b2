/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs for the schedulers. */
#ifndef TEST_SUPPORT_RANDOM_BODY_H
#define TEST_SUPPORT_RANDOM_BODY_H

#include "random.h"
#include "swp/graph.h"

typedef struct body_shape {
    int count;
    bool halves;      /* each half has a COMPUTE, edges mostly go forward */
    int edge_percent; /* of the pairs that may have one */
} body_shape;

/*
 * Ops of every role, unit and cost, VALU ops, zero latencies and ops without a unit among them, an
 * acyclic graph whose edges do not follow the indices, twins, and edges of a later iteration.
 */
swp_loop_body random_body(swp_context *ctx, test_random *random, const body_shape *shape);

/* Prints a body and a search, so that a failing case can be written down. */
void print_body(const swp_loop_body *body);

#endif
