/* SPDX-License-Identifier: Apache-2.0 */
/* Which waves are ahead of others in barriers: those whose path from a branch had one more. */
#ifndef SWP_AUDIT_FLOW_LAG_H
#define SWP_AUDIT_FLOW_LAG_H

#include "audit/flow/fixpoint.h"

typedef struct swp_lag {
    int barriers
        [SWP_MOST_WAVES]; /* executed so far, less those of the wave that executed the fewest */
    int unknown;          /* the branch after which this is not known any more; -1: it is known */
} swp_lag;

typedef struct swp_lags {
    swp_lag *items; /* by block: at its start */
    bool any;       /* some waves may be ahead of others somewhere */
} swp_lags;

swp_status swp_flow_lags_find(swp_fixpoint *fixpoint, swp_lags *out);

#endif
