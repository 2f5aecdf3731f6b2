/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The evaluation of one instruction on abstract values; what it cannot do on words keeps its producer,
 * or is unknown.
 */
#include "audit/flow/eval.h"

#include "audit/flow/computed_table.h"
#include "audit/flow/lane_ops.h"

enum { WORD_BITS = 32 };

/* --- reading operands --- */

static int part_of(const swp_execution *m, const swp_operand *operand, int value)
{
    if (!operand->part_bits)
        return value;
    const int field[3] = {value, swp_flow_values_uniform(m->values, operand->part_first),
                          swp_flow_values_uniform(m->values, operand->part_bits)};
    return swp_flow_lanes_compute(m->values, SWP_VALUE_BFE, field, 0);
}

static int operand_value(const swp_execution *m, int operand)
{
    const swp_operand *o = &m->insn->operands[operand];
    if (operand >= m->insn->operand_count || o->altered)
        return SWP_VALUE_NONE;
    if (o->kind == SWP_OPERAND_NUMBER)
        return part_of(m, o, swp_flow_values_uniform(m->values, o->number));
    return o->kind == SWP_OPERAND_REGISTERS && o->count == 1
               ? part_of(m, o, m->registers->values[o->first])
               : SWP_VALUE_NONE;
}

/* Half of an operand of two words. A constant is known only where both widths read the same. */
static int half_value(const swp_execution *m, int operand, int half)
{
    enum { LARGEST_INLINE = 64, LEAST_INLINE = -16 };
    const swp_operand *o = &m->insn->operands[operand];
    if (operand >= m->insn->operand_count || o->altered || o->part_bits)
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

swp_lane_state swp_flow_lane_state(const swp_values *values, const swp_registers *registers,
                                   int mask, int thread)
{
    const int lane = thread % SWP_WAVE;
    const int half = lane / WORD_BITS;
    const uint32_t bit = 1U << lane % WORD_BITS;
    const swp_bits bits = swp_flow_values_bits(values, registers->values[mask + half], thread);
    if (bits.unknown & bit)
        return SWP_LANE_MAYBE;
    return (bits.word & bit) ? SWP_LANE_ON : SWP_LANE_OFF;
}

static swp_lane_state exec_state(const swp_execution *m, int thread)
{
    return swp_flow_lane_state(m->values, m->registers, SWP_REG_EXEC, thread);
}

/* A bit for each lane that is on, as two words a wave. */
static void set_mask(const swp_execution *m, const swp_lane_state on[SWP_MOST_THREADS], int out[2])
{
    for (int half = 0; half < 2; half++) {
        for (int wave = 0; wave < m->values->threads; wave += SWP_WAVE) {
            swp_bits bits = {0, 0};
            for (int lane = 0; lane < WORD_BITS; lane++) {
                const swp_lane_state state = on[wave + half * WORD_BITS + lane];
                bits.word |= (uint32_t)(state == SWP_LANE_ON) << lane;
                bits.unknown |= (uint32_t)(state == SWP_LANE_MAYBE) << lane;
            }
            for (int t = wave; t < wave + SWP_WAVE; t++)
                swp_flow_values_set_bits(m->values, t, bits);
        }
        out[half] = swp_flow_values_add_bits(m->values);
    }
}

void swp_flow_execute_mask(const swp_execution *m, int out[2])
{
    const int operands[3] = {operand_value(m, 1), operand_value(m, 2), SWP_VALUE_NONE};
    const int *exec = &m->registers->values[SWP_REG_EXEC];
    swp_operation half[2];
    for (int i = 0; i < 2; i++)
        half[i] = (swp_operation){SWP_COMPUTED_MASK + m->insn->value,
                                  {operands[0], operands[1], exec[0], exec[1]},
                                  (uint32_t)i};
    if (swp_flow_computed_find(m->values, &half[0], &out[0]) &&
        swp_flow_computed_find(m->values, &half[1], &out[1]))
        return;
    const int number = lanes(m, m->insn->value, operands);
    swp_lane_state on[SWP_MOST_THREADS] = {SWP_LANE_OFF};
    for (int t = 0; t < m->values->present; t++) {
        const swp_bits bits = swp_flow_values_bits(m->values, number, t);
        on[t] = exec_state(m, t);
        if (on[t] == SWP_LANE_OFF || (!bits.unknown && !bits.word))
            on[t] = SWP_LANE_OFF;
        else if (bits.unknown)
            on[t] = SWP_LANE_MAYBE;
    }
    set_mask(m, on, out);
    for (int i = 0; i < 2; i++)
        swp_flow_computed_keep(m->values, &half[i], out[i]);
}

/* The first lane of a wave that is on; -1 if it cannot be told. Without any it is lane 0. */
static int first_lane_on(const swp_execution *m, int wave)
{
    for (int lane = 0; lane < SWP_WAVE; lane++) {
        const swp_lane_state state = exec_state(m, wave + lane);
        if (state != SWP_LANE_OFF)
            return state == SWP_LANE_ON ? lane : -1;
    }
    return 0;
}

static int first_lane(const swp_execution *m)
{
    const int from = operand_value(m, 1);
    for (int wave = 0; wave < m->values->threads; wave += SWP_WAVE) {
        const int lane = first_lane_on(m, wave);
        swp_bits bits = {0, UINT32_MAX};
        if (lane >= 0)
            bits = swp_flow_values_bits(m->values, from, wave + lane);
        for (int t = 0; t < SWP_WAVE; t++)
            swp_flow_values_set_bits(m->values, wave + t, bits);
    }
    return swp_flow_values_add_bits(m->values);
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
    const int from = operand_value(m, 1);
    if (lane < 0)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        swp_flow_values_set_bits(m->values, t,
                                 swp_flow_values_bits(m->values, from, t - t % SWP_WAVE + lane));
    return swp_flow_values_add_bits(m->values);
}

/* One lane of the register, on or off; the others keep what they had. */
static int write_lane(const swp_execution *m)
{
    const int before = operand_value(m, 0);
    const int written = operand_value(m, 1);
    const int lane = lane_of(m, 2);
    if (lane < 0)
        return SWP_VALUE_NONE;
    for (int t = 0; t < m->values->threads; t++)
        swp_flow_values_set_bits(
            m->values, t,
            swp_flow_values_bits(m->values, t % SWP_WAVE == lane ? written : before, t));
    return swp_flow_values_add_bits(m->values);
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
    const int off = operand_value(m, 1);
    const int on = operand_value(m, 2);
    const int halves[2] = {half_value(m, 3, 0), half_value(m, 3, 1)};
    for (int t = 0; t < m->values->threads; t++) {
        const int lane = t % SWP_WAVE;
        const swp_bits mask = swp_flow_values_bits(m->values, halves[lane / WORD_BITS], t);
        const uint32_t bit = 1U << lane % WORD_BITS;
        const swp_bits a = swp_flow_values_bits(m->values, off, t);
        const swp_bits b = swp_flow_values_bits(m->values, on, t);
        swp_flow_values_set_bits(m->values, t,
                                 (mask.unknown & bit) ? swp_flow_bits_join(a, b)
                                 : (mask.word & bit)  ? b
                                                      : a);
    }
    return swp_flow_values_add_bits(m->values);
}

/* The first or the second value by scc. */
static int choose(const swp_execution *m, int first, int second)
{
    const int scc = m->registers->values[SWP_REG_SCC];
    for (int t = 0; t < m->values->threads; t++) {
        const swp_bits by = swp_flow_values_bits(m->values, scc, t);
        const swp_bits a = swp_flow_values_bits(m->values, first, t);
        const swp_bits b = swp_flow_values_bits(m->values, second, t);
        swp_flow_values_set_bits(m->values, t,
                                 by.unknown ? swp_flow_bits_join(a, b)
                                 : by.word  ? a
                                            : b);
    }
    return swp_flow_values_add_bits(m->values);
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
        return choose(m, operand_value(m, 1), operand_value(m, 2));
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
    if (m->insn->value == SWP_VALUE_CHOOSE_WIDE)
        return choose(m, first, second);
    return op == SWP_VALUE_MOV ? first : lanes(m, op, operands);
}

bool swp_flow_is_wide(const swp_insn *insn)
{
    const bool wide =
        half_operation(insn->value) != SWP_VALUE_UNKNOWN || insn->value == SWP_VALUE_CHOOSE_WIDE;
    return wide && insn->operands[0].count == 2;
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
