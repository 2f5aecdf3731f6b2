/* SPDX-License-Identifier: Apache-2.0 */
/* Lists for each resource what its uses hold, by amounts and by weights, as energetic reasoning needs it. */
#ifndef SWP_SOLVE_ENERGY_ROWS_H
#define SWP_SOLVE_ENERGY_ROWS_H

#include "base/context.h"
#include "swp/problem.h"

/* A use with its amount or weight. */
typedef struct swp_energy_use {
    int op;
    int64_t amount;
    int64_t cycles;
} swp_energy_use;

/* Uses whose amounts come to no more than the capacity at any time. */
typedef struct swp_energy_row {
    int64_t capacity;
    swp_energy_use *uses;
    int count;
} swp_energy_row;

typedef struct swp_energy_rows {
    swp_energy_row *items;
    size_t count;
    size_t capacity;
} swp_energy_rows;

/* Lists the rows of all resources in their order, then the rows of weights. */
swp_status swp_solve_energy_rows(swp_context *ctx, const swp_problem *problem,
                                 swp_energy_rows *out);

#endif
