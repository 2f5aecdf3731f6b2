/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline as a schedule: phases, waits and barriers. */
#ifndef SWP_LOWER_LOOP_SCHEDULE_H
#define SWP_LOWER_LOOP_SCHEDULE_H

#include "base/context.h"
#include "swp/loop_compile.h"

typedef struct swp_loop_writer {
    swp_context *ctx; /* its arena is the schedule's */
    const swp_loop_options *options;
    const swp_loop *loop; /* a copy, which lives as long as the schedule */
    swp_pipeline *pipeline;
    swp_loop_phases phases;
    swp_schedule *out;
    const struct swp_loop_writer *others; /* with other roles, where the loop leaves them open */
    size_t other_count;
} swp_loop_writer;

/* Writes the phases, with synchronisation where the proof knows the loop. */
swp_status swp_lower_loop_schedule(swp_loop_writer *writer);

#endif
