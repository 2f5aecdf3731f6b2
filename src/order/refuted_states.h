/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States that no completion leads to the target from: a set of placed ops with, for each op left,
 * how late it starts at the earliest. A state that is nowhere earlier than a refuted one of the same
 * set is refuted too.
 */
#ifndef SWP_ORDER_REFUTED_STATES_H
#define SWP_ORDER_REFUTED_STATES_H

#include "base/context.h"

/* What is the same for all states of one kind: placed ops, loads since the last COMPUTE. */
typedef struct swp_refuted_key {
    const bool *placed;
    int count;
    int globals;
    int64_t max_vgpr; /* refuted under this budget, so under any smaller one */
} swp_refuted_key;

typedef struct swp_refuted_state swp_refuted_state;

typedef struct swp_refuted {
    swp_arena *arena;
    swp_refuted_state **buckets;
    size_t bucket_count;
    size_t state_count;
    size_t bytes;
} swp_refuted;

swp_status swp_order_refuted_new(swp_context *ctx, swp_refuted *out);
void swp_order_refuted_free(swp_refuted *refuted);

/*
 * `lateness` has one number an op left, in op order, relative to the target, so that a refutation
 * holds for every target.
 */
bool swp_order_refuted_covers(const swp_refuted *refuted, const swp_refuted_key *key,
                              const int64_t *lateness, int left);

/* Adds a state and hands it out, or NULL when the store is full. */
swp_status swp_order_refuted_add(swp_context *ctx, swp_refuted *refuted, const swp_refuted_key *key,
                                 const int64_t *lateness, int left, swp_refuted_state **out);

/* Takes a state back: it turned out not to be refuted. NULL is allowed. */
void swp_order_refuted_withdraw(swp_refuted_state *state);

#endif
