/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a body as the schedulers need it: edges of distance 0, units, registers, tails. */
#ifndef SWP_ORDER_DAG_H
#define SWP_ORDER_DAG_H

#include "base/context.h"
#include "swp/solve.h"

/* The unit that an op keeps busy. The port exists only with a penalty. */
typedef enum swp_unit {
    SWP_UNIT_MMA,
    SWP_UNIT_VALU,
    SWP_UNIT_PORT,
    SWP_UNIT_COUNT,
    SWP_UNIT_NONE = SWP_UNIT_COUNT
} swp_unit;

typedef struct swp_dag_op {
    int64_t latency; /* cycles */
    int64_t busy;    /* cycles that its unit is taken */
    int64_t tail;    /* cycles: longest path from its finish to the end */
    int64_t vgpr_def;
    int64_t vgpr_kill;
    swp_unit unit;
    bool is_compute;
    bool is_global;
    int half; /* 0 or 1; 0 where there are no halves */
    int twin; /* an earlier op that differs in its index alone; -1 if none */
    const int *preds;
    const int *succs;
    int pred_count;
    int succ_count;
} swp_dag_op;

typedef struct swp_dag {
    swp_dag_op *ops;
    int count;
    int *topological; /* the ops, each after its predecessors */
    int half_size;    /* ops of the first half; all of them where there are no halves */
} swp_dag;

/* Builds the graph of a body, which must be valid (swp_loop_body_validate). */
swp_status swp_order_dag_build(swp_context *ctx, const swp_loop_body *body,
                               const swp_search *search, swp_dag *out);

#endif
