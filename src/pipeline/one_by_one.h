/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline that overlaps nothing: one op after the other in the loop's order, and one iteration after the other. */
#ifndef SWP_PIPELINE_ONE_BY_ONE_H
#define SWP_PIPELINE_ONE_BY_ONE_H

#include "base/context.h"
#include "swp/loop.h"

/* With the slots of a given one. */
swp_status swp_pipeline_one_by_one(swp_context *ctx, const swp_pipeline *given, swp_pipeline *out);

#endif
