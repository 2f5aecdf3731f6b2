/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bits of the thread's number a result depends on: threads that differ in other bits only, and run
 * the same instruction, get the same. Of whole waves that is divergence analysis; B. Coutinho, D. Sampaio,
 * F. M. Q. Pereira and W. Meira, "Divergence Analysis and Optimizations".
 *
 * What waves read from one LDS address at one point of a program is the same: a write between the two
 * reads would conflict with one of them, and is reported as that. It takes that they are at that point
 * between the same two barriers.
 */
#include "audit/flow/variation.h"

#include "audit/flow/spilled_scalars.h"

static unsigned operand_varies(const swp_registers *registers, const swp_operand *operand)
{
    unsigned varies = 0;
    if (operand->kind != SWP_OPERAND_REGISTERS)
        return 0;
    for (int i = operand->first; i < operand->first + operand->count; i++)
        varies |= registers->varying[i];
    return varies;
}

static unsigned exec_varies(const swp_registers *registers)
{
    return registers->varying[SWP_REG_EXEC] | registers->varying[SWP_REG_EXEC + 1];
}

static unsigned operands_vary(const swp_execution *m)
{
    unsigned varies = operand_varies(m->registers, &m->insn->implied);
    for (int i = m->insn->reads_destination ? 0 : m->insn->destinations; i < m->insn->operand_count;
         i++)
        varies |= operand_varies(m->registers, &m->insn->operands[i]);
    return varies;
}

/* Of waves also the lanes that are on. */
static unsigned computation_varies(const swp_execution *m)
{
    const bool reads_exec = m->insn->kind == SWP_INSN_VECTOR || m->insn->writes_exec;
    const bool mixes_lanes = m->insn->by_lane || m->insn->modified;
    unsigned varies = operands_vary(m) | (reads_exec ? exec_varies(m->registers) : 0);
    varies |= m->insn->reads_scc ? m->registers->varying[SWP_REG_SCC] : 0;
    return varies | (mixes_lanes ? SWP_VARIES_BY_LANE : 0);
}

unsigned swp_flow_half_varies(const swp_execution *m, int half)
{
    const swp_insn *insn = m->insn;
    unsigned varies = m->registers->varying[SWP_REG_EXEC] | m->registers->varying[SWP_REG_EXEC + 1];
    for (int i = 0; i + insn->destinations < insn->operand_count; i++) {
        swp_operand source = insn->operands[i + insn->destinations];
        if (!(insn->half_sources[half] >> i & 1U))
            continue;
        if (source.kind == SWP_OPERAND_REGISTERS && source.count == 2) {
            source.first = (int16_t)(source.first + (insn->half_words[half] >> i & 1));
            source.count = 1;
        }
        varies |= operand_varies(m->registers, &source);
    }
    return varies | (insn->by_lane || insn->modified ? SWP_VARIES_BY_LANE : 0);
}

/* --- loads --- */

/* Whether an operand is the address that a kernel is given, whole. */
static bool is_given(const swp_execution *m, const swp_operand *operand, int event)
{
    if (operand->kind != SWP_OPERAND_REGISTERS || operand->count != 2)
        return false;
    const swp_value *low = &m->values->items[m->registers->values[operand->first]];
    const swp_value *high = &m->values->items[m->registers->values[operand->first + 1]];
    return low->event == event && high->event == event && high->part == low->part + 1 &&
           low->part % 2 == 0;
}

/* Waves that load from one address load the same, unless memory changes meanwhile. */
static unsigned scalar_load_varies(const swp_execution *m)
{
    const swp_operand *base = &m->insn->operands[m->insn->destinations];
    const bool presumed = is_given(m, base, SWP_EVENT_PRESUMED);
    unsigned varies = 0;
    for (int i = m->insn->destinations; i < m->insn->operand_count; i++)
        if (!presumed || i > m->insn->destinations)
            varies |= operand_varies(m->registers, &m->insn->operands[i]);
    if (presumed)
        return varies | SWP_VARIES_WITH_ARGUMENTS;
    return is_given(m, base, SWP_EVENT_CONSTANTS) ? varies : varies | SWP_VARIES_WITH_MEMORY;
}

