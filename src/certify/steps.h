/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the steps of a certificate, and says what they prove of one problem. */
#ifndef SWP_CERTIFY_STEPS_H
#define SWP_CERTIFY_STEPS_H

#include "certify/judgement.h"
#include "swp/certify.h"

typedef struct swp_steps_proof {
    int64_t bound;   /* no value is smaller; set it to what is known before */
    bool infeasible; /* no schedule exists */
} swp_steps_proof;

/*
 * Takes the steps in their order. Refuses one that does not prove what it says. `report` counts
 * what was checked, and has the number of the step that was refused.
 */
swp_status swp_certify_take_steps(swp_context *ctx, swp_judgement *judgement,
                                  const swp_problem *problem, const swp_certificate_step *steps,
                                  size_t count, swp_certificate_report *report,
                                  swp_steps_proof *proof);

#endif
