/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a refutation step: its formula must be that of the problem, and have no model. */
#ifndef SWP_CERTIFY_REFUTE_H
#define SWP_CERTIFY_REFUTE_H

#include "certify/judgement.h"
#include "swp/certify.h"

/* Refuses a step that does not refute, and counts what was checked. */
swp_status swp_certify_judge_refutation(swp_context *ctx, swp_judgement *judgement,
                                        const swp_problem *problem,
                                        const swp_certificate_step *step,
                                        swp_certificate_report *counts);

#endif
