/* SPDX-License-Identifier: Apache-2.0 */
/* Does unit propagation with two watched literals (Moskewicz et al., DAC 2001). */
#ifndef SWP_CERTIFY_DRAT_PROPAGATE_H
#define SWP_CERTIFY_DRAT_PROPAGATE_H

#include "certify/drat_store.h"

typedef struct swp_assignment {
    signed char *values; /* by code: 1 true, -1 false, 0 open */
    uint32_t *trail;     /* the true literals, in the order in which they became true */
    size_t count;
    size_t propagated; /* the literals before it have been propagated */
    uint64_t work;     /* watches looked at */
} swp_assignment;

/* Makes an open literal true. */
static inline void swp_assign(swp_assignment *assignment, uint32_t code)
{
    assignment->values[code] = 1;
    assignment->values[code ^ 1U] = -1;
    assignment->trail[assignment->count++] = code;
}

/* Takes back all but the first `count` literals, which have been propagated. */
void swp_certify_assignment_undo(swp_assignment *assignment, size_t count);

/*
 * Draws the consequences of the trail until nothing follows or a clause is false (`*conflict`). The
 * first two literals of every watched clause must not be false under the trail before it, or one of
 * them must stay true.
 */
swp_status swp_certify_propagate(swp_drat_store *store, swp_assignment *assignment, bool *conflict);

#endif
