/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameter an address is in, as far as the text alone says it: where moves made it of the parameter's own address. */
#include "audit/ptx/launch.h"

#include <inttypes.h>

enum { MOST_MOVES = 8 };

const swp_ptx_insn *swp_ptx_writer_of(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                                      int reg)
{
    const swp_ptx_insn *found = NULL;
    for (int i = kernel->first; i < kernel->end; i++) {
        const swp_ptx_insn *insn = &module->insns.items[i];
        for (int o = insn->first; o < insn->end; o++) {
            const swp_ptx_operand *operand = &module->operands.items[o];
            if (!swp_ptx_is_result(insn, operand) || operand->reg != reg)
                continue;
            if (found)
                return NULL;
            found = insn;
        }
    }
    return found;
}

swp_ptx_param_place swp_ptx_place_of(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                                     const swp_ptx_operand *operand)
{
    swp_ptx_param_place at = {SWP_PTX_COMPUTED, 0};
    for (int i = 0; operand && i < MOST_MOVES; i++) {
        at.byte += operand->value;
        if (operand->atom == SWP_PTX_PARAM)
            at.param = operand->reg;
        if (operand->atom != SWP_PTX_REGISTER)
            return at;
        const swp_ptx_insn *insn = swp_ptx_writer_of(module, kernel, operand->reg);
        if (insn && insn->kind == SWP_PTX_LOAD_PARAM)
            at.param = SWP_PTX_LOADED;
        operand = insn && insn->kind == SWP_PTX_MOVE ? swp_ptx_operand_of(module, insn, 1) : NULL;
    }
    return at;
}

void swp_ptx_name_param(swp_text *text, int param, int64_t byte)
{
    swp_text_format(text, "parameter %d", param);
    if (byte)
        swp_text_format(text, " at byte %" PRId64, byte);
}
