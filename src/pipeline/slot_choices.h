/* SPDX-License-Identifier: Apache-2.0 */
/* Lists how values can share the bytes that they may have. */
#ifndef SWP_PIPELINE_SLOT_CHOICES_H
#define SWP_PIPELINE_SLOT_CHOICES_H

#include "base/context.h"
#include "swp/loop.h"

/* Limits that a pipeline must keep. */
typedef struct swp_loop_limits {
    int64_t bytes[SWP_SPACE_COUNT]; /* most, by space; -1: any */
    int stages;                     /* most; 0: any */
    bool roles;                     /* no more registers than each role may have */
} swp_loop_limits;

static inline swp_loop_limits swp_pipeline_no_limits(void)
{
    return (swp_loop_limits){.bytes = {-1, -1}};
}

/* Lists of slots by value; 0: any number. */
typedef struct swp_slot_list {
    int **items;
    size_t count;
    size_t capacity;
} swp_slot_list;

/*
 * Lists the slots, from `least` on, that keep within the limits, so that one more of any value
 * would not. A value never gets more than `swp_ir_loop_most_slots()`. `*complete` is false if there
 * are too many to list.
 */
swp_status swp_pipeline_slot_choices(swp_context *ctx, const swp_loop *loop, const int *least,
                                     const swp_loop_limits *limits, swp_slot_list *out,
                                     bool *complete);

/* Returns what so many slots take of the registers of a role. */
int64_t swp_pipeline_role_bytes(const swp_loop *loop, const int *slots, int role);

/* Returns the first role whose registers they exceed, or SWP_NO_ROLE. */
int swp_pipeline_role_over(const swp_loop *loop, const int *slots);

/* Returns what so many slots take of a space. */
int64_t swp_pipeline_bytes(const swp_loop *loop, const int *slots, swp_space space);

/* The slots of the value that has most, 1 or more. */
int swp_pipeline_most_of(const int *slots, size_t count);

/*
 * Returns after how many iterations every value is back in its first slot, or some number above
 * `most` if they are more.
 */
int swp_pipeline_unroll(const swp_loop *loop, const int *slots, int most);

/* Returns whether a pass that brings every value back to its first slot is short enough for more slots. */
bool swp_pipeline_is_short(const swp_loop *loop, const int *slots);

/* Whether they keep within the budgets of the loop and of its roles. */
bool swp_pipeline_has_room(const swp_loop *loop, const int *slots);

/* Gives a value the next number of slots that it may have and that fits; returns false if there is none. */
bool swp_pipeline_raise_slots(const swp_loop *loop, int *slots, int value);

#endif
