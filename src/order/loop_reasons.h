/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why the ops of a pipeline are issued when they are. */
#ifndef SWP_ORDER_LOOP_REASONS_H
#define SWP_ORDER_LOOP_REASONS_H

#include "swp/explain.h"
#include "swp/loop.h"

/* Lists the ops by cycle of the interval, each with what keeps it from being issued a cycle sooner. */
swp_status swp_order_explain_loop(swp_context *ctx, const swp_pipeline *pipeline,
                                  swp_order_reason_list *out);

#endif
