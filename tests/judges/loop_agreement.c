/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_agreement.h"

static int least_n(const swp_verdict *verdict)
{
    int least = -1;
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (least < 0 || verdict->hazards.items[i].smallest_n < least)
            least = verdict->hazards.items[i].smallest_n;
    return least;
}

static bool knows(const judgement *judged, const swp_hazard *h)
{
    for (size_t i = 0; i < judged->count; i++) {
        const judged_hazard *j = &judged->items[i];
        if (j->kind == h->kind && j->phase == h->at.phase && j->entry == h->at.entry)
            return j->smallest_n <= h->smallest_n;
    }
    return false;
}

loop_agreement loop_judges_agree(const judgement *judged, const swp_verdict *verdict, int most_n)
{
    const int least = least_n(verdict);
    if (loop_least_wrong(judged) != (least > most_n ? -1 : least))
        return LOOP_DIFFERS;
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (verdict->hazards.items[i].smallest_n <= most_n &&
            !knows(judged, &verdict->hazards.items[i]))
            return LOOP_IS_STRANGE;
    return LOOP_AGREES;
}
