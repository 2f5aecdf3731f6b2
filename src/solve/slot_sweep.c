/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps over the spans in which uses may hold a resource, sorted by their beginnings. */
#include "solve/slot_sweep.h"

#include <stdlib.h>

int64_t swp_solve_part_cycles(const swp_encoding *e, int use)
{
    const int64_t cycles = e->uses[use].use->cycles;
    return e->period ? cycles % e->period : cycles;
}

static swp_status add(swp_context *ctx, swp_slot_spans *spans, int64_t first, int64_t last,
                      swp_slot_span use)
{
    use.first = first;
    use.last = last;
    return SWP_PUSH(ctx, spans, use);
}

/* A span that reaches the end of a period goes on at its begin. */
static swp_status add_use(swp_context *ctx, const swp_encoding *e, swp_slot_span use,
                          swp_slot_spans *spans)
{
    const int op = e->uses[use.use].op;
    const int64_t cycles = swp_solve_part_cycles(e, use.use);
    const int64_t last = e->hi[op] + cycles - 1;
    if (cycles == 0)
        return SWP_OK;
    if (!e->period)
        return add(ctx, spans, e->lo[op], last, use);
    if (last - e->lo[op] >= e->period - 1)
        return add(ctx, spans, 0, e->period - 1, use);
    const int64_t slot = e->lo[op] % e->period;
    const int64_t first = slot < 0 ? slot + e->period : slot;
    const int64_t end = first + last - e->lo[op];
    if (end < e->period)
        return add(ctx, spans, first, end, use);
    SWP_TRY(add(ctx, spans, first, e->period - 1, use));
    return add(ctx, spans, 0, end - e->period, use);
}

static int compare_spans(const void *a, const void *b)
{
    const swp_slot_span *x = a;
    const swp_slot_span *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

swp_status swp_solve_slot_sweep_begin(swp_context *ctx, const swp_encoding *encoding,
                                      const swp_group_list *groups, swp_slot_sweep *sweep)
{
    size_t rank = 0;
    sweep->spans.count = 0;
    sweep->open.count = 0;
    sweep->next = 0;
    for (size_t i = 0; i < groups->count; i++)
        for (size_t k = 0; k < groups->items[i].count; k++, rank++) {
            const swp_slot_span use = {.rank = rank, .group = i, .use = groups->items[i].items[k]};
            SWP_TRY(add_use(ctx, encoding, use, &sweep->spans));
        }
    if (sweep->spans.count > 0)
        qsort(sweep->spans.items, sweep->spans.count, sizeof *sweep->spans.items, compare_spans);
    return SWP_OK;
}

static swp_status open_span(swp_context *ctx, swp_slot_spans *open, const swp_slot_span *begun)
{
    SWP_TRY(SWP_PUSH(ctx, open, *begun));
    size_t at = open->count - 1;
    for (; at > 0 && open->items[at - 1].rank > begun->rank; at--)
        open->items[at] = open->items[at - 1];
    open->items[at] = *begun;
    return SWP_OK;
}

swp_status swp_solve_slot_sweep_to(swp_context *ctx, swp_slot_sweep *sweep, int64_t slot)
{
    swp_slot_spans *open = &sweep->open;
    const swp_slot_spans *spans = &sweep->spans;
    size_t kept = 0;
    for (size_t i = 0; i < open->count; i++)
        if (open->items[i].last >= slot)
            open->items[kept++] = open->items[i];
    open->count = kept;
    while (sweep->next < spans->count && spans->items[sweep->next].first <= slot)
        SWP_TRY(open_span(ctx, open, &spans->items[sweep->next++]));
    return SWP_OK;
}
