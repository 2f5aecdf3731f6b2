/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "roles_explorer_lists.h"
#include "roles_explorer_rules.h"

/* The table of docs/roles-reference.md; its first eight are told alone. */
static const swp_hazard_kind in_order[] = {
    SWP_ARRIVALS,     SWP_NAMED_BARRIER, SWP_PHASE_ALIAS, SWP_UNOBSERVED_PHASE,
    SWP_DEADLOCK,     SWP_LOST_PEER,     SWP_UNFENCED,    SWP_ACCUMULATOR_IN_FLIGHT,
    SWP_STALE_READ,   SWP_OVERWRITTEN,   SWP_WRITE_RACE,  SWP_WRONG_TILE,
    SWP_MISSING_WORK, SWP_DOUBLE_WORK,   SWP_OUT_OF_RANGE};

enum { TOLD_ALONE = 8 };

static int rank(swp_hazard_kind kind)
{
    int i = 0;
    while (in_order[i] != kind)
        i++;
    return i;
}

static int compare(const roles_hazard *a, const roles_hazard *b)
{
    const int of_a[] = {rank(a->kind), a->stream, (int)a->phase, a->entry};
    const int of_b[] = {rank(b->kind), b->stream, (int)b->phase, b->entry};
    for (int i = 0; i < 4; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

void rx_add_hazard(roles_exploration *out, roles_hazard hazard)
{
    size_t at = 0;
    while (at < out->count && compare(&out->items[at], &hazard) < 0)
        at++;
    if (at < out->count && compare(&out->items[at], &hazard) == 0)
        return;
    int capacity = (int)out->capacity;
    out->items = rx_grown(out->items, (int)out->count, &capacity, sizeof *out->items);
    out->capacity = (size_t)capacity;
    memmove(out->items + at + 1, out->items + at, (out->count - at) * sizeof *out->items);
    out->items[at] = hazard;
    out->count++;
}

void rx_keep_first_kind(roles_exploration *out)
{
    size_t kept = 0;
    if (out->count > 0 && rank(out->items[0].kind) >= TOLD_ALONE)
        return;
    while (kept < out->count && out->items[kept].kind == out->items[0].kind)
        kept++;
    out->count = kept;
}

void roles_exploration_free(roles_exploration *exploration)
{
    free(exploration->items);
    *exploration = (roles_exploration){0};
}
