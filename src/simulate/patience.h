/* SPDX-License-Identifier: Apache-2.0 */
/* How long a steady state is looked for: so many steps, and no longer than a search of the context may take. */
#ifndef SWP_SIMULATE_PATIENCE_H
#define SWP_SIMULATE_PATIENCE_H

#include "base/budget.h"

typedef struct swp_sim_patience {
    int64_t steps; /* since it began */
    swp_budget budget;
} swp_sim_patience;

swp_sim_patience swp_simulate_patience(const swp_context *ctx);

/* Counts a step of the engine. `*left`: there is time for more. The status says whether all work is over. */
swp_status swp_simulate_count_step(swp_sim_patience *patience, bool *left);

#endif
