/* SPDX-License-Identifier: Apache-2.0 */
/* What derived synchronisation costs, for people. */
#ifndef SWP_EMIT_TEXT_SYNC_H
#define SWP_EMIT_TEXT_SYNC_H

#include "base/text.h"
#include "swp/compile.h"

/* A quotient: whole where it is, else with two decimals. */
void swp_emit_quotient_add(swp_text *text, int64_t cycles, int64_t count);

/* Whether it is proven that no waits and barriers take fewer cycles in this order. */
bool swp_emit_sync_is_least(const swp_schedule *schedule);

/* What part of the interval so many cycles of so many passes are. Adds nothing and is false where there is no interval. */
bool swp_emit_share_add(swp_text *text, const swp_schedule *schedule, int64_t cycles, int passes);

/* Cycles of the steady state and how far from the fewest, what they are, barriers. Nothing where it is not derived. */
void swp_emit_sync_add(swp_text *text, const swp_schedule *schedule);

/* Of what is compiled with a target file: the cycles of a body by the file, of which nothing is proven; that those of warp roles are by it. */
void swp_emit_counted_add(swp_text *text, const swp_schedule *schedule);

#endif
