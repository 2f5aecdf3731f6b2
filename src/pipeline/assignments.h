/* SPDX-License-Identifier: Apache-2.0 */
/* Finds pipelines of loops that leave open which role does an op (docs/loops.md, "Roles to be found"). */
#ifndef SWP_PIPELINE_ASSIGNMENTS_H
#define SWP_PIPELINE_ASSIGNMENTS_H

#include "base/context.h"
#include "pipeline/least_interval.h"
#include "swp/loop.h"

/* Does what swp_pipeline_find() does, for such a loop. */
swp_status swp_pipeline_find_roles(swp_context *ctx, const swp_loop *loop, swp_pipeline *out,
                                   swp_pipeline_list *others, bool *cut);

/*
 * Does what swp_pipeline_find() does, for a loop whose ops have their roles.
 * @param most  if no pipeline has an interval up to this, `*out` only gets the bound and what
 * refutes the rest, without times; 0: no limit
 */
swp_status swp_pipeline_of_roles(swp_context *ctx, const swp_loop *loop, int64_t most,
                                 swp_pipeline *out, swp_pipeline_list *longer, bool *cut);

#endif
