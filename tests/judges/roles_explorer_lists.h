/* SPDX-License-Identifier: Apache-2.0 */
/* Growable lists of the explorer of warp roles; an allocation that fails ends the test. */
#ifndef TEST_JUDGES_ROLES_EXPLORER_LISTS_H
#define TEST_JUDGES_ROLES_EXPLORER_LISTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rx_numbers {
    int *items;
    int count;
    int capacity;
} rx_numbers;

/* A step of a thread: its issue, or its return where it waits. */
typedef struct rx_moment {
    int thread;
    int step;
} rx_moment;

typedef struct rx_moments {
    rx_moment *items;
    int count;
    int capacity;
} rx_moments;

/* Zeroed. */
void *rx_allocate(size_t count, size_t size);

/* Room for one more. */
void *rx_grown(void *items, int count, int *capacity, size_t size);

void rx_push_number(rx_numbers *list, int number);
void rx_push_moment(rx_moments *list, rx_moment moment);

/* States as strings of `width` bytes, in the order in which they came. */
typedef struct rx_states {
    size_t width;
    unsigned char *bytes;
    size_t count;
    size_t capacity;
    size_t *slots; /* 1 + index of a state; 0: free */
    size_t slot_count;
} rx_states;

/* @return whether it was not there yet */
bool rx_states_add(rx_states *states, const unsigned char *state);
const unsigned char *rx_states_at(const rx_states *states, size_t index);
void rx_states_free(rx_states *states);

#endif
