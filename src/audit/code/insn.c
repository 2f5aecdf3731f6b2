/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of what kinds of instructions and atomics do, and the names of registers. */
#include "audit/code/insn.h"

#include <stdio.h>
#include <string.h>

static const swp_insn_traits traits[] = {
#define ROW(kind, vm, lgkm, in_order, reads_lds, writes_lds, meaning)                              \
    {{vm, lgkm}, in_order, reads_lds, writes_lds, meaning},
    SWP_INSN_KINDS(ROW)
#undef ROW
};

const swp_insn_traits *swp_code_insn_traits_of(swp_insn_kind kind)
{
    return &traits[kind];
}

static const swp_atomic_traits atomics[] = {
#define ROW(atomic, commutes, bitwise) {commutes, bitwise},
    SWP_ATOMICS(ROW)
#undef ROW
};

const swp_atomic_traits *swp_code_atomic_traits_of(swp_atomic atomic)
{
    return &atomics[atomic];
}

const char *swp_code_counter_name(int counter)
{
    return counter == SWP_AUDIT_VM ? "vmcnt" : "lgkmcnt";
}

bool swp_code_reg_is_scalar(int number)
{
    return number < SWP_REG_VECTOR || number == SWP_REG_SCC;
}

swp_operand swp_code_spilled_by(const swp_insn *insn)
{
    const bool may_be_private = insn->kind == SWP_INSN_FLAT_STORE ||
                                insn->kind == SWP_INSN_FLAT_ATOMIC ||
                                ((insn->kind == SWP_INSN_STORE || insn->kind == SWP_INSN_ATOMIC) &&
                                 insn->implied.count && !insn->spills_beyond);
    if (insn->kind == SWP_INSN_STORE && insn->spilled.count)
        return insn->spilled;
    return (swp_operand){.kind = may_be_private ? SWP_OPERAND_REGISTERS : SWP_OPERAND_NONE,
                         .first = SWP_REG_SPILLED,
                         .count = may_be_private ? SWP_MOST_SPILLED : 0};
}

bool swp_code_accesses_lds(const swp_insn *insn)
{
    return insn->lds.parts > 0;
}

static const char *scalar_name(int first, int count)
{
    switch (first) {
    case SWP_REG_VCC:
        return count == 2 ? "vcc" : "vcc_lo";
    case SWP_REG_VCC + 1:
        return "vcc_hi";
    case SWP_REG_M0:
        return "m0";
    case SWP_REG_EXEC:
        return count == 2 ? "exec" : "exec_lo";
    case SWP_REG_EXEC + 1:
        return "exec_hi";
    case SWP_REG_SCC:
        return "scc";
    default:
        return NULL;
    }
}

const char *swp_code_reg_name(int first, int count, char buffer[SWP_REG_NAME_SIZE])
{
    const char *fixed = scalar_name(first, count);
    const char *bank = "s";
    if (fixed) {
        (void)snprintf(buffer, SWP_REG_NAME_SIZE, "%s", fixed);
        return buffer;
    }
    if (first >= SWP_REG_ACCUMULATOR) {
        bank = "a";
        first -= SWP_REG_ACCUMULATOR;
    } else if (first >= SWP_REG_VECTOR) {
        bank = "v";
        first -= SWP_REG_VECTOR;
    }
    if (count == 1)
        (void)snprintf(buffer, SWP_REG_NAME_SIZE, "%s%d", bank, first);
    else
        (void)snprintf(buffer, SWP_REG_NAME_SIZE, "%s[%d:%d]", bank, first, first + count - 1);
    return buffer;
}

swp_insn swp_code_insn_new(int line, swp_slice text)
{
    return (swp_insn){.line = line,
                      .text = text,
                      .kind = SWP_INSN_UNKNOWN,
                      .lds.address = -1,
                      .waits = {SWP_NO_WAIT, SWP_NO_WAIT},
                      .target = SWP_NO_TARGET};
}

swp_status swp_code_copy_printable(swp_context *ctx, swp_slice text, const char **out)
{
    char *copy = NULL;
    SWP_TRY(swp_copy_text(ctx, text.start, text.length, &copy));
    for (char *tab = strchr(copy, '\t'); tab; tab = strchr(tab, '\t'))
        *tab = ' ';
    return swp_format(ctx, (char **)out, "%s", copy);
}

swp_status swp_code_copy_printable_name(swp_context *ctx, const char *name, const char **out)
{
    return swp_code_copy_printable(ctx, (swp_slice){name, strlen(name)}, out);
}
