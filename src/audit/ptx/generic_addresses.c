/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which registers may hold a generic address of shared memory: those that `cvta.shared` writes, and what is computed from them. Where
 * one is stored, as on a thread's stack, so may each that memory is loaded to. It is asked of accesses on ways that no run follows
 * (skip.c); in runs values say it themselves.
 */
#include "audit/ptx/execute.h"

#include "audit/code/insn.h"

static bool makes_address(const swp_ptx_insn *insn)
{
    return swp_code_slice_starts(insn->name, "cvta.shared");
}

static bool reads_any(const swp_ptx_module *module, const swp_ptx_insn *insn, const bool *marked)
{
    bool reads = false;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = &module->operands.items[i];
        reads |= operand->group > 0 && operand->atom == SWP_PTX_REGISTER && marked[operand->reg];
    }
    return reads;
}

static bool mark_results(const swp_ptx_module *module, const swp_ptx_insn *insn, bool *marked)
{
    bool grows = false;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = &module->operands.items[i];
        if (!swp_ptx_is_result(insn, operand) || marked[operand->reg])
            continue;
        grows = marked[operand->reg] = true;
    }
    return grows;
}

static bool stores_any(const swp_ptx_module *module, const swp_ptx_insn *insn, const bool *marked)
{
    bool stores = false;
    for (int i = insn->first; i < insn->end && insn->kind == SWP_PTX_STORE; i++) {
        const swp_ptx_operand *operand = &module->operands.items[i];
        stores |= !operand->address && operand->atom == SWP_PTX_REGISTER && marked[operand->reg];
    }
    return stores;
}

swp_status swp_ptx_find_shared_addresses(swp_context *ctx, const swp_ptx_module *module,
                                         swp_ptx_kernel *kernel)
{
    bool *marked = NULL;
    bool grows = true;
    bool stored = false;
    SWP_TRY(SWP_TAKE(ctx, (size_t)kernel->registers + 1, &marked));
    while (grows) {
        grows = false;
        for (int i = kernel->first; i < kernel->end; i++) {
            const swp_ptx_insn *insn = &module->insns.items[i];
            const bool computes = insn->has_results && insn->kind < SWP_PTX_BRANCH;
            stored |= stores_any(module, insn, marked);
            if ((computes && (makes_address(insn) || reads_any(module, insn, marked))) ||
                (stored && insn->kind == SWP_PTX_LOAD))
                grows |= mark_results(module, insn, marked);
        }
    }
    kernel->shared_addresses = marked;
    kernel->stores_addresses = stored;
    return SWP_OK;
}

bool swp_ptx_may_name_shared(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                             const swp_ptx_insn *insn)
{
    bool may = false;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = &module->operands.items[i];
        may |=
            operand->address && (!kernel->shared_addresses || operand->atom != SWP_PTX_REGISTER ||
                                 kernel->shared_addresses[operand->reg]);
    }
    return may;
}
