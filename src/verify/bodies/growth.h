/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of accesses that nothing waits for, from one pass to the next. */
#ifndef SWP_BODIES_GROWTH_H
#define SWP_BODIES_GROWTH_H

#include "verify/bodies/model.h"

typedef struct swp_growth {
    const swp_model *model;
    swp_sync_object object;
    int passes; /* of a round */
    int ahead;  /* kernel passes of a tail */
} swp_growth;

/* What a round issues. */
int swp_bodies_growth_of(const swp_growth *growth);

/*
 * How many rounds like the one that began with this count come to the same, with their tails, as all looks
 * at the count do; SWP_FOR_EVER: all.
 */
int swp_bodies_growth_repeats(const swp_growth *growth, int count);

#endif
