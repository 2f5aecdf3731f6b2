/* SPDX-License-Identifier: Apache-2.0 */
#include "worse.h"

#include <stdlib.h>

static void add(hazard_set *set, judged_hazard hazard, const mutant *m, const swp_schedule *base)
{
    if (set->count == MOST_HAZARDS)
        abort();
    if (m)
        hazard.entry = mutant_base_entry(m, hazard.phase, hazard.entry, base);
    set->items[set->count++] = hazard;
}

hazard_set hazards_of_verdict(const swp_verdict *verdict, const mutant *m, const swp_schedule *base,
                              int most_tiles)
{
    hazard_set set = {.count = 0};
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        if (h->smallest_n <= most_tiles)
            add(&set, judged_hazard_of(h), m, base);
    }
    return set;
}

hazard_set hazards_of_judgement(const judgement *judged, const mutant *m, const swp_schedule *base)
{
    hazard_set set = {.count = 0};
    for (size_t i = 0; i < judged->count; i++)
        add(&set, judged->items[i], m, base);
    return set;
}

static const judged_hazard *find(const hazard_set *set, const judged_hazard *hazard)
{
    for (int i = 0; i < set->count; i++) {
        const judged_hazard *h = &set->items[i];
        if (h->kind == hazard->kind && h->phase == hazard->phase && h->entry == hazard->entry)
            return h;
    }
    return NULL;
}

bool is_worse(const hazard_set *mutated, const hazard_set *base)
{
    for (int i = 0; i < mutated->count; i++) {
        const judged_hazard *known = find(base, &mutated->items[i]);
        if (!known || known->smallest_n > mutated->items[i].smallest_n)
            return true;
    }
    return false;
}

bool same_hazards(const hazard_set *a, const hazard_set *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++) {
        const judged_hazard *other = find(b, &a->items[i]);
        if (!other || other->smallest_n != a->items[i].smallest_n)
            return false;
    }
    return true;
}
