/* SPDX-License-Identifier: Apache-2.0 */
/* Whether refuted ways to share slots out leave any way open. */
#ifndef SWP_CERTIFY_LOOP_COVER_H
#define SWP_CERTIFY_LOOP_COVER_H

#include "certify/judgement.h"
#include "swp/loop.h"

/* The ways that are asked about: slots within a range, and together within so many bytes. */
typedef struct swp_slot_space {
    const swp_loop *loop;
    const int *least;
    const int *most;
    int64_t bytes[SWP_SPACE_COUNT]; /* most, by space; -1: any */
} swp_slot_space;

/* Slots that are refuted, and with them all that are nowhere more; 0: any number. */
typedef struct swp_slot_pool {
    const int **items;
    size_t count;
    size_t capacity;
} swp_slot_pool;

/*
 * NULL if every way of the space is nowhere above some way of the pool; else `*open` is a way that is
 * not, in the memory of `ctx`.
 */
swp_status swp_certify_find_open_way(swp_context *ctx, swp_judgement *judgement,
                                     const swp_slot_space *space, const swp_slot_pool *pool,
                                     const int **open);

#endif
