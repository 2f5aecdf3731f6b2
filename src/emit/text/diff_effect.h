/* SPDX-License-Identifier: Apache-2.0 */
/* Writes parts of a comparison's text: what a difference does, and both schedules in figures. */
#ifndef SWP_EMIT_TEXT_DIFF_EFFECT_H
#define SWP_EMIT_TEXT_DIFF_EFFECT_H

#include "base/text.h"
#include "swp/diff.h"

/* Says how an effect is written. */
typedef struct swp_effect_style {
    const char *lead; /* what stands before it on the line */
    bool by_b;        /* entries that are in both have their numbers in B */
    bool whole;       /* all phases: barriers, waits and cycles, too */
    swp_phase phase;  /* otherwise: only this phase, and cycles a pass */
    const char *tile; /* what cycles are counted for; NULL: a pass */
} swp_effect_style;

/* Writes a line, or nothing if there is nothing to say; returns whether it wrote one. */
bool swp_emit_diff_effect_add(swp_text *text, const swp_effect_style *style,
                              const swp_diff_effect *effect);

static inline const char *swp_emit_article(const char *noun)
{
    return *noun == 'i' ? "an" : "a";
}

/* Returns what the cycles of both are counted for: "K tile", "iteration", or "tile" if they differ. */
const char *swp_emit_diff_tile_name(const swp_diff *diff);

/* Writes the table of figures, A beside B. */
void swp_emit_diff_figures_add(swp_text *text, const swp_diff *diff);

#endif
