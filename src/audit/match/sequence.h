/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A phase as a list of what stands in an order: accesses, waits and barriers, of a schedule or of
 * code.
 */
#ifndef SWP_AUDIT_MATCH_SEQUENCE_H
#define SWP_AUDIT_MATCH_SEQUENCE_H

#include "audit/match/attribution.h"

/* An element of either side that can be the same as one of the other. */
typedef struct swp_element {
    bool is_wait;
    bool is_barrier;
    int counter;
    int count; /* of a wait */
    int entry; /* of the schedule; in the code that of the accesses, -1 for waits and barriers */
    int item;  /* of the code; -1 in the schedule */
} swp_element;

typedef struct swp_sequence {
    swp_element *items;
    size_t count;
    size_t capacity;
} swp_sequence;

/* The entries of a phase, without hints and waits for nothing. */
swp_status swp_match_sequence_of_schedule(const swp_attribution *attribution, swp_phase phase,
                                          swp_sequence *out);

/* The instructions of its first pass; those of one entry are one, where the first of them stands. */
swp_status swp_match_sequence_of_code(const swp_attribution *attribution, swp_phase phase,
                                      swp_sequence *out);

#endif
