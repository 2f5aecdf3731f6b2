/* SPDX-License-Identifier: Apache-2.0 */
/* Which waits of a loop are derived, and what is known of a kernel phase before waits around it are dropped. */
#ifndef SWP_PIPELINE_LOOP_WAITS_H
#define SWP_PIPELINE_LOOP_WAITS_H

#include "solve/max_cycle_ratio.h"

/* A loop without warp roles drops or keeps the waits around its kernel phase. */
typedef enum swp_loop_waits {
    SWP_FEWEST_WAITS,      /* none that the proof does without */
    SWP_ALL_WAITS,         /* proven to be enough, and no more: that is how pipelines are weighed */
    SWP_ALL_WAITS_UNPROVEN /* since no proof came to an end in time */
} swp_loop_waits;

/* A kernel phase without warp roles, with its waits. */
typedef struct swp_kernel_sync {
    swp_ratio cycles; /* of its passes */
    swp_ratio bound;  /* no placement of waits takes fewer */
    bool exact;       /* the cycles do not depend on what stands before it */
    bool optimal;     /* proven best */
    bool cut;         /* a limit ended the search for it */
    double proof_seconds;
} swp_kernel_sync;

#endif
