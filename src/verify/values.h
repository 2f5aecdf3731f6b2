/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a loop with a dataflow as steps: the tiles that each reads and writes, and where. */
#ifndef SWP_VERIFY_VALUES_H
#define SWP_VERIFY_VALUES_H

#include "swp/loop.h"
#include "verify/model.h"

typedef struct swp_value_table {
    swp_context *ctx;
    swp_model *model;
    const swp_loop *loop;
    const int *slots;
    int *makers; /* of each value: ops that make it in an iteration */
    int *first;  /* of each value: its first place or register; one for each slot follows */
} swp_value_table;

/* Numbers the model's places and registers. */
swp_status swp_verify_model_values(swp_context *ctx, swp_model *model, swp_value_table *out);

swp_status swp_verify_op_step(const swp_value_table *values, swp_phase phase,
                              const swp_entry *entry, int index, swp_verify_step *step);

/* The counter of an op of a loop. */
swp_counter_id swp_verify_model_counter(const swp_loop *loop, int op);

#endif
