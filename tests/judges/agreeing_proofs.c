/* SPDX-License-Identifier: Apache-2.0 */
#include "agreeing_proofs.h"

#include <stddef.h>

static bool is_told(const swp_hazard_list *list, const swp_hazard *h)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_hazard *other = &list->items[i];
        if (other->kind == h->kind && other->at.phase == h->at.phase &&
            other->at.entry == h->at.entry && other->smallest_n == h->smallest_n)
            return true;
    }
    return false;
}

static bool are_told(const swp_hazard_list *hazards, const swp_hazard_list *list)
{
    for (size_t i = 0; i < hazards->count; i++)
        if (!is_told(list, &hazards->items[i]))
            return false;
    return true;
}

bool proofs_agree(const swp_hazard_list *one, const swp_hazard_list *other)
{
    return one->count == other->count && are_told(one, other) && are_told(other, one);
}
