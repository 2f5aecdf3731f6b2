/* SPDX-License-Identifier: Apache-2.0 */
/* The matrices: small integers, of which each wave loads a share of every tile. */
#ifndef SWP_RUN_VALUES_H
#define SWP_RUN_VALUES_H

#include "run/steps.h"

enum {
    SWP_RUN_SIDE = 2,
    SWP_RUN_ELEMENTS = SWP_RUN_SIDE * SWP_RUN_SIDE,
    SWP_RUN_NO_TILE = -1,
    SWP_RUN_NOBODY = -1
};

/*
 * A wave's share of one tile of one subtile: a column of A or a row of B (the first SWP_RUN_SIDE
 * values); for the single buffer, whose places hold both, a column of A and then a row of B.
 */
typedef struct swp_run_cell {
    union {
        int64_t values[SWP_RUN_ELEMENTS];
        uint64_t number; /* of a dataflow: a version, or what an op made of one */
    };
    int tile;   /* SWP_RUN_NO_TILE: nothing was ever there */
    int thread; /* that put it where it is; SWP_RUN_NOBODY… */
    int step;   /* …with this of its steps */
} swp_run_cell;

/* A matrix of SWP_RUN_SIDE by SWP_RUN_SIDE. */
typedef struct swp_run_matrix {
    int64_t values[SWP_RUN_SIDE][SWP_RUN_SIDE];
} swp_run_matrix;

/* A well-mixed number, different for each seed and position. */
uint64_t swp_run_mix(uint64_t seed, uint64_t position);

/* A wave's share of a tile. Tiles that do not exist have values too, which are nobody's. */
swp_run_cell swp_run_share(uint64_t seed, int channel, int subtile, int tile, int wave);

/* What is in LDS and registers at first: large numbers. */
swp_run_cell swp_run_poison(uint64_t seed, int place);

/* Adds the product of two shares. */
void swp_run_add_product(swp_run_matrix *sum, const int64_t *a, const int64_t *b);

/* What an accumulator holds after the loop, for every wave. */
swp_run_matrix swp_run_expected(const swp_run_program *program, uint64_t seed, int accumulator);

/* What it holds after the first `issued` of these steps. */
swp_run_matrix swp_run_expected_so_far(const swp_run_program *program, uint64_t seed,
                                       int accumulator, const swp_run_step_list *steps,
                                       size_t issued);

#endif
