/* SPDX-License-Identifier: Apache-2.0 */
/* The clock and the interruption, for work that no limit counts. */
#ifndef SWP_BASE_PACE_H
#define SWP_BASE_PACE_H

#include "base/context.h"

typedef struct swp_pace {
    const swp_limits *limits;
    double began;   /* seconds */
    uint64_t steps; /* since the last look */
    bool stopped;   /* for good */
} swp_pace;

swp_pace swp_pace_begin(const swp_context *ctx);

/* Whether to go on after so many more steps, each of some nanoseconds. */
bool swp_pace_keep(swp_pace *pace, uint64_t steps);

#endif
