/* SPDX-License-Identifier: Apache-2.0 */
/* One iteration after the other, and one op after the other: the pipeline that is always there, if the room is. */
#ifndef SWP_PIPELINE_UNPIPELINED_H
#define SWP_PIPELINE_UNPIPELINED_H

#include "base/context.h"
#include "swp/loop.h"

/* The times of the loop's ops in all instances, and the interval, which no search has to find. */
swp_status swp_pipeline_place_in_turn(swp_context *ctx, const swp_loop *loop, int64_t **times,
                                      int64_t *interval);

/* `*found`: the loop allows it, with as few slots as each value may have. Diagnostics are of no concern. */
swp_status swp_pipeline_unpipelined(swp_context *ctx, const swp_pipeline *given, swp_pipeline *out,
                                    bool *found);

#endif
