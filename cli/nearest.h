/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the nearest known word to a misspelt one. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

typedef struct cli_nearest {
    const char *word;
    const char *best; /* NULL while none is near */
    size_t distance;
} cli_nearest;

/* Starts to look for a word near `word`. */
cli_nearest nearest_to(const char *word);

/* Offers a known word, which stays if none was nearer. */
void nearest_offer(cli_nearest *search, const char *known);

#define HINT_SIZE 256

/* "did you mean `best`? ", if there is one, then `rest`. */
const char *nearest_hint(const cli_nearest *search, const char *rest, char hint[HINT_SIZE]);

#endif
