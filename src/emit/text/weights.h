/* SPDX-License-Identifier: Apache-2.0 */
/* Says by what weights a bound counts the amounts of a resource. */
#ifndef SWP_EMIT_TEXT_WEIGHTS_H
#define SWP_EMIT_TEXT_WEIGHTS_H

#include "base/text.h"
#include "swp/problem.h"

/* Writes "4 counts as 1, 8 as 2: what fits in 15 comes to 3 at most"; nothing without weights. */
void swp_emit_weights(swp_text *text, const swp_amount_weights *weights, int64_t capacity);

#endif
