/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule for one number of tiles as the flat list of steps that every wave takes. */
#ifndef TEST_JUDGES_EXPLORER_STEPS_H
#define TEST_JUDGES_EXPLORER_STEPS_H

#include <stdint.h>

#include "swp/verify.h"

enum { GROUPS = 2, COUNTERS = 2, NO_TILE = -1000, MOST_WRITES = 64, VIEWS = 2 * GROUPS * GROUPS };

typedef enum step_kind {
    STEP_NOTHING, /* a hint, or a wait: what it retires is all that counts */
    STEP_BARRIER,
    STEP_LOAD,
    STEP_STORE,
    STEP_FRAGMENT,
    STEP_COMPUTE
} step_kind;

typedef enum counter { COUNTER_VM, COUNTER_LGKM, COUNTER_NONE = -1 } counter;

/*
 * What a fragment load got from one wave's share of its place: the step that brought the tile there,
 * and all the steps that had taken effect in that share.
 */
typedef struct sight {
    int source;       /* -1: nothing was ever there */
    int view;         /* whose share, seen by whom, below VIEWS */
    uint64_t arrived; /* bit i: write i of the place */
} sight;

typedef struct sight_list {
    sight *items;
    size_t count;
    size_t capacity;
} sight_list;

typedef struct step {
    step_kind kind;
    swp_phase phase;
    int entry; /* in its phase; of a barrier that is no entry, the one after it */
    bool of_group[GROUPS];
    counter counter;
    int cost;
    int wait;                    /* of a wait; -1 */
    int ordinal;                 /* among the accesses of its counter */
    int place;                   /* of LDS, read or written; -1 */
    int write;                   /* number among the writes of the place; -1: it reads */
    int target;                  /* register that it writes; -1 */
    int rewrites;                /* the last step before it that writes that register; -1 */
    int operands[2];             /* registers that it reads; -1 */
    int tile;                    /* that it brings, or whose product it adds; NO_TILE */
    int producers[2];            /* the last step before it that writes the operand; -1 */
    bool counts;                 /* a COMPUTE that is not one too many */
    bool observed;               /* a fragment load that a COMPUTE reads */
    int retired[GROUPS];         /* the step that retires it; the number of steps if none */
    int needs[GROUPS][COUNTERS]; /* ordinals below have taken effect when it issues */
    int barriers[GROUPS];        /* before it */
    bool overflows[GROUPS];      /* takes a counter that wraps above its largest value */
    /* What executions showed. */
    bool issued;
    bool stuck;
    bool early[2];   /* an operand was read before `producers` took effect */
    bool reloads;    /* it issued before `rewrites` took effect */
    sight_list seen; /* by a fragment load */
} step;

typedef struct step_list {
    step *items;
    int count;
    int n;
    int groups;
    int waves;
    int waves_per_group;
    bool raw_registers;
    int places;
    int writes; /* of the place that has most */
    int *by_ordinal[COUNTERS];
    int accesses[COUNTERS];
} step_list;

void step_list_fill(step_list *list, const swp_schedule *schedule, int n);
void step_list_free(step_list *list);

/* Finds what retires each access, in each group (docs/verification.md, "The machine"). */
void step_list_retire(step_list *list, const swp_machine *machine);

void *explorer_allocate(size_t count, size_t size);

#endif
