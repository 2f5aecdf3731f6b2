/* SPDX-License-Identifier: Apache-2.0 */
/* Says what derived synchronisation costs, for people. */
#ifndef SWP_EMIT_TEXT_SYNC_H
#define SWP_EMIT_TEXT_SYNC_H

#include "base/text.h"
#include "swp/compile.h"

/* Adds a quotient, with two decimals if it is not whole. */
void swp_emit_quotient_add(swp_text *text, int64_t cycles, int64_t count);

/* Returns whether it is proven that no waits and barriers take fewer cycles in this order. */
bool swp_emit_sync_is_least(const swp_schedule *schedule);

/*
 * Adds what part of the interval so many cycles of so many passes are. If there is no interval, it
 * adds nothing and returns false.
 */
bool swp_emit_share_add(swp_text *text, const swp_schedule *schedule, int64_t cycles, int passes);

/*
 * Adds the cycles of the steady state, how far they are from the fewest, their parts, and barriers.
 * Adds nothing if synchronisation is not derived.
 */
void swp_emit_sync_add(swp_text *text, const swp_schedule *schedule);

/*
 * Says what goes by a target file, if the schedule was compiled with one. Of a body it adds the
 * cycles by that file, of which nothing is proven. Of warp roles it says that their cycles go by
 * it.
 */
void swp_emit_counted_add(swp_text *text, const swp_schedule *schedule);

#endif
