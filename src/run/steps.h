/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule unrolled for one N: what the waves of each group execute, in order. */
#ifndef SWP_RUN_STEPS_H
#define SWP_RUN_STEPS_H

#include "swp/run.h"

typedef enum swp_run_action {
    SWP_RUN_LOAD,
    SWP_RUN_STORE,
    SWP_RUN_FRAGMENT,
    SWP_RUN_COMPUTE,
    SWP_RUN_WAIT_VM,
    SWP_RUN_WAIT_LGKM,
    SWP_RUN_BARRIER,
    SWP_RUN_HINT
} swp_run_action;

/* Which counter an access is counted by. */
enum { SWP_RUN_VM, SWP_RUN_LGKM, SWP_RUN_COUNTERS };

/* A place or register that a step does not use. */
enum { SWP_RUN_NOWHERE = -1 };

typedef struct swp_run_step {
    swp_run_action action;
    swp_phase phase;
    int entry;       /* -1: a barrier that is no entry */
    int pass;        /* as in swp_instance */
    int cost;        /* counted accesses */
    int limit;       /* of a wait, not above the counter's largest value */
    int place;       /* in LDS, that it reads or writes */
    int writes;      /* register */
    int reads[2];    /* registers */
    int accumulator; /* of a COMPUTE */
    int slice;       /* of the single buffer: that a fragment load takes, or a COMPUTE adds */
    int tile;        /* that a load fetches, and a store or COMPUTE is there for */
} swp_run_step;

typedef struct swp_run_step_list {
    swp_run_step *items;
    size_t count;
    size_t capacity;
} swp_run_step_list;

/* A place in LDS, or with stage -1 a register. */
typedef struct swp_run_place {
    int channel;
    int stage;
    int subtile;
} swp_run_place;

typedef struct swp_run_place_list {
    swp_run_place *items;
    size_t count;
    size_t capacity;
} swp_run_place_list;

typedef struct swp_run_program {
    const swp_schedule *schedule;
    int n;
    int passes;
    int waves_per_group;
    int waves;
    bool next_tile; /* the single buffer: loads go through a staging register, register 0 */
    int slices;     /* of a tile along K, one for each fragment of the single buffer */
    int accumulators;
    swp_run_place_list places;
    swp_run_place_list registers;
    swp_run_step_list groups[2];
    int *products; /* by accumulator, or slice of the single buffer: how many COMPUTEs add to it */
} swp_run_program;

bool swp_run_is_access(const swp_run_step *step);
int swp_run_counter_of(const swp_run_step *step);

/* Refuses a schedule without a meaning, and an N that its loop does not take. */
swp_status swp_run_check(swp_context *ctx, const swp_schedule *schedule, int n);

/* Unrolls a schedule that was checked. */
swp_status swp_run_unroll(swp_context *ctx, const swp_schedule *schedule, int n,
                          int waves_per_group, swp_run_program *out);

#endif
