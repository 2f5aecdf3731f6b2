/* SPDX-License-Identifier: Apache-2.0 */
/* Finds bounds, a first schedule by heuristics, and then what lies between them by an exact search. */
#include "solve/solve_problem.h"

#include "base/clock.h"
#include "base/require.h"
#include "solve/bounds.h"
#include "solve/exact.h"
#include "solve/heuristic.h"
#include "solve/makespan_bound.h"
#include "solve/shorten.h"

#include <stdint.h>

/* The better the bound, the sooner the heuristic ends. */
static swp_status solve_makespan(swp_context *ctx, const swp_problem_graph *graph,
                                 swp_budget *budget, swp_answer *answer)
{
    SWP_TRY(swp_solve_makespan_bound(ctx, graph->problem, budget, answer));
    if (answer->status == SWP_ANSWER_INFEASIBLE)
        return SWP_OK;
    return swp_solve_makespan_heuristic(ctx, graph, budget, answer);
}

static swp_status search(swp_context *ctx, const swp_problem_graph *graph, const swp_solve_aim *aim,
                         swp_budget *budget, swp_answer *answer)
{
    const swp_problem *problem = graph->problem;
    SWP_TRY(swp_solve_bounds(ctx, graph, budget, answer));
    budget->bound = answer->bound;
    if (problem->kind == SWP_PROBLEM_MODULO)
        SWP_TRY(swp_solve_modulo_heuristic(ctx, graph, aim->most, budget, answer));
    else
        SWP_TRY(solve_makespan(ctx, graph, budget, answer));
    if (answer->status == SWP_ANSWER_INFEASIBLE)
        return SWP_OK;
    if (answer->times && answer->value == answer->bound) {
        answer->status = SWP_ANSWER_OPTIMAL;
        return SWP_OK;
    }
    answer->status = answer->times ? SWP_ANSWER_FEASIBLE : SWP_ANSWER_UNKNOWN;
    budget->best = answer->times ? answer->value : -1;
    budget->bound = answer->bound;
    if (budget->stopped || aim->at_once)
        return SWP_OK;
    return swp_solve_exact(ctx, problem, aim->most, budget, answer);
}

swp_status swp_solve_problem_for(swp_context *ctx, const swp_problem *problem,
                                 const swp_solve_aim *aim, swp_answer *answer)
{
    const double began = swp_clock();
    swp_context timed = *ctx;
    timed.began = swp_search_began(ctx);
    *answer = (swp_answer){.status = SWP_ANSWER_UNKNOWN};
    SWP_TRY(swp_problem_check(ctx, problem));
    swp_budget budget = swp_budget_start(&timed, (int)problem->op_count);
    swp_problem_graph graph;
    SWP_TRY(swp_problem_graph_new(&timed, problem, INT64_MAX, &graph));
    SWP_TRY(search(&timed, &graph, aim, &budget, answer));
    if (problem->kind == SWP_PROBLEM_MODULO)
        SWP_TRY(swp_solve_shorten(&timed, &graph, &budget, answer));
    answer->seconds = swp_clock() - began;
    answer->work = budget.work;
    return swp_answer_check(ctx, problem, answer);
}

swp_status swp_solve_problem(swp_context *ctx, const swp_problem *problem, swp_answer *answer)
{
    static const swp_solve_aim least = {0};
    SWP_REQUIRE(ctx, ctx && problem && answer);
    return swp_solve_problem_for(ctx, problem, &least, answer);
}
