/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flat program of one wave of a general loop for one number of iterations: what each op reads and
 * makes, and when it is retired (docs/loops-proof.md, "What an entry does").
 */
#ifndef TEST_JUDGES_LOOP_FLAT_H
#define TEST_JUDGES_LOOP_FLAT_H

#include <limits.h>

#include "swp/compile.h"
#include "swp/loop.h"

enum { LOOP_NEVER = INT_MAX, LOOP_MOST_TOUCHES = 32 };

/* What counts an op: groups and mbarriers are counted beside the counters, and never full. */
typedef enum loop_counter {
    LOOP_UNCOUNTED = -1,
    LOOP_VM,
    LOOP_LGKM,
    LOOP_VM_GROUP,
    LOOP_LGKM_GROUP,
    LOOP_VM_MBARRIER,
    LOOP_LGKM_MBARRIER,
    LOOP_COUNTERS
} loop_counter;

typedef enum touch_kind {
    TOUCH_READ,
    TOUCH_MAKE,
    TOUCH_UPDATE /* the read that an update begins with */
} touch_kind;

/* What an op has to do with a place. */
typedef struct loop_touch {
    touch_kind kind;
    int value;
    int slot;
    int tile; /* that it wants, or makes */
} loop_touch;

typedef enum loop_step_kind { LOOP_BARRIER, LOOP_WAIT, LOOP_OP } loop_step_kind;

typedef struct loop_line {
    loop_step_kind kind;
    swp_phase phase;
    int entry;
    int line; /* its number in the list that all waves share; of a barrier that is no entry the next one's */
    loop_counter counter; /* of an asynchronous op; of a wait LOOP_VM or LOOP_LGKM */
    int amount;           /* accesses, or the wait's count */
    int op;
    int iteration;
    loop_touch touches[LOOP_MOST_TOUCHES];
    int touch_count;
    int end;     /* counted accesses up to and with this one */
    int retired; /* position before whose issue it is retired */
    int known;   /* position of the newest wgmma that a wait before it has retired; -1: none */
    int barriers_before; /* that its wave has passed when it issues */
    int first_barrier;   /* number of the first barrier after its retirement */
    bool overflow;       /* takes its counter above its largest value */
    bool unready;        /* needs a raw register of an access in flight */
} loop_line;

typedef struct loop_wave {
    loop_line *steps;
    int count;
    int capacity;
    int barriers;
    int lines;
} loop_wave;

/* How many makers a value has, and the tile that a place holds before the loop. */
int loop_makers(const swp_loop *loop, int value);
int loop_first_tile(const swp_loop_dataflow *dataflow, int value, int slot);

/* The program of a wave of `group`: `form` is one form of a schedule, and takes `n` iterations. */
loop_wave loop_flat(const swp_schedule *form, int group, int n);

void loop_flat_free(loop_wave *w);

#endif
