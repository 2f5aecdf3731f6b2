/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches that memory decides, where it does not matter: whichever way is taken, nothing orders threads until both ways have
 * met again. What may be written in between is unknown behind it.
 */
#include "audit/ptx/execute.h"
#include "audit/ptx/order.h"

enum {
    MOST_SKIPPED = 1 << 12, /* instructions */
    MOST_TURNS = 64         /* unconditional branches on a way to where both meet */
};

/* The instructions that may be executed between a branch and where its ways meet. */
typedef struct region {
    int items[MOST_SKIPPED];
    int count;
} region;

static bool accesses_global(const swp_ptx_insn *insn)
{
    return (insn->kind == SWP_PTX_LOAD || insn->kind == SWP_PTX_STORE ||
            insn->kind == SWP_PTX_ATOMIC) &&
           swp_ptx_has(insn->name, "global");
}

static bool is_harmless(const swp_ptx_insn *insn)
{
    return insn->kind <= SWP_PTX_BRANCH || accesses_global(insn);
}

/* Adds an instruction, unless both ways have met there or it is one already; false: what it does matters, or it is too much. */
static bool add(const swp_ptx_run *run, region *r, int number, int end, int branch)
{
    if (number == end || run->marks[number])
        return true;
    if (number == branch || number >= run->kernel->end || r->count == MOST_SKIPPED ||
        !is_harmless(&run->module->insns.items[number]))
        return false;
    run->marks[number] = true;
    r->items[r->count++] = number;
    return true;
}

/* All that may be executed from a branch to an end; false: some of it matters, or does not come there. */
static bool find_region(const swp_ptx_run *run, int branch, int end, region *r)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    bool good = true;
    r->count = 0;
    good = add(run, r, branch + 1, end, branch) && add(run, r, insns[branch].target, end, branch);
    for (int i = 0; i < r->count && good; i++) {
        const swp_ptx_insn *insn = &insns[r->items[i]];
        const bool branches = insn->kind == SWP_PTX_BRANCH;
        if (branches)
            good = add(run, r, insn->target, end, branch);
        if (good && (!branches || insn->guard >= 0))
            good = add(run, r, r->items[i] + 1, end, branch);
    }
    for (int i = 0; i < r->count; i++)
        run->marks[r->items[i]] = false;
    return good;
}

/* Follows a way to its next label that a branch leads to, or that it runs into; -1: there is none. */
static int next_stop(const swp_ptx_run *run, int from)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    for (int i = from; i < run->kernel->end && i < from + MOST_SKIPPED; i++) {
        if (insns[i].kind == SWP_PTX_BRANCH && insns[i].guard < 0)
            return insns[i].target;
        if (!is_harmless(&insns[i]))
            return i;
    }
    return -1;
}

/* Where the ways of a branch meet: the target, or the end of a way that goes round what the other one does. */
static int find_end(const swp_ptx_run *run, int branch, region *r)
{
    int stop[2] = {branch + 1, run->module->insns.items[branch].target};
    if (find_region(run, branch, stop[1], r))
        return stop[1];
    for (int i = 0; i < MOST_TURNS && (stop[0] >= 0 || stop[1] >= 0); i++)
        for (int way = 0; way < 2; way++) {
            stop[way] = stop[way] >= 0 ? next_stop(run, stop[way]) : -1;
            if (stop[way] >= 0 && stop[way] != branch && find_region(run, branch, stop[way], r))
                return stop[way];
        }
    return -1;
}

static void forget(const swp_ptx_step *step, const region *r)
{
    const swp_ptx_value *guard = &step->run->warps[step->warp].registers[step->insn->guard].value;
    const uint32_t depends = guard->state == SWP_PTX_UNKNOWN ? guard->depends : SWP_PTX_DATA;
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
    region r = {.count = 0};
    bool good =
        step->insn->guard >= 0 && first <= step->number && step->number - first < MOST_SKIPPED;
    for (int i = first; i <= step->number && good; i++) {
        good = is_harmless(&insns[i]) &&
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
    region r;
    if (!run->marks && run->status == SWP_OK)
        run->status = SWP_TAKE(run->ctx, (size_t)run->kernel->end + 1, &run->marks);
    const int end = run->marks ? find_end(run, step->number, &r) : -1;
    if (end < 0)
        return false;
    forget(step, &r);
    go_to(step, end);
    return true;
}
