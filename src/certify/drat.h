/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that a DRAT proof refutes a formula.
 *
 * It checks every step forwards: an addition has to follow by unit propagation (RUP), or to be a
 * resolution asymmetric tautology on its first literal (RAT). It ends with the empty clause; what
 * comes after is not read. A literal that follows from the clauses alone by propagation stays true
 * whatever is deleted later. So deleting the clause that it came from changes nothing, as in
 * drat-trim, and as CaDiCaL's proofs expect. Deleting an unknown clause changes nothing either, and
 * is counted: with fewer deletions RUP has more to build on, and RAT more to check.
 */
#ifndef SWP_CERTIFY_DRAT_H
#define SWP_CERTIFY_DRAT_H

#include "base/budget.h"
#include "certify/drat_read.h"

typedef enum swp_drat_answer {
    SWP_DRAT_REFUTED,      /* the formula has no model */
    SWP_DRAT_STEP_REFUSED, /* `step` does not follow */
    SWP_DRAT_INCOMPLETE,   /* all steps follow, but the empty clause is none of them */
    SWP_DRAT_STOPPED       /* a limit ended the check before `step` */
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
 * Spends work on the clauses that it looks at. Reports a malformed proof (SWP_INVALID). Memory
 * grows with the formula and the clauses of the proof that live at one time. It is given back, but
 * for the report's.
 */
swp_status swp_certify_drat_check(swp_context *ctx, const swp_certify_formula *formula,
                                  const swp_drat_proof *proof, swp_budget *budget,
                                  swp_drat_report *report);

#endif
