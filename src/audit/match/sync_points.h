/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of a kernel as its synchronisation points, which must keep their place, with what is free to move
 * between: that of a schedule, and that of code which is compared with it.
 */
#ifndef SWP_AUDIT_MATCH_SYNC_POINTS_H
#define SWP_AUDIT_MATCH_SYNC_POINTS_H

#include "audit/match/path.h"
#include "ir/effects.h"

typedef struct swp_sync_point {
    swp_insn_kind kind; /* COMMIT, WAIT or BARRIER */
    int count;          /* of a wait; the number of a barrier in the code */
    int index;          /* entry of `phase`, or instruction; -1: the barrier before the loop */
    swp_phase phase;
    int reads; /* of fragments between this barrier and the next; entries, or instructions */
    int mmas;
    int copies; /* of a group */
    int from;   /* points before the first of them */
} swp_sync_point;

typedef struct swp_sync_point_list {
    swp_sync_point *items;
    size_t count;
    size_t capacity;
} swp_sync_point_list;

/* The run of the least tiles and two passes more. Each begins as if with a barrier. */
swp_status swp_match_sync_points_of_schedule(swp_context *ctx, const swp_effects *effects,
                                             swp_sync_point_list *out);

/* The same of code; `loose` is how many copies at its end belong to no group. */
swp_status swp_match_sync_points_of_code(swp_context *ctx, const swp_path *path,
                                         swp_sync_point_list *out, int *loose);

#endif
