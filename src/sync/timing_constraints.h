/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a pass and what holds them whatever the placement (docs/simulation.md). */
#ifndef SWP_SYNC_TIMING_CONSTRAINTS_H
#define SWP_SYNC_TIMING_CONSTRAINTS_H

#include "sync/timing.h"

/* An event of a group's pass: group 1's barriers are group 0's, some of them a pass later. */
typedef struct swp_moment {
    int event;
    int later; /* passes */
} swp_moment;

typedef struct swp_constraint_builder {
    swp_context *ctx;
    swp_sync_timing *timing;
    const swp_dataflow *flow;
    const swp_machine *machine;
    int group;
} swp_constraint_builder;

/* An event is so many cycles after another at the earliest, `passes` passes later. */
swp_status swp_sync_constrain_to(swp_constraint_builder *b, swp_moment from, swp_moment to,
                                 int64_t cycles, int passes);

/* The issue of an op, and the end of an access. */
swp_moment swp_sync_issue_of(const swp_constraint_builder *b, int op);
swp_moment swp_sync_finish_of(const swp_constraint_builder *b, int access);

/* From the event of an op at a position before pass 0, or in it, to one of pass 0. */
swp_status swp_sync_constrain_from(swp_constraint_builder *b,
                                   swp_moment (*event)(const swp_constraint_builder *b, int op),
                                   int position, swp_moment to, int64_t cycles);

/* For how long an op keeps a unit from its grant on; 0: it does not. */
int64_t swp_sync_keeps(const swp_data_op *op, int unit);

/* What holds the ops of a group but plans: operands, units and counters. */
swp_status swp_sync_constrain_ops(swp_constraint_builder *b);

#endif
