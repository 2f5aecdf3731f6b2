/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads 1 to 31 of a warp have one clock. What some of them do alone can only be said of all where the others have done
 * nothing that it would wrongly put in order; else it is not followed.
 */
#include "audit/ptx/execute.h"
#include "audit/ptx/lane_accesses.h"
#include "audit/ptx/order.h"

enum { FIRST = 1 /* lane 0 has a clock of its own */ };

static uint32_t sharing(uint32_t lanes)
{
    return lanes & ~(uint32_t)FIRST;
}

static void doubt(const swp_ptx_step *step)
{
    swp_ptx_report_unknown(
        step->run, step->number,
        "threads of one warp do this apart from others of it that have not met since",
        "bar.warp.sync before, or let thread 0 of the warp do it");
}

/* It says to others that what has been before is done. */
static bool tells(swp_ptx_kind kind)
{
    return (kind >= SWP_PTX_INIT && kind <= SWP_PTX_ARRIVE_EXPECT) || kind == SWP_PTX_BULK_LOAD ||
           kind == SWP_PTX_STORE_ASYNC || kind == SWP_PTX_REDUCE_ASYNC ||
           kind == SWP_PTX_BULK_STORE || kind == SWP_PTX_FENCE_PROXY || kind == SWP_PTX_BARRIER ||
           kind == SWP_PTX_BARRIER_ARRIVE || kind == SWP_PTX_WARP_BARRIER ||
           kind == SWP_PTX_CLUSTER_ARRIVE;
}

/* Who executes it knows more than the others behind it. */
static bool learns(swp_ptx_kind kind)
{
    return kind == SWP_PTX_INIT || kind == SWP_PTX_FENCE_PROXY || kind == SWP_PTX_WAIT ||
           kind == SWP_PTX_COPY_WAIT || kind == SWP_PTX_COPY_WAIT_ALL ||
           kind == SWP_PTX_BULK_WAIT || kind == SWP_PTX_BARRIER || kind == SWP_PTX_WARP_BARRIER ||
           kind == SWP_PTX_CLUSTER_WAIT;
}

static bool is_of_wgmma(swp_ptx_kind kind)
{
    return kind >= SWP_PTX_WGMMA && kind <= SWP_PTX_WGMMA_WAIT;
}

static void note_copies(swp_ptx_warp *warp, swp_ptx_kind kind, uint32_t lanes)
{
    warp->copiers[0] |= kind == SWP_PTX_COPY ? lanes : 0;
    warp->copiers[1] |= kind == SWP_PTX_BULK_STORE ? lanes : 0;
}

/* A group, or a wait, of some threads would be counted for the copies of others as well. */
static bool leaves_out_copies(const swp_ptx_warp *warp, swp_ptx_kind kind, uint32_t lanes)
{
    const bool of_copies = kind == SWP_PTX_COPY_ARRIVE ||
                           (kind >= SWP_PTX_COPY_COMMIT && kind <= SWP_PTX_COPY_WAIT_ALL);
    const bool of_stores = kind == SWP_PTX_BULK_COMMIT || kind == SWP_PTX_BULK_WAIT;
    return (of_copies && warp->copiers[0] & ~lanes) || (of_stores && warp->copiers[1] & ~lanes);
}

void swp_ptx_check_lanes(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const swp_ptx_kind kind = step->insn->kind;
    const uint32_t lanes = sharing(step->lanes);
    const bool all = (sharing(warp->alive) & ~lanes) == 0;
    if (!lanes)
        return;
    if (all &&
        (kind == SWP_PTX_BARRIER || kind == SWP_PTX_WARP_BARRIER || kind == SWP_PTX_CLUSTER_WAIT)) {
        warp->busy = warp->waiting = warp->ahead = 0;
        swp_ptx_order_lanes(step->run, step->warp);
        return;
    }
    /* Who has arrived and waited may be in order with others that have: what they access is not compared. */
    if (kind == SWP_PTX_WAIT || kind == SWP_PTX_BARRIER || kind == SWP_PTX_WARP_BARRIER)
        swp_ptx_order_lanes(step->run, step->warp);
    note_copies(warp, kind, lanes);
    if ((warp->ahead && lanes & ~warp->ahead) || leaves_out_copies(warp, kind, lanes) ||
        (!all && tells(kind) && (warp->busy | warp->waiting) & ~lanes))
        doubt(step);
    if (!all && learns(kind))
        warp->ahead = lanes;
    if (kind == SWP_PTX_WAIT)
        warp->waiting |= lanes;
    else if (!is_of_wgmma(kind))
        warp->busy |= lanes;
}

void swp_ptx_meet(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const uint32_t lanes = sharing(step->lanes);
    int *first = step->run->clocks[swp_ptx_chain(step->warp, 0)].at;
    int *others = step->run->clocks[swp_ptx_chain(step->warp, 1)].at;
    if ((sharing(warp->alive) & ~lanes) == 0)
        warp->waiting = 0;
    /* What others of the 31 have done is not known to have been. */
    if (swp_ptx_chains_of(step->lanes) != 3 || (warp->busy | warp->waiting) & ~lanes)
        return;
    for (int chain = 0; chain < SWP_PTX_MOST_CHAINS; chain++) {
        const int here = swp_ptx_executed(first, chain);
        const int there = swp_ptx_executed(others, chain);
        first[SWP_PTX_CLOCK_MET + chain] = others[SWP_PTX_CLOCK_MET + chain] =
            here > there ? here : there;
    }
}
