/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies that nobody stated: those of entries whose tag the body does not have. */
#ifndef SWP_SIMULATE_LATENCIES_H
#define SWP_SIMULATE_LATENCIES_H

#include "swp/compile.h"

/* The tags of such ops; their latency is 0 for want of another. @return whether there are any */
bool swp_simulate_unknown_latencies(const swp_schedule *schedule, bool tags[SWP_SCHEDULE_TAGS]);

/* Warns of each. */
swp_status swp_simulate_warn_of_latencies(swp_context *ctx, const swp_schedule *schedule);

#endif
