/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the formula of "there is such a schedule", variable by variable as docs/certificates.md has it. */
#ifndef SWP_CERTIFY_ENCODE_H
#define SWP_CERTIFY_ENCODE_H

#include "certify/frame.h"
#include "certify/sink.h"

typedef struct swp_encoder {
    swp_context *ctx;
    const swp_frame *frame;
    swp_sink *sink;
    int *first; /* by op: the variable [t(op) >= low + 1] */
} swp_encoder;

/* Writes the whole formula. */
swp_status swp_certify_encode(swp_context *ctx, const swp_frame *frame, swp_sink *sink);

/* Returns the literal [t(op) >= time], or SWP_TRUE or SWP_FALSE where the window decides it. */
int swp_certify_at_least(const swp_encoder *encoder, int op, int64_t time);

/* Writes the clauses that keep the resources from being overfilled. */
swp_status swp_certify_encode_resources(swp_encoder *encoder);

#endif
