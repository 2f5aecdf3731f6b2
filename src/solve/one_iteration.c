/* SPDX-License-Identifier: Apache-2.0 */
/* Repeats the list schedule of one iteration at an interval of its own length. */
#include "solve/one_iteration.h"

#include "solve/list_schedule.h"

/* Returns the cycles from the first begin of a use to the last end. */
static int64_t span_of_uses(const swp_problem *problem, const int64_t *times)
{
    int64_t begin = INT64_MAX;
    int64_t end = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++) {
            const int64_t cycles = problem->ops[i].uses[u].cycles;
            if (cycles == 0)
                continue;
            begin = times[i] < begin ? times[i] : begin;
            end = times[i] + cycles > end ? times[i] + cycles : end;
        }
    return end > begin ? end - begin : 0;
}

static int64_t interval_of(const swp_problem *problem, const int64_t *times)
{
    int64_t interval = span_of_uses(problem, times);
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        const int64_t missing = times[edge->producer] + edge->delay - times[edge->consumer];
        if (edge->distance == 0 || missing <= 0)
            continue;
        const int64_t least = (missing - 1) / edge->distance + 1;
        interval = least > interval ? least : interval;
    }
    return interval < 1 ? 1 : interval;
}

swp_status swp_solve_one_iteration(swp_context *ctx, const swp_problem_graph *graph,
                                   swp_answer *answer)
{
    const swp_problem *problem = graph->problem;
    swp_list list;
    int64_t *times = NULL;
    bool acyclic = false;
    SWP_TRY(swp_solve_list_new(ctx, problem, &list, &acyclic));
    if (!acyclic)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 1, &times));
    for (int op = 0; op < list.count; op++)
        list.key[op] = -list.tail[op];
    SWP_TRY(swp_solve_list_generate(ctx, &list, times));
    answer->times = times;
    answer->time_count = problem->op_count;
    answer->value = interval_of(problem, times);
    return SWP_OK;
}
