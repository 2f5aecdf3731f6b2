/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a refutation encodes: which ops and edges, and when the ops may start. */
#ifndef SWP_CERTIFY_FRAME_H
#define SWP_CERTIFY_FRAME_H

#include "certify/judgement.h"
#include "swp/certify.h"

/* t(consumer) >= t(producer) + weight */
typedef struct swp_frame_arc {
    int producer;
    int consumer;
    int64_t weight;
} swp_frame_arc;

typedef struct swp_frame_arc_list {
    swp_frame_arc *items;
    size_t count;
    size_t capacity;
} swp_frame_arc_list;

typedef struct swp_frame {
    const swp_problem *problem;
    bool *encoded; /* by op */
    int64_t *low;  /* by op: its first and its last start, if it is encoded */
    int64_t *high;
    swp_frame_arc_list arcs;
    int64_t period;     /* 0: slots do not wrap */
    int64_t first_slot; /* after `last_slot` where there are none */
    int64_t last_slot;
} swp_frame;

/* Reads the frame of a step, and refuses a step that breaks the rules of its scope. */
swp_status swp_certify_frame_new(swp_context *ctx, swp_judgement *judgement,
                                 const swp_problem *problem, const swp_certificate_step *step,
                                 swp_frame *out);

/*
 * Finds out whether a refutation at one interval refutes all smaller ones. That holds if no edge
 * within a component of a modulo problem has a negative delay.
 */
swp_status swp_certify_refutes_all_below(swp_context *ctx, const swp_problem *problem, bool *yes);

#endif
