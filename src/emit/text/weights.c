/* SPDX-License-Identifier: Apache-2.0 */
/* Says what each amount counts as, for as many amounts as a line takes. */
#include "emit/text/weights.h"

#include <inttypes.h>

enum { MOST_NAMED = 8 };

void swp_emit_weights(swp_text *text, const swp_amount_weights *weights, int64_t capacity)
{
    for (size_t i = 0; i < weights->count && i < MOST_NAMED; i++)
        swp_text_format(text, "%s%" PRId64 " %s %" PRId64, i > 0 ? ", " : "",
                        weights->items[i].amount, i > 0 ? "as" : "counts as",
                        weights->items[i].weight);
    if (weights->count > MOST_NAMED)
        swp_text_format(text, " and %zu more", weights->count - MOST_NAMED);
    if (weights->count > 0)
        swp_text_format(text, ": what fits in %" PRId64 " comes to %" PRId64 " at most", capacity,
                        weights->most);
}
