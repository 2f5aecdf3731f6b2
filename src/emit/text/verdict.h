/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up a proof in a few words. */
#ifndef SWP_EMIT_TEXT_VERDICT_H
#define SWP_EMIT_TEXT_VERDICT_H

#include "base/text.h"
#include "swp/verify.h"

/*
 * Adds "safe for every number of iterations and every timing", or how many hazards there are and
 * are accepted, in its tone.
 */
void swp_emit_verdict_add(swp_text *text, const swp_schedule *schedule, const swp_verdict *verdict);

#endif
