/* SPDX-License-Identifier: Apache-2.0 */
/* Computing values for all threads at once. */
#ifndef SWP_AUDIT_FLOW_LANE_OPS_H
#define SWP_AUDIT_FLOW_LANE_OPS_H

#include "audit/flow/value_ops.h"
#include "audit/flow/values.h"

/* How many operands an operation on lanes takes, comparisons among them; 0: it is none. */
int swp_flow_lane_operands(int op);

bool swp_flow_is_comparison(int op);

/*
 * The number of what an operation makes of values, given by number; unknown if one of them is.
 * `constant` is the instruction's own.
 */
int swp_flow_lanes_compute(swp_values *values, int op, const int operands[3], uint32_t constant);

#endif
