/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers before gap k, counted from the start of a pass, are unknowns S(k). Each arc bounds a
 * difference of two of them from below, and so does every gap (S never falls), so for a given sum
 * over the pass a placement exists exactly when the longest paths from S(0) are finite: then they
 * are one. The sum is tried from 0 up.
 */
#include "sync/barriers.h"

#include "base/budget.h"
#include "base/diag.h"
#include "ir/schedule.h"
#include "sync/arcs.h"

/* S counted on over passes: S(k) of pass q is S(k) + q * sum. */
static swp_status add_bound(swp_context *ctx, swp_barrier_placer *placer, int from, int to,
                            int at_least)
{
    const int count = placer->flow->count;
    const swp_barrier_bound bound = {from % count, to % count, at_least, to / count - from / count};
    SWP_TRY(swp_list_reserve(ctx, (void **)&placer->bounds, placer->count, &placer->capacity,
                             sizeof bound));
    placer->bounds[placer->count++] = bound;
    return SWP_OK;
}

bool swp_sync_is_beside_compute(const swp_dataflow *flow, int gap)
{
    return swp_sync_adds_product(&flow->ops[gap]) ||
           swp_sync_adds_product(swp_sync_op_at(flow, gap - 1));
}

swp_status swp_sync_barrier_placer_new(swp_context *ctx, const swp_dataflow *flow, bool pace,
                                       swp_barrier_placer *out)
{
    const int count = flow->count;
    *out = (swp_barrier_placer){.flow = flow};
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &out->before));
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &out->floor));
    for (int k = 0; k < count; k++) {
        out->floor[k] = pace && swp_sync_is_beside_compute(flow, k);
        SWP_TRY(add_bound(ctx, out, k, k + 1, out->floor[k]));
    }
    for (size_t i = 0; i < flow->arcs.count; i++) {
        const swp_arc *arc = &flow->arcs.items[i];
        /* After op i means from gap i + 1 on; before op j means up to gap j, which S(j + 1) counts. */
        SWP_TRY(add_bound(ctx, out, arc->producer + 1, arc->consumer + arc->distance * count + 1,
                          swp_sync_arc_demand(flow, arc)));
    }
    return SWP_OK;
}

static bool raise(int *s, int to, int at_least)
{
    if (s[to] >= at_least)
        return false;
    s[to] = at_least;
    return true;
}

/* One round over all bounds; those of decided gaps hold both ways. */
static bool relax(swp_barrier_placer *placer, int sum, int decided, const int *gaps)
{
    const int count = placer->flow->count;
    int *s = placer->before;
    bool changed = false;
    placer->steps += (uint64_t)decided + placer->count;
    for (int k = 0; k < decided; k++) {
        const int wrap = k + 1 == count ? sum : 0;
        changed |= raise(s, (k + 1) % count, s[k] + gaps[k] - wrap);
        changed |= raise(s, k, s[(k + 1) % count] + wrap - gaps[k]);
    }
    for (size_t i = 0; i < placer->count; i++) {
        const swp_barrier_bound *b = &placer->bounds[i];
        changed |= raise(s, b->to, s[b->from] + b->at_least - b->passes * sum);
    }
    return changed;
}

bool swp_sync_place_sum(swp_barrier_placer *placer, int sum, int decided, int *gaps)
{
    const int count = placer->flow->count;
    int *s = placer->before;
    for (int k = 0; k < count; k++)
        s[k] = 0;
    /* Longest paths from S(0) = 0, which no S is below; they may not grow without end. */
    for (int round = 0; relax(placer, sum, decided, gaps); round++)
        if (s[0] > 0 || round > count)
            return false;
    for (int k = decided; k < count; k++)
        gaps[k] = (k + 1 < count ? s[k + 1] : sum) - s[k];
    return true;
}

swp_status swp_sync_place_barriers(swp_context *ctx, swp_barrier_placer *placer, int *gaps,
                                   int *sum)
{
    /* Two barriers in every gap meet any demand. */
    for (*sum = 0; *sum <= 2 * placer->flow->count; ++*sum) {
        if (swp_sync_place_sum(placer, *sum, 0, gaps))
            return SWP_OK;
        SWP_TRY(swp_keep_on(ctx, placer->steps));
        placer->steps = 0;
    }
    return swp_error(ctx, SWP_E0730, swp_ir_place_of_op(placer->flow->schedule, ""),
                     "change the order of the data operations",
                     "no barriers between two neighbours of the order can keep them apart");
}
