/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a pipeline at a longer interval, at which other orders have times, too. */
#ifndef SWP_PIPELINE_STRETCH_H
#define SWP_PIPELINE_STRETCH_H

#include "pipeline/issue_models.h"

/* `*found`: the order has times at the interval, which `out` has, and the slots that these need. */
swp_status swp_pipeline_stretch(swp_context *ctx, swp_issue_models *models,
                                const swp_pipeline *given, int64_t interval, swp_pipeline *out,
                                bool *found);

#endif
