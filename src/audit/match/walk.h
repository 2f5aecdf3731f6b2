/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk along the path through a function: its prologue, some passes of the loop, its epilogue, with
 * what the scheduled instructions access and multiply.
 */
#ifndef SWP_AUDIT_MATCH_WALK_H
#define SWP_AUDIT_MATCH_WALK_H

#include "audit/flow/footprint.h"
#include "audit/match/path.h"
#include "swp/types.h"

/* Enough for the prologue's fragments, the loop's own, and a repetition of those. */
enum { SWP_WALKED_PASSES = 3 };

/* Operands of a multiplication. */
enum { SWP_FACTOR_FIRST, SWP_FACTOR_SECOND, SWP_SUM, SWP_SOURCES };

typedef struct swp_item {
    int insn;
    swp_phase phase;
    int pass;        /* of the loop, from 0 */
    bool known;      /* whether its LDS bytes are */
    swp_span *spans; /* LDS bytes of all waves, ascending */
    int span_count;
    int *sources
        [SWP_SOURCES]; /* by register of the operand: the item that produced it; -1: unknown */
    int source_counts[SWP_SOURCES];
    bool in_order[SWP_SOURCES]; /* registers of one producer are in its order */
    bool from_zero;             /* a multiplication whose sum is known to be 0 before */
    bool all_lanes;             /* are on */
} swp_item;

typedef struct swp_item_list {
    swp_item *items;
    size_t count;
    size_t capacity;
} swp_item_list;

typedef struct swp_walk {
    const swp_path *path;
    swp_item_list list;
    int first[3]
             [SWP_WALKED_PASSES]; /* items of a phase and pass; the prologue and epilogue are one */
    int end[3][SWP_WALKED_PASSES];
    int passes; /* of the loop */
} swp_walk;

/* `iterations` of the loop are one pass of the schedule. `passes`: from 0. */
swp_status swp_match_walk_take(swp_context *ctx, const swp_path *path, int iterations, int passes,
                               swp_walk *out);

/* How often a phase stands in the walk. */
int swp_match_walk_passes(const swp_walk *walk, swp_phase phase);

const swp_insn *swp_match_item_insn(const swp_walk *walk, const swp_item *item);

/* Whether every byte of the item is within these spans; and whether any is. */
bool swp_match_item_within(const swp_item *item, const swp_span *spans, int count);
bool swp_match_item_overlaps(const swp_item *item, const swp_span *spans, int count);

#endif
