/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a schedule at one value shows that larger values have one too. */
#ifndef SWP_SOLVE_MONOTONE_H
#define SWP_SOLVE_MONOTONE_H

#include "problem/graph.h"

/*
 * Returns whether a schedule at one value shows that each larger one has one too. That always holds
 * for makespans. For intervals it holds if no edge within a component has a negative delay
 * (docs/certificates.md has the argument).
 */
bool swp_solve_values_are_monotone(const swp_problem_graph *graph);

#endif
