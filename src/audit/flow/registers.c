/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers' part of the abstract state: an abstract value for each register and whether it
 * varies, with the transfer function of every kind of instruction.
 */
#include "audit/flow/registers.h"

#include "audit/flow/computed_table.h"
#include "audit/flow/eval.h"
#include "audit/flow/lane_ops.h"
#include "audit/flow/spilled_scalars.h"
#include "audit/flow/variation.h"

static int entry_value(swp_values *values, swp_start entry, int number)
{
    if (entry == SWP_START_CONSTANTS)
        return swp_flow_values_produced(values, SWP_EVENT_CONSTANTS, number);
    return entry == SWP_START_PRESUMED
               ? swp_flow_values_produced(values, SWP_EVENT_PRESUMED, number)
               : SWP_VALUE_NONE;
}

/* All lanes are on that are there: the last wave may have fewer. */
static void start_exec(swp_values *values, int half, swp_registers *out)
{
    enum { HALF = SWP_WAVE / 2 };
    for (int t = 0; t < values->threads; t++) {
        const int there = values->present - (t - t % SWP_WAVE) - half * HALF;
        values->scratch[t] = there >= HALF ? UINT32_MAX : there > 0 ? (1U << there) - 1 : 0;
    }
    values->full[half] = swp_flow_values_add(values);
    out->values[SWP_REG_EXEC + half] = values->full[half];
    out->varying[SWP_REG_EXEC + half] = values->present < values->threads ? SWP_VARIES : 0;
}

/* Of three ids the first has the ten lowest bits. */
static void start_thread_number(swp_values *values, const swp_function *function,
                                swp_registers *out)
{
    const uint32_t others = function->packed_ids ? ~(uint32_t)(SWP_MOST_THREADS - 1) : 0;
    for (int t = 0; t < values->threads; t++)
        swp_flow_values_set_bits(values, t, (swp_bits){(uint32_t)t, others});
    if (!function->many_dimensions)
        out->values[SWP_REG_VECTOR] = swp_flow_values_add_bits(values);
}

void swp_flow_registers_start(swp_values *values, const swp_function *function, swp_registers *out)
{
    *out = (swp_registers){.varying = {0}};
    for (int i = 0; i < SWP_REG_COUNT; i++) {
        const swp_start entry = i < SWP_START_COUNT ? function->start[i] : SWP_START_UNKNOWN;
        const bool uniform = entry == SWP_START_UNIFORM || entry == SWP_START_CONSTANTS;
        out->varying[i] = uniform ? 0 : SWP_VARIES;
        out->values[i] = entry_value(values, entry, i);
    }
    for (int half = 0; half < 2; half++)
        start_exec(values, half, out);
    start_thread_number(values, function, out);
}

bool swp_flow_registers_join(swp_values *values, swp_registers *into, const swp_registers *from)
{
    bool less = false;
    for (int i = 0; i < SWP_REG_COUNT; i++) {
        const int both = swp_flow_values_join(values, into->values[i], from->values[i]);
        if (both != into->values[i]) {
            into->values[i] = both;
            less = true;
        }
        if (from->varying[i] & ~into->varying[i]) {
            into->varying[i] |= from->varying[i];
            less = true;
        }
    }
    return swp_flow_spilled_join(into, from) || less;
}

const uint32_t *swp_flow_registers_words(const swp_values *values, const swp_registers *registers,
                                         int number)
{
    return swp_flow_values_words(values, registers->values[number]);
}

/* --- writing results --- */

/* A known value says by itself which threads differ. */
static void set_varying(const swp_execution *m, int number, unsigned varies)
{
    const swp_value *value = &m->values->items[m->registers->values[number]];
    if (value->words && !value->unknown)
        varies = value->differing;
    m->registers->varying[number] = (uint16_t)varies;
    swp_flow_spilled_forget(m->registers, number);
}

/* Lanes that are off keep what they had. */
static int merged(const swp_execution *m, int old, int value)
{
    if (old == value || swp_flow_all_lanes_are_on(m))
        return value;
    const int *exec = &m->registers->values[SWP_REG_EXEC];
    const swp_operation merge = {SWP_COMPUTED_MERGE, {old, value, exec[0], exec[1]}, 0};
    int result = SWP_VALUE_NONE;
    if (swp_flow_computed_find(m->values, &merge, &result))
        return result;
    for (int t = 0; t < m->values->threads; t++) {
        const swp_lane_state on = swp_flow_lane_state(m->values, m->registers, SWP_REG_EXEC, t);
        const swp_bits before = swp_flow_values_bits(m->values, old, t);
        const swp_bits after = swp_flow_values_bits(m->values, value, t);
        swp_flow_values_set_bits(m->values, t,
                                 on == SWP_LANE_ON    ? after
                                 : on == SWP_LANE_OFF ? before
                                                      : swp_flow_bits_join(before, after));
    }
    return swp_flow_computed_keep(m->values, &merge, swp_flow_values_add_bits(m->values));
}

