/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores the clauses that a proof may use. A step that deletes one finds it by its literals, and
 * propagation watches two literals of each.
 *
 * A literal here is a code, 2(v - 1) for v and one more for -v, so that it indexes tables and its
 * negation differs in the last bit. All clauses lie in one array of words; a clause is the offset
 * of its head. Dead clauses stay until half of the words are dead. Then the living ones move to a
 * new arena, and the old one is freed.
 */
#ifndef SWP_CERTIFY_DRAT_STORE_H
#define SWP_CERTIFY_DRAT_STORE_H

#include "base/context.h"

typedef struct swp_code_list {
    uint32_t *items;
    size_t count;
    size_t capacity;
} swp_code_list;

/* The head of a clause: its number of literals, the next clause of its bucket, its hash with the flags. */
enum { SWP_CLAUSE_SIZE, SWP_CLAUSE_NEXT, SWP_CLAUSE_HASH, SWP_CLAUSE_LITERALS };
#define SWP_CLAUSE_DEAD 1U
#define SWP_NO_CLAUSE UINT32_MAX

/* While `blocker`, a literal of the clause, is true, the clause need not be looked at. */
typedef struct swp_watch {
    uint32_t clause;
    uint32_t blocker;
} swp_watch;

typedef struct swp_watch_list {
    swp_watch *items;
    size_t count;
    size_t capacity;
} swp_watch_list;

typedef struct swp_drat_store {
    swp_context memory;      /* of the clauses, until they move */
    uint32_t codes;          /* twice the variables */
    swp_code_list words;     /* the clauses */
    size_t dead_words;       /* of them */
    size_t live;             /* clauses */
    uint32_t *buckets;       /* the newest clause of each hash, or SWP_NO_CLAUSE */
    uint32_t bucket_count;   /* a power of two */
    swp_watch_list *watches; /* by code: the clauses to look at when it becomes false */
} swp_drat_store;

static inline uint32_t swp_code_of(int literal)
{
    return literal < 0 ? 2 * (uint32_t)(-literal - 1) + 1 : 2 * (uint32_t)(literal - 1);
}

static inline int swp_literal_of(uint32_t code)
{
    const int variable = (int)(code / 2) + 1;
    return code & 1U ? -variable : variable;
}

static inline uint32_t *swp_clause_literals(const swp_drat_store *store, uint32_t clause)
{
    return store->words.items + clause + SWP_CLAUSE_LITERALS;
}

static inline uint32_t swp_clause_size(const swp_drat_store *store, uint32_t clause)
{
    return store->words.items[clause + SWP_CLAUSE_SIZE];
}

static inline bool swp_clause_is_dead(const swp_drat_store *store, uint32_t clause)
{
    return store->words.items[clause + SWP_CLAUSE_HASH] & SWP_CLAUSE_DEAD;
}

/* Returns the clause after this one in the array, dead or not; the array ends at words.count. */
static inline uint32_t swp_clause_after(const swp_drat_store *store, uint32_t clause)
{
    return clause + SWP_CLAUSE_LITERALS + swp_clause_size(store, clause);
}

/* Opens a store, which must be closed whatever the status. */
swp_status swp_certify_drat_store_open(swp_context *ctx, int variables, swp_drat_store *store);
void swp_certify_drat_store_close(swp_drat_store *store);

/* Adds a clause of different literals, and does not watch it yet. */
swp_status swp_certify_drat_store_add(swp_drat_store *store, const uint32_t *codes, size_t count,
                                      uint32_t *clause);

/* Watches the first two literals of a clause of at least two. */
swp_status swp_certify_drat_store_watch(swp_drat_store *store, uint32_t clause);

/*
 * Finds a living clause of exactly these literals, which must differ; returns SWP_NO_CLAUSE if
 * there is none. `marks`, by code, are all 0 before and after.
 */
uint32_t swp_certify_drat_store_find(const swp_drat_store *store, const uint32_t *codes,
                                     size_t count, unsigned char *marks);

void swp_certify_drat_store_kill(swp_drat_store *store, uint32_t clause);

/*
 * Moves the living clauses together if half of the words are dead. Each clause keeps the order of
 * its literals, and so its watches. Offsets of clauses change.
 */
swp_status swp_certify_drat_store_compact(swp_drat_store *store);

#endif
