/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates by bumping a pointer in a list of growing chunks, which are freed together. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

enum { FIRST_CHUNK_BYTES = 16 * 1024, MOST_CHUNK_BYTES = 1024 * 1024 };

struct swp_arena_chunk {
    swp_arena_chunk *older;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

static swp_arena_chunk *new_chunk(const swp_allocator *allocator, size_t size)
{
    if (size > SIZE_MAX - sizeof(swp_arena_chunk))
        return NULL;
    swp_arena_chunk *chunk = allocator->allocate(allocator->user, sizeof(swp_arena_chunk) + size);
    if (!chunk)
        return NULL;
    *chunk = (swp_arena_chunk){.size = size};
    return chunk;
}

static void *take_from(swp_arena_chunk *chunk, size_t bytes)
{
    void *memory = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return memset(memory, 0, bytes);
}

static bool round_up(size_t *bytes)
{
    const size_t alignment = alignof(max_align_t);
    if (*bytes > SIZE_MAX - alignment)
        return false;
    *bytes = (*bytes + alignment - 1) / alignment * alignment;
    return true;
}

swp_arena *swp_arena_new(const swp_allocator *allocator)
{
    swp_arena_chunk *chunk = new_chunk(allocator, FIRST_CHUNK_BYTES);
    if (!chunk)
        return NULL;
    size_t bytes = sizeof(swp_arena);
    (void)round_up(&bytes);
    swp_arena *arena = take_from(chunk, bytes);
    arena->allocator = *allocator;
    arena->chunks = chunk;
    return arena;
}

void swp_arena_free(swp_arena *arena)
{
    if (!arena)
        return;
    const swp_allocator allocator = arena->allocator;
    swp_arena_chunk *chunk = arena->chunks;
    while (chunk) {
        swp_arena_chunk *older = chunk->older;
        allocator.release(allocator.user, chunk);
        chunk = older;
    }
}

void *swp_arena_take(swp_arena *arena, size_t bytes)
{
    if (!round_up(&bytes))
        return NULL;
    swp_arena_chunk *chunk = arena->chunks;
    if (bytes > chunk->size - chunk->used) {
        size_t size = chunk->size * 2 > MOST_CHUNK_BYTES ? MOST_CHUNK_BYTES : chunk->size * 2;
        if (size < bytes)
            size = bytes;
        swp_arena_chunk *fresh = new_chunk(&arena->allocator, size);
        if (!fresh)
            return NULL;
        fresh->older = chunk;
        arena->chunks = chunk = fresh;
    }
    return take_from(chunk, bytes);
}
