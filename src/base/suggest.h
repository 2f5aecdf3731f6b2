/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the nearest known word to a misspelt one. */
#ifndef SWP_BASE_SUGGEST_H
#define SWP_BASE_SUGGEST_H

#include <stddef.h>

typedef struct swp_suggestion {
    const char *word; /* the one asked for */
    const char *best; /* NULL while none is near */
    size_t distance;
} swp_suggestion;

/* Starts looking for a word near `word`. */
swp_suggestion swp_suggest_start(const char *word);

/* Offers a known word; it stays if it is the nearest so far and near at all. */
void swp_suggest_offer(swp_suggestion *suggestion, const char *known);

#endif
