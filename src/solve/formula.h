/* SPDX-License-Identifier: Apache-2.0 */
/* SAT searches: an encoding in, times or a refutation out. */
#ifndef SWP_SOLVE_FORMULA_H
#define SWP_SOLVE_FORMULA_H

#include "base/budget.h"
#include "solve/clauses.h"
#include "solve/sat.h"

#include <stdio.h>

/* An encoding that a solver has, which can be asked again where a limit ended the search. */
typedef struct swp_question {
    const swp_encoding *encoding;
    swp_formula formula;
    swp_budget *budget;
    swp_sat *sat;      /* NULL: too large for memory */
    uint64_t literals; /* of all clauses */
    int unlooked;      /* clauses since the clock was read */
} swp_question;

/* Close it in any case. `budget` and `encoding` must live as long, and `*out` stays where it is. */
swp_status swp_solve_question_open(swp_context *ctx, const swp_encoding *encoding,
                                   swp_budget *budget, swp_sat_hope hope, FILE *proof,
                                   swp_question *out);

/*
 * Searches within the budget, of which each conflict is a unit. Where there is a schedule, sets the
 * times of the encoded ops.
 * @param most_conflicts  at which it gives up; 0: never
 */
swp_sat_result swp_solve_question_ask(swp_question *question, uint64_t most_conflicts,
                                      int64_t *times);

/*
 * From now on each op starts at least so many cycles before the end of its window. False: then some
 * window is empty. Not after a refutation.
 */
bool swp_solve_question_end_sooner(swp_question *question, int64_t cycles);

void swp_solve_question_close(swp_question *question);

/*
 * Opens, asks without a limit of conflicts and closes.
 * @param proof  NULL, or gets the proof of a refutation
 */
swp_status swp_solve_formula_decide(swp_context *ctx, const swp_encoding *encoding,
                                    swp_budget *budget, FILE *proof, int64_t *times,
                                    swp_formula *formula, swp_sat_result *out);

#endif
