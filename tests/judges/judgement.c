/* SPDX-License-Identifier: Apache-2.0 */
#include "judgement.h"

#include <stdlib.h>
#include <string.h>

/* By phase, entry and kind. */
static int compare(const judged_hazard *a, const judged_hazard *b)
{
    if (a->phase != b->phase)
        return a->phase < b->phase ? -1 : 1;
    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

void judgement_add(judgement *judged, judged_hazard hazard)
{
    size_t at = 0;
    while (at < judged->count && compare(&judged->items[at], &hazard) < 0)
        at++;
    if (at < judged->count && compare(&judged->items[at], &hazard) == 0) {
        if (hazard.smallest_n < judged->items[at].smallest_n)
            judged->items[at].smallest_n = hazard.smallest_n;
        return;
    }
    if (judged->count == judged->capacity) {
        judged->capacity = judged->capacity ? 2 * judged->capacity : 16;
        judged->items = realloc(judged->items, judged->capacity * sizeof(*judged->items));
        if (!judged->items)
            abort();
    }
    memmove(judged->items + at + 1, judged->items + at,
            (judged->count - at) * sizeof(*judged->items));
    judged->items[at] = hazard;
    judged->count++;
}

void judgement_free(judgement *judged)
{
    free(judged->items);
    *judged = (judgement){0};
}
