/* SPDX-License-Identifier: Apache-2.0 */
/* Values in their slots, and accesses of a wave from their issue until they are retired. */
#ifndef ACCESSES_H
#define ACCESSES_H

#include "program.h"

/* When an access does what it does. AT_ANY_TIME: one moment for its reads, and one, not before that, for its writes. */
typedef enum moment { AT_ISSUE, READS_AT_ISSUE, WHEN_RETIRED, AT_ANY_TIME, MOMENTS } moment;

typedef struct access {
    const step *step;
    struct wave *wave;
    moment moment;
    long issued;  /* which op of its wave it is, from 1 */
    long counted; /* accesses of its object in its wave, up to its own last one */
    bool has_read, is_done;
    task task;
    void *copies[MOST_OPERANDS]; /* of what the task has, in the order of operands */
} access;

enum { MOST_IN_FLIGHT = 512, MOST_VALUES = 32, MOST_SLOTS = 8 };

typedef struct wave {
    int number;
    int next_step;
    int barriers; /* that it came to */
    bool at_barrier;
    long ops;
    long counted[OBJECTS];
    long maker[MOST_VALUES][MOST_SLOTS]; /* the last op that was issued to make a register */
    access *flying[MOST_IN_FLIGHT];      /* in the order of issue */
    int in_flight;
} wave;

/* All slots of all values get what no op makes. */
void poison_values(void);

/* Issues an op, and waits before that for the registers that it reads and for room in its counter. */
void issue(wave *w, const step *s, moment m);

void do_reads(access *a);
void do_all(access *a);

/* wait_vm and wait_lgkm: of each of the three objects from `first` on, at most n accesses are left. */
void wait_for_objects(wave *w, object first, int n);

/* At most n accesses of one object are left. */
void wait_for_object(wave *w, object o, long n);

#endif
