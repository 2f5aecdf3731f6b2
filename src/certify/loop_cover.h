/* SPDX-License-Identifier: Apache-2.0 */
/* Finds slot counts that refuted ones leave open. */
#ifndef SWP_CERTIFY_LOOP_COVER_H
#define SWP_CERTIFY_LOOP_COVER_H

#include "certify/judgement.h"
#include "swp/loop.h"

/* The counts that are asked about: each within a range, and all together within so many bytes. */
typedef struct swp_slot_space {
    const swp_loop *loop;
    const int *least;
    const int *most;
    int64_t bytes[SWP_SPACE_COUNT]; /* most, by space; -1: any */
} swp_slot_space;

/* Each list refutes its slot counts and all that are nowhere more; 0 stands for any number. */
typedef struct swp_slot_pool {
    const int **items;
    size_t count;
    size_t capacity;
} swp_slot_pool;

/*
 * Sets `*open` to slot counts that no list of the pool refutes, in the memory of `ctx`, or to NULL
 * if there are none.
 */
swp_status swp_certify_find_open_way(swp_context *ctx, swp_judgement *judgement,
                                     const swp_slot_space *space, const swp_slot_pool *pool,
                                     const int **open);

#endif
