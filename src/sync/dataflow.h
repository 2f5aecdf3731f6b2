/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data operations of a kernel pass and the tiles that they handle. Positions count them over
 * all passes: position p * count + i is op i of pass p, with pass 0 the one that is looked at.
 */
#ifndef SWP_SYNC_DATAFLOW_H
#define SWP_SYNC_DATAFLOW_H

#include "ir/effects.h"
#include "swp/sync.h"

#include <limits.h>

/* A place that an op reads or makes, with the tile of pass 0. */
typedef struct swp_placed {
    int place; /* shared ones, then registers */
    int tile;
    int step;      /* from one pass to the next */
    int64_t early; /* cycles by which it can be read before its maker's latency has passed */
    bool is_shared;
    bool updates;
} swp_placed;

typedef struct swp_placed_list {
    swp_placed *items;
    size_t count;
    size_t capacity;
} swp_placed_list;

/* An op of pass p handles tile p * tiles_per_pass + tile. */
typedef struct swp_data_op {
    swp_op op;
    const swp_effect *effect;
    swp_sync_object object; /* that tracks it */
    int accesses;           /* tracked */
    int tile;               /* of what a body does */
    bool used;              /* of a body: some COMPUTE depends on it; of a loop always */
    swp_placed_list reads;
    swp_placed_list makes;
} swp_data_op;

/* Whether it is a COMPUTE of a body, which only needs its registers. */
static inline bool swp_sync_adds_product(const swp_data_op *op)
{
    return op->effect->accumulator >= 0;
}

/* Why the producer of an arc must be retired before its consumer. */
typedef enum swp_arc_kind {
    SWP_ARC_PLACE, /* in all waves: with as many barriers in between as they demand */
    SWP_ARC_WAVE,  /* in its own wave */
    SWP_ARC_ROOM   /* its counter wraps: some of its accesses must be, and all of them are enough */
} swp_arc_kind;

typedef struct swp_arc {
    int producer;
    int consumer;
    int distance; /* passes from the producer to the consumer */
    swp_arc_kind kind;
} swp_arc;

typedef struct swp_arc_list {
    swp_arc *items;
    size_t count;
    size_t capacity;
} swp_arc_list;

typedef struct swp_dataflow {
    const swp_schedule *schedule;
    swp_effects effects;
    swp_data_op *ops;
    int count;
    bool
        has_wide_units; /* of a capacity above 1: who is granted it depends on more than the order */
    int *given;         /* barriers before each op in the kernel phase as it was given */
    swp_arc_list arcs;
} swp_dataflow;

/* Before every position. */
#define SWP_NO_POSITION INT_MIN

const swp_data_op *swp_sync_op_at(const swp_dataflow *flow, int position);

int swp_sync_pass_of(const swp_dataflow *flow, int position);

/* The ops with their tiles; no arcs yet. */
swp_status swp_sync_dataflow_build(swp_context *ctx, const swp_schedule *schedule,
                                   swp_dataflow *out);

#endif
