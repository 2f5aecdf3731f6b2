/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/stalls.h"

#include "base/names.h"

#include <stdlib.h>

static const swp_name causes[] = {SWP_STALLS(SWP_MEANING_ROW)};

const char *swp_stall_name(swp_stall_cause cause)
{
    return swp_shown_name(causes, SWP_COUNT_OF(causes), (int)cause);
}

const char *swp_stall_meaning(swp_stall_cause cause)
{
    return swp_shown_meaning(causes, SWP_COUNT_OF(causes), (int)cause);
}

static swp_stall stall_of(const swp_sim_hold *hold)
{
    swp_stall stall = {.entry = hold->at.ref.entry,
                       .group = hold->at.group,
                       .cause = hold->cause,
                       .cycles = hold->cycles,
                       .has_other = hold->other != NULL};
    if (hold->other) {
        stall.other = hold->other->ref;
        stall.passes_before = hold->at.pass - hold->other->pass;
        stall.other_group = hold->other->group;
    }
    return stall;
}

/* How two rows stand to each other, whatever their cycles. */
static int compare_what(const swp_stall *a, const swp_stall *b)
{
    const int pairs[][2] = {{a->entry, b->entry},
                            {a->group, b->group},
                            {(int)a->cause, (int)b->cause},
                            {(int)a->other.phase, (int)b->other.phase},
                            {a->other.entry, b->other.entry},
                            {a->passes_before, b->passes_before},
                            {a->other_group, b->other_group}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] != pairs[i][1])
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
    return 0;
}

swp_status swp_sim_stalls_add(void *user, const swp_sim_hold *hold)
{
    swp_sim_stalls *stalls = user;
    const swp_stall stall = stall_of(hold);
    if (hold->at.ref.phase != SWP_KERNEL)
        return SWP_OK;
    for (size_t i = 0; i < stalls->list.count; i++)
        if (compare_what(&stalls->list.items[i], &stall) == 0) {
            stalls->list.items[i].cycles += stall.cycles;
            return SWP_OK;
        }
    return SWP_PUSH(stalls->ctx, &stalls->list, stall);
}

static int compare(const void *a, const void *b)
{
    const swp_stall *x = a;
    const swp_stall *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return compare_what(x, y);
}

void swp_sim_stalls_sort(swp_sim_stalls *stalls)
{
    if (stalls->list.count > 0)
        qsort(stalls->list.items, stalls->list.count, sizeof(swp_stall), compare);
}
