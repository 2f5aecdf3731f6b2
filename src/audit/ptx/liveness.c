/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a register is still read: a search along the ways from a place (liveness; Aho et al., "Compilers", 9.2). */
#include "audit/ptx/liveness.h"

typedef enum touch { READS, WRITES, LEAVES } touch;

static touch touch_of(const swp_ptx_module *module, const swp_ptx_insn *insn, int reg)
{
    touch how = LEAVES;
    if (insn->guard == reg || insn->kind == SWP_PTX_UNSUPPORTED)
        return READS;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = &module->operands.items[i];
        if (operand->atom != SWP_PTX_REGISTER || operand->reg != reg)
            continue;
        if (swp_ptx_is_source(insn, operand))
            return READS;
        how = insn->guard < 0 ? WRITES : how;
    }
    return how;
}

static void add(const swp_ptx_kernel *kernel, swp_ptx_ways *ways, int pc)
{
    if (pc >= kernel->end || ways->seen[pc])
        return;
    ways->seen[pc] = true;
    ways->items[ways->count++] = pc;
}

swp_status swp_ptx_make_ways(swp_context *ctx, const swp_ptx_kernel *kernel, swp_ptx_ways *out)
{
    out->count = 0;
    SWP_TRY(SWP_TAKE(ctx, (size_t)kernel->end + 1, &out->items));
    return SWP_TAKE(ctx, (size_t)kernel->end + 1, &out->seen);
}

static void go_on(const swp_ptx_module *module, const swp_ptx_kernel *kernel, swp_ptx_ways *ways,
                  int pc)
{
    const swp_ptx_insn *insn = &module->insns.items[pc];
    const bool jumps = insn->kind == SWP_PTX_BRANCH;
    if (jumps)
        add(kernel, ways, insn->target);
    if ((!jumps && insn->kind != SWP_PTX_EXIT) || insn->guard >= 0)
        add(kernel, ways, pc + 1);
}

bool swp_ptx_is_read_from(const swp_ptx_run *run, swp_ptx_ways *ways, int pc, int reg)
{
    const swp_ptx_module *module = run->module;
    bool is_read = false;
    ways->count = 0;
    add(run->kernel, ways, pc);
    for (int i = 0; i < ways->count && !is_read; i++) {
        const int at = ways->items[i];
        const swp_ptx_insn *insn = &module->insns.items[at];
        const touch how = touch_of(module, insn, reg);
        is_read = how == READS;
        if (how != WRITES)
            go_on(module, run->kernel, ways, at);
    }
    for (int i = 0; i < ways->count; i++)
        ways->seen[ways->items[i]] = false;
    return is_read;
}

static bool is_fence(const swp_ptx_insn *insn)
{
    return insn->kind == SWP_PTX_NOTHING && !swp_ptx_has(insn->name, "proxy") &&
           (swp_code_slice_starts(insn->name, "fence.") ||
            swp_code_slice_starts(insn->name, "membar"));
}

swp_status swp_ptx_find_behind_fences(swp_context *ctx, const swp_ptx_module *module,
                                      swp_ptx_kernel *kernel)
{
    swp_ptx_ways ways;
    SWP_TRY(swp_ptx_make_ways(ctx, kernel, &ways));
    for (int i = kernel->first; i < kernel->end; i++)
        if (is_fence(&module->insns.items[i]))
            go_on(module, kernel, &ways, i);
    for (int i = 0; i < ways.count; i++)
        go_on(module, kernel, &ways, ways.items[i]);
    kernel->behind_fences = ways.seen;
    return SWP_OK;
}
