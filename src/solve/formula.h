/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a SAT solver about an encoding, and gives times or a refutation. */
#ifndef SWP_SOLVE_FORMULA_H
#define SWP_SOLVE_FORMULA_H

#include "base/budget.h"
#include "solve/clauses.h"
#include "solve/sat.h"

#include <stdio.h>

/* An encoding that a solver holds. It can be asked again after a limit ended the search. */
typedef struct swp_question {
    const swp_encoding *encoding;
    swp_formula formula;
    swp_budget *budget;
    swp_sat *sat;      /* NULL: too large for memory */
    uint64_t literals; /* of all clauses */
    int unlooked;      /* clauses since the clock was read */
} swp_question;

/*
 * Opens a question. It must be closed in any case. `budget` and `encoding` must live as long, and
 * `*out` must not move.
 */
swp_status swp_solve_question_open(swp_context *ctx, const swp_encoding *encoding,
                                   swp_budget *budget, swp_sat_hope hope, FILE *proof,
                                   swp_question *out);

/*
 * Searches within the budget, where each conflict counts as a unit. If there is a schedule, sets
 * the times of the encoded ops.
 * @param most_conflicts  after which it gives up; 0: never
 */
swp_sat_result swp_solve_question_ask(swp_question *question, uint64_t most_conflicts,
                                      int64_t *times);

/*
 * Requires from now on that each op starts at least so many cycles before the end of its window.
 * Returns false if that empties a window. Must not follow a refutation.
 */
bool swp_solve_question_end_sooner(swp_question *question, int64_t cycles);

void swp_solve_question_close(swp_question *question);

/*
 * Opens a question, asks it without a limit of conflicts, and closes it.
 * @param proof  gets the proof of a refutation, unless it is NULL
 */
swp_status swp_solve_formula_decide(swp_context *ctx, const swp_encoding *encoding,
                                    swp_budget *budget, FILE *proof, int64_t *times,
                                    swp_formula *formula, swp_sat_result *out);

#endif
