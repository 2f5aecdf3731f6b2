/* SPDX-License-Identifier: Apache-2.0 */
/* Hands out cuts of runs of output tiles, those of the smallest sequences first. */
#include "verify/roles_cuts.h"

#include "base/budget.h"

int swp_verify_role_least_n(const swp_loop_shape *loop, const swp_role_cut *cut)
{
    return loop->min_tiles + cut->passes * loop->tiles_per_pass;
}

static int number_at(const swp_loop_shape *loop, const swp_role_cut *c, int tile)
{
    return tile < c->count ? c->n[tile] : swp_verify_role_least_n(loop, c);
}

/* Fewer tiles first, then fewer iterations, then the first in lexical order. */
static bool is_before(const swp_loop_shape *loop, const swp_role_cut *a, const swp_role_cut *b)
{
    const int tiles = a->count + (a->passes >= 0);
    if (tiles != b->count + (b->passes >= 0))
        return tiles < b->count + (b->passes >= 0);
    const int64_t all[] = {a->n_all + (a->passes >= 0 ? swp_verify_role_least_n(loop, a) : 0),
                           b->n_all + (b->passes >= 0 ? swp_verify_role_least_n(loop, b) : 0)};
    if (all[0] != all[1])
        return all[0] < all[1];
    for (int t = 0; t < tiles; t++)
        if (number_at(loop, a, t) != number_at(loop, b, t))
            return number_at(loop, a, t) < number_at(loop, b, t);
    return a->passes > b->passes;
}

static bool are_in_order(const swp_role_cuts *cuts, size_t a, size_t b)
{
    return is_before(cuts->loop, &cuts->items[a], &cuts->items[b]);
}

static void exchange(swp_role_cuts *cuts, size_t a, size_t b)
{
    const swp_role_cut kept = cuts->items[a];
    cuts->items[a] = cuts->items[b];
    cuts->items[b] = kept;
}

swp_status swp_verify_role_put_cut(swp_context *ctx, swp_role_cuts *cuts, swp_role_cut cut)
{
    size_t at = cuts->count;
    SWP_TRY(SWP_PUSH(ctx, cuts, cut));
    for (; at > 0 && are_in_order(cuts, at, (at - 1) / 2); at = (at - 1) / 2)
        exchange(cuts, at, (at - 1) / 2);
    return SWP_OK;
}

swp_role_cut swp_verify_role_first_cut(swp_role_cuts *cuts)
{
    const swp_role_cut taken = cuts->items[0];
    size_t at = 0;
    cuts->items[0] = cuts->items[--cuts->count];
    for (;;) {
        size_t first = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < cuts->count; child++)
            if (are_in_order(cuts, child, first))
                first = child;
        if (first == at)
            return taken;
        exchange(cuts, at, first);
        at = first;
    }
}

swp_status swp_verify_role_close_tile(swp_context *ctx, const swp_role_cut *before, int n,
                                      swp_role_cut *out)
{
    *out = (swp_role_cut){.count = before->count + 1,
                          .passes = -1,
                          .n_all = before->n_all + n,
                          .unsafe = before->unsafe,
                          .stuck = before->stuck};
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->count, &out->n));
    for (int t = 0; t < before->count; t++)
        out->n[t] = before->n[t];
    out->n[before->count] = n;
    return SWP_OK;
}

/* --- How long to look at them --- */

/* By the nominal clock, so that little work comes to no other schedule than much. */
static const double least_seconds = 10;

/* A limit in nodes counts no proofs, and they have an end all the same. */
static double seconds_of_proofs(const swp_limits *limits)
{
    const bool in_nodes = limits->seconds <= 0 && limits->work > 0 && limits->nominal;
    return in_nodes ? least_seconds : limits->seconds;
}

swp_role_patience swp_verify_role_patience(const swp_context *ctx, swp_role_need_of_proof need)
{
    static const double share = 0.4;
    const double now = swp_search_clock(ctx);
    const double seconds = seconds_of_proofs(&ctx->limits);
    const double of_search = swp_search_began(ctx) + seconds;
    const double of_all = ctx->deadline ? ctx->deadline->ends : 0;
    swp_role_patience patience = {.ctx = ctx};
    if (need == SWP_PROOF_ASKED_FOR || seconds <= 0)
        return patience;
    patience.ends = of_search;
    if (need == SWP_PROOF_OF_LESS)
        return patience;
    const double more = of_all > 0                ? share * (of_all - now)
                        : seconds > least_seconds ? seconds
                                                  : least_seconds;
    if (now + more > of_search)
        patience.ends = now + more;
    return patience;
}

bool swp_verify_role_has_time(const swp_role_patience *patience)
{
    return patience->ends <= 0 || swp_search_clock(patience->ctx) < patience->ends;
}
