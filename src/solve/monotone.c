/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for a negative delay within a component. */
#include "solve/monotone.h"

bool swp_solve_values_are_monotone(const swp_problem_graph *graph)
{
    const swp_problem *p = graph->problem;
    for (size_t i = 0; p->kind == SWP_PROBLEM_MODULO && i < p->edge_count; i++) {
        const swp_problem_edge *edge = &p->edges[i];
        if (edge->delay < 0 && graph->component[edge->producer] == graph->component[edge->consumer])
            return false;
    }
    return true;
}
