/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches that memory decides, where it does not matter: whichever way is taken, nothing orders threads until both ways have
 * met again. What may be written in between is unknown behind it.
 */
#include "audit/ptx/order.h"
#include "audit/ptx/regions.h"

static void forget(const swp_ptx_step *step, const swp_ptx_region *r)
{
    const swp_ptx_value *guard = &step->run->warps[step->warp].registers[step->insn->guard].value;
    const swp_ptx_sources depends = guard->state == SWP_PTX_UNKNOWN ? guard->depends : SWP_PTX_DATA;
    swp_ptx_step skipped = *step;
    step->run->steps += r->count;
    for (int i = 0; i < r->count; i++) {
        skipped.number = r->items[i];
        skipped.insn = &step->run->module->insns.items[r->items[i]];
        swp_ptx_watch_registers(&skipped);
        if (swp_ptx_loads_flag(skipped.insn))
            swp_ptx_note_flag(step->run, step->warp, step->lanes, skipped.number);
        swp_ptx_forget_results(&skipped, depends);
    }
}

static void go_to(const swp_ptx_step *step, int end)
{
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1)
            step->run->warps[step->warp].pc[lane] = end;
}

/* A loop that orders nothing and that is left by this branch alone, which goes back: it matters not how often. */
bool swp_ptx_skip_loop(const swp_ptx_step *step)
{
    const swp_ptx_insn *insns = step->run->module->insns.items;
    const int first = step->insn->target;
    swp_ptx_region r = {.module = step->run->module, .kernel = step->run->kernel};
    bool good = step->insn->guard >= 0 && first <= step->number &&
                step->number - first < SWP_PTX_MOST_SKIPPED;
    for (int i = first; i <= step->number && good; i++) {
        good = swp_ptx_is_harmless(&r, i) &&
               (insns[i].kind != SWP_PTX_BRANCH ||
                (insns[i].target >= first && insns[i].target <= step->number));
        r.items[r.count++] = i;
    }
    if (good) {
        forget(step, &r);
        go_to(step, step->number + 1);
    }
    return good;
}

bool swp_ptx_skip_ways(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    swp_ptx_region r = {.module = run->module, .kernel = run->kernel};
    if (!run->marks && run->status == SWP_OK)
        run->status = SWP_TAKE(run->ctx, (size_t)run->kernel->end + 1, &run->marks);
    r.marks = run->marks;
    const int end = run->marks ? swp_ptx_find_join(&r, step->number) : -1;
    if (end < 0)
        return false;
    forget(step, &r);
    go_to(step, end);
    return true;
}
