/* SPDX-License-Identifier: Apache-2.0 */
/* Decides one interval by bounds, then by the heuristics with a short search, then by the formula. */
#include "solve/one_interval.h"

#include "solve/bounds.h"
#include "solve/formula.h"
#include "solve/heuristic.h"

static swp_status ask_formula(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                              swp_budget *budget, swp_decision *out)
{
    swp_encoding encoding;
    swp_encoding_state state;
    swp_formula formula;
    int64_t *times = NULL;
    swp_sat_result result = SWP_SAT_GAVE_UP;
    SWP_TRY(SWP_TAKE(ctx, graph->problem->op_count + 1, &times));
    SWP_TRY(swp_solve_encode_value(ctx, graph, interval, &encoding, &state));
    if (state == SWP_ENCODING_EMPTY)
        result = SWP_SAT_REFUTED;
    if (state == SWP_ENCODING_READY)
        SWP_TRY(swp_solve_formula_decide(ctx, &encoding, budget, NULL, times, &formula, &result));
    *out = result == SWP_SAT_REFUTED     ? SWP_REFUTED
           : result == SWP_SAT_SATISFIED ? SWP_FOUND
                                         : SWP_UNDECIDED;
    return SWP_OK;
}

swp_status swp_solve_one_interval(swp_context *ctx, const swp_problem *problem, int64_t interval,
                                  swp_budget *budget, swp_decision *out)
{
    swp_problem_graph graph;
    swp_answer bounds = {.status = SWP_ANSWER_UNKNOWN};
    *out = SWP_UNDECIDED;
    SWP_TRY(swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    SWP_TRY(swp_solve_bounds(ctx, &graph, budget, &bounds));
    if (bounds.bound > interval) {
        *out = SWP_REFUTED;
        return SWP_OK;
    }
    if (!budget->stopped)
        SWP_TRY(swp_solve_modulo_try(ctx, &graph, interval, budget, out));
    return *out == SWP_UNDECIDED && !budget->stopped
               ? ask_formula(ctx, &graph, interval, budget, out)
               : SWP_OK;
}
