/* SPDX-License-Identifier: Apache-2.0 */
/* What registers hold from period to period: by how much each grows, and whether it keeps to that. */
#include "audit/ptx/contents.h"
#include "audit/ptx/induction.h"

/* How many phases ago the one is that a token names. */
static int age_of(const swp_ptx_run *run, uint64_t token)
{
    return run->mbarriers[swp_ptx_mbarrier_of(token)].phase - swp_ptx_phase_of(token);
}

/* Whether two tokens are of one mbarrier, and of phases as long ago. */
static bool are_as_old(const swp_ptx_run *a, const swp_ptx_run *b, uint64_t from, uint64_t to)
{
    return swp_ptx_mbarrier_of(from) == swp_ptx_mbarrier_of(to) && age_of(a, from) == age_of(b, to);
}

/* By how much a lane's number is more in the one state than in the other. */
static int64_t growth_of_lane(uint64_t from, uint64_t to)
{
    const bool word = from <= UINT32_MAX && to <= UINT32_MAX;
    return word ? (int32_t)(uint32_t)(to - from) : (int64_t)(to - from);
}

static bool is_one_term(const swp_ptx_value *a, const swp_ptx_value *b)
{
    return a->state == SWP_PTX_UNKNOWN && b->state == SWP_PTX_UNKNOWN && a->term &&
           a->term == b->term && !a->undefined && !b->undefined;
}

/* Lanes that have come where they read a register no more. */
static uint32_t idle_lanes(swp_ptx_ways *ways, const swp_ptx_run *run, int w, int r)
{
    const swp_ptx_warp *warp = &run->warps[w];
    uint32_t idle = 0;
    int last = -1;
    bool is_read = true;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        if (!(warp->alive >> lane & 1))
            continue;
        if (warp->pc[lane] != last)
            is_read = swp_ptx_is_read_from(run, ways, warp->pc[lane], r);
        last = warp->pc[lane];
        idle |= is_read ? 0 : UINT32_C(1) << lane;
    }
    return idle;
}

/* The same of a register of a warp, for all of some lanes alike. */
static bool find_growth_of(const swp_ptx_run *in_a, const swp_ptx_run *in_b, int w, int r,
                           uint32_t alive, int64_t *out)
{
    const swp_ptx_value *a = &in_a->warps[w].registers[r].value;
    const swp_ptx_value *b = &in_b->warps[w].registers[r].value;
    bool any = false;
    *out = 0;
    if (is_one_term(a, b))
        return true;
    if (!swp_ptx_known(a) || !swp_ptx_known(b) ||
        (a->undefined & alive) != (b->undefined & alive) ||
        (a->tokens & alive) != (b->tokens & alive))
        return false;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const uint64_t from = swp_ptx_lane(a, lane);
        const uint64_t to = swp_ptx_lane(b, lane);
        const bool token = a->tokens >> lane & 1;
        if (!((alive & ~a->undefined) >> lane & 1))
            continue;
        if (token && !are_as_old(in_a, in_b, from, to))
            return false;
        const int64_t more = token ? 0 : growth_of_lane(from, to);
        if (any && more != *out)
            return false;
        *out = more;
        any = true;
    }
    return true;
}

/* For all lanes that are alive, but for those that read it no more, if these are in the way. */
static bool find_growth(swp_ptx_induction *n, const swp_ptx_run *in_a, const swp_ptx_run *in_b,
                        int w, int r, int64_t *out)
{
    const uint32_t alive = in_a->warps[w].alive;
    n->idle[w][r] = 0;
    if (find_growth_of(in_a, in_b, w, r, alive, out))
        return true;
    /* What is not known grows by nothing, whoever reads it. */
    if (!swp_ptx_known(&in_a->warps[w].registers[r].value) ||
        !swp_ptx_known(&in_b->warps[w].registers[r].value))
        return false;
    n->idle[w][r] = idle_lanes(&n->ways, in_a, w, r) & idle_lanes(&n->ways, in_b, w, r);
    return n->idle[w][r] && n->idle[w][r] != alive &&
           find_growth_of(in_a, in_b, w, r, alive & ~n->idle[w][r], out);
}

