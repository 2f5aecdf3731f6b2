/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of a few vector registers, each with what it varies with. */
#include "audit/flow/spilled_scalars.h"

#include "audit/flow/value_ops.h"

static int find(const swp_registers *registers, int number)
{
    for (int i = 0; i < SWP_SPILL_REGISTERS; i++)
        if (registers->spilled[i].number == number)
            return i;
    return -1;
}

void swp_flow_spilled_forget(swp_registers *registers, int number)
{
    const int at = find(registers, number);
    if (number && at >= 0)
        registers->spilled[at].number = 0;
}

void swp_flow_spilled_forget_all(swp_registers *registers)
{
    for (int i = 0; i < SWP_SPILL_REGISTERS; i++)
        registers->spilled[i].number = 0;
}

/* The lane that the last operand names; -1: none that is written out. */
static int lane_of(const swp_insn *insn)
{
    const swp_operand *lane = &insn->operands[2];
    return insn->operand_count == 3 && lane->kind == SWP_OPERAND_NUMBER
               ? (int)(lane->number % SWP_WAVE)
               : -1;
}

swp_spilled_scalars swp_flow_spilled_written(const swp_execution *m)
{
    const swp_insn *insn = m->insn;
    const int number = insn->operands[0].first;
    const int at = find(m->registers, number);
    const int lane = lane_of(insn);
    const swp_operand *scalar = &insn->operands[1];
    swp_spilled_scalars spilled = {0};
    if (insn->value != SWP_VALUE_WRITE_LANE || lane < 0)
        return spilled;
    if (at >= 0)
        spilled = m->registers->spilled[at];
    else
        for (int l = 0; l < SWP_WAVE; l++)
            spilled.varying[l] = m->registers->varying[number];
    spilled.number = (int16_t)number;
    spilled.varying[lane] =
        scalar->kind == SWP_OPERAND_REGISTERS ? m->registers->varying[scalar->first] : 0;
    return spilled;
}

void swp_flow_spilled_keep(swp_registers *registers, const swp_spilled_scalars *spilled)
{
    const int at = find(registers, 0);
    if (spilled->number && at >= 0)
        registers->spilled[at] = *spilled;
}

bool swp_flow_spilled_read(const swp_execution *m, unsigned *varies)
{
    const swp_insn *insn = m->insn;
    const int lane = lane_of(insn);
    if (insn->value != SWP_VALUE_READ_LANE || lane < 0 ||
        insn->operands[1].kind != SWP_OPERAND_REGISTERS)
        return false;
    const int at = find(m->registers, insn->operands[1].first);
    if (at < 0)
        return false;
    *varies = m->registers->spilled[at].varying[lane];
    return true;
}

bool swp_flow_spilled_join(swp_registers *into, const swp_registers *from)
{
    bool less = false;
    for (int i = 0; i < SWP_SPILL_REGISTERS; i++) {
        swp_spilled_scalars *spilled = &into->spilled[i];
        const int at = spilled->number ? find(from, spilled->number) : -1;
        if (!spilled->number)
            continue;
        if (at < 0) {
            spilled->number = 0;
            less = true;
        }
        for (int l = 0; l < SWP_WAVE && at >= 0; l++) {
            less |= (from->spilled[at].varying[l] & ~spilled->varying[l]) != 0;
            spilled->varying[l] |= from->spilled[at].varying[l];
        }
    }
    return less;
}
