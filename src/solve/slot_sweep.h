/* SPDX-License-Identifier: Apache-2.0 */
/* Visits slot after slot, and lists which uses of a resource may hold it. */
#ifndef SWP_SOLVE_SLOT_SWEEP_H
#define SWP_SOLVE_SLOT_SWEEP_H

#include "base/context.h"
#include "solve/encoding.h"

/* Slots that a use may hold. With a period a use may have two of them. */
typedef struct swp_slot_span {
    int64_t first;
    int64_t last;
    size_t rank; /* of the use among those of all groups */
    size_t group;
    int use;
} swp_slot_span;

typedef struct swp_slot_spans {
    swp_slot_span *items;
    size_t count;
    size_t capacity;
} swp_slot_spans;

typedef struct swp_slot_sweep {
    swp_slot_spans spans; /* by their first slot */
    size_t next;          /* to open */
    swp_slot_spans open;  /* those of the present slot, by rank */
} swp_slot_sweep;

/* Returns the cycles for which a use holds its amount beyond the whole periods. */
int64_t swp_solve_part_cycles(const swp_encoding *encoding, int use);

/* Begins a sweep in the memory of an earlier one. */
swp_status swp_solve_slot_sweep_begin(swp_context *ctx, const swp_encoding *encoding,
                                      const swp_group_list *groups, swp_slot_sweep *sweep);

/* Moves on to a slot; slots must ascend. */
swp_status swp_solve_slot_sweep_to(swp_context *ctx, swp_slot_sweep *sweep, int64_t slot);

#endif
