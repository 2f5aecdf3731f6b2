/* SPDX-License-Identifier: Apache-2.0 */
/* Whether any order of issue takes so many cycles a step with its waits (docs/loops-proof.md, "The least cycles of any order"). */
#ifndef SWP_PIPELINE_ORDER_REFUTER_H
#define SWP_PIPELINE_ORDER_REFUTER_H

#include "base/budget.h"
#include "pipeline/issue_waits.h"

/* Two ops of which it matters which one is issued first. */
typedef struct swp_order_pair {
    int first;
    int second;
    bool ends_in_order;
    bool fits;   /* their accesses are on their counter together */
    bool stands; /* it is supposed how many steps the second one is issued after the first */
} swp_order_pair;

typedef struct swp_order_pair_list {
    swp_order_pair *items;
    size_t count;
    size_t capacity;
} swp_order_pair_list;

typedef enum swp_order_outcome {
    SWP_ORDERS_OPEN, /* a limit ended the search */
    SWP_ORDERS_REFUTED,
    SWP_ORDERS_LEFT, /* there are times that nothing refutes */
} swp_order_outcome;

typedef struct swp_order_refuter {
    swp_context *ctx;
    swp_budget *budget;
    uint64_t most_work; /* of a question, in looks of some nanoseconds */
    swp_issue_model model;
    swp_issue_builder builder;
    swp_order_pair_list pairs;
    swp_sync_object unordered; /* whose accesses may end in any order */
    bool *reached;             /* scratch, one an op */
    int *queue;                /* scratch: the accesses of one object, as a step issues them */
    int64_t period;
    uint64_t work;
    int depth;
    swp_order_outcome outcome;
} swp_order_refuter;

/* The accesses of `unordered` may end in any order; SWP_NO_OBJECT: those of none. */
swp_status swp_pipeline_refuter_new(swp_context *ctx, const swp_machine *machine,
                                    const swp_loop *loop, const int *slots,
                                    swp_sync_object unordered, swp_order_refuter *out);

/* Whether no order takes `period` cycles a step or less. */
swp_status swp_pipeline_refute_orders(swp_order_refuter *refuter, int64_t period);

#endif
