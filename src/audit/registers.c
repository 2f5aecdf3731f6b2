/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/registers.h"

#include "audit/lane_ops.h"

enum { WORD_BITS = 32 };

typedef struct machine {
    swp_values *values;
    swp_registers *registers;
    const swp_insn *insn;
    int event;
} machine;

void swp_registers_start(swp_values *values, bool packed_ids, swp_registers *out)
{
    *out = (swp_registers){{0}, {0}};
    out->values[SWP_REG_EXEC] = swp_values_uniform(values, UINT32_MAX);
    out->values[SWP_REG_EXEC + 1] = out->values[SWP_REG_EXEC];
    for (int i = 0; i < values->threads; i++)
        values->scratch[i] = (uint32_t)i;
    out->values[SWP_REG_VECTOR] = packed_ids ? SWP_VALUE_NONE : swp_values_add(values);
}

bool swp_registers_join(swp_registers *into, const swp_registers *from)
{
    bool less = false;
    for (int i = 0; i < SWP_REG_COUNT; i++) {
        if (into->values[i] != from->values[i] && into->values[i] != SWP_VALUE_NONE) {
            into->values[i] = SWP_VALUE_NONE;
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

/* --- reading operands --- */

static int operand_value(const machine *m, int operand)
{
    const swp_operand *o = &m->insn->operands[operand];
    if (operand >= m->insn->operand_count || o->altered)
        return SWP_VALUE_NONE;
    if (o->kind == SWP_OPERAND_NUMBER)
        return swp_values_uniform(m->values, o->number);
    return o->kind == SWP_OPERAND_REGISTERS && o->count == 1 ? m->registers->values[o->first]
                                                             : SWP_VALUE_NONE;
}

/* Half of an operand of two words. A constant is known only where both widths read it alike. */
static int half_value(const machine *m, int operand, int half)
{
    enum { LARGEST_INLINE = 64, LEAST_INLINE = -16 };
    const swp_operand *o = &m->insn->operands[operand];
    if (operand >= m->insn->operand_count || o->altered)
        return SWP_VALUE_NONE;
    const int32_t number = (int32_t)o->number;
    if (o->kind == SWP_OPERAND_NUMBER && number >= LEAST_INLINE && number <= LARGEST_INLINE)
        return swp_values_uniform(m->values, half && number < 0 ? UINT32_MAX
                                             : half             ? 0
                                                                : o->number);
    return o->kind == SWP_OPERAND_REGISTERS && o->count == 2 ? m->registers->values[o->first + half]
                                                             : SWP_VALUE_NONE;
}

/* --- computing --- */

/* Of three numbers of values. */
static int lanes(const machine *m, int op, const int operands[3])
{
    return swp_lanes_compute(m->values, op, operands, m->insn->value_number);
}

static int lane_result(const machine *m, int first_source)
{
    const int op = m->insn->value;
    const bool in_place = op == SWP_VALUE_ADDK || op == SWP_VALUE_MULK;
    const int first = in_place ? 0 : first_source;
    /* A copy of what an LDS read brought is still that. */
    if (op == SWP_VALUE_MOV)
        return operand_value(m, first);
    const int operands[3] = {operand_value(m, first), operand_value(m, first + 1),
                             operand_value(m, first + 2)};
    return lanes(m, op, operands);
}

static bool lane_is_on(const uint32_t *low, const uint32_t *high, int thread)
{
    const uint32_t lane = (uint32_t)thread % SWP_WAVE;
    return (lane < WORD_BITS ? low[thread] >> lane : high[thread] >> (lane - WORD_BITS)) & 1U;
}

/* A bit for each lane that is on, as two words a wave. */
static void set_mask(const machine *m, int first, const bool bits[SWP_MOST_THREADS])
{
    for (int half = 0; half < 2; half++) {
        for (int t = 0; t < m->values->threads; t++) {
            uint32_t word = 0;
            for (int lane = 0; lane < WORD_BITS; lane++)
                word |= (uint32_t)bits[t - t % SWP_WAVE + half * WORD_BITS + lane] << lane;
            m->values->scratch[t] = word;
        }
        m->registers->values[first + half] = swp_values_add(m->values);
    }
}

static const uint32_t *exec_words(const machine *m, int half)
{
    return swp_registers_words(m->values, m->registers, SWP_REG_EXEC + half);
}

static void run_vector_comparison(const machine *m, int first)
{
    const int operands[3] = {operand_value(m, 1), operand_value(m, 2), SWP_VALUE_NONE};
    const int number = lanes(m, m->insn->value, operands);
    const uint32_t *words = swp_values_words(m->values, number);
    const uint32_t *low = exec_words(m, 0);
    const uint32_t *high = exec_words(m, 1);
    bool bits[SWP_MOST_THREADS] = {false};
    if (!words || !low || !high)
        return;
    for (int t = 0; t < m->values->threads; t++)
        bits[t] = words[t] && lane_is_on(low, high, t);
    set_mask(m, first, bits);
}

static int first_lane(const machine *m)
{
    const uint32_t *words = swp_values_words(m->values, operand_value(m, 1));
    const uint32_t *low = exec_words(m, 0);
    const uint32_t *high = exec_words(m, 1);
    if (!words || !low || !high)
        return SWP_VALUE_NONE;
    for (int wave = 0; wave < m->values->threads; wave += SWP_WAVE) {
        int lane = 0;
        while (lane < SWP_WAVE && !lane_is_on(low, high, wave + lane))
            lane++;
        for (int t = 0; t < SWP_WAVE; t++)
            m->values->scratch[wave + t] = words[wave + lane % SWP_WAVE];
    }
    return swp_values_add(m->values);
}

static int lanes_below(const machine *m, bool high)
{
    const uint32_t *mask = swp_values_words(m->values, operand_value(m, 1));
    const uint32_t *base = swp_values_words(m->values, operand_value(m, 2));
    if (!mask || !base)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++) {
        const int lane = t % SWP_WAVE - (high ? WORD_BITS : 0);
        uint32_t count = base[t];
        for (int bit = 0; bit < WORD_BITS && bit < lane; bit++)
            count += mask[t] >> bit & 1U;
        m->values->scratch[t] = count;
    }
    return swp_values_add(m->values);
}

static int select_lanes(const machine *m)
{
    const uint32_t *off = swp_values_words(m->values, operand_value(m, 1));
    const uint32_t *on = swp_values_words(m->values, operand_value(m, 2));
    const uint32_t *low = swp_values_words(m->values, half_value(m, 3, 0));
    const uint32_t *high = swp_values_words(m->values, half_value(m, 3, 1));
    if (!off || !on || !low || !high)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        m->values->scratch[t] = lane_is_on(low, high, t) ? on[t] : off[t];
    return swp_values_add(m->values);
}

static int result(const machine *m)
{
    switch (m->insn->value) {
    case SWP_VALUE_FIRST_LANE:
        return first_lane(m);
    case SWP_VALUE_LANES_BELOW_LOW:
    case SWP_VALUE_LANES_BELOW_HIGH:
        return lanes_below(m, m->insn->value == SWP_VALUE_LANES_BELOW_HIGH);
    case SWP_VALUE_SELECT:
        return select_lanes(m);
    default:
        return swp_lane_operands(m->insn->value) ? lane_result(m, m->insn->destinations)
                                                 : SWP_VALUE_NONE;
    }
}

/* --- what is done with two words --- */

static int half_operation(int op)
{
    switch (op) {
    case SWP_VALUE_AND_WIDE:
    case SWP_VALUE_SAVE_EXEC_AND:
        return SWP_VALUE_AND;
    case SWP_VALUE_OR_WIDE:
    case SWP_VALUE_SAVE_EXEC_OR:
        return SWP_VALUE_OR;
    case SWP_VALUE_XOR_WIDE:
        return SWP_VALUE_XOR;
    case SWP_VALUE_ANDN2_WIDE:
    case SWP_VALUE_SAVE_EXEC_ANDN2:
        return SWP_VALUE_ANDN2;
    case SWP_VALUE_NOT_WIDE:
        return SWP_VALUE_NOT;
    case SWP_VALUE_COPY_WIDE:
        return SWP_VALUE_MOV;
    default:
        return SWP_VALUE_UNKNOWN;
    }
}

static int half_result(const machine *m, int half)
{
    const int op = half_operation(m->insn->value);
    const int first = half_value(m, 1, half);
    const int second =
        m->insn->writes_exec ? m->registers->values[SWP_REG_EXEC + half] : half_value(m, 2, half);
    const int operands[3] = {first, second, SWP_VALUE_NONE};
    return op == SWP_VALUE_MOV ? first : lanes(m, op, operands);
}

static bool is_wide(const machine *m)
{
    return half_operation(m->insn->value) != SWP_VALUE_UNKNOWN && m->insn->operands[0].count == 2;
}

static void run_wide(const machine *m)
{
    int *values = m->registers->values;
    const int halves[2] = {half_result(m, 0), half_result(m, 1)};
    const int first = m->insn->operands[0].first;
    for (int half = 0; half < 2; half++) {
        values[first + half] = m->insn->writes_exec ? values[SWP_REG_EXEC + half] : halves[half];
        if (m->insn->writes_exec)
            values[SWP_REG_EXEC + half] = halves[half];
    }
}

/* --- writing results --- */

static bool is_scalar(int number)
{
    return number < SWP_REG_VECTOR || number == SWP_REG_SCC;
}

static bool operand_varies(const machine *m, const swp_operand *operand)
{
    if (operand->kind != SWP_OPERAND_REGISTERS)
        return false;
    for (int i = operand->first; i < operand->first + operand->count; i++)
        if (!is_scalar(i) || m->registers->varying[i])
            return true;
    return false;
}

/* Whether waves may differ in what the instruction computes. */
static bool result_varies(const machine *m)
{
    const int first = m->insn->reads_destination ? 0 : m->insn->destinations;
    for (int i = first; i < m->insn->operand_count; i++)
        if (operand_varies(m, &m->insn->operands[i]))
            return true;
    return false;
}

/* A known value says by itself whether waves differ. */
static void set_varying(const machine *m, int number, bool varies)
{
    const uint32_t *words = swp_registers_words(m->values, m->registers, number);
    m->registers->varying[number] = words ? !swp_values_is_uniform(m->values, words) : varies;
}

/* Lanes that are off keep what they had. */
static int merged(const machine *m, int old, int value)
{
    const uint32_t *low = exec_words(m, 0);
    const uint32_t *high = exec_words(m, 1);
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
        m->values->scratch[t] = lane_is_on(low, high, t) ? after[t] : before[t];
    return swp_values_add(m->values);
}

static void forget(const machine *m, const swp_operand *operand, bool varies)
{
    for (int i = operand->first; i < operand->first + operand->count; i++) {
        m->registers->values[i] = SWP_VALUE_NONE;
        m->registers->varying[i] = varies;
    }
}

static void run_scalar_comparison(const machine *m, bool varies)
{
    const int operands[3] = {operand_value(m, 0), operand_value(m, 1), SWP_VALUE_NONE};
    m->registers->values[SWP_REG_SCC] =
        swp_is_comparison(m->insn->value) ? lanes(m, m->insn->value, operands) : SWP_VALUE_NONE;
    set_varying(m, SWP_REG_SCC, varies);
}

/* Scalar instructions write scc too, as a carry or as whether the result is 0. */
static void forget_scc(const machine *m, bool varies)
{
    m->registers->values[SWP_REG_SCC] = SWP_VALUE_NONE;
    m->registers->varying[SWP_REG_SCC] = varies;
}

static void run_computation(const machine *m)
{
    const swp_insn *insn = m->insn;
    const bool varies = result_varies(m);
    const bool is_vector = insn->kind == SWP_INSN_VECTOR;
    const swp_operand *destination = &insn->operands[0];
    if (insn->destinations == 0) {
        run_scalar_comparison(m, varies);
        return;
    }
    const bool wide = is_wide(m);
    const int old = m->registers->values[destination->first];
    const int value = wide ? SWP_VALUE_NONE : result(m);
    if (wide)
        run_wide(m);
    else
        for (int i = 0; i < insn->destinations; i++)
            forget(m, &insn->operands[i], varies);
    if (is_vector && swp_is_comparison(insn->value) && destination->count == 2)
        run_vector_comparison(m, destination->first);
    else if (!wide && destination->count == 1)
        m->registers->values[destination->first] =
            is_scalar(destination->first) ? value : merged(m, old, value);
    if (wide && !is_scalar(destination->first))
        for (int i = 0; i < 2; i++)
            if (!exec_words(m, i) || !swp_values_is_uniform(m->values, exec_words(m, i)))
                m->registers->values[destination->first + i] = SWP_VALUE_NONE;
    for (int i = destination->first; i < destination->first + destination->count; i++)
        set_varying(m, i, varies);
    if (!is_vector && !insn->keeps_scc)
        forget_scc(m, varies);
    if (insn->writes_exec && !wide)
        m->registers->values[SWP_REG_EXEC] = m->registers->values[SWP_REG_EXEC + 1] =
            SWP_VALUE_NONE;
}

static void run_load(const machine *m)
{
    const bool varies = result_varies(m);
    for (int i = 0; i < m->insn->destinations; i++)
        forget(m, &m->insn->operands[i], varies);
    if (m->insn->kind != SWP_INSN_LDS_READ)
        return;
    const swp_operand *destination = &m->insn->operands[0];
    for (int i = 0; i < destination->count; i++)
        m->registers->values[destination->first + i] = swp_values_loaded(m->values, m->event, i);
}

void swp_registers_run(swp_values *values, swp_registers *registers, const swp_insn *insn,
                       int event)
{
    const machine m = {values, registers, insn, event};
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
        run_load(&m);
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
        for (int t = 0; t < values->threads; t += SWP_WAVE)
            taken[t / SWP_WAVE] = ((low[t] | (high ? high[t] : 0)) == 0) == on_zero;
        return SWP_BRANCH_KNOWN;
    }
    const bool varies = by_scc ? registers->varying[SWP_REG_SCC] : true;
    return varies ? SWP_BRANCH_VARIES : SWP_BRANCH_ALIKE;
}
