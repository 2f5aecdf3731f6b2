/* SPDX-License-Identifier: Apache-2.0 */
/* A moment of an execution, and the set of moments that were seen. */
#ifndef TEST_JUDGES_EXPLORER_STATE_H
#define TEST_JUDGES_EXPLORER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_WAVES = 4, MOST_PLACES = 16, LOADS_KEPT = 64 };

/*
 * All that the future depends on, with no holes so that its bytes are its key. What a wave's
 * fragments hold is not part of it: a read is judged when it happens.
 */
typedef struct state {
    /* Bit i: the load i before the last one issued has not taken effect. */
    uint64_t late_loads[MOST_WAVES];
    uint16_t at[MOST_WAVES];       /* the next step */
    uint16_t loads[MOST_WAVES];    /* issued */
    uint16_t lds_done[MOST_WAVES]; /* LDS operations that took effect; they do so in order */
    uint16_t lds[MOST_WAVES];      /* issued */
    /* 1 + the step whose tile a wave's share of a place holds; 0: none. */
    uint16_t shares[MOST_PLACES][MOST_WAVES];
} state;

typedef struct state_set {
    state *items;
    size_t count;
    size_t capacity;
    size_t *slots; /* 1 + index of an item; 0: free */
    size_t slot_count;
} state_set;

/* @return whether it was not in the set */
bool state_set_add(state_set *set, const state *s);
void state_set_free(state_set *set);

#endif
