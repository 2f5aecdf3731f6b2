/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline as a schedule: phases, waits and barriers. */
#ifndef SWP_LOWER_LOOP_SCHEDULE_H
#define SWP_LOWER_LOOP_SCHEDULE_H

#include "pipeline/choose.h"

typedef struct swp_loop_writer {
    swp_context *ctx; /* its arena is the schedule's */
    const swp_loop_options *options;
    const swp_loop *loop;
    swp_pipeline *pipeline;
    swp_loop_phases phases;
    swp_schedule *out;
    swp_loop_waits waits;
    swp_written *written;
} swp_loop_writer;

/* Writes the phases, with synchronisation where the proof knows the loop: a swp_pipeline_write. */
swp_status swp_lower_loop_schedule(swp_context *ctx, const swp_loop_options *options,
                                   const swp_loop_and_pipeline *given, swp_schedule *out,
                                   swp_written *written);

#endif
