/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments and what comes before what (docs/roles-reference.md, "Before and after"): a graph whose arcs are collected one by
 * one, then closed under chains.
 */
#ifndef TEST_JUDGES_ROLES_ORDER_H
#define TEST_JUDGES_ROLES_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No moment at all: nothing comes before it, nor after. */
enum { ROLE_NO_MOMENT = -1 };

typedef struct role_arc {
    int from;
    int to;
} role_arc;

typedef struct role_order {
    int count; /* moments, numbered from 0 */
    role_arc *arcs;
    size_t arc_count;
    size_t arc_capacity;
    int *never; /* moments that cannot happen, whatever came before */
    size_t never_count;
    size_t never_capacity;
    bool *happens;
    uint64_t *before; /* for each moment a bit for each: whether that one comes before it */
    size_t words;     /* of 64 such bits */
} role_order;

int role_order_moment(role_order *order);

/* Without effect where one of the two is none. */
void role_order_arc(role_order *order, int from, int to);

void role_order_never(role_order *order, int moment);

/* Closes the order: what follows may be asked only then. */
void role_order_close(role_order *order);

/* A moment happens in the run unless it is stuck: then it waits for one that does not. */
bool role_happens(const role_order *order, int moment);

/* Whether a chain of arcs leads from one to the other, which happens. */
bool role_before(const role_order *order, int early, int late);

void role_order_free(role_order *order);

#endif
