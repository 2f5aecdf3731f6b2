/* SPDX-License-Identifier: Apache-2.0 */
#include "agree.h"

#include <limits.h>
#include <stdio.h>

static int compare(const judged_hazard *a, const judged_hazard *b)
{
    if (a->phase != b->phase)
        return a->phase < b->phase ? -1 : 1;
    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static size_t skip_late(const swp_verdict *verdict, size_t i, int most_tiles)
{
    while (i < verdict->hazards.count && verdict->hazards.items[i].smallest_n > most_tiles)
        i++;
    return i;
}

static judged_hazard hazard_of(const swp_hazard *h)
{
    return (judged_hazard){h->at.phase, h->at.entry, h->kind, h->smallest_n};
}

/* The first of two lists that are both sorted by phase, entry and kind. */
static disagreement first_difference(const judgement *judged, const swp_verdict *verdict,
                                     int most_tiles)
{
    size_t j = 0;
    size_t v = skip_late(verdict, 0, most_tiles);
    while (j < judged->count || v < verdict->hazards.count) {
        const judged_hazard none = {SWP_EPILOGUE, INT_MAX, SWP_DEADLOCK, 0};
        const judged_hazard a = j < judged->count ? judged->items[j] : none;
        const judged_hazard b =
            v < verdict->hazards.count ? hazard_of(&verdict->hazards.items[v]) : none;
        const int order = compare(&a, &b);
        if (order != 0 || a.smallest_n != b.smallest_n)
            return (disagreement){.found = true,
                                  .hazard = order <= 0 ? a : b,
                                  .judged_n = order <= 0 ? a.smallest_n : 0,
                                  .verified_n = order >= 0 ? b.smallest_n : 0};
        j++;
        v = skip_late(verdict, v + 1, most_tiles);
    }
    return (disagreement){0};
}

disagreement judges_disagree(const judgement *judged, const swp_verdict *verdict, int most_tiles)
{
    disagreement d = first_difference(judged, verdict, most_tiles);
    const bool safe = skip_late(verdict, 0, most_tiles) == verdict->hazards.count;
    d.verdicts = safe != (judged->count == 0);
    return d;
}

static void print_side(char *out, size_t size, const char *judge, int n)
{
    if (n > 0)
        (void)snprintf(out, size, "%s from N = %d", judge, n);
    else
        (void)snprintf(out, size, "%s not", judge);
}

void disagreement_print(char *out, size_t size, const disagreement *d)
{
    char judged[48];
    char verified[48];
    print_side(judged, sizeof judged, "unrolled", d->judged_n);
    print_side(verified, sizeof verified, "verifier", d->verified_n);
    (void)snprintf(out, size, "%s %s %d: %s, %s", swp_hazard_name(d->hazard.kind),
                   swp_phase_name(d->hazard.phase), d->hazard.entry, judged, verified);
}