static void forget(const swp_execution *m, const swp_operand *operand, unsigned varies)
{
    for (int i = operand->first; i < operand->first + operand->count; i++) {
        m->registers->values[i] = SWP_VALUE_NONE;
        m->registers->varying[i] = (uint16_t)swp_flow_register_varies(m, i, varies);
        swp_flow_spilled_forget(m->registers, i);
    }
}

/* Of bit operations and shifts scc says whether the result is 0; of sums it is a carry. */
static bool tests_result(int op)
{
    static const int ops[] = {SWP_VALUE_AND,  SWP_VALUE_OR,   SWP_VALUE_XOR,  SWP_VALUE_ANDN2,
                              SWP_VALUE_ORN2, SWP_VALUE_NOT,  SWP_VALUE_LSHL, SWP_VALUE_LSHR,
                              SWP_VALUE_ASHR, SWP_VALUE_S_BFE};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i] == op)
            return true;
    return false;
}

/* Whether a bit of two words is 1. */
static swp_bits nonzero(const swp_execution *m, int low, int high, int thread)
{
    const swp_bits a = swp_flow_values_bits(m->values, m->registers->values[low], thread);
    const swp_bits b = swp_flow_values_bits(m->values, m->registers->values[high], thread);
    if (a.word | b.word)
        return (swp_bits){1, 0};
    return (swp_bits){0, (a.unknown | b.unknown) ? UINT32_MAX : 0};
}

static void set_scc(const swp_execution *m, unsigned varies)
{
    const bool wide = swp_flow_is_wide(m->insn) && m->insn->value != SWP_VALUE_COPY_WIDE;
    const int first = m->insn->writes_exec ? SWP_REG_EXEC : m->insn->operands[0].first;
    const bool known = wide || tests_result(m->insn->value);
    for (int t = 0; known && t < m->values->threads; t++)
        swp_flow_values_set_bits(m->values, t, nonzero(m, first, wide ? first + 1 : first, t));
    m->registers->values[SWP_REG_SCC] =
        known ? swp_flow_values_add_bits(m->values) : SWP_VALUE_NONE;
    set_varying(m, SWP_REG_SCC, varies);
}

/* Lanes of a vector register that are off keep the old value. */
static void write(const swp_execution *m, int number, int old, int value, unsigned varies)
{
    const bool masked = !swp_code_reg_is_scalar(number) && m->insn->value != SWP_VALUE_WRITE_LANE;
    m->registers->values[number] = masked ? merged(m, old, value) : value;
    set_varying(m, number, swp_flow_register_varies(m, number, varies));
}

static void transfer_wide(const swp_execution *m, const unsigned varies[2])
{
    int *values = m->registers->values;
    const int first = m->insn->operands[0].first;
    const int halves[2] = {swp_flow_eval_half(m, 0), swp_flow_eval_half(m, 1)};
    const int before[2] = {values[first], values[first + 1]};
    for (int half = 0; half < 2; half++) {
        const int exec = values[SWP_REG_EXEC + half];
        write(m, first + half, before[half], m->insn->writes_exec ? exec : halves[half],
              varies[half]);
        if (m->insn->writes_exec)
            write(m, SWP_REG_EXEC + half, SWP_VALUE_NONE, halves[half], varies[half]);
    }
}

