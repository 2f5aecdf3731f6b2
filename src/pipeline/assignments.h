/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines of loops that leave it open which role does an op (docs/loops.md, "Roles to be found"). */
#ifndef SWP_PIPELINE_ASSIGNMENTS_H
#define SWP_PIPELINE_ASSIGNMENTS_H

#include "base/context.h"
#include "pipeline/least_interval.h"
#include "swp/loop.h"

/* swp_pipeline_find() of such a loop. */
swp_status swp_pipeline_find_roles(swp_context *ctx, const swp_loop *loop, swp_pipeline *out,
                                   swp_pipeline_list *others, bool *cut);

/*
 * swp_pipeline_find() of a loop whose ops have their roles.
 * @param most  where no pipeline has an interval up to this, that is all that is wanted: `*out` has the bound and what
 *              refutes the rest, and no times; 0: any
 */
swp_status swp_pipeline_of_roles(swp_context *ctx, const swp_loop *loop, int64_t most,
                                 swp_pipeline *out, bool *cut);

#endif
