/* SPDX-License-Identifier: Apache-2.0 */
/* How long a pass is: the common multiple of all numbers of slots (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_SHORT_PASS_H
#define SWP_PIPELINE_SHORT_PASS_H

#include "base/context.h"
#include "pipeline/slot_choices.h"

/* Iterations of a pass up to which its length is of no concern. */
enum { SWP_PIPELINE_SHORT_PASS = 8 };

/* The iterations of a pass that is longer than that, and than the slots of any value; else 0. */
int swp_pipeline_long_pass(int pass, const int *slots, size_t count);

/*
 * Of all slots that are no fewer, have room and make a shorter pass than this, those of the shortest; where it is not long,
 * of the least room. `kept` values keep theirs. Where there are none, nothing is changed.
 */
swp_status swp_pipeline_shorten_slots(swp_context *ctx, const swp_loop *loop, const bool *kept,
                                      int pass, int *slots);

#endif
