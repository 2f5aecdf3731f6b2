/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of the context, for a check that may take long. */
#ifndef SWP_CERTIFY_PATIENCE_H
#define SWP_CERTIFY_PATIENCE_H

#include "base/context.h"

typedef struct swp_patience {
    const swp_limits *limits;
    double began;
    double reported;
    uint64_t work;      /* in any small unit */
    uint64_t looked_at; /* the work at the last look at the clock */
} swp_patience;

swp_patience swp_patience_begin(const swp_context *ctx);

/* Whether to go on after so much more work. */
bool swp_patience_spend(swp_patience *patience, uint64_t work);

#endif
