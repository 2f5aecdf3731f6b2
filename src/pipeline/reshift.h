/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline of the same interval and slots, in so many stages at most, whose instances are shifted in another way. */
#ifndef SWP_PIPELINE_RESHIFT_H
#define SWP_PIPELINE_RESHIFT_H

#include "base/context.h"
#include "swp/loop.h"

enum { SWP_PIPELINE_SHIFT_PARTS = 8 };

/* `part`: by so many of as many parts of the interval each instance is behind the one before. Not found: heuristics have none. */
swp_status swp_pipeline_reshift(swp_context *ctx, const swp_pipeline *given, int stages, int part,
                                swp_pipeline *out, bool *found);

#endif
