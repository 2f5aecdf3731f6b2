/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps refuted states in a hash table by the set of placed ops: the dominance rule of the search. */
#include "order/refuted_states.h"

#include <string.h>

enum { BUCKETS = 1 << 16, WORD_BITS = 64 };
static const size_t most_bytes = (size_t)512 << 20;

struct swp_refuted_state {
    swp_refuted_state *next;
    uint64_t hash;
    int globals;
    int left;
    int64_t max_vgpr;
    bool withdrawn;
    /* The words of the placed set come first, then the lateness of each remaining op. */
    int64_t values[];
};

static size_t words_of(int count)
{
    return ((size_t)count + WORD_BITS - 1) / WORD_BITS;
}

static uint64_t word_at(const bool *placed, int count, size_t word)
{
    uint64_t bits = 0;
    const int begin = (int)word * WORD_BITS;
    for (int i = begin; i < count && i < begin + WORD_BITS; i++)
        bits |= (uint64_t)placed[i] << (i - begin);
    return bits;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value;
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t hash_of(const swp_refuted_key *key)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words_of(key->count); w++)
        hash = mix(hash, word_at(key->placed, key->count, w));
    return hash;
}

static bool same_set(const swp_refuted_state *state, const swp_refuted_key *key)
{
    for (size_t w = 0; w < words_of(key->count); w++)
        if ((uint64_t)state->values[w] != word_at(key->placed, key->count, w))
            return false;
    return true;
}

static bool covers(const swp_refuted_state *state, const swp_refuted_key *key,
                   const int64_t *lateness, int left)
{
    if (state->withdrawn || state->globals > key->globals || state->left != left ||
        state->max_vgpr < key->max_vgpr)
        return false;
    const int64_t *known = state->values + words_of(key->count);
    for (int i = 0; i < left; i++)
        if (lateness[i] < known[i])
            return false;
    return same_set(state, key);
}

swp_status swp_order_refuted_new(swp_context *ctx, swp_refuted *out)
{
    *out = (swp_refuted){.arena = swp_arena_new(&ctx->arena->allocator), .bucket_count = BUCKETS};
    if (!out->arena)
        return swp_out_of_memory(ctx);
    out->buckets = swp_arena_take(out->arena, BUCKETS * sizeof(swp_refuted_state *));
    return out->buckets ? SWP_OK : swp_out_of_memory(ctx);
}

void swp_order_refuted_free(swp_refuted *refuted)
{
    swp_arena_free(refuted->arena);
    *refuted = (swp_refuted){0};
}

bool swp_order_refuted_covers(const swp_refuted *refuted, const swp_refuted_key *key,
                              const int64_t *lateness, int left)
{
    const uint64_t hash = hash_of(key);
    for (const swp_refuted_state *state = refuted->buckets[hash % refuted->bucket_count]; state;
         state = state->next)
        if (state->hash == hash && covers(state, key, lateness, left))
            return true;
    return false;
}

swp_status swp_order_refuted_add(swp_context *ctx, swp_refuted *refuted, const swp_refuted_key *key,
                                 const int64_t *lateness, int left, swp_refuted_state **out)
{
    const size_t words = words_of(key->count);
    const size_t bytes = sizeof(swp_refuted_state) + (words + (size_t)left) * sizeof(int64_t);
    *out = NULL;
    if (refuted->bytes + bytes > most_bytes)
        return SWP_OK;
    swp_refuted_state *state = swp_arena_take(refuted->arena, bytes);
    if (!state)
        return swp_out_of_memory(ctx);
    *state = (swp_refuted_state){
        .hash = hash_of(key), .globals = key->globals, .left = left, .max_vgpr = key->max_vgpr};
    for (size_t w = 0; w < words; w++)
        state->values[w] = (int64_t)word_at(key->placed, key->count, w);
    memcpy(state->values + words, lateness, (size_t)left * sizeof *lateness);
    swp_refuted_state **bucket = &refuted->buckets[state->hash % refuted->bucket_count];
    state->next = *bucket;
    *bucket = state;
    refuted->bytes += bytes;
    refuted->state_count++;
    *out = state;
    return SWP_OK;
}

void swp_order_refuted_withdraw(swp_refuted_state *state)
{
    if (state)
        state->withdrawn = true;
}
