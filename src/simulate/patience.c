/* SPDX-License-Identifier: Apache-2.0 */
/* Counts steps of the engine, and the time of those that come late. */
#include "simulate/patience.h"

/* Beyond these, the reader has lost patience. */
enum { MOST_STEPS = 50000000 };

/* So many steps are followed whatever the limits say; then each is about so many of the nominal clock. */
enum { LEAST_STEPS = 50000, NOMINAL_STEPS = 20 };

swp_sim_patience swp_simulate_patience(const swp_context *ctx)
{
    return (swp_sim_patience){.budget = swp_budget_start(ctx, 0)};
}

swp_status swp_simulate_count_step(swp_sim_patience *patience, bool *left)
{
    swp_budget *budget = &patience->budget;
    patience->steps++;
    *left = patience->steps <= LEAST_STEPS ||
            (patience->steps <= MOST_STEPS && swp_budget_keep(budget, NOMINAL_STEPS));
    return budget->stopped ? swp_keep_on(budget->ctx, LEAST_STEPS) : SWP_OK;
}
