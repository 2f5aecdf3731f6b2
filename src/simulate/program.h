/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as the cycle model sees it: for each group and phase, what each entry takes. */
#ifndef SWP_SIMULATE_PROGRAM_H
#define SWP_SIMULATE_PROGRAM_H

#include "base/context.h"
#include "swp/simulate.h"

enum { SWP_SIM_GROUPS = 2, SWP_SIM_COUNTERS = 2, SWP_SIM_OPERANDS = 2, SWP_SIM_PHASES = 3 };

typedef enum swp_sim_kind {
    SWP_SIM_NOTHING, /* issues, and that is all */
    SWP_SIM_ACCESS,  /* asynchronous, counted */
    SWP_SIM_COMPUTE,
    SWP_SIM_WAIT,
    SWP_SIM_BARRIER
} swp_sim_kind;

/* Counters by number: vmcnt, lgkmcnt. */
typedef struct swp_sim_step {
    swp_sim_kind kind;
    int entry;        /* in its phase; -1: a barrier that is no entry */
    int unit;         /* index of swp_simulation.units; -1: none */
    int64_t latency;  /* cycles from its turn to its end */
    int64_t occupies; /* cycles that it holds its unit */
    int counter;
    int64_t accesses; /* counted, at least 1; of a wait: how many may stay in flight */
    int writes;       /* register; -1: none */
    int reads[SWP_SIM_OPERANDS];
} swp_sim_step;

typedef struct swp_sim_step_list {
    swp_sim_step *items;
    size_t count;
    size_t capacity;
} swp_sim_step_list;

typedef struct swp_sim_register {
    int channel; /* -1: the staging register of a single buffer */
    int subtile;
} swp_sim_register;

typedef struct swp_sim_register_list {
    swp_sim_register *items;
    size_t count;
    size_t capacity;
} swp_sim_register_list;

typedef struct swp_sim_program {
    const swp_machine *machine;
    swp_sim_step_list steps[SWP_SIM_GROUPS][SWP_SIM_PHASES];
    int groups;
    swp_sim_register_list registers;
    int64_t counter_max[SWP_SIM_COUNTERS];
} swp_sim_program;

swp_status swp_sim_program_build(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_simulate_options *options, swp_sim_program *out);

/* The unit of an index of swp_simulation.units. */
swp_resource swp_sim_unit(int index);

#endif
