/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a modulo schedule around an order of the fullest unit (docs/solving.md, "Full units"). */
#ifndef SWP_SOLVE_MODULO_AROUND_H
#define SWP_SOLVE_MODULO_AROUND_H

#include "solve/modulo_place.h"
#include "solve/modulo_sequence.h"

typedef struct swp_modulo_around {
    swp_modulo_placer *placer;
    swp_modulo_sequence sequence;
    int64_t *longest; /* of each node: its longest use */
    int *failures;    /* of each node: how often it found no place, in this round */
} swp_modulo_around;

/* Sets `*fits` to false if no unit takes one op at a time, or if there are too many nodes. */
swp_status swp_solve_modulo_around_new(swp_context *ctx, swp_modulo_placer *placer,
                                       swp_modulo_around *out, bool *fits);

/* Says how long to look. */
typedef struct swp_around_effort {
    int first;     /* number of the first order to try; each number builds another one */
    int orders;    /* at most */
    int64_t looks; /* looks at two ops of an order, after which no further order is tried */
} swp_around_effort;

/* Looks for times of all nodes at the interval of the placer. */
swp_status swp_solve_modulo_around_try(swp_context *ctx, swp_modulo_around *around,
                                       swp_around_effort effort, bool *found);

#endif
