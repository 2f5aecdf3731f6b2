/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps clauses in one array with a hash table and watch lists, and compacts it once half of it is dead. */
#include "certify/drat_store.h"

#include <string.h>

enum { LEAST_BUCKETS = 1024, LEAST_DEAD_WORDS = 1 << 16 };

/* The literals do not show which clauses are watched, so a flag beside the hash does. */
#define WATCHED 2U
#define FLAGS (SWP_CLAUSE_DEAD | WATCHED)

/* The hash must not depend on the order of the literals, since propagation changes it. */
static uint32_t hash_of(const uint32_t *codes, size_t count)
{
    uint32_t sum = 0;
    uint32_t mix = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t spread = (codes[i] + 1) * 0x9e3779b1U;
        sum += spread ^ (spread >> 15);
        mix ^= spread * 0x85ebca6bU;
    }
    sum ^= mix;
    return (sum ^ (sum >> 13)) & ~FLAGS;
}

static uint32_t *bucket_of(const swp_drat_store *store, uint32_t hash)
{
    return &store->buckets[(hash >> 2) & (store->bucket_count - 1)];
}

static void chain(swp_drat_store *store, uint32_t clause)
{
    uint32_t *bucket = bucket_of(store, store->words.items[clause + SWP_CLAUSE_HASH]);
    store->words.items[clause + SWP_CLAUSE_NEXT] = *bucket;
    *bucket = clause;
}

/* Makes at least twice as many buckets as there are clauses. */
static swp_status fill_buckets(swp_drat_store *store)
{
    uint32_t count = LEAST_BUCKETS;
    while (count < 2 * store->live && count < 1U << 30)
        count *= 2;
    SWP_TRY(SWP_TAKE(&store->memory, count, &store->buckets));
    memset(store->buckets, 0xff, count * sizeof *store->buckets);
    store->bucket_count = count;
    for (uint32_t c = 0; c < store->words.count; c = swp_clause_after(store, c))
        if (!swp_clause_is_dead(store, c))
            chain(store, c);
    return SWP_OK;
}

swp_status swp_certify_drat_store_open(swp_context *ctx, int variables, swp_drat_store *store)
{
    *store = (swp_drat_store){.codes = 2 * (uint32_t)variables};
    SWP_TRY(swp_scope_open(ctx, &store->memory));
    SWP_TRY(SWP_TAKE(&store->memory, store->codes, &store->watches));
    return fill_buckets(store);
}

void swp_certify_drat_store_close(swp_drat_store *store)
{
    swp_scope_close(&store->memory);
}

swp_status swp_certify_drat_store_add(swp_drat_store *store, const uint32_t *codes, size_t count,
                                      uint32_t *clause)
{
    swp_code_list *words = &store->words;
    /* An offset has 32 bits, so clauses of more than 16 GiB count as too much memory. */
    if (count >= SWP_NO_CLAUSE - SWP_CLAUSE_LITERALS - words->count)
        return swp_out_of_memory(&store->memory);
    *clause = (uint32_t)words->count;
    SWP_TRY(SWP_PUSH(&store->memory, words, (uint32_t)count));
    SWP_TRY(SWP_PUSH(&store->memory, words, SWP_NO_CLAUSE));
    SWP_TRY(SWP_PUSH(&store->memory, words, hash_of(codes, count)));
    for (size_t i = 0; i < count; i++)
        SWP_TRY(SWP_PUSH(&store->memory, words, codes[i]));
    if (++store->live > store->bucket_count)
        return fill_buckets(store);
    chain(store, *clause);
    return SWP_OK;
}

swp_status swp_certify_drat_store_watch(swp_drat_store *store, uint32_t clause)
{
    const uint32_t *literals = swp_clause_literals(store, clause);
    const swp_watch first = {clause, literals[1]};
    const swp_watch second = {clause, literals[0]};
    store->words.items[clause + SWP_CLAUSE_HASH] |= WATCHED;
    SWP_TRY(SWP_PUSH(&store->memory, &store->watches[literals[0]], first));
    return SWP_PUSH(&store->memory, &store->watches[literals[1]], second);
}

static bool all_marked(const swp_drat_store *store, uint32_t clause, const unsigned char *marks)
{
    const uint32_t *literals = swp_clause_literals(store, clause);
    for (uint32_t i = 0; i < swp_clause_size(store, clause); i++)
        if (!marks[literals[i]])
            return false;
    return true;
}

uint32_t swp_certify_drat_store_find(const swp_drat_store *store, const uint32_t *codes,
                                     size_t count, unsigned char *marks)
{
    const uint32_t hash = hash_of(codes, count);
    for (size_t i = 0; i < count; i++)
        marks[codes[i]] = 1;
    uint32_t found = *bucket_of(store, hash);
    while (found != SWP_NO_CLAUSE &&
           ((store->words.items[found + SWP_CLAUSE_HASH] & ~FLAGS) != hash ||
            swp_clause_size(store, found) != count || !all_marked(store, found, marks)))
        found = store->words.items[found + SWP_CLAUSE_NEXT];
    for (size_t i = 0; i < count; i++)
        marks[codes[i]] = 0;
    return found;
}

void swp_certify_drat_store_kill(swp_drat_store *store, uint32_t clause)
{
    uint32_t *words = store->words.items;
    uint32_t *link = bucket_of(store, words[clause + SWP_CLAUSE_HASH]);
    while (*link != clause)
        link = &words[*link + SWP_CLAUSE_NEXT];
    *link = words[clause + SWP_CLAUSE_NEXT];
    words[clause + SWP_CLAUSE_HASH] |= SWP_CLAUSE_DEAD;
    store->dead_words += SWP_CLAUSE_LITERALS + swp_clause_size(store, clause);
    store->live--;
}

static swp_status move_clauses(const swp_drat_store *from, swp_drat_store *to)
{
    for (uint32_t c = 0; c < from->words.count; c = swp_clause_after(from, c)) {
        if (swp_clause_is_dead(from, c))
            continue;
        uint32_t moved = 0;
        SWP_TRY(swp_certify_drat_store_add(to, swp_clause_literals(from, c),
                                           swp_clause_size(from, c), &moved));
        if (from->words.items[c + SWP_CLAUSE_HASH] & WATCHED)
            SWP_TRY(swp_certify_drat_store_watch(to, moved));
    }
    return SWP_OK;
}

swp_status swp_certify_drat_store_compact(swp_drat_store *store)
{
    if (store->dead_words < LEAST_DEAD_WORDS || store->dead_words < store->words.count / 2)
        return SWP_OK;
    swp_drat_store moved;
    swp_status status =
        swp_certify_drat_store_open(&store->memory, (int)(store->codes / 2), &moved);
    if (status == SWP_OK)
        status = move_clauses(store, &moved);
    if (status != SWP_OK) {
        swp_certify_drat_store_close(&moved);
        return status;
    }
    swp_certify_drat_store_close(store);
    *store = moved;
    return SWP_OK;
}
