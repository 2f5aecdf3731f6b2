/* SPDX-License-Identifier: Apache-2.0 */
/* What an entry becomes when it is unrolled: by its kind, or by the dataflow. */
#ifndef SWP_RUN_UNROLL_H
#define SWP_RUN_UNROLL_H

#include "base/context.h"
#include "run/steps.h"

/* What unrolling one list keeps account of. */
typedef struct swp_run_unroller {
    swp_context *ctx;
    swp_run_program *program;
    int list;   /* of a warp group, or role */
    int loaded; /* loads so far, which number tiles where each takes the next one */
    int stored;
    int *computed; /* COMPUTEs so far of each accumulator, or slice */
} swp_run_unroller;

/* A load, store, fragment load or COMPUTE; `base` is the tile of kb. Anything else is a hint. */
swp_status swp_run_set_kind(swp_run_unroller *u, const swp_op *op, int base, swp_run_step *step);

/* Register 0 of the single buffer, through which its loads go. */
swp_status swp_run_add_staging(swp_run_unroller *u);

/* Where a list stands in the run: without output tiles in one tile of all iterations. */
typedef struct swp_run_point {
    int tile;
    int base; /* iterations of the tiles before */
    int n;    /* of this tile */
    int from; /* its iteration that the list counts from */
} swp_run_point;

/* An op of the dataflow. */
swp_status swp_run_set_op(swp_run_unroller *u, const swp_op *op, swp_run_point at,
                          swp_run_step *step);

/* Waves or instances, and where there is a dataflow what is whose. `whole` has all forms. */
swp_status swp_run_share_out(swp_context *ctx, const swp_schedule *whole, swp_run_program *program);

/* Places and registers for all slots of the dataflow's values. */
swp_status swp_run_add_slots(swp_run_unroller *u);

#endif
