/* SPDX-License-Identifier: Apache-2.0 */
/* Which entry of a schedule each instruction carries out. */
#ifndef SWP_AUDIT_MATCH_ATTRIBUTION_H
#define SWP_AUDIT_MATCH_ATTRIBUTION_H

#include "audit/match/region.h"
#include "ir/effects.h"

/* Something that keeps code and schedule from being compared further. */
typedef struct swp_obstacle {
    int insn; /* -1: none in particular */
    const char *what;
} swp_obstacle;

typedef struct swp_obstacle_list {
    swp_obstacle *items;
    size_t count;
    size_t capacity;
} swp_obstacle_list;

typedef struct swp_attribution {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_effects *effects; /* of its entries */
    const swp_walk *walk;
    int *entry_of; /* by item: entry of its phase; -1: none, or a wait or barrier */
    swp_lds_regions regions;
    bool by_order; /* addresses are not known: the n-th access is the n-th entry's */
    int moved;     /* accesses that stand in another order than their entries */
    swp_obstacle_list obstacles;
} swp_attribution;

/*
 * Loads to LDS and LDS reads by their places, multiplications by what they multiply. The places are
 * those of `like`, an attribution of another walk, or found out if that is NULL.
 */
swp_status swp_match_attribute(swp_context *ctx, const swp_effects *effects, const swp_walk *walk,
                               const swp_attribution *like, swp_attribution *out);

/* Says an obstacle once, and where it first is. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
swp_status
swp_match_obstacle_add(swp_attribution *attribution, int insn, const char *format, ...);

/* Multiplications by the entries that produced their factors; and that sums add up what they should. */
swp_status swp_match_attribute_mmas(swp_attribution *attribution);

/* The entry that an item is carried out for, and its effect; NULL: none, or a wait or barrier. */
const swp_entry *swp_match_item_entry(const swp_attribution *attribution, int item);
const swp_effect *swp_match_item_effect(const swp_attribution *attribution, int item);

/* Of the instructions that carry out its entry in this pass: whether it is the first, the last; how many there are. */
bool swp_match_item_is_first_part(const swp_attribution *attribution, int item);
bool swp_match_item_is_last_part(const swp_attribution *attribution, int item);
int swp_match_item_parts(const swp_attribution *attribution, int item);

#endif
