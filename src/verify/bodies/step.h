/* SPDX-License-Identifier: Apache-2.0 */
/* What one entry does to the state, with the hazards that it shows. */
#ifndef SWP_BODIES_STEP_H
#define SWP_BODIES_STEP_H

#include "verify/bodies/findings.h"

/* Where a run stands: the run of `passes` kernel passes over findings->n tiles. */
typedef struct swp_followed_run {
    swp_findings *findings;
    swp_state *state;
    int pass;   /* -1 in the prologue; `passes` in the epilogue */
    int passes; /* kernel passes of the run */
} swp_followed_run;

swp_status swp_bodies_follow_entry(swp_followed_run *run, swp_entry_ref ref);

#endif