swp_status swp_ptx_find_growths(swp_ptx_induction *n, const swp_ptx_run *a, const swp_ptx_run *b)
{
    const int count = n->form->kernel->registers;
    SWP_TRY(swp_ptx_make_ways(n->ctx, n->form->kernel, &n->ways));
    for (int w = 0; w < a->warp_count; w++) {
        SWP_TRY(SWP_TAKE(n->ctx, (size_t)count + 1, &n->growth[w]));
        SWP_TRY(SWP_TAKE(n->ctx, (size_t)count + 1, &n->lost[w]));
        SWP_TRY(SWP_TAKE(n->ctx, (size_t)count + 1, &n->idle[w]));
        for (int r = 0; r < count; r++)
            n->lost[w][r] = !find_growth(n, a, b, w, r, &n->growth[w][r]);
    }
    return SWP_OK;
}

void swp_ptx_generalise(const swp_ptx_induction *n, swp_ptx_run *run)
{
    swp_ptx_keep_bytes(run, n->later);
    for (int w = 0; w < run->warp_count; w++)
        for (int r = 0; r < n->form->kernel->registers; r++) {
            swp_ptx_value *value = &run->warps[w].registers[r].value;
            if (n->lost[w][r])
                *value = (swp_ptx_value){.state = SWP_PTX_UNKNOWN,
                                         .depends = SWP_PTX_DATA | swp_ptx_address_bit(value),
                                         .lanes = value->lanes};
            else if (swp_ptx_known(value)) {
                const swp_ptx_value *later = &n->later->warps[w].registers[r].value;
                value->term = value->term == later->term && !n->growth[w][r] ? value->term : 0;
                value->slope[SWP_PTX_BEFORE] =
                    (int64_t)((uint64_t)value->slope[SWP_PTX_BEFORE] + (uint64_t)n->growth[w][r]);
                value->undefined |= n->idle[w][r];
            }
        }
}

bool swp_ptx_find_lost(swp_ptx_induction *n, const swp_ptx_run *start, const swp_ptx_run *end)
{
    bool any = false;
    for (int w = 0; w < start->warp_count; w++)
        for (int r = 0; r < n->form->kernel->registers; r++) {
            const swp_ptx_value *a = &start->warps[w].registers[r].value;
            const swp_ptx_value *b = &end->warps[w].registers[r].value;
            int64_t more = 0;
            if (n->lost[w][r] || (!swp_ptx_known(a) && !is_one_term(a, a)))
                continue;
            const uint32_t idle = n->idle[w][r];
            const uint32_t alive = start->warps[w].alive & ~idle;
            n->lost[w][r] = !find_growth_of(start, end, w, r, alive, &more) ||
                            more != n->growth[w][r] ||
                            idle != (idle & idle_lanes(&n->ways, end, w, r)) ||
                            !swp_ptx_have_same_slopes(a, b) || (a->term && a->term != b->term);
            any |= n->lost[w][r];
        }
    return any;
}

void swp_ptx_end_periods(swp_ptx_run *run)
{
    run->counts.most[SWP_PTX_TO_COME] = 0;
    for (int w = 0; w < run->warp_count; w++)
        for (int r = 0; r < run->kernel->registers; r++)
            run->warps[w].registers[r].value.slope[SWP_PTX_TO_COME] = 0;
}

void swp_ptx_begin_periods(const swp_ptx_induction *n, swp_ptx_run *run)
{
    run->counts.most[SWP_PTX_TO_COME] = n->most;
    for (int w = 0; w < run->warp_count; w++)
        for (int r = 0; r < run->kernel->registers; r++) {
            int64_t *slope = run->warps[w].registers[r].value.slope;
            slope[SWP_PTX_TO_COME] = slope[SWP_PTX_BEFORE];
        }
}
