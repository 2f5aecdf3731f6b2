/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/registers.h"

#include "audit/lane_ops.h"
#include "audit/results.h"

void swp_registers_start(swp_values *values, bool packed_ids, swp_registers *out)
{
    *out = (swp_registers){{0}, {0}};
    /* What the dispatcher does not set up is left over from other waves, or tells waves apart. */
    for (int i = SWP_REG_VCC; i < SWP_REG_EXEC; i++)
        out->varying[i] = true;
    out->varying[SWP_REG_SCC] = true;
    out->values[SWP_REG_EXEC] = swp_values_uniform(values, UINT32_MAX);
    out->values[SWP_REG_EXEC + 1] = out->values[SWP_REG_EXEC];
    for (int i = 0; i < values->threads; i++)
        values->scratch[i] = (uint32_t)i;
    out->values[SWP_REG_VECTOR] = packed_ids ? SWP_VALUE_NONE : swp_values_add(values);
}

bool swp_registers_join(swp_values *values, swp_registers *into, const swp_registers *from)
{
    bool less = false;
    for (int i = 0; i < SWP_REG_COUNT; i++) {
        const int both = swp_values_meet(values, into->values[i], from->values[i]);
        if (both != into->values[i]) {
            into->values[i] = both;
            less = true;
        }
        if (from->varying[i] && !into->varying[i]) {
            into->varying[i] = true;
            less = true;
        }
    }
    return less;
}

const uint32_t *swp_registers_words(const swp_values *values, const swp_registers *registers,
                                    int number)
{
    return swp_values_words(values, registers->values[number]);
}

/* --- writing results --- */

static bool operand_varies(const swp_execution *m, const swp_operand *operand)
{
    if (operand->kind != SWP_OPERAND_REGISTERS)
        return false;
    for (int i = operand->first; i < operand->first + operand->count; i++)
        if (!swp_reg_is_scalar(i) || m->registers->varying[i])
            return true;
    return false;
}

static bool exec_varies(const swp_execution *m)
{
    return m->registers->varying[SWP_REG_EXEC] || m->registers->varying[SWP_REG_EXEC + 1];
}

/* Whether waves may differ in what the instruction computes; vectors depend on the lanes that are on. */
static bool result_varies(const swp_execution *m)
{
    const int first = m->insn->reads_destination ? 0 : m->insn->destinations;
    const bool reads_exec = m->insn->kind == SWP_INSN_VECTOR || m->insn->writes_exec;
    if (m->insn->differs || (reads_exec && exec_varies(m)))
        return true;
    for (int i = first; i < m->insn->operand_count; i++)
        if (operand_varies(m, &m->insn->operands[i]))
            return true;
    return m->insn->reads_scc && m->registers->varying[SWP_REG_SCC];
}

/* A known value says by itself whether waves differ. */
static void set_varying(const swp_execution *m, int number, bool varies)
{
    const uint32_t *words = swp_registers_words(m->values, m->registers, number);
    m->registers->varying[number] = words ? !swp_values_is_uniform(m->values, words) : varies;
}

/* Lanes that are off keep what they had. */
static int merged(const swp_execution *m, int old, int value)
{
    const uint32_t *low = swp_exec_words(m, 0);
    const uint32_t *high = swp_exec_words(m, 1);
    const uint32_t *before = swp_values_words(m->values, old);
    const uint32_t *after = swp_values_words(m->values, value);
    bool all_on = low && high;
    if (old == value)
        return value;
    for (int t = 0; all_on && t < m->values->threads; t++)
        all_on = low[t] == UINT32_MAX && high[t] == UINT32_MAX;
    if (all_on)
        return value;
    if (!low || !high || !before || !after)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        m->values->scratch[t] = swp_lane_is_on(low, high, t) ? after[t] : before[t];
    return swp_values_add(m->values);
}

static void forget(const swp_execution *m, const swp_operand *operand, bool varies)
{
    for (int i = operand->first; i < operand->first + operand->count; i++) {
        m->registers->values[i] = SWP_VALUE_NONE;
        m->registers->varying[i] = varies;
    }
}

/* Scalar instructions write scc too, as a carry or as whether the result is 0. */
static void forget_scc(const swp_execution *m, bool varies)
{
    m->registers->values[SWP_REG_SCC] = SWP_VALUE_NONE;
    m->registers->varying[SWP_REG_SCC] = varies;
}

/* Lanes of a vector register that are off keep the old value. */
static void write(const swp_execution *m, int number, int old, int value, bool varies)
{
    const bool masked = !swp_reg_is_scalar(number) && m->insn->value != SWP_VALUE_WRITE_LANE;
    m->registers->values[number] = masked ? merged(m, old, value) : value;
    set_varying(m, number, varies);
}

static void run_wide(const swp_execution *m, bool varies)
{
    int *values = m->registers->values;
    const int first = m->insn->operands[0].first;
    const int halves[2] = {swp_half_result(m, 0), swp_half_result(m, 1)};
    const int before[2] = {values[first], values[first + 1]};
    for (int half = 0; half < 2; half++) {
        const int exec = values[SWP_REG_EXEC + half];
        write(m, first + half, before[half], m->insn->writes_exec ? exec : halves[half], varies);
        if (m->insn->writes_exec)
            write(m, SWP_REG_EXEC + half, SWP_VALUE_NONE, halves[half], varies);
    }
}

