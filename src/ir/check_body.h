/* SPDX-License-Identifier: Apache-2.0 */
/* Which lists of ops are a body that can be compiled. */
#ifndef SWP_IR_CHECK_BODY_H
#define SWP_IR_CHECK_BODY_H

#include "swp/config.h"

/*
 * Refuses ops with numbers out of range, bodies without a COMPUTE, and bodies that the partitions do
 * not divide. Needs a config that swp_pipeline_config_check() accepts.
 */
swp_status swp_ir_check_body(swp_context *ctx, const swp_op *body, size_t count,
                             const swp_pipeline_config *config);

/*
 * Refuses ops that say what no kernel reads (docs/verification.md, "What an op does"): a member that
 * means nothing to the op's kind, a load of neither A nor B, a COMPUTE outside the grid.
 */
swp_status swp_ir_check_meaning(swp_context *ctx, const swp_op *body, size_t count,
                                const swp_pipeline_config *config);

#endif
