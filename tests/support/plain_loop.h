/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop computes, twice: iteration by iteration with every version kept, and by a list of ops
 * over slots. Written from docs/loops.md alone.
 */
#ifndef TEST_SUPPORT_PLAIN_LOOP_H
#define TEST_SUPPORT_PLAIN_LOOP_H

#include "swp/loop.h"

enum { PLAIN_MOST_RUN = 16, PLAIN_MOST_SLOTS = 64, PLAIN_MOST_OPS = 16, PLAIN_MOST_VALUES = 16 };

/* What each op of each iteration came to; 0: it was not done. */
typedef struct plain_results {
    uint64_t of[PLAIN_MOST_RUN][PLAIN_MOST_OPS];
} plain_results;

/* The sequential meaning of `n` iterations. */
void plain_run(const swp_loop *loop, int n, plain_results *out);

/* A run of a list of ops, with values in their slots. */
typedef struct plain_machine {
    const swp_loop *loop;
    const int *slots;
    uint64_t held[PLAIN_MOST_VALUES][PLAIN_MOST_SLOTS];
    plain_results results;
    const char *fault; /* NULL: none */
} plain_machine;

void plain_start(plain_machine *machine, const swp_loop *loop, const int *slots);

/* One op for an iteration. */
void plain_do(plain_machine *machine, int op, int iteration);

/*
 * Whether `n` iterations issued at times[op] + interval * iteration are right whatever happens between
 * an op's issue and its end: writes may take effect from the issue on, and operands may be read as
 * long as the op reads. NULL, or what is wrong.
 */
const char *plain_timing_fault(const swp_loop *loop, const int *slots, const int64_t *times,
                               int64_t interval, int n);

/* What an op issued at `time`, which is not negative, holds of a unit in a cycle of the interval. */
int64_t plain_held(const swp_loop *loop, int op, int unit, int64_t time, int64_t interval,
                   int64_t cycle);

/* Whether the units are within capacity at every cycle. */
bool plain_fits(const swp_loop *loop, const int64_t *times, int64_t interval);

#endif
