/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether any order of issue takes so many cycles a step with its waits
 * (docs/loops-proof.md, "The least cycles of any order").
 */
#ifndef SWP_PIPELINE_ORDER_REFUTER_H
#define SWP_PIPELINE_ORDER_REFUTER_H

#include "base/budget.h"
#include "pipeline/issue_waits.h"

/* Two ops for which it matters which one is issued first. */
typedef struct swp_order_pair {
    int first;
    int second;
    bool ends_in_order;
    bool fits;   /* the counter has room for both accesses together */
    bool stands; /* the search supposes how many steps lie between them */
} swp_order_pair;

typedef struct swp_order_pair_list {
    swp_order_pair *items;
    size_t count;
    size_t capacity;
} swp_order_pair_list;

typedef enum swp_order_outcome {
    SWP_ORDERS_OPEN, /* a limit ended the search */
    SWP_ORDERS_REFUTED,
    SWP_ORDERS_LEFT, /* nothing refutes the times that were found */
} swp_order_outcome;

typedef struct swp_order_refuter {
    swp_context *ctx;
    swp_budget *budget;
    uint64_t most_work; /* of a question, in looks of some nanoseconds */
    swp_issue_model model;
    swp_issue_builder builder;
    swp_order_pair_list pairs;
    swp_sync_object unordered; /* the object whose accesses may end in any order */
    bool *reached;             /* scratch, one an op */
    int *queue;                /* scratch: the accesses of one object, as a step issues them */
    int64_t period;
    uint64_t work;
    int depth;
    swp_order_outcome outcome;
} swp_order_refuter;

/* Makes a refuter. The accesses of `unordered` may end in any order; with SWP_NO_OBJECT all end in order. */
swp_status swp_pipeline_refuter_new(swp_context *ctx, const swp_machine *machine,
                                    const swp_loop *loop, const int *slots,
                                    swp_sync_object unordered, swp_order_refuter *out);

/* Finds out whether no order takes `period` cycles a step or less. */
swp_status swp_pipeline_refute_orders(swp_order_refuter *refuter, int64_t period);

#endif
