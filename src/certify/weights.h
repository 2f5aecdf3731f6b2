/* SPDX-License-Identifier: Apache-2.0 */
/* Weights by which a step counts the amounts of a resource. */
#ifndef SWP_CERTIFY_WEIGHTS_H
#define SWP_CERTIFY_WEIGHTS_H

#include "certify/judgement.h"
#include "swp/certify.h"

/*
 * Refuses weights under which amounts that fit the capacity together may weigh more than `most`: only those
 * that are left prove anything. A step without weights is right as it is.
 */
swp_status swp_certify_judge_weights(swp_context *ctx, swp_judgement *judgement,
                                     const swp_certificate_step *step, int64_t capacity);

#endif
