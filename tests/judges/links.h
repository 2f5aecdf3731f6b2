/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a schedule's right result hangs on, for each number of tiles: every pair of operations of
 * which one must come before the other, and the entries that see to it. From the flat program
 * alone (flat.h); neither the verifier nor the unrolled judge has a part in it.
 *
 * For each fragment load that a COMPUTE reads, and each wave that writes a share of its place:
 *   flow      the write of its tile, before it
 *   anti      it, before the next write of another tile
 *   output    the write of another tile before that of its tile, before that
 *   register  it, before the COMPUTE; a load, before the store that reads it; raw registers: a
 *             load into a register, before the next one into it
 */
#ifndef TEST_JUDGES_LINKS_H
#define TEST_JUDGES_LINKS_H

#include "mutants.h"

typedef enum link_kind { LINK_FLOW, LINK_ANTI, LINK_OUTPUT, LINK_REGISTER } link_kind;

/* How the first operation is retired, or kept in order without that. */
typedef enum link_cause {
    CAUSE_WAIT,
    CAUSE_FENCED_BARRIER,
    CAUSE_REGISTER_USE, /* managed registers: a COMPUTE or store waits for what it reads */
    CAUSE_FULL_COUNTER, /* an issue stalls until there is room */
    CAUSE_LDS_ORDER,    /* LDS operations of one wave */
    CAUSE_NONE          /* nothing orders the two */
} link_cause;

/* An entry of the base as it runs once. */
typedef struct link_entry {
    swp_phase phase;
    int entry; /* -1: a barrier that is no entry */
    int pass;
} link_entry;

typedef struct link {
    int tiles;
    link_kind kind;
    int from_group;
    int to_group;
    bool own; /* one wave's */
    link_entry from;
    link_entry to;
    link_cause cause;
    link_entry retired; /* where `from` is retired */
    bool across;        /* a barrier stands between, as the waves of both sides pass it: */
    link_entry barriers[2];
} link;

typedef struct link_list {
    link *items;
    size_t count;
    size_t capacity;
} link_list;

/* In a fixed order. Entries are those of `base`: of the schedule itself, where `m` is NULL. */
link_list links_of(const swp_schedule *schedule, int most_tiles, const mutant *m,
                   const swp_schedule *base);
void links_free(link_list *links);

/* Whether a wait retires anything, for any number of tiles up to 12. */
bool links_wait_retires(const swp_schedule *schedule, swp_phase phase, int entry);

/* Order of two pairs of operations, whatever orders these; 0: the same pair. */
int link_compare(const link *a, const link *b);

/* Whether the same entries order them. */
bool link_same_cover(const link *a, const link *b);

const char *link_kind_name(link_kind kind);
const char *link_cause_name(link_cause cause);

#endif
