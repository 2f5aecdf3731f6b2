/* SPDX-License-Identifier: Apache-2.0 */
/* The flat program of one wave for one number of tiles, with when each operation is retired. */
#ifndef TEST_JUDGES_FLAT_H
#define TEST_JUDGES_FLAT_H

#include <limits.h>

#include "swp/compile.h"

enum { NEVER = INT_MAX, NO_TILE = INT_MIN };

typedef enum step_kind {
    STEP_HINT, /* has no step: it does nothing */
    STEP_BARRIER,
    STEP_WAIT,
    STEP_LOAD,
    STEP_STORE,
    STEP_FRAGMENT,
    STEP_COMPUTE
} step_kind;

typedef enum step_counter { COUNTS_NOTHING = -1, COUNTS_VM = 0, COUNTS_LGKM = 1 } step_counter;

typedef struct step {
    step_kind kind;
    swp_phase phase;
    int entry;
    bool implied; /* a barrier that is no entry: it stands before this one */
    int channel;
    int stage;
    int subtile;
    step_counter counter; /* of an asynchronous operation or a wait */
    int line;             /* its number in the list that all waves share */
    int accesses;
    int wait;
    int tile;            /* what a load or store writes; what a COMPUTE is to use */
    int source;          /* of a store: position of the load it stores, or -1 */
    int end;             /* counted accesses up to and with this one */
    int retired;         /* position before whose issue it is retired */
    int barriers_before; /* that its wave has passed when it issues */
    int first_barrier;   /* number of the first barrier after its retirement */
    bool overflow;       /* takes its counter above its largest value */
    bool twice;          /* a COMPUTE of work that is done already */
} step;

typedef struct wave {
    step *steps;
    int count;
    int capacity;
    int barriers;
    int lines;
    int done; /* the steps before this one are retired, or never in flight */
} wave;

/* The program of a wave of `group` for `tiles` tiles. */
wave flat_wave(const swp_schedule *schedule, int group, int tiles);

void flat_free(wave *w);

/* Whether a COMPUTE or a store reads the register that a fragment load or load writes. */
bool flat_reads(const swp_schedule *schedule, const step *reader, const step *writer);

/* Whether two asynchronous operations write one register. */
bool flat_same_register(const swp_schedule *schedule, const step *a, const step *b);

/* Whether an operation writes the LDS place that a fragment load reads. */
bool flat_writes_place(const swp_schedule *schedule, const step *writer, const step *reader);

/* How many passes of the kernel phase there are. */
int flat_passes(const swp_schedule *schedule, int tiles);

#endif
