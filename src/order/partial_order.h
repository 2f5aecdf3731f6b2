/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a prefix of an order under the resource model (docs/scheduling.md), and takes ops back from it. */
#ifndef SWP_ORDER_PARTIAL_ORDER_H
#define SWP_ORDER_PARTIAL_ORDER_H

#include "order/dag.h"

/* Keeps what placing an op changes beyond its own entries, so that it can be taken back. */
typedef struct swp_partial_step {
    int64_t free_at;
    int64_t makespan;
    int64_t peak;
    int globals;
} swp_partial_step;

/* The rules that an order must respect beyond its edges. */
typedef struct swp_order_rules {
    bool halves;
    int max_globals_per_block; /* 0: no limit */
    int64_t max_vgpr;          /* INT64_MAX: no limit */
} swp_order_rules;

swp_order_rules swp_order_rules_of(const swp_search *search);

typedef struct swp_partial {
    const swp_dag *dag;
    int *order; /* the ops placed so far */
    int count;
    bool *placed;
    int *waiting;    /* predecessors not placed yet */
    int64_t *finish; /* of placed ops, cycles */
    swp_partial_step *steps;
    int64_t free_at[SWP_UNIT_COUNT + 1]; /* the last stands for "no unit" and stays 0 */
    int64_t makespan;
    int64_t live;
    int64_t peak;
    int globals; /* since the last COMPUTE of the half */
    int left[2]; /* per half: ops, COMPUTEs and global loads not placed yet */
    int computes_left[2];
    int globals_left[2];
} swp_partial;

swp_status swp_order_partial_new(swp_context *ctx, const swp_dag *dag, swp_partial *out);

/* Returns when the op would start if it came next. */
int64_t swp_order_partial_start(const swp_partial *partial, int op);

void swp_order_partial_place(swp_partial *partial, int op);
void swp_order_partial_undo(swp_partial *partial);

/*
 * Returns whether the op may come next, by its predecessors, the halves, the COMPUTE that ends a
 * half, and the rules.
 */
bool swp_order_partial_allows(const swp_partial *partial, int op, const swp_order_rules *rules);

#endif
