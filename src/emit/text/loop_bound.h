/* SPDX-License-Identifier: Apache-2.0 */
/* Says what bounds a loop, for people. */
#ifndef SWP_EMIT_TEXT_LOOP_BOUND_H
#define SWP_EMIT_TEXT_LOOP_BOUND_H

#include "base/text.h"
#include "swp/loop.h"

/* Writes the interval, its bound, what holds it, and what the budget costs. */
void swp_emit_loop_interval(swp_text *text, const swp_pipeline *pipeline);

/* Does the same with only a few of the dependences that hold it. */
void swp_emit_loop_interval_in_brief(swp_text *text, const swp_pipeline *pipeline);

#endif