static void run_narrow(const swp_execution *m, bool varies)
{
    const swp_insn *insn = m->insn;
    const swp_operand *destination = &insn->operands[0];
    const bool is_vector = insn->kind == SWP_INSN_VECTOR;
    const int old = m->registers->values[destination->first];
    const int made = is_vector && !insn->reads_destination ? swp_derived(m) : SWP_VALUE_NONE;
    const int known = destination->count == 1 ? swp_result(m) : SWP_VALUE_NONE;
    for (int i = 0; i < insn->destinations; i++)
        forget(m, &insn->operands[i], varies);
    if (is_vector && swp_is_comparison(insn->value) && destination->count == 2)
        swp_execute_mask(m, destination->first);
    else
        for (int i = 0; i < destination->count; i++)
            m->registers->values[destination->first + i] = known ? known : made;
    for (int i = destination->first; i < destination->first + destination->count; i++)
        write(m, i, destination->count == 1 ? old : SWP_VALUE_NONE, m->registers->values[i],
              varies);
    for (int half = 0; half < 2 && insn->writes_exec; half++)
        write(m, SWP_REG_EXEC + half, SWP_VALUE_NONE, SWP_VALUE_NONE, varies);
}

static void run_computation(const swp_execution *m)
{
    const bool varies = result_varies(m);
    if (m->insn->destinations == 0) {
        m->registers->values[SWP_REG_SCC] = swp_scalar_comparison(m);
        set_varying(m, SWP_REG_SCC, varies);
        return;
    }
    if (swp_is_wide(m->insn))
        run_wide(m, varies);
    else
        run_narrow(m, varies);
    if (m->insn->kind == SWP_INSN_SCALAR && !m->insn->keeps_scc)
        forget_scc(m, varies);
}

/* Loads from LDS and products are known by who made them. */
static void run_maker(const swp_execution *m)
{
    const bool varies = result_varies(m);
    for (int i = 0; i < m->insn->destinations; i++)
        forget(m, &m->insn->operands[i], varies);
    if (m->event < 0 || (m->insn->kind != SWP_INSN_LDS_READ && m->insn->kind != SWP_INSN_MATRIX))
        return;
    const swp_operand *destination = &m->insn->operands[0];
    for (int i = 0; i < destination->count; i++)
        m->registers->values[destination->first + i] = swp_values_made(m->values, m->event, i);
}

void swp_registers_run(swp_values *values, swp_registers *registers, const swp_insn *insn,
                       int event)
{
    const swp_execution m = {values, registers, insn, event};
    switch (insn->kind) {
    case SWP_INSN_SCALAR:
    case SWP_INSN_VECTOR:
        run_computation(&m);
        break;
    case SWP_INSN_UNKNOWN:
        for (int i = 0; i < SWP_REG_COUNT; i++) {
            registers->values[i] = SWP_VALUE_NONE;
            registers->varying[i] = true;
        }
        break;
    default:
        run_maker(&m);
        break;
    }
}

/* --- branches --- */

/* The register that each kind of branch asks. */
static const int conditions[SWP_VALUE_OP_COUNT] = {
#define ROW(op, register) [SWP_VALUE_##op] = SWP_REG_##register,
    SWP_BRANCH_OPS(ROW)
#undef ROW
};

int swp_branch_register(const swp_insn *insn)
{
    return conditions[insn->value];
}

static const uint32_t *condition_words(const swp_values *values, const swp_registers *registers,
                                       int first, const uint32_t **high)
{
    *high = first == SWP_REG_SCC ? NULL : swp_registers_words(values, registers, first + 1);
    return swp_registers_words(values, registers, first);
}

swp_branch_sense swp_registers_branch(const swp_values *values, const swp_registers *registers,
                                      const swp_insn *insn, bool taken[SWP_MOST_WAVES])
{
    const int op = insn->value;
    const bool on_zero =
        op == SWP_VALUE_IF_SCC_0 || op == SWP_VALUE_IF_VCC_0 || op == SWP_VALUE_IF_EXEC_0;
    const int first = conditions[op];
    const bool by_scc = first == SWP_REG_SCC;
    const uint32_t *high = NULL;
    const uint32_t *low = condition_words(values, registers, first, &high);
    if (low && (by_scc || high)) {
        bool alike = true;
        for (int t = 0; t < values->threads; t += SWP_WAVE) {
            taken[t / SWP_WAVE] = ((low[t] | (high ? high[t] : 0)) == 0) == on_zero;
            alike &= taken[t / SWP_WAVE] == taken[0];
        }
        return alike ? SWP_BRANCH_ALIKE : SWP_BRANCH_KNOWN;
    }
    const bool varies = registers->varying[first] || (!by_scc && registers->varying[first + 1]);
    return varies ? SWP_BRANCH_VARIES : SWP_BRANCH_ALIKE;
}
