/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking that a DRAT proof refutes a formula.
 *
 * Forwards, every step: an addition has to follow by unit propagation (RUP), or to be a resolution
 * asymmetric tautology on its first literal (RAT), until the empty clause follows; what comes after
 * is not read. A literal that follows from the clauses alone by propagation stays true whatever is
 * deleted later: to delete the clause that it came from changes nothing, as in drat-trim, and as
 * CaDiCaL's proofs expect. To delete a clause that there is not changes nothing either, and is
 * counted: fewer deletions only leave more to build on for RUP, and more to check for RAT.
 */
#ifndef SWP_CERTIFY_DRAT_H
#define SWP_CERTIFY_DRAT_H

#include "base/budget.h"
#include "certify/drat_read.h"

typedef enum swp_drat_answer {
    SWP_DRAT_REFUTED,      /* the formula has no model */
    SWP_DRAT_STEP_REFUSED, /* `step` does not follow */
    SWP_DRAT_INCOMPLETE,   /* all steps follow, but the empty clause is none of them */
    SWP_DRAT_STOPPED       /* by a limit, before `step` */
} swp_drat_answer;

typedef struct swp_drat_report {
    swp_drat_answer answer;
    size_t step;      /* the last one looked at, from 1; 0: none was needed */
    int line;         /* its line in a text */
    const char *why;  /* of a refused step, in words; NULL otherwise */
    size_t steps;     /* in the whole proof */
    size_t additions; /* checked, of them by RAT: */
    size_t rat;
    size_t deletions; /* done, and of clauses that there are not: */
    size_t unknown_deletions;
} swp_drat_report;

/*
 * Spends the clauses that it looks at. Reports what is no proof (SWP_INVALID). Memory grows with the formula and the clauses of the proof
 * that live at a time, and is given back but for the report's.
 */
swp_status swp_certify_drat_check(swp_context *ctx, const swp_certify_formula *formula,
                                  const swp_drat_proof *proof, swp_budget *budget,
                                  swp_drat_report *report);

#endif
