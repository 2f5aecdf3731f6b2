/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on abstract values and what came out: values are hash-consed, so that an operation on the same numbers has the
 * same result. The computed table of BDD packages; K. S. Brace, R. L. Rudell and R. E. Bryant, "Efficient Implementation of a
 * BDD Package".
 */
#ifndef SWP_AUDIT_FLOW_COMPUTED_TABLE_H
#define SWP_AUDIT_FLOW_COMPUTED_TABLE_H

#include "audit/flow/value_ops.h"
#include "audit/flow/values.h"

/* What is no instruction's operation; the last is a comparison's mask, to which its operation is added. */
enum {
    SWP_COMPUTED_UNIFORM = SWP_VALUE_OP_COUNT,
    SWP_COMPUTED_JOIN,
    SWP_COMPUTED_MERGE,
    SWP_COMPUTED_MASK
};

typedef struct swp_operation {
    int op; /* never SWP_VALUE_UNKNOWN */
    int operands[4];
    uint32_t constant;
} swp_operation;

typedef struct swp_computed {
    swp_operation operation;
    int result;
} swp_computed;

swp_status swp_flow_computed_init(swp_context *ctx, swp_computed **out);

/* Whether the table has it. */
bool swp_flow_computed_find(const swp_values *values, const swp_operation *operation, int *result);

/* Puts it in place of one with the same hash; returns the result. */
int swp_flow_computed_keep(swp_values *values, const swp_operation *operation, int result);

#endif
