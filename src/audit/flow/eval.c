/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The evaluation of one instruction on abstract values; what it cannot do on words keeps its producer,
 * or is unknown.
 */
#include "audit/flow/eval.h"

#include "audit/flow/lane_ops.h"

enum { WORD_BITS = 32 };

/* --- reading operands --- */

static int operand_value(const swp_execution *m, int operand)
{
    const swp_operand *o = &m->insn->operands[operand];
    if (operand >= m->insn->operand_count || o->altered)
        return SWP_VALUE_NONE;
    if (o->kind == SWP_OPERAND_NUMBER)
        return swp_flow_values_uniform(m->values, o->number);
    return o->kind == SWP_OPERAND_REGISTERS && o->count == 1 ? m->registers->values[o->first]
                                                             : SWP_VALUE_NONE;
}

/* Half of an operand of two words. A constant is known only where both widths read the same. */
static int half_value(const swp_execution *m, int operand, int half)
{
    enum { LARGEST_INLINE = 64, LEAST_INLINE = -16 };
    const swp_operand *o = &m->insn->operands[operand];
    if (operand >= m->insn->operand_count || o->altered)
        return SWP_VALUE_NONE;
    const int32_t number = (int32_t)o->number;
    if (o->kind == SWP_OPERAND_NUMBER && number >= LEAST_INLINE && number <= LARGEST_INLINE)
        return swp_flow_values_uniform(m->values, half && number < 0 ? UINT32_MAX
                                                  : half             ? 0
                                                                     : o->number);
    return o->kind == SWP_OPERAND_REGISTERS && o->count == 2 ? m->registers->values[o->first + half]
                                                             : SWP_VALUE_NONE;
}

/* Of three numbers of values. */
static int lanes(const swp_execution *m, int op, const int operands[3])
{
    return swp_flow_lanes_compute(m->values, op, operands, m->insn->value_number);
}

static int lane_result(const swp_execution *m, int first_source)
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

bool swp_flow_lane_is_on(const uint32_t *low, const uint32_t *high, int thread)
{
    const uint32_t lane = (uint32_t)thread % SWP_WAVE;
    return (lane < WORD_BITS ? low[thread] >> lane : high[thread] >> (lane - WORD_BITS)) & 1U;
}

/* A bit for each lane that is on, as two words a wave. */
static void set_mask(const swp_execution *m, int first, const bool bits[SWP_MOST_THREADS])
{
    for (int half = 0; half < 2; half++) {
        for (int t = 0; t < m->values->threads; t++) {
            uint32_t word = 0;
            for (int lane = 0; lane < WORD_BITS; lane++)
                word |= (uint32_t)bits[t - t % SWP_WAVE + half * WORD_BITS + lane] << lane;
            m->values->scratch[t] = word;
        }
        m->registers->values[first + half] = swp_flow_values_add(m->values);
    }
}

const uint32_t *swp_flow_exec_words(const swp_execution *m, int half)
{
    return swp_flow_registers_words(m->values, m->registers, SWP_REG_EXEC + half);
}

void swp_flow_execute_mask(const swp_execution *m, int first)
{
    const int operands[3] = {operand_value(m, 1), operand_value(m, 2), SWP_VALUE_NONE};
    const int number = lanes(m, m->insn->value, operands);
    const uint32_t *words = swp_flow_values_words(m->values, number);
    const uint32_t *low = swp_flow_exec_words(m, 0);
    const uint32_t *high = swp_flow_exec_words(m, 1);
    bool bits[SWP_MOST_THREADS] = {false};
    if (!words || !low || !high)
        return;
    for (int t = 0; t < m->values->present; t++)
        bits[t] = words[t] && swp_flow_lane_is_on(low, high, t);
    set_mask(m, first, bits);
}

static int first_lane(const swp_execution *m)
{
    const uint32_t *words = swp_flow_values_words(m->values, operand_value(m, 1));
    const uint32_t *low = swp_flow_exec_words(m, 0);
    const uint32_t *high = swp_flow_exec_words(m, 1);
    if (!words || !low || !high)
        return SWP_VALUE_NONE;
    for (int wave = 0; wave < m->values->threads; wave += SWP_WAVE) {
        int lane = 0;
        while (lane < SWP_WAVE && !swp_flow_lane_is_on(low, high, wave + lane))
            lane++;
        for (int t = 0; t < SWP_WAVE; t++)
            m->values->scratch[wave + t] = words[wave + lane % SWP_WAVE];
    }
    return swp_flow_values_add(m->values);
}

/* The lane that an operand names, -1 if it cannot be told or differs between waves. */
static int lane_of(const swp_execution *m, int operand)
{
    const uint32_t *words = swp_flow_values_words(m->values, operand_value(m, operand));
    return words && swp_flow_values_is_uniform(m->values, words) ? (int)(words[0] % SWP_WAVE) : -1;
}

static int read_lane(const swp_execution *m)
{
    const int lane = lane_of(m, 2);
    const uint32_t *words =
        lane < 0 ? NULL : swp_flow_values_lane(m->values, operand_value(m, 1), lane);
    if (!words)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        m->values->scratch[t] = words[t - t % SWP_WAVE + lane];
    return swp_flow_values_add(m->values);
}

/* One lane of the register, on or off; the others keep what they had. */
static int write_lane(const swp_execution *m)
{
    const swp_value before = m->values->items[operand_value(m, 0)];
    const uint32_t *words = swp_flow_values_words(m->values, operand_value(m, 1));
    const int lane = lane_of(m, 2);
    if (lane < 0)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        m->values->scratch[t] = words && t % SWP_WAVE == lane ? words[t]
                                : before.words                ? before.words[t]
                                                              : 0;
    const uint64_t bit = 1ULL << lane;
    return swp_flow_values_add_lanes(m->values, words ? before.lanes | bit : before.lanes & ~bit);
}

