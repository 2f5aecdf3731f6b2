/* SPDX-License-Identifier: Apache-2.0 */
/* A state of the hardware, which knows parities and counts but no phases, and what one moment does to it. */
#ifndef TEST_JUDGES_ROLES_EXPLORER_HARDWARE_H
#define TEST_JUDGES_ROLES_EXPLORER_HARDWARE_H

#include <stdint.h>

#include "roles_explorer.h"
#include "roles_explorer_run.h"

/* An asynchronous operation of the run. */
typedef struct rx_flight {
    const rx_instance *instance;
    int step;
} rx_flight;

/* A state is a list of numbers; these are the places in it where each sort begins. */
typedef struct rx_hardware {
    rx_run run;
    rx_flight *flights;
    int flight_count;
    int waiting; /* of each thread: the cell + 1 at which it waits for others; 0. The next steps come first */
    int landed; /* of each flight that is a copy */
    int cells; /* of each cell three: phases or meetings so far; arrivals pending or come; bytes to come */
    int contents; /* of each part of each share of each slot of each shared value: its tile */
    int size;
    int *first_content; /* of each value */
    roles_outcome out;
} rx_hardware;

enum { RX_SO_FAR, RX_COUNT, RX_BYTES, RX_CELL_NUMBERS };

static inline int32_t *rx_cell_of(const rx_hardware *h, int32_t *state, int cell)
{
    return state + h->cells + cell * RX_CELL_NUMBERS;
}

/* Whether the thread's next step can happen. */
bool rx_can_step(rx_hardware *h, int32_t *state, int thread);

/* Does it. @return false where the execution went wrong */
bool rx_take_step(rx_hardware *h, int32_t *state, int thread);

/* A copy that was issued lands. */
bool rx_can_land(const rx_hardware *h, const int32_t *state, int flight);
void rx_land(rx_hardware *h, int32_t *state, int flight);

/* What a step of a thread, or a copy that lands, does to shared memory. @return false where that is wrong */
bool rx_touch_memory(rx_hardware *h, int32_t *state, int thread, const rx_step *step);
void rx_write_landed(const rx_hardware *h, int32_t *state, const rx_flight *flight);

#endif
