/* SPDX-License-Identifier: Apache-2.0 */
/* The data operations of a kernel pass, the tiles that they handle, and what must come before what. */
#ifndef SWP_SYNC_DATAFLOW_H
#define SWP_SYNC_DATAFLOW_H

#include "base/context.h"
#include "swp/sync.h"

/* An op of pass p handles tile p * tiles_per_pass + tile. */
typedef struct swp_data_op {
    swp_op op;
    int tile;
    bool used; /* some COMPUTE depends on it */
} swp_data_op;

/*
 * The producer must be retired, and barriers passed by all waves, before the consumer `distance`
 * passes later. Producer and consumer touch one LDS place.
 */
typedef struct swp_arc {
    int producer;
    int consumer;
    int distance;
} swp_arc;

typedef struct swp_arc_list {
    swp_arc *items;
    size_t count;
    size_t capacity;
} swp_arc_list;

typedef struct swp_dataflow {
    const swp_schedule *schedule;
    swp_data_op *ops;
    int count;
    swp_arc_list arcs;
} swp_dataflow;

/* Whether a COMPUTE reads the register that a fragment load writes. */
bool swp_reads_register(const swp_dataflow *flow, const swp_op *compute, const swp_op *frag);

swp_status swp_dataflow_build(swp_context *ctx, const swp_schedule *schedule, swp_dataflow *out);

#endif
