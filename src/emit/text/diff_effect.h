/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a comparison's text: what a difference does, and both schedules in figures. */
#ifndef SWP_EMIT_TEXT_DIFF_EFFECT_H
#define SWP_EMIT_TEXT_DIFF_EFFECT_H

#include "base/text.h"
#include "swp/diff.h"

/* How an effect is told. */
typedef struct swp_effect_style {
    const char *lead; /* what stands before it on the line */
    bool by_b;        /* entries have their numbers in B where they are in both */
    bool whole;       /* barriers, waits and the cycles of all phases too */
    swp_phase phase;  /* else: the one that is about, besides cycles a pass */
    const char *tile; /* what cycles are counted for; NULL: a pass */
} swp_effect_style;

/* A line, or none where nothing is to be said; tells whether there is one. */
bool swp_emit_diff_effect_add(swp_text *text, const swp_effect_style *style,
                              const swp_diff_effect *effect);

static inline const char *swp_emit_article(const char *noun)
{
    return *noun == 'i' ? "an" : "a";
}

/* What the cycles of both are counted for: "K tile", "iteration", or "tile" for one of each. */
const char *swp_emit_diff_tile_name(const swp_diff *diff);

/* The table of figures, A beside B. */
void swp_emit_diff_figures_add(swp_text *text, const swp_diff *diff);

#endif