static int lanes_below(const swp_execution *m, bool high)
{
    const uint32_t *mask = swp_flow_values_words(m->values, operand_value(m, 1));
    const uint32_t *base = swp_flow_values_words(m->values, operand_value(m, 2));
    if (!mask || !base)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++) {
        const int lane = t % SWP_WAVE - (high ? WORD_BITS : 0);
        uint32_t count = base[t];
        for (int bit = 0; bit < WORD_BITS && bit < lane; bit++)
            count += mask[t] >> bit & 1U;
        m->values->scratch[t] = count;
    }
    return swp_flow_values_add(m->values);
}

static int select_lanes(const swp_execution *m)
{
    const uint32_t *off = swp_flow_values_words(m->values, operand_value(m, 1));
    const uint32_t *on = swp_flow_values_words(m->values, operand_value(m, 2));
    const uint32_t *low = swp_flow_values_words(m->values, half_value(m, 3, 0));
    const uint32_t *high = swp_flow_values_words(m->values, half_value(m, 3, 1));
    if (!off || !on || !low || !high)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        m->values->scratch[t] = swp_flow_lane_is_on(low, high, t) ? on[t] : off[t];
    return swp_flow_values_add(m->values);
}

static int choose(const swp_execution *m)
{
    const uint32_t *scc = swp_flow_registers_words(m->values, m->registers, SWP_REG_SCC);
    const uint32_t *first = swp_flow_values_words(m->values, operand_value(m, 1));
    const uint32_t *second = swp_flow_values_words(m->values, operand_value(m, 2));
    if (!scc || !first || !second)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        m->values->scratch[t] = scc[t] ? first[t] : second[t];
    return swp_flow_values_add(m->values);
}

int swp_flow_eval(const swp_execution *m)
{
    switch (m->insn->value) {
    case SWP_VALUE_FIRST_LANE:
        return first_lane(m);
    case SWP_VALUE_READ_LANE:
        return read_lane(m);
    case SWP_VALUE_WRITE_LANE:
        return write_lane(m);
    case SWP_VALUE_LANES_BELOW_LOW:
    case SWP_VALUE_LANES_BELOW_HIGH:
        return lanes_below(m, m->insn->value == SWP_VALUE_LANES_BELOW_HIGH);
    case SWP_VALUE_SELECT:
        return select_lanes(m);
    case SWP_VALUE_CHOOSE:
        return choose(m);
    default:
        return swp_flow_lane_operands(m->insn->value) ? lane_result(m, m->insn->destinations)
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

int swp_flow_eval_half(const swp_execution *m, int half)
{
    const int op = half_operation(m->insn->value);
    const int first = half_value(m, 1, half);
    const int second =
        m->insn->writes_exec ? m->registers->values[SWP_REG_EXEC + half] : half_value(m, 2, half);
    const int operands[3] = {first, second, SWP_VALUE_NONE};
    return op == SWP_VALUE_MOV ? first : lanes(m, op, operands);
}

bool swp_flow_is_wide(const swp_insn *insn)
{
    return half_operation(insn->value) != SWP_VALUE_UNKNOWN && insn->operands[0].count == 2;
}

static int compare_wide(const swp_execution *m)
{
    const uint32_t *words[2][2];
    for (int operand = 0; operand < 2; operand++)
        for (int half = 0; half < 2; half++) {
            words[operand][half] = swp_flow_values_words(m->values, half_value(m, operand, half));
            if (!words[operand][half])
                return SWP_VALUE_NONE;
        }
    for (int t = 0; t < m->values->threads; t++) {
        const bool same = words[0][0][t] == words[1][0][t] && words[0][1][t] == words[1][1][t];
        m->values->scratch[t] = same == (m->insn->value == SWP_VALUE_EQ_WIDE);
    }
    return swp_flow_values_add(m->values);
}

int swp_flow_scalar_comparison(const swp_execution *m)
{
    if (m->insn->value == SWP_VALUE_EQ_WIDE || m->insn->value == SWP_VALUE_NE_WIDE)
        return compare_wide(m);

    const int operands[3] = {operand_value(m, 0), operand_value(m, 1), SWP_VALUE_NONE};
    return swp_flow_is_comparison(m->insn->value) ? lanes(m, m->insn->value, operands)
                                                  : SWP_VALUE_NONE;
}

int swp_flow_derived(const swp_execution *m)
{
    int producer = -1;
    const swp_operand *first = &m->insn->operands[m->insn->destinations];
    if (!m->insn->copies)
        return SWP_VALUE_NONE;
    if (m->insn->value == SWP_VALUE_MOV && first->kind == SWP_OPERAND_REGISTERS)
        return m->registers->values[first->first];
    for (int i = m->insn->destinations; i < m->insn->operand_count; i++) {
        const swp_operand *source = &m->insn->operands[i];
        for (int r = 0; source->kind == SWP_OPERAND_REGISTERS && r < source->count; r++) {
            const int event = m->values->items[m->registers->values[source->first + r]].event;
            if (event >= 0 && producer >= 0 && event != producer)
                return SWP_VALUE_NONE;
            producer = event >= 0 ? event : producer;
        }
    }
    return producer < 0 ? SWP_VALUE_NONE
                        : swp_flow_values_produced(m->values, producer, SWP_PART_UNKNOWN);
}
