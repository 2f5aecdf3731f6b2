/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the uses by resource and amount, and adds up those that are alike. */
#include "solve/held_amounts.h"

#include "problem/load.h"

#include <stdlib.h>

typedef struct load {
    int resource;
    swp_held_amount held;
} load;

static int compare_loads(const void *a, const void *b)
{
    const load *x = a;
    const load *y = b;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    return (x->held.amount > y->held.amount) - (x->held.amount < y->held.amount);
}

static size_t use_count(const swp_problem *problem)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        count += problem->ops[i].use_count;
    return count;
}

static size_t list_loads(const swp_problem *problem, load *loads)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++) {
            const swp_problem_use *use = &problem->ops[i].uses[u];
            const int64_t cycles = swp_problem_use_cycles(problem, &problem->ops[i], use);
            if (cycles > 0)
                loads[count++] = (load){use->resource, {use->amount, cycles}};
        }
    if (count > 0)
        qsort(loads, count, sizeof *loads, compare_loads);
    return count;
}

swp_status swp_solve_held_amounts(swp_context *ctx, const swp_problem *problem,
                                  swp_held_amounts **out)
{
    load *loads = NULL;
    swp_held_amount *items = NULL;
    SWP_TRY(SWP_TAKE(ctx, problem->resource_count, out));
    SWP_TRY(SWP_TAKE(ctx, use_count(problem), &loads));
    SWP_TRY(SWP_TAKE(ctx, use_count(problem), &items));
    const size_t count = list_loads(problem, loads);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        swp_held_amounts *amounts = &(*out)[loads[i].resource];
        if (amounts->count > 0 && items[next - 1].amount == loads[i].held.amount) {
            items[next - 1].cycles += loads[i].held.cycles;
            continue;
        }
        items[next] = loads[i].held;
        if (amounts->count++ == 0)
            amounts->items = &items[next];
        next++;
    }
    return SWP_OK;
}
