/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds the cycles of an iteration with its waits in any order, and says why (docs/loops-proof.md,
 * "The least cycles of any order").
 */
#ifndef SWP_PIPELINE_ORDER_BOUND_H
#define SWP_PIPELINE_ORDER_BOUND_H

#include "pipeline/choose.h"

/*
 * Refutes as many cycles as it can between the interval and what the schedule takes, and notes them
 * in its pipeline. It keeps within the limits, but an early end never changes the schedule.
 */
swp_status swp_pipeline_bound_orders(swp_context *ctx, const swp_machine *machine,
                                     const swp_loop_and_pipeline *of, const swp_schedule *schedule);

#endif
