/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By how much instances of roles are behind the first one of each: role by role, of each instance but the first. Only
 * shifts that grow within a role, and are less than the interval, are of interest (docs/loops.md, "Instances").
 */
#ifndef SWP_PIPELINE_SHIFTS_H
#define SWP_PIPELINE_SHIFTS_H

#include "base/context.h"
#include "swp/loop.h"

/* Goes on to the next shifts below `interval`, from all 0 on; false after the last ones. */
bool swp_pipeline_next_shifts(const swp_loop *loop, int64_t interval, int64_t *shifts);

/* How many of them there are, or some number above `most` if they are more. */
int64_t swp_pipeline_count_shifts(const swp_loop *loop, int64_t interval, int64_t most);

/*
 * Shifts that seem good: those of each op in times that tie no instances (NULL: there are none), equal ones, those at
 * which instances take a unit one behind the other, and eighths of the interval. Each once.
 */
typedef struct swp_shift_list {
    int64_t *items; /* `count` times as many as the loop has */
    size_t count;
} swp_shift_list;

swp_status swp_pipeline_good_shifts(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, swp_shift_list *out);

void swp_pipeline_sort_shifts(int64_t *shifts, int count);

/* Those of times that tie instances. */
void swp_pipeline_shifts_of(const swp_loop *loop, const int64_t *times, int64_t *shifts);

#endif
