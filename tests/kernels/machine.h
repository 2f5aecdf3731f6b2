/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine of docs/verification.md and docs/loops-proof.md ("What an entry does"), written from these two pages alone. What they leave
 * to chance, a way decides: which wave goes on, and when an access reads and writes between its issue and its retirement.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "accesses.h"

#include <stdint.h>

/* The same moment for all accesses, or drawn: for each access; or for each op of each wave, which may be to draw for each access. */
typedef enum drawn { ONE_MOMENT, FOR_EACH_ACCESS, FOR_EACH_OP } drawn;

typedef enum turns { FIRST_WAVE, LAST_WAVE, IN_TURN, AT_RANDOM, ORDERS } turns;

typedef struct way {
    drawn drawn;
    moment moment;
    turns turns;
    uint64_t seed;
} way;

/* Carries the program out, until nothing is in flight. False if a wave waits at a barrier for ever. */
bool carry_out(const program *p, way w);

#endif
