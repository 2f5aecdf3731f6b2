/* SPDX-License-Identifier: Apache-2.0 */
/* One SAT search: an encoding in, times or a refutation out. */
#ifndef SWP_SOLVE_FORMULA_H
#define SWP_SOLVE_FORMULA_H

#include "solve/budget.h"
#include "solve/clauses.h"
#include "solve/sat.h"

#include <stdio.h>

/*
 * Decides an encoding within the budget, of which each conflict is a unit. Gives up, too, on what is
 * too large for memory. Where there is a schedule, sets the times of the encoded ops.
 * @param most_conflicts  at which it gives up; 0: never
 * @param proof  NULL, or gets the proof of a refutation
 */
swp_status swp_formula_decide(swp_context *ctx, const swp_encoding *encoding, swp_budget *budget,
                              uint64_t most_conflicts, FILE *proof, int64_t *times,
                              swp_formula *formula, swp_sat_result *out);

#endif
