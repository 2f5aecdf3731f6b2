/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the cycles of each cause by entry, and sorts them. */
#include "simulate/stalls.h"

#include <stdlib.h>
#include <string.h>

static swp_stall stall_of(const swp_sim_delay *delay)
{
    swp_stall stall = {.entry = delay->at.ref.entry,
                       .group = delay->at.group,
                       .cause = delay->cause,
                       .cycles = delay->cycles,
                       .has_other = delay->other != NULL,
                       .object = delay->object};
    if (delay->other) {
        stall.other = delay->other->ref;
        stall.passes_before = delay->at.pass - delay->other->pass;
        stall.other_group = delay->other->group;
    }
    return stall;
}

enum { WHAT_COUNT = 7 };

/* What a row is about, its cycles apart. */
static void list_what(const swp_stall *stall, int what[WHAT_COUNT])
{
    const int list[WHAT_COUNT] = {
        stall->entry,       stall->group,         (int)stall->cause, (int)stall->other.phase,
        stall->other.entry, stall->passes_before, stall->other_group};
    memcpy(what, list, sizeof list);
}

static int compare_what(const swp_stall *a, const swp_stall *b)
{
    int x[WHAT_COUNT];
    int y[WHAT_COUNT];
    list_what(a, x);
    list_what(b, y);
    for (int i = 0; i < WHAT_COUNT; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* The row of a stall; a new one has no cycles yet. */
static swp_status row_of(swp_sim_stalls *stalls, const swp_stall *stall, swp_stall **out)
{
    swp_stall empty = *stall;
    int what[WHAT_COUNT];
    const int next = (int)stalls->list.count;
    int number = 0;
    list_what(stall, what);
    SWP_TRY(swp_key_index_number(stalls->ctx, &stalls->index, what, sizeof what, next, &number));
    empty.cycles = 0;
    if (number == next)
        SWP_TRY(SWP_PUSH(stalls->ctx, &stalls->list, empty));
    *out = &stalls->list.items[number];
    return SWP_OK;
}

swp_status swp_simulate_stalls_add(void *user, const swp_sim_delay *delay)
{
    swp_sim_stalls *stalls = user;
    const swp_stall stall = stall_of(delay);
    swp_stall *row = NULL;
    if (delay->at.ref.phase != SWP_KERNEL)
        return SWP_OK;
    SWP_TRY(row_of(stalls, &stall, &row));
    row->cycles += stall.cycles;
    return SWP_OK;
}

static int compare(const void *a, const void *b)
{
    const swp_stall *x = a;
    const swp_stall *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return compare_what(x, y);
}

void swp_simulate_stalls_sort(swp_sim_stalls *stalls)
{
    if (stalls->list.count > 0)
        qsort(stalls->list.items, stalls->list.count, sizeof(swp_stall), compare);
}
