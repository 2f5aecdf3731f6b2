/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers the prices of orders of issue: a local search comes by the same few orders again and again. */
#ifndef SWP_PIPELINE_PRICE_MEMO_H
#define SWP_PIPELINE_PRICE_MEMO_H

#include "pipeline/issue_order.h"
#include "solve/max_cycle_ratio.h"

typedef struct swp_known_price {
    bool any;        /* something is known of the order that stands here */
    bool exact;      /* the ratio is its price; else the price is no less than that */
    swp_ratio ratio; /* of the chain that was found last */
    int *critical;   /* ops of this chain, where it is exact */
    int critical_count;
} swp_known_price;

/* Zero-initialise. An order takes the place of another one whose hash is alike. */
typedef struct swp_price_memo {
    size_t places;
    swp_known_price *prices;
    uint32_t *orders;
    uint32_t *asked; /* the order that is looked up */
    int *critical;
} swp_price_memo;

/* Finds the place of an order, which has what is known of it. */
swp_status swp_pipeline_find_price(swp_context *ctx, swp_price_memo *memo,
                                   const swp_issue_order *order, size_t ops, swp_known_price **out);

#endif
