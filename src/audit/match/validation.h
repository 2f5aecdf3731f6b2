/* SPDX-License-Identifier: Apache-2.0 */
/* Translation validation: whether code carries out a schedule, in the parts of that question. */
#ifndef SWP_AUDIT_MATCH_VALIDATION_H
#define SWP_AUDIT_MATCH_VALIDATION_H

#include "audit/flow/lag.h"
#include "audit/match/rebuild.h"
#include "swp/audit.h"

typedef struct swp_validation {
    swp_context *ctx;
    const swp_schedule *schedule;
    swp_effects effects; /* of its entries */
    const swp_path *path;
    const swp_lags *lags;
    swp_audit_report *out;
    swp_walk walk;     /* through some passes */
    swp_walk shortest; /* through none */
    swp_attribution attribution;
} swp_validation;

/* `insn` -1: none in particular. */
swp_status swp_match_obstacle(const swp_validation *validation, int insn, const char *what);

/* How waves lag where the loop begins. */
const swp_lag *swp_match_lag(const swp_validation *validation);

/* Adds the hazards of the schedule that the code carries out. */
swp_status swp_match_prove(swp_validation *validation);

/* Fills in cycles a pass, and what waits that the compiler put in stall. */
swp_status swp_match_count_cycles(swp_validation *validation);

#endif
