/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the parts of a check refuse, and counts their work. */
#ifndef SWP_CERTIFY_JUDGEMENT_H
#define SWP_CERTIFY_JUDGEMENT_H

#include "base/budget.h"
#include "swp/certify.h"

/*
 * A check that fails ends with swp_certify_refuse(), which returns SWP_INVALID without a
 * diagnostic. The caller tells a refusal from bad input by `why`.
 */
typedef struct swp_judgement {
    swp_context *ctx; /* owns `why` */
    const char *why;  /* NULL: nothing is refused */
    swp_place place;
    swp_budget budget;
    double began; /* by swp_clock() */
} swp_judgement;

swp_judgement swp_certify_begin(swp_context *ctx);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
swp_status
swp_certify_refuse(swp_judgement *judgement, swp_place place, const char *format, ...);

/*
 * Makes a refusal or a limit the report's verdict, and returns what remains as the status of the
 * whole check.
 */
swp_status swp_certify_conclude(const swp_judgement *judgement, swp_status status,
                                swp_certificate_report *report);

/* Spends work, and returns SWP_STOPPED if the limits do not allow so much. */
swp_status swp_certify_spend(swp_judgement *judgement, uint64_t work);

#endif
