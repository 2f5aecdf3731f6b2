/* SPDX-License-Identifier: Apache-2.0 */
/* Provides memory that is freed all at once. */
#ifndef SWP_BASE_ARENA_H
#define SWP_BASE_ARENA_H

#include "swp/context.h"

typedef struct swp_arena_chunk swp_arena_chunk;

typedef struct swp_arena {
    swp_allocator allocator;
    swp_arena_chunk *chunks; /* newest first */
} swp_arena;

/* Makes an arena that lives in its own first chunk; returns NULL if memory ran out. */
swp_arena *swp_arena_new(const swp_allocator *allocator);

void swp_arena_free(swp_arena *arena);

/* Returns zeroed memory, aligned for any type, or NULL if memory ran out. */
void *swp_arena_take(swp_arena *arena, size_t bytes);

#endif
