/* SPDX-License-Identifier: Apache-2.0 */
/* swp_pipeline_loop(), for whoever goes on from what a limit left open. */
#ifndef SWP_PIPELINE_LEAST_INTERVAL_H
#define SWP_PIPELINE_LEAST_INTERVAL_H

#include "base/context.h"
#include "swp/loop.h"

/* Without a warning: `*cut` is whether a limit left anything open. */
swp_status swp_pipeline_find(swp_context *ctx, const swp_loop *loop, swp_pipeline *out, bool *cut);

/* Whether anything of it is not proven least. */
bool swp_pipeline_is_open(const swp_pipeline *pipeline);

/* Says so of what is handed out, unless nothing is open any more. */
swp_status swp_pipeline_warn_of_stop(swp_context *ctx, const swp_pipeline *pipeline);

#endif
