/* SPDX-License-Identifier: Apache-2.0 */
/* What may be executed between a branch and where its ways meet, if it orders nothing but by a wait that asks again. */
#include "audit/ptx/regions.h"

#include "base/names.h"

enum { MOST_TURNS = 64 /* unconditional branches on a way to where both meet */ };

/* An ordinary access that names its space, or whose address is computed from no shared variable's. */
static bool accesses_global(const swp_ptx_region *r, const swp_ptx_insn *insn)
{
    static const char *const others[] = {"shared", "shared::cta", "shared::cluster",
                                         "local",  "const",       "param"};
    bool other = insn->kind < SWP_PTX_LOAD || insn->kind > SWP_PTX_ATOMIC;
    for (size_t i = 0; i < SWP_COUNT_OF(others) && !other; i++)
        other = swp_ptx_has(insn->name, others[i]);
    return !other && (swp_ptx_has(insn->name, "global") ||
                      !swp_ptx_may_name_shared(r->module, r->kernel, insn));
}

bool swp_ptx_is_harmless(const swp_ptx_region *r, int number)
{
    const swp_ptx_insn *insn = &r->module->insns.items[number];
    return insn->kind <= SWP_PTX_BRANCH || accesses_global(r, insn) ||
           (r->takes_waits && insn->kind == SWP_PTX_WAIT && insn->guard < 0);
}

/* Adds an instruction, unless both ways have met there or it is one already; false: what it does matters, or it is too much. */
static bool add(swp_ptx_region *r, int number, int end, int branch)
{
    if (number == end || r->marks[number])
        return true;
    if (number == branch || number >= r->kernel->end || r->count == SWP_PTX_MOST_SKIPPED ||
        !swp_ptx_is_harmless(r, number))
        return false;
    r->marks[number] = true;
    r->items[r->count++] = number;
    return true;
}

/* All that may be executed from a branch to an end; false: some of it matters, or does not come there. */
static bool find_region(swp_ptx_region *r, int branch, int end)
{
    const swp_ptx_insn *insns = r->module->insns.items;
    bool good = true;
    r->count = 0;
    good = add(r, branch + 1, end, branch) && add(r, insns[branch].target, end, branch);
    for (int i = 0; i < r->count && good; i++) {
        const swp_ptx_insn *insn = &insns[r->items[i]];
        const bool branches = insn->kind == SWP_PTX_BRANCH;
        if (branches)
            good = add(r, insn->target, end, branch);
        if (good && (!branches || insn->guard >= 0))
            good = add(r, r->items[i] + 1, end, branch);
    }
    for (int i = 0; i < r->count; i++)
        r->marks[r->items[i]] = false;
    return good;
}

/* Follows a way to its next label that a branch leads to, or that it runs into; -1: there is none. */
static int next_stop(const swp_ptx_region *r, int from)
{
    const swp_ptx_insn *insns = r->module->insns.items;
    for (int i = from; i < r->kernel->end && i < from + SWP_PTX_MOST_SKIPPED; i++) {
        if (insns[i].kind == SWP_PTX_BRANCH && insns[i].guard < 0)
            return insns[i].target;
        if (!swp_ptx_is_harmless(r, i))
            return i;
    }
    return -1;
}

int swp_ptx_find_join(swp_ptx_region *r, int branch)
{
    int stop[2] = {branch + 1, r->module->insns.items[branch].target};
    if (find_region(r, branch, stop[1]))
        return stop[1];
    for (int i = 0; i < MOST_TURNS && (stop[0] >= 0 || stop[1] >= 0); i++)
        for (int way = 0; way < 2; way++) {
            stop[way] = stop[way] >= 0 ? next_stop(r, stop[way]) : -1;
            if (stop[way] >= 0 && stop[way] != branch && find_region(r, branch, stop[way]))
                return stop[way];
        }
    return -1;
}
