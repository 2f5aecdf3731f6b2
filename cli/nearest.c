/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 31 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance, one row at a time. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(b);
    if (strlen(a) > LONGEST_WORD || n > LONGEST_WORD)
        return SIZE_MAX;
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (; *a; a++) {
        size_t diagonal = row[0]++;
        for (size_t j = 1; j <= n; j++) {
            const size_t above = row[j];
            const size_t kept = diagonal + (*a != b[j - 1]);
            row[j] = smaller(kept, smaller(above, row[j - 1]) + 1);
            diagonal = above;
        }
    }
    return row[n];
}

cli_nearest nearest_to(const char *word)
{
    /* A third of the letters may be wrong, and at least one. */
    const size_t length = strlen(word);
    return (cli_nearest){.word = word, .distance = (length < 3 ? 1 : length / 3) + 1};
}

void nearest_offer(cli_nearest *search, const char *known)
{
    const size_t distance = edit_distance(search->word, known);
    if (distance >= search->distance)
        return;
    search->best = known;
    search->distance = distance;
}

const char *nearest_hint(const cli_nearest *search, const char *rest, char hint[HINT_SIZE])
{
    if (search->best)
        (void)snprintf(hint, HINT_SIZE, "did you mean `%s`? %s", search->best, rest);
    else
        (void)snprintf(hint, HINT_SIZE, "%s", rest);
    return hint;
}