static void transfer_narrow(const swp_execution *m, unsigned varies, const unsigned halves[2])
{
    const swp_insn *insn = m->insn;
    const swp_operand *destination = &insn->operands[0];
    const bool is_vector = insn->kind == SWP_INSN_VECTOR;
    const int old = m->registers->values[destination->first];
    const int derived =
        is_vector && !insn->reads_destination ? swp_flow_derived(m) : SWP_VALUE_NONE;
    const int known = destination->count == 1 ? swp_flow_eval(m) : SWP_VALUE_NONE;
    const bool compares =
        is_vector && swp_flow_is_comparison(insn->value) && destination->count == 2;
    int mask[2] = {SWP_VALUE_NONE, SWP_VALUE_NONE};
    /* It may read what it writes to. */
    if (compares)
        swp_flow_execute_mask(m, mask);
    for (int i = 0; i < insn->destinations; i++)
        forget(m, &insn->operands[i], varies);
    for (int i = 0; i < destination->count; i++)
        m->registers->values[destination->first + i] = compares ? mask[i] : known ? known : derived;
    for (int i = destination->first; i < destination->first + destination->count; i++)
        write(m, i, destination->count == 1 ? old : SWP_VALUE_NONE, m->registers->values[i],
              insn->by_halves ? halves[i - destination->first] : varies);
    for (int half = 0; half < 2 && insn->writes_exec; half++)
        write(m, SWP_REG_EXEC + half, SWP_VALUE_NONE, SWP_VALUE_NONE, varies);
}

/* What each word of the result varies with, where they are computed apart. */
static void find_halves(const swp_execution *m, unsigned varies, unsigned out[2])
{
    for (int half = 0; half < 2; half++)
        out[half] = m->insn->by_halves ? swp_flow_half_varies(m, half) : varies;
}

static void transfer_computation(const swp_execution *m)
{
    const unsigned varies = swp_flow_result_varies(m);
    const swp_spilled_scalars spilled = swp_flow_spilled_written(m);
    unsigned halves[2];
    find_halves(m, varies, halves);
    if (m->insn->destinations == 0) {
        m->registers->values[SWP_REG_SCC] = swp_flow_scalar_comparison(m);
        set_varying(m, SWP_REG_SCC, varies);
        return;
    }
    if (swp_flow_is_wide(m->insn))
        transfer_wide(m, halves);
    else
        transfer_narrow(m, varies, halves);
    if (m->insn->kind == SWP_INSN_SCALAR && !m->insn->keeps_scc)
        set_scc(m, varies);
    swp_flow_spilled_keep(m->registers, &spilled);
}

/* Loads from LDS and results of MMAs are known by their producer. */
static void transfer_producer(const swp_execution *m)
{
    const unsigned varies = swp_flow_result_varies(m);
    for (int i = 0; i < m->insn->destinations; i++)
        forget(m, &m->insn->operands[i], varies);
    if (m->event < 0 || (m->insn->kind != SWP_INSN_LDS_READ && m->insn->kind != SWP_INSN_MATRIX))
        return;
    const swp_operand *destination = &m->insn->operands[0];
    for (int i = 0; i < destination->count; i++)
        m->registers->values[destination->first + i] =
            swp_flow_values_produced(m->values, m->event, i);
}

/* Registers to private memory, or from there, lane by lane. */
static void move(const swp_execution *m, const swp_operand *from, const swp_operand *to)
{
    for (int i = 0; i < to->count; i++)
        write(m, to->first + i, m->registers->values[to->first + i],
              m->registers->values[from->first + i], m->registers->varying[from->first + i]);
}

static void transfer_store(const swp_execution *m)
{
    const swp_operand spilled = swp_code_spilled_by(m->insn);
    if (m->insn->spilled.count)
        move(m, &m->insn->operands[1], &spilled);
    else
        forget(m, &spilled, SWP_VARIES);
    transfer_producer(m);
}

void swp_flow_registers_transfer(swp_values *values, swp_registers *registers, const swp_insn *insn,
                                 int event)
{
    const swp_execution m = {values, registers, insn, event};
    switch (insn->kind) {
    case SWP_INSN_SCALAR:
    case SWP_INSN_VECTOR:
        transfer_computation(&m);
        break;
    case SWP_INSN_STORE:
    case SWP_INSN_ATOMIC:
    case SWP_INSN_FLAT_STORE:
    case SWP_INSN_FLAT_ATOMIC:
        transfer_store(&m);
        break;
    case SWP_INSN_LOAD:
        if (insn->spilled.count)
            move(&m, &insn->spilled, &insn->operands[0]);
        else
            transfer_producer(&m);
        break;
    case SWP_INSN_UNKNOWN:
        for (int i = 0; i < SWP_REG_COUNT; i++) {
            registers->values[i] = SWP_VALUE_NONE;
            registers->varying[i] = SWP_VARIES;
        }
        swp_flow_spilled_forget_all(registers);
        break;
    default:
        transfer_producer(&m);
        break;
    }
}
