/* SPDX-License-Identifier: Apache-2.0 */
/* Other times of an interval, in so many slots and stages at most, with instances shifted in a given way. */
#ifndef SWP_PIPELINE_RESHIFT_H
#define SWP_PIPELINE_RESHIFT_H

#include "base/context.h"
#include "swp/loop.h"

enum { SWP_PIPELINE_SHIFT_PARTS = 8, SWP_PIPELINE_SAME_SHIFTS = -1 };

/*
 * With these slots, in an interval of so many cycles at most. `part`: by so many of as many parts of the interval each instance is behind the one before, or
 * SWP_PIPELINE_SAME_SHIFTS. `stages` 0: any. Not found: heuristics have none.
 */
swp_status swp_pipeline_reshift(swp_context *ctx, const swp_pipeline *given, int64_t interval,
                                const int *slots, int stages, int part, swp_pipeline *out,
                                bool *found);

/*
 * Other times of the same interval, slots and shifts, at which one op of a role is issued before another one, `before`
 * iterations behind it. Not found: heuristics have none.
 */
swp_status swp_pipeline_swap(swp_context *ctx, const swp_pipeline *given, int first, int second,
                             int before, swp_pipeline *out, bool *found);

#endif
