/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the strategies in a table: a new one is a function and a row. */
#include "base/context.h"
#include "base/names.h"
#include "base/require.h"
#include "swp/solve.h"

static swp_status respects_edges(swp_context *ctx, const swp_loop_body *body,
                                 const swp_order *order, bool *out)
{
    size_t *position = NULL;
    SWP_TRY(SWP_TAKE(ctx, body->count, &position));
    for (size_t i = 0; i < order->count; i++)
        position[order->items[i]] = i;
    *out = true;
    for (size_t e = 0; e < body->edges.count; e++) {
        const swp_edge *edge = &body->edges.items[e];
        if (edge->distance == 0 && position[edge->producer] > position[edge->consumer])
            *out = false;
    }
    return SWP_OK;
}

/* Evaluates the order. An order that breaks edges, which IDENTITY may give, gets no figures. */
static swp_status judge(swp_context *ctx, const swp_order_problem *problem, swp_solution *solution)
{
    const int penalty = problem->schedule->lds_contention_penalty;
    bool legal = false;
    SWP_TRY(respects_edges(ctx, problem->body, &solution->order, &legal));
    solution->evaluation = (swp_evaluation){-1, -1};
    solution->lower_bound = -1;
    if (!legal)
        return SWP_OK;
    SWP_TRY(swp_makespan_lower_bound(ctx, problem->body, penalty, &solution->lower_bound));
    SWP_TRY(swp_evaluate_schedule(ctx, problem->body, &solution->order, penalty,
                                  &solution->evaluation));
    if (solution->evaluation.makespan == solution->lower_bound)
        solution->outcome = SWP_OPTIMAL;
    return SWP_OK;
}

static swp_status order_identity(swp_context *ctx, const swp_order_problem *problem,
                                 swp_solution *solution)
{
    *solution = (swp_solution){.outcome = SWP_FEASIBLE};
    for (size_t i = 0; i < problem->body->count; i++)
        SWP_TRY(SWP_PUSH(ctx, &solution->order, (int)i));
    return judge(ctx, problem, solution);
}

static swp_status order_greedy(swp_context *ctx, const swp_order_problem *problem,
                               swp_solution *solution)
{
    *solution = (swp_solution){.outcome = SWP_FEASIBLE, .is_seed = true};
    SWP_TRY(swp_loop_body_validate(ctx, problem->body));
    SWP_TRY(swp_greedy_schedule(ctx, problem->body, problem->config->num_partitions,
                                swp_blocks_per_partition(problem->config), &solution->order));
    return judge(ctx, problem, solution);
}

static swp_status order_csp(swp_context *ctx, const swp_order_problem *problem,
                            swp_solution *solution)
{
    return swp_optimal_schedule_with_halves(
        ctx, problem->body, problem->config->block_sizing.max_globals,
        problem->schedule->lds_contention_penalty, problem->schedule->max_vgpr,
        swp_blocks_per_partition(problem->config), solution);
}

static const swp_strategy_row rows[] = {
    {SWP_IDENTITY, "identity", "the body as it stands, unchecked", order_identity},
    {SWP_GREEDY, "greedy", "the body's order where that is legal", order_greedy},
    {SWP_CSP, "csp", "exact: least makespan, then least register peak", order_csp},
};

const swp_strategy_row *swp_strategies(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(rows);
    return rows;
}
