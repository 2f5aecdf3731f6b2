/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where periods begin and end: what each lane does more in the longer of two runs, branch by branch, and runs held there.
 */
#include "audit/ptx/induction.h"

#include <string.h>

enum { LEAST_ALIKE = 8 /* branches that show that two runs go the same way again */ };

/* How many branches more the longer run has here, before it goes on as the shorter one does. */
static int count_more(const swp_ptx_path *shorter, size_t in_shorter, const swp_ptx_path *longer,
                      size_t in_longer)
{
    const size_t rest = shorter->count - in_shorter;
    const size_t alike = rest < LEAST_ALIKE ? rest : LEAST_ALIKE;
    size_t more = alike ? 1 : longer->count - in_longer;
    while (alike && in_longer + more + alike <= longer->count &&
           memcmp(&shorter->items[in_shorter], &longer->items[in_longer + more],
                  alike * sizeof *shorter->items) != 0)
        more++;
    return in_longer + more + alike <= longer->count ? (int)more : 0;
}

/* What a lane of the leader does more in the longer run; false: that cannot be told. */
static bool find_stretches(const swp_ptx_path *shorter, const swp_ptx_path *longer,
                           swp_ptx_stretches *out)
{
    size_t i = 0;
    size_t j = 0;
    out->count = 0;
    while (i < shorter->count || j < longer->count) {
        if (i < shorter->count && j < longer->count && shorter->items[i] == longer->items[j]) {
            i++;
            j++;
            continue;
        }
        const int more = count_more(shorter, i, longer, j);
        if (!more || out->count == SWP_PTX_MOST_STAGES)
            return false;
        out->items[out->count++] = (swp_ptx_stretch){(int)j, more};
        j += (size_t)more;
    }
    return true;
}

/* What is left when nothing else can be told: all that follows the first difference is one stretch. */
static bool take_one_stretch(const swp_ptx_path *shorter, const swp_ptx_path *longer,
                             swp_ptx_stretches *out)
{
    const int more = (int)longer->count - (int)shorter->count;
    int same = 0;
    while (same < (int)shorter->count && shorter->items[same] == longer->items[same])
        same++;
    *out = (swp_ptx_stretches){{{same, more}}, 1};
    return more > 0;
}

static bool find_stretches_of(const swp_ptx_induction *n, int warp, int lane,
                              swp_ptx_stretches *out)
{
    const swp_ptx_path *shorter = &n->shorter->warps[warp].paths[lane];
    const swp_ptx_path *longer = &n->longer->warps[warp].paths[lane];
    return find_stretches(shorter, longer, out) ||
           (!n->strict && take_one_stretch(shorter, longer, out));
}

bool swp_ptx_all_have_stretches(const swp_ptx_induction *n)
{
    swp_ptx_stretches of;
    for (int w = 0; w < n->longer->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            if (!find_stretches_of(n, w, lane, &of))
                return false;
    return true;
}

bool swp_ptx_find_stages(swp_ptx_induction *n)
{
    n->stages = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        swp_ptx_stretches *of = &n->of_lane[lane];
        if (!find_stretches_of(n, n->leader, lane, of) ||
            (of->count && n->stages && of->count != n->stages) ||
            (of->count && of->items[0].at < n->back))
            return false;
        n->stages = of->count ? of->count : n->stages;
    }
    return n->stages > 0;
}

bool swp_ptx_go_alike(const swp_ptx_warp *a, const swp_ptx_warp *b)
{
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const swp_ptx_path *x = &a->paths[lane];
        const swp_ptx_path *y = &b->paths[lane];
        if (x->count != y->count ||
            (x->count && memcmp(x->items, y->items, x->count * sizeof *x->items) != 0))
            return false;
    }
    return true;
}

/* The leader, and in a cluster the warp of each other work group that goes the same way: it would go ahead. */
static bool is_held_as_leader(const swp_ptx_induction *n, const swp_ptx_run *run, int warp)
{
    const int leader = n->leader;
    return warp == leader ||
           ((n->together || warp % run->own_warps == leader % run->own_warps) &&
            swp_ptx_go_alike(&n->shorter->warps[warp], &n->shorter->warps[leader]) &&
            swp_ptx_go_alike(&n->longer->warps[warp], &n->longer->warps[leader]));
}

void swp_ptx_hold(const swp_ptx_induction *n, int stage, bool at_end, swp_ptx_run *run)
{
    for (int w = 0; w < run->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES && is_held_as_leader(n, run, w); lane++) {
            const swp_ptx_stretch *of = &n->of_lane[lane].items[stage];
            run->warps[w].hold[lane] =
                n->of_lane[lane].count ? of->at - n->back + (at_end ? of->count : 0) : -1;
        }
}

void swp_ptx_release(swp_ptx_run *run)
{
    for (int w = 0; w < run->warp_count; w++)
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            run->warps[w].hold[lane] = -1;
}

swp_status swp_ptx_go_to_hold(swp_ptx_run *run, bool *held)
{
    SWP_TRY(swp_ptx_run_go(run));
    *held = run->outcome == SWP_PTX_GOES_ON && run->undecided < 0 && swp_ptx_all_are_held(run);
    return SWP_OK;
}
