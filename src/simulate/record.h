/* SPDX-License-Identifier: Apache-2.0 */
/* What writes a timeline down while the machine runs. */
#ifndef SWP_SIMULATE_RECORD_H
#define SWP_SIMULATE_RECORD_H

#include "simulate/engine.h"
#include "swp/timeline.h"

/* The events of a group: each phase's stand pass by pass. */
typedef struct swp_sim_numbers {
    size_t first[SWP_SIM_PHASES];
    size_t lengths[SWP_SIM_PHASES];
    size_t count;
    int *events; /* -1: not begun yet */
} swp_sim_numbers;

/* What a group is about to issue. */
typedef struct swp_sim_current {
    int event;          /* -1: it has not come to it */
    size_t first_stall; /* before its first one */
} swp_sim_current;

typedef struct swp_sim_record {
    swp_context *ctx;
    swp_sim_program program;
    swp_sim_engine engine;
    swp_effects *effects;     /* by stream */
    swp_sim_numbers *numbers; /* by group */
    swp_sim_current *current; /* by group */
    int *held;                /* by slot: the life that it has now; -1: none */
    swp_status status;        /* of the listeners: the first failure */
    swp_timeline *out;
} swp_sim_record;

/* Writes down the run of out->passes passes. */
swp_status swp_simulate_record(swp_sim_record *record);

/* The slots that the schedule names, all empty. */
swp_status swp_simulate_record_slots(swp_sim_record *record);

/* What an event that issues reads and makes in them. */
swp_status swp_simulate_record_places(swp_sim_record *record, int event);

/* Marks the chain that the cycles of the steady state come from. */
swp_status swp_simulate_mark_critical(swp_context *ctx, swp_timeline *timeline);

#endif
