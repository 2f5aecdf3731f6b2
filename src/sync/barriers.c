/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers before gap k, counted from the start of a pass, are unknowns S(k). Each arc bounds a
 * difference of two of them from below, and so does every gap (S never falls), so for a given sum
 * over the pass a placement exists exactly when the longest paths from S(0) are finite: then they
 * are one. The sum is tried from 0 up.
 */
#include "sync/barriers.h"

#include "base/diag.h"

typedef struct bound {
    int from;
    int to;
    int at_least; /* S(to) - S(from) */
} bound;

typedef struct bound_list {
    bound *items;
    size_t count;
    size_t capacity;
} bound_list;

int swp_barrier_demand(const swp_machine *machine)
{
    if (machine->groups == 2 && machine->lag == 1)
        return 2;
    return machine->groups > 1 || machine->waves_per_group > 1;
}

/* S counted on over passes: S(k) of pass q is S(k) + q * sum. */
static bound bound_between(int count, int from, int to, int at_least, int sum)
{
    const int passes = to / count - from / count;
    return (bound){from % count, to % count, at_least - passes * sum};
}

static swp_status collect_bounds(swp_context *ctx, const swp_dataflow *flow, bool pace, int sum,
                                 bound_list *out)
{
    const int count = flow->count;
    const int needed = swp_barrier_demand(&flow->schedule->machine);
    for (int k = 0; k < count; k++) {
        const bool beside = pace && (flow->ops[k].op.role == SWP_COMPUTE ||
                                     flow->ops[(k + count - 1) % count].op.role == SWP_COMPUTE);
        SWP_TRY(SWP_PUSH(ctx, out, bound_between(count, k, k + 1, beside, sum)));
    }
    for (size_t i = 0; i < flow->arcs.count; i++) {
        const swp_arc *arc = &flow->arcs.items[i];
        /* After op i means from gap i + 1 on; before op j means up to gap j, which S(j + 1) counts. */
        SWP_TRY(SWP_PUSH(ctx, out,
                         bound_between(count, arc->producer + 1,
                                       arc->consumer + arc->distance * count + 1, needed, sum)));
    }
    return SWP_OK;
}

/* Longest paths from S(0) = 0, which no S is below; false if they grow without end. */
static bool solve(const bound_list *bounds, int count, int *s)
{
    for (int k = 0; k < count; k++)
        s[k] = 0;
    for (int round = 0; round <= count; round++) {
        bool changed = false;
        for (size_t i = 0; i < bounds->count; i++) {
            const bound *b = &bounds->items[i];
            if (s[b->from] + b->at_least <= s[b->to])
                continue;
            s[b->to] = s[b->from] + b->at_least;
            changed = true;
        }
        if (s[0] > 0)
            return false;
        if (!changed)
            return true;
    }
    return false;
}

swp_status swp_place_barriers(swp_context *ctx, const swp_dataflow *flow, bool pace, int *gaps,
                              int *sum)
{
    int *s = NULL;
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count + 1, &s));
    /* Two barriers in every gap meet any demand. */
    for (*sum = 0; *sum <= 2 * flow->count; ++*sum) {
        bound_list bounds = {0};
        SWP_TRY(collect_bounds(ctx, flow, pace, *sum, &bounds));
        if (!solve(&bounds, flow->count, s))
            continue;
        for (int k = 0; k < flow->count; k++)
            gaps[k] = (k + 1 < flow->count ? s[k + 1] : *sum) - s[k];
        return SWP_OK;
    }
    return swp_error(ctx, SWP_E0730, SWP_NOWHERE, "change the order of the data operations",
                     "no barriers between two neighbours of the order can keep them apart");
}
