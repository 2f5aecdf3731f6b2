/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a function with numbers for its arguments: the ways that waves go in it are sure to be ways that they may go.
 */
#ifndef SWP_AUDIT_FLOW_SYMBOLIC_RUN_H
#define SWP_AUDIT_FLOW_SYMBOLIC_RUN_H

#include "audit/flow/conflicts.h"
#include "audit/flow/demand.h"
#include "audit/flow/origins.h"

enum { SWP_SYMBOLIC_WORDS = 128 };

/* What a run begins with. */
typedef struct swp_symbolic_input {
    uint32_t
        arguments[SWP_SYMBOLIC_WORDS]; /* words of the arguments, and of all that they point to */
    uint32_t dispatched
        [SWP_START_COUNT]; /* scalars that the dispatcher sets up: numbers of the work group, say */
    uint32_t loaded;       /* every word of other memory */
    bool
        rising; /* each of those is so much more than the one before, and vector loads are not known */
    uint64_t guesses; /* how branches go that nobody knows */
} swp_symbolic_input;

/* What runs are watched for, and what they may cost. */
typedef struct swp_symbolic_watch {
    swp_fixpoint *fixpoint;
    const swp_origin_set *origins;    /* of branches, by block */
    swp_conflict_list *conflicts;     /* those that a run shows get `shown` */
    const swp_register_set *demanded; /* what places or branches are computed from */
    bool *
        accessed; /* by instruction of the function: whether a conflict is about its access to LDS */
    int steps;    /* instructions that a group of waves may run */
} swp_symbolic_watch;

/* Runs once; `spent` grows by the instructions that were run. */
swp_status swp_flow_symbolic_execute(swp_context *ctx, const swp_symbolic_watch *watch,
                                     const swp_symbolic_input *input, int *spent);

#endif
