/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a role: prologue, kernel, epilogues and straight lists (docs/roles-proof.md, "Derivation"). */
#include "sync/roles_writer.h"

#include <limits.h>

/* Steps by which synchronisation stands before the first op of a version, and behind the last. */
static void find_reach(const swp_roles *r, const swp_role_plan *plan, int *before, int *behind)
{
    *before = r->least;
    *behind = 0;
    for (size_t i = 0; i < plan->items.count; i++) {
        const swp_role_item *item = &plan->items.items[i];
        const int step = swp_sync_roles_step(plan, item->point);
        *before = -(step + item->least) > *before ? -(step + item->least) : *before;
        *behind = step + 1 > *behind ? step + 1 : *behind;
    }
}

static swp_status write_prologue(swp_role_writer w, int before, swp_entry_list *out)
{
    w.from_start = true;
    w.is_prologue = true;
    w.n = -1;
    w.fill_from = INT_MIN;
    w.is_silent = true;
    SWP_TRY(swp_sync_roles_begin(&w, SWP_PROLOGUE, -before, w.r->extra));
    SWP_TRY(swp_sync_roles_do_steps(&w, -before, w.r->extra));
    w.fill_from = swp_sync_roles_first_in_flight(&w);
    w.is_silent = false;
    SWP_TRY(swp_sync_roles_begin(&w, SWP_PROLOGUE, -before, w.r->extra));
    SWP_TRY(swp_sync_roles_do_steps(&w, -before, w.r->extra));
    if (swp_sync_roles_needs_first_fence(&w))
        SWP_TRY(
            swp_sync_roles_emit(&w, swp_sync_roles_sync_op(SWP_TAG_MATRIX_FENCE, SWP_ALL_THREADS)));
    *out = w.builder.entries;
    return SWP_OK;
}

/* Steps after which groups are retired as in every later one. */
enum { SETTLED = 2 * SWP_MOST_SLOTS };

/* No work group ends while another one may arrive there. With output tiles they end behind the drain alone. */
static swp_status meet_at_end(swp_role_writer *w)
{
    if (w->plan->of_tiles != w->r->output_tiles || !swp_sync_roles_meet_at_end(w->r))
        return SWP_OK;
    SWP_TRY(
        swp_sync_roles_emit(w, swp_sync_roles_sync_op(SWP_TAG_CLUSTER_ARRIVE, SWP_ALL_THREADS)));
    return swp_sync_roles_emit(w, swp_sync_roles_sync_op(SWP_TAG_CLUSTER_WAIT, SWP_ALL_THREADS));
}

static swp_status write_behind(swp_role_writer w, swp_phase phase, int end, int n,
                               swp_entry_list *out)
{
    const int first = w.r->extra - SETTLED - w.r->least;
    w.n = -1;
    SWP_TRY(swp_sync_roles_begin(&w, phase, first, end));
    w.is_silent = true;
    SWP_TRY(swp_sync_roles_do_steps(&w, first, w.r->extra));
    w.is_silent = false;
    w.is_fenced = false;
    w.has_fence = false;
    w.n = n;
    w.ends_from = w.r->extra;
    SWP_TRY(swp_sync_roles_do_steps(&w, w.r->extra, end));
    if (phase == SWP_EPILOGUE) {
        SWP_TRY(swp_sync_roles_drain(&w));
        SWP_TRY(meet_at_end(&w));
    }
    *out = w.builder.entries;
    return SWP_OK;
}

static swp_status write_straight(swp_role_writer w, int before, int behind, int n,
                                 swp_entry_list *out)
{
    const int end = behind > 0 ? n + behind : n;
    w.from_start = true;
    w.n = n;
    w.ends_from = INT_MIN;
    SWP_TRY(swp_sync_roles_begin(&w, SWP_EPILOGUE, -before, end));
    SWP_TRY(swp_sync_roles_do_steps(&w, -before, end));
    SWP_TRY(swp_sync_roles_drain(&w));
    SWP_TRY(meet_at_end(&w));
    *out = w.builder.entries;
    return SWP_OK;
}

/* A tile is one step, the same in each. */
static swp_status write_tile(swp_role_writer w, swp_stream *out)
{
    w.n = -1;
    SWP_TRY(swp_sync_roles_begin(&w, SWP_BEGIN, -SETTLED, 1));
    w.is_silent = true;
    SWP_TRY(swp_sync_roles_do_steps(&w, -SETTLED, 0));
    w.is_silent = false;
    w.is_fenced = false;
    w.builder = swp_entry_builder_new(w.r->ctx, SWP_BEGIN);
    SWP_TRY(swp_sync_roles_do_steps(&w, 0, 1));
    out->begin = w.before_passes;
    out->end = w.builder.entries;
    return SWP_OK;
}

static swp_status write_drain(swp_role_writer w, int behind, swp_entry_list *out)
{
    SWP_TRY(swp_sync_roles_begin(&w, SWP_DRAIN, -SETTLED, behind));
    w.is_silent = true;
    w.n = -1;
    SWP_TRY(swp_sync_roles_do_steps(&w, -SETTLED, 0));
    w.is_silent = false;
    w.n = 0;
    w.builder = swp_entry_builder_new(w.r->ctx, SWP_DRAIN);
    SWP_TRY(swp_sync_roles_do_steps(&w, 0, behind));
    SWP_TRY(swp_sync_roles_drain(&w));
    SWP_TRY(meet_at_end(&w));
    *out = w.builder.entries;
    return SWP_OK;
}

swp_status swp_sync_roles_write_tile_lists(swp_roles *r, int plan, swp_stream *out)
{
    const swp_role_writer w = {.r = r, .plan = &r->plans[plan]};
    int before = 0;
    int behind = 0;
    find_reach(r, w.plan, &before, &behind);
    SWP_TRY(write_tile(w, out));
    return write_drain(w, behind, &out->drain);
}

swp_status swp_sync_roles_write_lists(swp_roles *r, int role, swp_stream *out)
{
    const swp_role_writer w = {.r = r, .plan = &r->plans[role]};
    const int least = r->least + r->extra;
    int before = 0;
    int behind = 0;
    find_reach(r, w.plan, &before, &behind);
    out->tails.epilogue_count = (size_t)r->unroll - 1;
    out->tails.straight_count = (size_t)least;
    SWP_TRY(SWP_TAKE(r->ctx, out->tails.epilogue_count, &out->tails.epilogues));
    SWP_TRY(SWP_TAKE(r->ctx, out->tails.straight_count, &out->tails.straight));
    SWP_TRY(write_prologue(w, before, &out->prologue));
    SWP_TRY(write_behind(w, SWP_KERNEL, r->extra + r->unroll, -1, &out->kernel));
    for (int rest = 0; rest < r->unroll; rest++)
        SWP_TRY(write_behind(w, SWP_EPILOGUE, least + rest + behind, least + rest,
                             rest == 0 ? &out->epilogue : &out->tails.epilogues[rest - 1]));
    for (int n = 0; n < least; n++)
        SWP_TRY(write_straight(w, before, behind, n, &out->tails.straight[n]));
    return SWP_OK;
}
