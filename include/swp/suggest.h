/* SPDX-License-Identifier: Apache-2.0 */
/** @file suggest.h  Finds the known word nearest to a misspelt one, for "did you mean". */
#ifndef SWP_SUGGEST_H
#define SWP_SUGGEST_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A search for the word that was meant. It copies no text. */
typedef struct swp_suggestion {
    const char *word; /**< the one asked for */
    const char *best; /**< NULL while none is near */
    size_t distance;  /**< letters to change, one more than allowed while none is near */
} swp_suggestion;

/** Starts looking for a word near `word`: a third of it may be wrong, its case, or its end missing. */
SWP_API swp_suggestion swp_suggest_start(const char *word);

/** Offers a known word. It is kept if it is the nearest so far, and near enough. */
SWP_API void swp_suggest_offer(swp_suggestion *suggestion, const char *known);

#define SWP_HINT_SIZE 256

/**
 * Writes "did you mean `best`?", if there is one, and `rest` after it, cut to fit.
 * @return hint
 */
SWP_API const char *swp_suggest_hint(const swp_suggestion *suggestion, const char *rest,
                                     char hint[SWP_HINT_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
