/* SPDX-License-Identifier: Apache-2.0 */
/* Matches the warp roles and sync objects of two schedules. */
#ifndef SWP_DIFF_ROLES_H
#define SWP_DIFF_ROLES_H

#include "base/context.h"
#include "swp/diff.h"

/* A member of a sync object, an int, in which two schedules differ. */
typedef struct swp_diff_count {
    int object;    /* of A */
    size_t offset; /* of the member in swp_role_object */
    int b;
    size_t setting; /* its row */
} swp_diff_count;

typedef struct swp_diff_count_list {
    swp_diff_count *items;
    size_t count;
    size_t capacity;
} swp_diff_count_list;

/* The sync objects of both as one list: A's, then those that only B has. */
typedef struct swp_diff_objects {
    const int *of_b; /* by number in B: the number in this list */
    const swp_role_object *items;
    size_t count;
    swp_diff_count_list counts;
} swp_diff_objects;

/* Matches the streams of both by the names of their roles, without rows. */
swp_status swp_diff_match_roles(swp_context *ctx, swp_diff *diff);

/*
 * Adds rows for what differs in roles and sync objects. `*same_roles` says that entries of one mean
 * the same in the other.
 */
swp_status swp_diff_compare_roles(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                  swp_diff_setting_list *out, swp_diff_objects *objects,
                                  bool *same_roles);

#endif
