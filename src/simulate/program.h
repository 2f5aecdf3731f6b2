/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as the cycle model sees it: for each group and phase, what each entry takes. */
#ifndef SWP_SIMULATE_PROGRAM_H
#define SWP_SIMULATE_PROGRAM_H

#include "base/context.h"
#include "ir/sync_objects.h"
#include "swp/simulate.h"

enum { SWP_SIM_GROUPS = 2, SWP_SIM_PHASES = 3 };

typedef enum swp_sim_kind {
    SWP_SIM_NOTHING, /* issues, and that is all */
    SWP_SIM_ACCESS,  /* asynchronous */
    SWP_SIM_COMPUTE,
    SWP_SIM_WAIT,
    SWP_SIM_BARRIER
} swp_sim_kind;

/* How much of a unit a step keeps, and for how many cycles. */
typedef struct swp_sim_use {
    int unit; /* index of swp_simulation.units */
    int64_t amount;
    int64_t cycles;
} swp_sim_use;

/* A place that a step reads or makes. */
typedef struct swp_sim_operand {
    int place;
    bool reads;
    bool makes;
    int64_t early;  /* cycles by which it can be read before its maker's latency has passed */
    bool is_shared; /* an access leaves nothing there that its wave would wait for */
} swp_sim_operand;

typedef struct swp_sim_step {
    swp_sim_kind kind;
    int entry; /* in its phase; -1: a barrier that is no entry */
    swp_sim_use *uses;
    size_t use_count;
    swp_sim_operand *operands;
    size_t operand_count;
    int64_t latency;        /* cycles from its grant to its end */
    int64_t read_cycles;    /* from its issue, for which a synchronous step reads */
    bool is_awaited;        /* who reads the register that it makes waits for it */
    swp_sync_object object; /* that tracks an access */
    swp_wait_kind waits;
    int64_t accesses; /* tracked, at least 1; of a wait: of each object that may stay in flight */
} swp_sim_step;

typedef struct swp_sim_step_list {
    swp_sim_step *items;
    size_t count;
    size_t capacity;
} swp_sim_step_list;

typedef struct swp_sim_program {
    const swp_machine *machine;
    swp_sim_step_list steps[SWP_SIM_GROUPS][SWP_SIM_PHASES];
    int groups;
    size_t place_count; /* shared ones, then registers */
    swp_unit_load *units;
    size_t unit_count;
    /* Whether its ops say how long they keep their units: no occupancy of the machine's does. */
    bool states_uses;
} swp_sim_program;

swp_status swp_simulate_program_build(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_simulate_options *options, swp_sim_program *out);

#endif
