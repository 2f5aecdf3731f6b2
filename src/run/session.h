/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of one run, or of many attempts at one. */
#ifndef SWP_RUN_SESSION_H
#define SWP_RUN_SESSION_H

#include "base/context.h"
#include "run/machine.h"

/* A program and the memory that its runs may use; freed as a whole. */
typedef struct swp_run_session {
    swp_context scratch; /* as the caller's context, but with memory of its own */
    swp_run_extent extent;
    swp_schedule form; /* that runs this number of tiles */
    swp_run_program program;
    swp_run_machine machine;
    swp_run_outcome outcome;
} swp_run_session;

/* Of all output tiles. */
int swp_run_iterations(const int *tiles, int count);

/* Checks the schedule, unrolls it and sets up a machine. Close it whatever the status. */
swp_status swp_run_open(swp_context *ctx, const swp_schedule *schedule, swp_run_extent extent,
                        int waves_per_group, uint64_t seed, swp_run_session *out);

void swp_run_close(swp_run_session *session);

#endif
