/* SPDX-License-Identifier: Apache-2.0 */
/* In which order two warp groups use the units that they share, where barriers decide that. */
#ifndef SWP_SYNC_UNIT_ARBITRATION_H
#define SWP_SYNC_UNIT_ARBITRATION_H

#include "sync/dataflow.h"

/* Op `op` of `group` uses the unit after op `before` of the other group, `passes` passes before. */
typedef struct swp_unit_order {
    int unit;
    int group;
    int op;
    int before;
    int passes;
} swp_unit_order;

typedef struct swp_unit_order_list {
    swp_unit_order *items;
    size_t count;
    size_t capacity;
} swp_unit_order_list;

/* A use of a unit. Meetings count the barriers of group 0; those of a pass are numbered from 0. */
typedef struct swp_unit_use {
    int group;
    int op;
    int meeting; /* how many of its pass came before */
    int later;   /* passes by which that pass is group 0's later one */
} swp_unit_use;

/* Zero-initialise; memory is kept from one question to the next. */
typedef struct swp_unit_arbiter {
    swp_unit_order_list orders;
    swp_unit_use *uses; /* of one unit in a pass of group 0's meetings, first to last */
    size_t count;
    size_t capacity;
    bool known;
} swp_unit_arbiter;

/*
 * Finds the orders at all units. `known` is false afterwards where both groups use a unit between
 * the same two barriers, so that their order depends on more than barriers.
 */
swp_status swp_sync_find_unit_arbitration(swp_context *ctx, const swp_dataflow *flow,
                                          const int *gaps, swp_unit_arbiter *arbiter);

#endif
