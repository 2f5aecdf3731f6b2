/* SPDX-License-Identifier: Apache-2.0 */
/* A modulo schedule around an order of the fullest unit (docs/solving.md, "Full units"). */
#ifndef SWP_SOLVE_MODULO_AROUND_H
#define SWP_SOLVE_MODULO_AROUND_H

#include "solve/modulo_place.h"
#include "solve/modulo_sequence.h"

typedef struct swp_modulo_around {
    swp_modulo_placer *placer;
    swp_modulo_sequence sequence;
    int64_t *longest; /* use of each node */
    int *failures;    /* of each node to find a place, in this round */
} swp_modulo_around;

/* `*fits` is false where no unit takes one op at a time, or the nodes are too many. */
swp_status swp_solve_modulo_around_new(swp_context *ctx, swp_modulo_placer *placer,
                                       swp_modulo_around *out, bool *fits);

/* How long to look. */
typedef struct swp_around_effort {
    int first;     /* number of the first order to try; each number builds another one */
    int orders;    /* at most */
    int64_t looks; /* at two ops of an order, after which no other order is tried */
} swp_around_effort;

/* Times for all nodes at the interval of the placer. */
swp_status swp_solve_modulo_around_try(swp_context *ctx, swp_modulo_around *around,
                                       swp_around_effort effort, bool *found);

#endif
