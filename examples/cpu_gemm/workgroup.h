/* SPDX-License-Identifier: Apache-2.0 */
/* A workgroup on the CPU: a thread for each wave, a barrier, and loads that land late. */
#ifndef WORKGROUP_H
#define WORKGROUP_H

#include <stdint.h>

/* C (m x n) = A (m x k) * B (k x n), in row-major order. */
typedef struct problem {
    int m, n, k;
    const int32_t *a;
    const int32_t *b;
    int32_t *c;
} problem;

/* A share of a tile on its way: what to copy, and the counted accesses that it takes. */
typedef struct transfer {
    int channel;
    int stage;
    int subtile;
    int tile;
    int accesses;
} transfer;

/* vmcnt of gfx9 counts to 63, and a transfer takes at least one. */
enum { COUNTER_MAX = 63 };

typedef struct wave {
    int index;
    int group;
    const problem *problem;
    transfer queue[COUNTER_MAX];
    int queued;
    int outstanding; /* accesses */
} wave;

/* What a kernel is to the workgroup that runs it. */
typedef struct kernel {
    const char *name;
    int block_m, block_n, block_k;
    int waves, waves_per_group;
    int min_tiles, tile_multiple;
    void (*run)(wave *w, int n_tiles);        /* the whole of one wave */
    void (*land)(wave *w, const transfer *t); /* what a load does, once it does it */
} kernel;

extern const kernel the_kernel;

/* Issues a load. It lands as late as the machine allows: when a wait, or a full counter, retires it. */
void issue(wave *w, transfer t);

/* Returns when at most so many accesses are outstanding. Loads retire in issue order. */
void wait_vm(wave *w, int outstanding);

/* Returns when every wave of the workgroup has called it as often as this one. */
void barrier(void);

#endif
