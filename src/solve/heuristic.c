/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/heuristic.h"

swp_status swp_makespan_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                  swp_budget *budget, swp_answer *answer)
{
    (void)ctx;
    (void)graph;
    (void)budget;
    (void)answer;
    return SWP_OK;
}

swp_status swp_modulo_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                swp_budget *budget, swp_answer *answer)
{
    (void)ctx;
    (void)graph;
    (void)budget;
    (void)answer;
    return SWP_OK;
}
