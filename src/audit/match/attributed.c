/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of an attribution, and said of it. */
#include "audit/match/attribution.h"

#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

const swp_entry *swp_match_item_entry(const swp_attribution *attribution, int item)
{
    const int entry = attribution->entry_of[item];
    const swp_phase phase = attribution->walk->list.items[item].phase;
    return entry < 0 ? NULL : &swp_schedule_phase(attribution->schedule, phase)->items[entry];
}

const swp_effect *swp_match_item_effect(const swp_attribution *attribution, int item)
{
    const int entry = attribution->entry_of[item];
    const swp_phase phase = attribution->walk->list.items[item].phase;
    return entry < 0 ? NULL : &attribution->effects->entries[phase][entry];
}

swp_status swp_match_obstacle_add(swp_attribution *attribution, int insn, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = swp_vformat(attribution->ctx, &text, format, arguments);
    va_end(arguments);
    SWP_TRY(status);
    for (size_t i = 0; i < attribution->obstacles.count; i++)
        if (strcmp(attribution->obstacles.items[i].what, text) == 0)
            return SWP_OK;
    const swp_obstacle obstacle = {insn, text};
    return SWP_PUSH(attribution->ctx, &attribution->obstacles, obstacle);
}

/* How many of the entry's instructions stand from `first` to before `end`. */
static int parts_between(const swp_attribution *a, int item, int first, int end)
{
    int parts = 0;
    for (int i = first; i < end; i++)
        parts += a->entry_of[i] == a->entry_of[item];
    return parts;
}

static int first_of_pass(const swp_attribution *a, int item)
{
    const swp_item *at = &a->walk->list.items[item];
    return a->walk->first[at->phase][at->pass];
}

static int end_of_pass(const swp_attribution *a, int item)
{
    const swp_item *at = &a->walk->list.items[item];
    return a->walk->end[at->phase][at->pass];
}

bool swp_match_item_is_first_part(const swp_attribution *attribution, int item)
{
    return parts_between(attribution, item, first_of_pass(attribution, item), item) == 0;
}

bool swp_match_item_is_last_part(const swp_attribution *attribution, int item)
{
    return parts_between(attribution, item, item + 1, end_of_pass(attribution, item)) == 0;
}

int swp_match_item_parts(const swp_attribution *attribution, int item)
{
    return parts_between(attribution, item, first_of_pass(attribution, item),
                         end_of_pass(attribution, item));
}
