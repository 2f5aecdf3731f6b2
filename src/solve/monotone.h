/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what one value shows holds for larger ones too. */
#ifndef SWP_SOLVE_MONOTONE_H
#define SWP_SOLVE_MONOTONE_H

#include "problem/graph.h"

/*
 * Whether a schedule at one value shows that each larger one has one too. Always so for makespans; for
 * intervals where no edge within a component has a negative delay (docs/certificates.md has the argument).
 */
bool swp_solve_values_are_monotone(const swp_problem_graph *graph);

#endif
