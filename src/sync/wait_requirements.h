/* SPDX-License-Identifier: Apache-2.0 */
/* What a placement of barriers leaves to waits: which operation must be retired where. */
#ifndef SWP_SYNC_WAIT_REQUIREMENTS_H
#define SWP_SYNC_WAIT_REQUIREMENTS_H

#include "sync/dataflow.h"

/*
 * For each object, the newest position that is retired before each op of pass 0 without a wait:
 * when a barrier stands right before the op, and when the op itself has been let through.
 */
typedef struct swp_retired {
    int *before[SWP_SYNC_OBJECTS];
    int *at[SWP_SYNC_OBJECTS];
} swp_retired;

/* A compiler's wait for a register retires what it loads, and a full counter what leaves no room. */
swp_status swp_sync_find_retired(swp_context *ctx, const swp_dataflow *flow, swp_retired *out);

/*
 * `target` and all older accesses on the object are retired before an element of gap `gap`: barrier
 * `index` of the gap, or the op behind it where the gap has so many barriers. The element is not
 * before the end of `least` plus `delay` cycles, wherever the wait is.
 */
typedef struct swp_wait_requirement {
    swp_sync_object object;
    int target;
    int least; /* older than the target where some of its accesses may be left */
    int gap;
    int index;
    int64_t delay;
} swp_wait_requirement;

typedef struct swp_wait_requirement_list {
    swp_wait_requirement *items;
    size_t count;
    size_t capacity;
} swp_wait_requirement_list;

/*
 * The requirements of the arcs where the gaps before `decided` have their barriers and the others may get
 * any number. What is retired anyway is no requirement. `*possible` is false where an arc has fewer
 * barriers than it demands.
 */
swp_status swp_sync_find_wait_requirements(swp_context *ctx, const swp_dataflow *flow,
                                           const swp_retired *retired, const int *gaps, int decided,
                                           swp_wait_requirement_list *out, bool *possible);

/*
 * How many accesses a wait before the op at `gap` leaves that retires `target`; and the newest access of any
 * other object that it then retires, since it leaves so many of each; SWP_NO_POSITION: none.
 */
int swp_sync_wait_count(const swp_dataflow *flow, swp_sync_object object, int target, int gap);
int swp_sync_retired_by_wait(const swp_dataflow *flow, swp_sync_object object, int target, int gap,
                             swp_sync_object other);

/* Takes out the requirements that another one before them covers. */
void swp_sync_drop_covered_requirements(const swp_dataflow *flow,
                                        swp_wait_requirement_list *requirements);

#endif
