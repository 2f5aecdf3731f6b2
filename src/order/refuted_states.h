/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps states from which no completion leads to the target. A state is a set of placed ops and,
 * for each remaining op, how late it starts at the earliest. A state that is nowhere earlier than a
 * refuted one of the same set is refuted, too.
 */
#ifndef SWP_ORDER_REFUTED_STATES_H
#define SWP_ORDER_REFUTED_STATES_H

#include "base/context.h"

/* The part that comparable states share: placed ops, loads since the last COMPUTE. */
typedef struct swp_refuted_key {
    const bool *placed;
    int count;
    int globals;
    int64_t max_vgpr; /* the limit under which it was refuted, and so under any smaller one */
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
 * Returns whether a refuted state covers this one. `lateness` has a number for each remaining op,
 * in op order. It is relative to the target, so that a refutation holds for every target.
 */
bool swp_order_refuted_covers(const swp_refuted *refuted, const swp_refuted_key *key,
                              const int64_t *lateness, int left);

/* Adds a state and returns it in `out`, or NULL if the store is full. */
swp_status swp_order_refuted_add(swp_context *ctx, swp_refuted *refuted, const swp_refuted_key *key,
                                 const int64_t *lateness, int left, swp_refuted_state **out);

/* Takes back a state that turned out not to be refuted; NULL is allowed. */
void swp_order_refuted_withdraw(swp_refuted_state *state);

#endif
