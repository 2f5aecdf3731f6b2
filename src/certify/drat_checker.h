/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the state of a DRAT check between steps, and declares the check of an addition. */
#ifndef SWP_CERTIFY_DRAT_CHECKER_H
#define SWP_CERTIFY_DRAT_CHECKER_H

#include "certify/drat.h"
#include "certify/drat_propagate.h"

typedef struct swp_drat_checker {
    swp_context fixed; /* memory as long as the check */
    swp_drat_store store;
    swp_assignment assignment; /* between steps: what follows from the clauses alone */
    unsigned char *marks;      /* by code, all 0 between uses */
    swp_code_list clause;      /* of the step, its different literals in order */
    bool tautology;            /* it has a literal and its negation */
    bool refuted;
    swp_budget *budget;
    uint64_t spent; /* of the assignment's work */
    swp_drat_report *report;
} swp_drat_checker;

/* Spends what has been done since the last call, and one unit more; returns whether the limits allow it. */
bool swp_certify_drat_may_go_on(swp_drat_checker *checker);

/*
 * Checks that `clause` may be added, by RUP or RAT, and changes the report's answer if it may not.
 * Leaves the assignment as it was. `ctx` owns the words of a refusal.
 */
swp_status swp_certify_drat_check_addition(swp_context *ctx, swp_drat_checker *checker);

#endif
