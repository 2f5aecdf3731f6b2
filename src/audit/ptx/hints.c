/* SPDX-License-Identifier: Apache-2.0 */
/* What puts two accesses in order that nothing does, or lacks a fence: which instruction is to be inserted, and where. */
#include "audit/ptx/report.h"

static bool is_one_warp(const swp_ptx_finding *found)
{
    const uint32_t warps = found->of_at.warps;
    return warps && warps == found->of_other.warps && !(warps & (warps - 1));
}

/* Who has done the first one waits until it is done: by what, and in which threads; false: it is done as soon as it is executed. */
static bool add_completion(swp_text *text, const swp_ptx_finding *found, swp_ptx_kind kind)
{
    const bool copies = kind == SWP_PTX_COPY;
    const bool stores = kind == SWP_PTX_BULK_STORE;
    if (!copies && !stores && kind != SWP_PTX_WGMMA)
        return false;
    swp_text_format(text, "%s",
                    copies   ? "cp.async.wait_group"
                    : stores ? "cp.async.bulk.wait_group.read"
                             : "wgmma.wait_group");
    if (found->groups > 0)
        swp_text_format(text, " %d, or less", found->groups);
    else if (found->groups == 0)
        swp_text_format(text, " 0");
    else
        swp_text_format(text, " 0, behind a commit of its group");
    swp_text_format(
        text, "%s",
        copies   ? ", in the threads that have copied, then bar.sync (__syncthreads()) for all"
        : stores ? ", in the thread that has issued it, then a barrier or an arrival that the "
                   "other one waits for"
                 : ", then a barrier or an arrival that the other one waits for");
    return true;
}

static void add_place(swp_text *text, int first, int second)
{
    if (first < second)
        swp_text_format(text, "between lines %d and %d: ", first, second);
    else if (first > second)
        swp_text_format(text, "behind line %d, before line %d of the next pass: ", first, second);
    else
        swp_text_format(text, "between line %d and the same line of the next pass: ", first);
}

/* Lanes that read, and another one that tells of it. */
static bool is_told_by_another(const swp_ptx_finding *found)
{
    return found->of_other.warps && !(found->of_other.chains & 1);
}

/* A copy is right behind a read that is to see what was there before. */
static void add_other_way(swp_text *text, const swp_ptx_insn *first, const swp_ptx_insn *second)
{
    const bool copies = first->kind == SWP_PTX_COPY || first->kind == SWP_PTX_BULK_LOAD;
    const bool reads = second->kind == SWP_PTX_LOAD || second->kind == SWP_PTX_LDMATRIX ||
                       second->kind == SWP_PTX_WGMMA || second->kind == SWP_PTX_BULK_STORE;
    if (copies && reads)
        swp_text_format(text,
                        "; if line %d is to read what was there before the copy, line %d belongs "
                        "behind it and a barrier instead",
                        second->line, first->line);
}

static void add_order(swp_text *text, const swp_ptx_finding *found, const swp_ptx_insn *first,
                      const swp_ptx_insn *second)
{
    add_place(text, first->line, second->line);
    if (first->kind == SWP_PTX_BULK_LOAD) {
        swp_text_format(text, "a wait for the phase of the copy's mbarrier (mbarrier.try_wait), in "
                              "the threads of the other one");
        add_other_way(text, first, second);
    } else if (add_completion(text, found, first->kind))
        add_other_way(text, first, second);
    else if (second->kind == SWP_PTX_BULK_LOAD && is_told_by_another(found))
        swp_text_format(text, "__syncwarp() (bar.warp.sync) before lane 0 of the warp arrives, or "
                              "a barrier that the thread which copies meets, too");
    else if (second->kind == SWP_PTX_BULK_LOAD)
        swp_text_format(text, "mbarrier.arrive by each of these threads, on an mbarrier that the "
                              "thread which copies waits for; or a barrier");
    else if (is_one_warp(found))
        swp_text_format(text, "__syncwarp() (bar.warp.sync)");
    else
        swp_text_format(text, "__syncthreads() (bar.sync)");
}

static void add_fence(swp_text *text, const swp_ptx_finding *found, const swp_ptx_insn *first)
{
    const bool reads = first->kind == SWP_PTX_LOAD || first->kind == SWP_PTX_LDMATRIX;
    if (first->kind == SWP_PTX_COPY)
        swp_text_format(text, "behind the wait for what line %d copies, ", first->line);
    else
        swp_text_format(text, "behind line %d, ", first->line);
    swp_text_format(text, "before the barrier or the arrival that tells of it: "
                          "fence.proxy.async.shared::cta");
    if (found->kind == SWP_FENCE_PLACE)
        swp_text_format(text, "; --set audit.fence_anywhere=true takes it for enough where it "
                              "stands");
    else if (reads)
        swp_text_format(text, "; --set machine.fence_reads=false asks for none between reads and "
                              "copies");
}

swp_status swp_ptx_write_hint(swp_context *ctx, const swp_ptx_module *module,
                              const swp_ptx_finding *found, const char **out)
{
    swp_text text = {.ctx = ctx};
    char *hint = NULL;
    if (found->hint) {
        *out = found->hint;
        return SWP_OK;
    }
    const swp_ptx_insn *first = &module->insns.items[found->other];
    if (swp_ptx_is_race(found->kind))
        add_order(&text, found, first, &module->insns.items[found->at]);
    else
        add_fence(&text, found, first);
    SWP_TRY(swp_text_end(&text, &hint, NULL));
    *out = hint;
    return SWP_OK;
}
