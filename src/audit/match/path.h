/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path through a function whose loop carries a schedule: what runs before the loop, one iteration of
 * it, and what runs after.
 */
#ifndef SWP_AUDIT_MATCH_PATH_H
#define SWP_AUDIT_MATCH_PATH_H

#include "audit/flow/control_flow.h"

typedef struct swp_path_phase {
    int *items; /* instructions, in the order in which they run */
    size_t count;
    size_t capacity;
} swp_path_phase;

typedef struct swp_path {
    const swp_flow *flow;
    int loop;
    swp_path_phase phases[3]; /* by swp_phase; the loop once */
    /* A barrier that only some waves execute, in the prologue or the epilogue; -1: none. */
    int lag_barrier[3];
    size_t lag_position[3]; /* how many instructions of the phase precede it */
    const char *problem;    /* why this is no single path; NULL: it is one */
    int problem_at;         /* instruction */
} swp_path;

/* Whether an instruction is one that a schedule has entries for. */
bool swp_match_insn_is_scheduled(const swp_insn *insn);

/* How much the loop looks like the main loop of a kernel; 0: not at all. */
int swp_match_path_weight(const swp_flow *flow, int loop);

swp_status swp_match_path_find(swp_context *ctx, const swp_flow *flow, int loop, swp_path *out);

#endif
