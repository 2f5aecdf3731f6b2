/* SPDX-License-Identifier: Apache-2.0 */
/* The ways in which values can share the bytes that they may have. */
#ifndef SWP_PIPELINE_SLOT_CHOICES_H
#define SWP_PIPELINE_SLOT_CHOICES_H

#include "base/context.h"
#include "swp/loop.h"

/* What is asked of a pipeline. */
typedef struct swp_loop_limits {
    int64_t bytes[SWP_SPACE_COUNT]; /* most, by space; -1: any */
    int stages;                     /* most; 0: any */
    bool roles;                     /* no more registers than each role may have */
} swp_loop_limits;

static inline swp_loop_limits swp_pipeline_no_limits(void)
{
    return (swp_loop_limits){.bytes = {-1, -1}};
}

/* Numbers of slots, by value; 0: without bound. */
typedef struct swp_slot_list {
    int **items;
    size_t count;
    size_t capacity;
} swp_slot_list;

/*
 * The slots, from `least` on, that keep within the limits such that one more of any value would not.
 * A value is never given more than `swp_ir_loop_most_slots()`. `*complete` is false where they are too
 * many to list.
 */
swp_status swp_pipeline_slot_choices(swp_context *ctx, const swp_loop *loop, const int *least,
                                     const swp_loop_limits *limits, swp_slot_list *out,
                                     bool *complete);

/* What so many slots take of the registers of a role. */
int64_t swp_pipeline_role_bytes(const swp_loop *loop, const int *slots, int role);

/* The first role of which they take more than it may have; SWP_NO_ROLE: none. */
int swp_pipeline_role_over(const swp_loop *loop, const int *slots);

/* What so many slots take of a space. */
int64_t swp_pipeline_bytes(const swp_loop *loop, const int *slots, swp_space space);

/* After so many iterations every value is back in its first slot; some number above `most` if they are more. */
int swp_pipeline_unroll(const swp_loop *loop, const int *slots, int most);

/* Whether a pass that brings every value back to its first slot is short enough for more slots. */
bool swp_pipeline_is_short(const swp_loop *loop, const int *slots);

/* Gives a value the next number of slots that it may have and for which there is room; false if there is none. */
bool swp_pipeline_raise_slots(const swp_loop *loop, int *slots, int value);

#endif