/* A resource whose last word has this bit adds the lane's number to an address. */
static bool adds_lanes(const swp_execution *m, const swp_operand *operand)
{
    enum { RESOURCE = 4, ADD_THREAD_ID = 1U << 23U };
    if (operand->kind != SWP_OPERAND_REGISTERS || operand->count != RESOURCE ||
        !swp_code_reg_is_scalar(operand->first))
        return false;
    for (int t = 0; t < m->values->threads; t += SWP_WAVE) {
        const swp_bits last =
            swp_flow_values_bits(m->values, m->registers->values[operand->first + RESOURCE - 1], t);
        if ((last.word | last.unknown) & ADD_THREAD_ID)
            return true;
    }
    return false;
}

/* Private memory is each thread's own. */
static unsigned vector_load_varies(const swp_execution *m)
{
    unsigned varies = operands_vary(m) | SWP_VARIES_WITH_MEMORY;
    if (m->insn->implied.count)
        return SWP_VARIES;
    for (int i = m->insn->destinations; i < m->insn->operand_count; i++)
        varies |= adds_lanes(m, &m->insn->operands[i]) ? SWP_VARIES : 0;
    return varies;
}

static unsigned lds_read_varies(const swp_execution *m)
{
    const bool by_lane = m->insn->by_lane || m->insn->lds.lane_stride;
    unsigned varies = operands_vary(m) | (by_lane ? SWP_VARIES_BY_LANE : 0);
    if (m->insn->lds.address < 0 || m->values->reads_differ)
        return SWP_VARIES;
    return varies | m->registers->varying[m->insn->lds.address];
}

unsigned swp_flow_result_varies(const swp_execution *m)
{
    unsigned varies = 0;
    if (m->insn->differs)
        return SWP_VARIES;
    if (swp_flow_spilled_read(m, &varies))
        return varies;
    switch (m->insn->kind) {
    case SWP_INSN_SCALAR:
    case SWP_INSN_VECTOR:
        return computation_varies(m);
    case SWP_INSN_SCALAR_LOAD:
        return scalar_load_varies(m);
    case SWP_INSN_LOAD:
        return vector_load_varies(m);
    case SWP_INSN_LDS_READ:
        return lds_read_varies(m);
    case SWP_INSN_MATRIX:
    case SWP_INSN_LDS_SHUFFLE:
        return operands_vary(m) | exec_varies(m->registers) | SWP_VARIES_BY_LANE;
    default:
        return SWP_VARIES;
    }
}

/* --- lanes --- */

bool swp_flow_all_lanes_are_on(const swp_execution *m)
{
    const int *exec = &m->registers->values[SWP_REG_EXEC];
    if (exec[0] && exec[0] == m->values->full[0] && exec[1] == m->values->full[1])
        return true;
    for (int t = 0; t < m->values->present; t++)
        if (swp_flow_lane_state(m->values, m->registers, SWP_REG_EXEC, t) != SWP_LANE_ON)
            return false;
    return true;
}

unsigned swp_flow_register_varies(const swp_execution *m, int number, unsigned varies)
{
    /* One word a wave. */
    if (swp_code_reg_is_scalar(number))
        return varies & ~(unsigned)SWP_VARIES_BY_LANE;
    if (m->insn->keeps_part)
        varies |= m->registers->varying[number];
    if (swp_flow_all_lanes_are_on(m))
        return varies;
    return varies | m->registers->varying[number] | exec_varies(m->registers) | SWP_VARIES_BY_LANE;
}

bool swp_flow_waves_write_alike(const swp_registers *registers, const swp_insn *insn, int first,
                                int second, unsigned *doubts)
{
    const unsigned between = (unsigned)(first ^ second) * SWP_WAVE;
    unsigned varies = exec_varies(registers);
    const bool loads = insn->kind == SWP_INSN_LOAD_TO_LDS;
    if ((insn->kind != SWP_INSN_LDS_WRITE && !loads) || insn->lds.address < 0 ||
        insn->implied.count)
        return false;
    varies |= registers->varying[insn->lds.address];
    for (int i = 0; i < insn->operand_count; i++)
        varies |= operand_varies(registers, &insn->operands[i]);
    *doubts = (varies & ~(unsigned)SWP_VARIES) | (loads ? SWP_VARIES_WITH_MEMORY : 0);
    return !(varies & between);
}
