/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the lower bounds that the steps of a certificate state. */
#ifndef SWP_CERTIFY_BOUNDS_H
#define SWP_CERTIFY_BOUNDS_H

#include "certify/judgement.h"
#include "swp/certify.h"

/*
 * Finds the longest paths of a makespan problem: head(o) to each op, and tail(o) from it to the end
 * of the last op, its own latency included.
 */
swp_status swp_certify_heads_and_tails(swp_context *ctx, swp_judgement *judgement,
                                       const swp_problem *problem, int64_t **heads,
                                       int64_t **tails);

/* Computes what a resource, path or cycle step proves, and refuses one that proves nothing. */
swp_status swp_certify_step_bound(swp_context *ctx, swp_judgement *judgement,
                                  const swp_problem *problem, const swp_certificate_step *step,
                                  int64_t *bound);

#endif
