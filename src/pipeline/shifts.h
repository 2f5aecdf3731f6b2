/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles shifts: by how much each instance of a role but the first is later than the first one,
 * role by role. Only shifts that grow within a role and are less than the interval matter
 * (docs/loops.md, "Instances").
 */
#ifndef SWP_PIPELINE_SHIFTS_H
#define SWP_PIPELINE_SHIFTS_H

#include "base/context.h"
#include "swp/loop.h"

/* Goes on to the next shifts below `interval`, from all 0 on; returns false after the last ones. */
bool swp_pipeline_next_shifts(const swp_loop *loop, int64_t interval, int64_t *shifts);

/* Returns how many of them there are, or some number above `most` if there are more. */
int64_t swp_pipeline_count_shifts(const swp_loop *loop, int64_t interval, int64_t most);

/*
 * Lists shifts that seem good, each once: equal ones, and eighths of the interval. Those of each op
 * in times that tie no instances are listed, too (NULL: there are no such times). So are those at
 * which instances take a unit one after the other.
 */
typedef struct swp_shift_list {
    int64_t *items; /* `count` times as many as the loop has */
    size_t count;
} swp_shift_list;

swp_status swp_pipeline_good_shifts(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, swp_shift_list *out);

void swp_pipeline_sort_shifts(int64_t *shifts, int count);

/* Takes the shifts from times that tie instances. */
void swp_pipeline_shifts_of(const swp_loop *loop, const int64_t *times, int64_t *shifts);

/* Gives a pipeline the shifts of its times. */
swp_status swp_pipeline_fill_shifts(swp_context *ctx, swp_pipeline *pipeline);

#endif
