/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a register's numbers are the code's own: constants, and what is computed from those alone. */
#include "audit/ptx/execute.h"

enum { UNTOLD, CONSTANT, NOT_CONSTANT };

/* A predicate chooses which of two numbers it is. */
static bool is_number(const swp_ptx_insn *insn, const swp_ptx_operand *operand)
{
    return operand->group > 0 && (insn->kind != SWP_PTX_SELP || operand->group < 3);
}

static bool writes(const swp_ptx_module *module, const swp_ptx_insn *insn, const bool *wanted)
{
    bool found = false;
    for (int o = insn->first; o < insn->end; o++) {
        const swp_ptx_operand *operand = &module->operands.items[o];
        found |= swp_ptx_is_result(insn, operand) && wanted[operand->reg];
    }
    return found;
}

/* Adds what an instruction computes from; false: that is not of the code. */
static bool add_sources(const swp_ptx_module *module, const swp_ptx_insn *insn, bool *wanted,
                        bool *grows)
{
    bool own = insn->kind > SWP_PTX_NOTHING && insn->kind < SWP_PTX_SHUFFLE;
    for (int o = insn->first; o < insn->end && own; o++) {
        const swp_ptx_operand *operand = &module->operands.items[o];
        if (!is_number(insn, operand))
            continue;
        own = operand->atom == SWP_PTX_NUMBER || operand->atom == SWP_PTX_REGISTER;
        if (own && operand->atom == SWP_PTX_REGISTER && !wanted[operand->reg])
            *grows = wanted[operand->reg] = true;
    }
    return own;
}

static swp_status trace(const swp_ptx_run *run, int reg, bool *own)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    bool *wanted = NULL;
    bool grows = true;
    SWP_TRY(SWP_TAKE(run->ctx, (size_t)run->kernel->registers + 1, &wanted));
    wanted[reg] = *own = true;
    while (grows && *own) {
        grows = false;
        for (int i = run->kernel->first; i < run->kernel->end && *own; i++)
            if (writes(run->module, &insns[i], wanted))
                *own = add_sources(run->module, &insns[i], wanted, &grows);
    }
    return SWP_OK;
}

swp_status swp_ptx_has_constant_sources(const swp_ptx_run *run, const swp_ptx_operand *operand,
                                        bool *own)
{
    swp_ptx_equations *equations = run->equations;
    *own = operand->atom == SWP_PTX_NUMBER;
    if (operand->atom != SWP_PTX_REGISTER)
        return SWP_OK;
    if (!equations->constants)
        SWP_TRY(SWP_TAKE(run->outer, (size_t)run->kernel->registers + 1, &equations->constants));
    if (equations->constants[operand->reg] == UNTOLD) {
        SWP_TRY(trace(run, operand->reg, own));
        equations->constants[operand->reg] = *own ? CONSTANT : NOT_CONSTANT;
    }
    *own = equations->constants[operand->reg] == CONSTANT;
    return SWP_OK;
}
