/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the weights by which a step counts the amounts of a resource. */
#ifndef SWP_CERTIFY_WEIGHTS_H
#define SWP_CERTIFY_WEIGHTS_H

#include "certify/judgement.h"
#include "swp/certify.h"

/*
 * Refuses weights under which amounts that fit the capacity together may weigh more than `most`,
 * since those prove nothing. A step without weights is accepted.
 */
swp_status swp_certify_judge_weights(swp_context *ctx, swp_judgement *judgement,
                                     const swp_certificate_step *step, int64_t capacity);

#endif
