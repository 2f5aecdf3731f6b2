/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds redundant resources (Carlier and Néron 2003): where amounts do not divide a capacity, their
 * weights prove more than their energy.
 */
#include "solve/energy_rows.h"

#include "problem/load.h"
#include "solve/dual_feasible.h"

/* So many weights of one resource get a row; more would take long where there are many amounts. */
enum { MOST_WEIGHED = 8 };

static swp_status add_row(swp_context *ctx, const swp_problem *problem, int resource,
                          const swp_amount_weights *weights, swp_energy_rows *out)
{
    const int64_t capacity = problem->resources[resource].capacity;
    swp_energy_row row = {.capacity = weights->count > 0 ? weights->most : capacity};
    size_t most = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        most += problem->ops[i].use_count;
    SWP_TRY(SWP_TAKE(ctx, most, &row.uses));
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++) {
            const swp_problem_use *use = &problem->ops[i].uses[u];
            const int64_t weight = swp_problem_weight(weights, use->amount);
            if (use->resource == resource && use->cycles > 0 && weight > 0)
                row.uses[row.count++] = (swp_energy_use){(int)i, weight, use->cycles};
        }
    return SWP_PUSH(ctx, out, row);
}

swp_status swp_solve_energy_rows(swp_context *ctx, const swp_problem *problem, swp_energy_rows *out)
{
    static const swp_amount_weights none = {0};
    swp_held_amounts *held = NULL;
    SWP_TRY(swp_solve_held_amounts(ctx, problem, &held));
    for (size_t r = 0; r < problem->resource_count; r++)
        SWP_TRY(add_row(ctx, problem, (int)r, &none, out));
    for (size_t r = 0; r < problem->resource_count; r++) {
        swp_weights_list weights = {0};
        SWP_TRY(swp_solve_coarse_weights(ctx, problem->resources[r].capacity, &held[r], &weights));
        for (size_t i = 0; i < weights.count && i < MOST_WEIGHED; i++)
            SWP_TRY(add_row(ctx, problem, (int)r, &weights.items[i], out));
    }
    return SWP_OK;
}
