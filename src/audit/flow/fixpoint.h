/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What holds at the start of every block of a function, whatever path leads there.
 */
#ifndef SWP_AUDIT_FLOW_FIXPOINT_H
#define SWP_AUDIT_FLOW_FIXPOINT_H

#include "audit/flow/branches.h"
#include "audit/flow/contexts.h"
#include "audit/flow/control_flow.h"
#include "audit/flow/divergence.h"
#include "audit/flow/footprint.h"
#include "audit/flow/in_flight.h"

typedef struct swp_fixpoint {
    swp_context *ctx;
    const swp_flow *flow;
    swp_contexts contexts;
    int copies; /* contexts of a block, at most */
    swp_values values;
    swp_event_table events;
    int *event_at;     /* by instruction of the function and copy; -1: none */
    swp_point *points; /* by block and copy: at its start */
    swp_divergence divergence;
    swp_branches branches;
    swp_footprint *footprints; /* by event; of those that access LDS */
    bool *read;                /* by register: whether some instruction reads it */
    unsigned *write_doubts; /* by instruction: what must hold for waves to write the same there */
    int unknown_addresses;  /* instructions that access LDS nobody knows where */
} swp_fixpoint;

/*
 * E0815 for a function that is too large to follow. `reads_differ`: waves may be at one point of it between
 * different barriers.
 */
swp_status swp_flow_fixpoint_build(swp_context *ctx, const swp_flow *flow, bool reads_differ,
                                   swp_fixpoint *out);

swp_point *swp_flow_fixpoint_point(const swp_fixpoint *fixpoint, int block, int copy);

/* The event of an instruction in a copy; -1 if it accesses no memory. */
int swp_flow_fixpoint_event(const swp_fixpoint *fixpoint, int insn, int copy);

/* A copy of a point, to be transferred on from. */
swp_status swp_flow_point_new(const swp_fixpoint *fixpoint, swp_point *out);
void swp_flow_point_copy(const swp_fixpoint *fixpoint, swp_point *to, const swp_point *from);

/* What holds at the end of a block; `out` is of swp_flow_point_new. */
void swp_flow_fixpoint_end(swp_fixpoint *fixpoint, int block, int copy, swp_point *out);

/* The copy of a block's successor; SWP_NOT_TAKEN: no wave goes on to that one. */
int swp_flow_fixpoint_copy_after(const swp_fixpoint *fixpoint, int from, int side, int copy);

/* The transfer function of one instruction. */
void swp_flow_fixpoint_transfer(swp_fixpoint *fixpoint, swp_point *point, int insn, int copy);

/* Its last steps: `branches`, and of the waves that come there `footprints`, with `unknown_addresses`. */
swp_status swp_flow_fixpoint_find_branches(swp_fixpoint *fixpoint);
swp_status swp_flow_fixpoint_find_footprints(swp_fixpoint *fixpoint);

#endif
