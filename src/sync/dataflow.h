/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data operations of a kernel pass and the tiles that they handle. Positions count them over
 * all passes: position p * count + i is op i of pass p, with pass 0 the one that is looked at.
 */
#ifndef SWP_SYNC_DATAFLOW_H
#define SWP_SYNC_DATAFLOW_H

#include "base/context.h"
#include "swp/sync.h"

#include <limits.h>

typedef enum swp_sync_counter {
    SWP_COUNTED_BY_VM,
    SWP_COUNTED_BY_LGKM,
    SWP_COUNTED_BY_NONE
} swp_sync_counter;

enum { SWP_SYNC_COUNTERS = SWP_COUNTED_BY_NONE };

/* A place of a value that an op reads or makes, with the tile of pass 0. */
typedef struct swp_touch {
    int place; /* number of a value and slot */
    int tile;
    int step; /* from one pass to the next */
    bool updates;
} swp_touch;

typedef struct swp_touch_list {
    swp_touch *items;
    size_t count;
    size_t capacity;
} swp_touch_list;

/* An op of pass p handles tile p * tiles_per_pass + tile. */
typedef struct swp_data_op {
    swp_op op;
    int tile;
    bool used; /* some COMPUTE depends on it */
    swp_sync_counter counter;
    int accesses;         /* counted */
    bool is_awaited;      /* who reads its register waits for it, where registers are not raw */
    bool reads_in_flight; /* its registers too, until it is retired */
    bool in_order;        /* with others like it that update the same accumulator */
    swp_touch_list reads; /* of a schedule with a dataflow, as the next */
    swp_touch_list makes;
} swp_data_op;

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
    swp_data_op *ops;
    int count;
    bool
        has_wide_units; /* of a capacity above 1: whose turn it is depends on more than the order */
    int *given;         /* barriers before each op in the kernel phase as it was given */
    swp_arc_list arcs;
} swp_dataflow;

/* Before every position. */
#define SWP_NO_POSITION INT_MIN

const swp_data_op *swp_sync_op_at(const swp_dataflow *flow, int position);

int swp_sync_pass_of(const swp_dataflow *flow, int position);

/* The tile that the op there handles, in the tiles of pass 0. */
int swp_sync_tile_at(const swp_dataflow *flow, int position);

/* Whether loads go through registers to one LDS place, each taking the next tile. */
bool swp_sync_takes_next_tile(const swp_dataflow *flow);

bool swp_sync_writes_lds(const swp_dataflow *flow, const swp_op *op);

/* Whether two ops touch one LDS place. */
bool swp_sync_same_place(const swp_dataflow *flow, const swp_op *a, const swp_op *b);

/* Whether a COMPUTE or a store reads the register that a fragment load or a load writes. */
bool swp_sync_reads_register(const swp_dataflow *flow, const swp_op *reader, const swp_op *load);

/* Whether two ops load the same register. */
bool swp_sync_same_register(const swp_dataflow *flow, const swp_op *a, const swp_op *b);

/* The last load of the register of `load` before a position, or SWP_NO_POSITION. */
int swp_sync_load_before(const swp_dataflow *flow, int position, const swp_op *load);

/* The ops and their tiles; no arcs yet, and so no loads that are used. */
swp_status swp_sync_dataflow_build(swp_context *ctx, const swp_schedule *schedule,
                                   swp_dataflow *out);

#endif
