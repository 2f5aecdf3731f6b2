/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what each resource has to carry (Rau 1994: ResMII), by its amounts and by weights of them. */
#include "solve/resource_bound.h"

#include "solve/dual_feasible.h"

static int64_t plain_bound(int64_t capacity, const swp_held_amounts *held)
{
    int64_t load = 0;
    for (size_t i = 0; i < held->count; i++)
        load += held->items[i].amount * held->items[i].cycles;
    return load / capacity + (load % capacity != 0);
}

static swp_status raise_by(swp_context *ctx, const swp_problem *problem, int resource, bool weighed,
                           const swp_held_amounts *held, swp_answer *answer)
{
    const int64_t capacity = problem->resources[resource].capacity;
    swp_amount_weights weights = {0};
    int64_t bound = answer->bound;
    if (weighed)
        SWP_TRY(swp_solve_weigh(ctx, capacity, held, &bound, &weights));
    else
        bound = plain_bound(capacity, held);
    if (bound <= answer->bound)
        return SWP_OK;
    answer->bound = bound;
    answer->bound_kind = SWP_BOUND_RESOURCE;
    answer->bound_resource = resource;
    answer->bound_weights = weights;
    return SWP_OK;
}

swp_status swp_solve_resource_bound(swp_context *ctx, const swp_problem *problem,
                                    swp_answer *answer)
{
    swp_held_amounts *held = NULL;
    SWP_TRY(swp_solve_held_amounts(ctx, problem, &held));
    /*
     * Plain amounts come first, since a reader can check such a bound more easily than an equal one
     * by weights.
     */
    for (int weighed = 0; weighed <= 1; weighed++)
        for (size_t r = 0; r < problem->resource_count; r++)
            SWP_TRY(raise_by(ctx, problem, (int)r, weighed, &held[r], answer));
    return SWP_OK;
}
