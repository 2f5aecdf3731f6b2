/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses in flight in the waves that take the same branches: along the paths of those waves alone. */
#ifndef SWP_AUDIT_FLOW_WAVE_PATHS_H
#define SWP_AUDIT_FLOW_WAVE_PATHS_H

#include "audit/flow/fixpoint.h"

enum { SWP_MOST_WAVE_GROUPS = 4 };

/* The accesses of a group of waves at the start of a block. */
typedef struct swp_wave_point {
    bool reached;
    swp_access_state *accesses;
} swp_wave_point;

typedef struct swp_wave_paths {
    int count; /* groups; 0: waves are not told apart */
    swp_wave_set waves[SWP_MOST_WAVE_GROUPS];
    swp_wave_point *starts[SWP_MOST_WAVE_GROUPS]; /* by block and copy */
    swp_point points[SWP_MOST_WAVE_GROUPS];       /* where the search is; no registers */
} swp_wave_paths;

swp_status swp_flow_wave_paths_find(swp_fixpoint *fixpoint, swp_wave_paths *out);

/* Moves all points to the start of a block, then past an instruction. */
void swp_flow_wave_paths_enter(const swp_fixpoint *fixpoint, swp_wave_paths *paths, int block,
                               int copy);
void swp_flow_wave_paths_pass(const swp_fixpoint *fixpoint, swp_wave_paths *paths, int insn,
                              int copy);

/* What a wave has of an access at the point; NULL: it is not told apart from the others. */
const swp_access_state *swp_flow_wave_paths_access(const swp_wave_paths *paths, int wave,
                                                   int event);

#endif
