/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums with a carry, comparisons of two words, and what compilers divide integers by: an estimate of the reciprocal, which
 * they correct. As the manuals of CDNA3 and CDNA4 define them.
 */
#include "audit/flow/symbolic_ops.h"

#include "audit/flow/eval.h"

#include <math.h>
#include <string.h>

enum { WORD_BITS = 32 };

/* A word of an operand in a thread; false if it is not known. */
static bool word_of(const swp_values *values, const swp_registers *registers,
                    const swp_operand *operand, int half, bool wide, int thread, uint32_t *out)
{
    if (operand->altered || operand->part_bits)
        return false;
    const int32_t least_inline = -16;
    const int32_t largest_inline = 64;
    const int32_t number = (int32_t)operand->number;
    /* Of two words only these read the same. */
    if (operand->kind == SWP_OPERAND_NUMBER && wide &&
        (number < least_inline || number > largest_inline))
        return false;
    if (operand->kind == SWP_OPERAND_NUMBER) {
        *out = !half ? operand->number : (int32_t)operand->number < 0 ? UINT32_MAX : 0;
        return true;
    }
    if (operand->kind != SWP_OPERAND_REGISTERS || half >= operand->count)
        return false;
    const swp_bits bits =
        swp_flow_values_bits(values, registers->values[operand->first + half], thread);
    *out = bits.word;
    return !bits.unknown;
}

/* --- carries --- */

typedef struct carry_op {
    const char *name;
    bool subtracts;
    bool carries_in;
} carry_op;

static const carry_op *carry_op_of(const swp_insn *insn)
{
    static const carry_op ops[] = {{"s_add_u32", false, false},
                                   {"s_addc_u32", false, true},
                                   {"s_sub_u32", true, false},
                                   {"s_subb_u32", true, true}};
    swp_slice rest = insn->text;
    const swp_slice name = swp_code_slice_take_word(&rest);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (swp_code_slice_is(name, ops[i].name))
            return &ops[i];
    return NULL;
}

static void add_with_carry(swp_values *values, swp_registers *registers,
                           const swp_registers *before, const swp_insn *insn, const carry_op *op)
{
    const swp_operand scc = {.kind = SWP_OPERAND_REGISTERS, .first = SWP_REG_SCC, .count = 1};
    uint32_t carries[SWP_MOST_THREADS] = {0};
    for (int t = 0; t < values->threads; t++) {
        uint32_t a = 0;
        uint32_t b = 0;
        uint32_t carry = 0;
        if (!word_of(values, before, &insn->operands[1], 0, false, t, &a) ||
            !word_of(values, before, &insn->operands[2], 0, false, t, &b) ||
            (op->carries_in && !word_of(values, before, &scc, 0, false, t, &carry)))
            return;
        const uint64_t other = (uint64_t)b + carry;
        const uint64_t sum = op->subtracts ? (uint64_t)a - other : (uint64_t)a + other;
        values->scratch[t] = (uint32_t)sum;
        carries[t] = sum >> WORD_BITS != 0;
    }
    registers->values[insn->operands[0].first] = swp_flow_values_add(values);
    for (int t = 0; t < values->threads; t++)
        values->scratch[t] = carries[t];
    registers->values[SWP_REG_SCC] = swp_flow_values_add(values);
}

/* --- comparisons --- */

static bool compare(const char *op, bool is_signed, uint64_t a, uint64_t b)
{
    const uint64_t sign = is_signed ? 1ULL << 63U : 0;
    const uint64_t x = a ^ sign;
    const uint64_t y = b ^ sign;
    if (x == y)
        return op[1] == 'e' ? op[0] != 'n' : op[0] == 'e';
    return op[0] == 'n' || op[0] == (x < y ? 'l' : 'g');
}

/* "lt" of "v_cmp_lt_i64_e32"; NULL: it compares no two words of integers. */
static const char *comparison_of(const swp_insn *insn, bool *is_signed)
{
    static const char *const ops[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    const char *text = insn->text.start;
    const char prefix[] = "v_cmp_";
    enum { PREFIX = sizeof prefix - 1, OP = 2 };
    if (insn->destinations != 1 || !swp_code_slice_starts(insn->text, prefix) ||
        insn->text.length < PREFIX + OP + 4 || text[PREFIX + OP] != '_' ||
        text[PREFIX + OP + 2] != '6' || text[PREFIX + OP + 3] != '4')
        return NULL;
    *is_signed = text[PREFIX + OP + 1] == 'i';
    if (!*is_signed && text[PREFIX + OP + 1] != 'u')
        return NULL;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (text[PREFIX] == ops[i][0] && text[PREFIX + 1] == ops[i][1])
            return ops[i];
    return NULL;
}

static bool is_met(const swp_values *values, const swp_registers *before, const swp_insn *insn,
                   const char *op, bool is_signed, int thread, bool *out)
{
    uint32_t words[2][2];
    for (int operand = 0; operand < 2; operand++)
        for (int half = 0; half < 2; half++)
            if (!word_of(values, before, &insn->operands[1 + operand], half, true, thread,
                         &words[operand][half]))
                return false;
    *out = compare(op, is_signed, words[0][0] | (uint64_t)words[0][1] << WORD_BITS,
                   words[1][0] | (uint64_t)words[1][1] << WORD_BITS);
    return true;
}

static void compare_lanes(swp_values *values, swp_registers *registers, const swp_registers *before,
                          const swp_insn *insn, const char *op, bool is_signed)
{
    uint32_t masks[2][SWP_MOST_WAVES] = {{0}, {0}};
    for (int t = 0; t < values->present; t++) {
        const swp_lane_state on = swp_flow_lane_state(values, before, SWP_REG_EXEC, t);
        const int lane = t % SWP_WAVE;
        bool met = false;
        if (on == SWP_LANE_MAYBE ||
            (on == SWP_LANE_ON && !is_met(values, before, insn, op, is_signed, t, &met)))
            return;
        if (on == SWP_LANE_ON && met)
            masks[lane / WORD_BITS][t / SWP_WAVE] |= 1U << lane % WORD_BITS;
    }
    for (int half = 0; half < 2; half++) {
        for (int t = 0; t < values->threads; t++)
            values->scratch[t] = masks[half][t / SWP_WAVE];
        registers->values[insn->operands[0].first + half] = swp_flow_values_add(values);
    }
}

/* --- divisions --- */

static uint32_t word_of_float(float value)
{
    uint32_t word = 0;
    memcpy(&word, &value, sizeof word);
    return word;
}

static float float_of_word(uint32_t word)
{
    float value = 0;
    memcpy(&value, &word, sizeof value);
    return value;
}

typedef enum division_op { TO_FLOAT, RECIPROCAL, SCALE, FROM_FLOAT, HIGH } division_op;

static bool compute_step(division_op op, uint32_t a, uint32_t b, uint32_t *out)
{
    const uint32_t just_below_2_32 = 0x4f7ffffe;
    const float largest = 4294967040.0F;
    const float value = float_of_word(a);
    switch (op) {
    case TO_FLOAT:
        *out = word_of_float((float)a);
        return true;
    case RECIPROCAL:
        *out = word_of_float(1.0F / value);
        return isnormal(value);
    case SCALE:
        *out = word_of_float(value * float_of_word(b));
        return isnormal(value) && a == just_below_2_32;
    case FROM_FLOAT:
        *out = value >= 0 && value <= largest ? (uint32_t)value : 0;
        return value >= 0 && value <= largest;
    default:
        *out = (uint32_t)((uint64_t)a * b >> WORD_BITS);
        return true;
    }
}

typedef struct division_name {
    const char *name;
    division_op op;
    int sources;
} division_name;

static const division_name *division_of(const swp_insn *insn)
{
    static const division_name names[] = {{"v_cvt_f32_u32", TO_FLOAT, 1},
                                          {"v_cvt_f32_u32_e32", TO_FLOAT, 1},
                                          {"v_rcp_f32", RECIPROCAL, 1},
                                          {"v_rcp_f32_e32", RECIPROCAL, 1},
                                          {"v_rcp_iflag_f32", RECIPROCAL, 1},
                                          {"v_rcp_iflag_f32_e32", RECIPROCAL, 1},
                                          {"v_mul_f32", SCALE, 2},
                                          {"v_mul_f32_e32", SCALE, 2},
                                          {"v_cvt_u32_f32", FROM_FLOAT, 1},
                                          {"v_cvt_u32_f32_e32", FROM_FLOAT, 1},
                                          {"s_mul_hi_u32", HIGH, 2},
                                          {"v_mul_hi_u32", HIGH, 2}};
    swp_slice rest = insn->text;
    const swp_slice name = swp_code_slice_take_word(&rest);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (swp_code_slice_is(name, names[i].name) && insn->operand_count == names[i].sources + 1 &&
            insn->destinations == 1 && insn->operands[0].count == 1)
            return &names[i];
    return NULL;
}

/* With all lanes on: where some are off, others keep what they had. */
static void divide(swp_values *values, swp_registers *registers, const swp_registers *before,
                   const swp_insn *insn, const division_name *division)
{
    for (int t = 0; t < values->threads; t++) {
        uint32_t sources[2] = {0, 0};
        for (int i = 0; i < division->sources; i++)
            if (!word_of(values, before, &insn->operands[1 + i], 0, false, t, &sources[i]))
                return;
        if ((insn->kind == SWP_INSN_VECTOR && t < values->present &&
             swp_flow_lane_state(values, before, SWP_REG_EXEC, t) != SWP_LANE_ON) ||
            !compute_step(division->op, sources[0], sources[1], &values->scratch[t]))
            return;
    }
    registers->values[insn->operands[0].first] = swp_flow_values_add(values);
}

void swp_flow_symbolic_compute_more(swp_values *values, swp_registers *registers,
                                    const swp_registers *before, const swp_insn *insn)
{
    bool is_signed = false;
    const carry_op *carry = insn->kind == SWP_INSN_SCALAR ? carry_op_of(insn) : NULL;
    const char *op = insn->kind == SWP_INSN_VECTOR ? comparison_of(insn, &is_signed) : NULL;
    const division_name *division = division_of(insn);
    if (division)
        divide(values, registers, before, insn, division);
    if (carry && insn->operand_count == 3)
        add_with_carry(values, registers, before, insn, carry);
    if (op && insn->operands[0].count == 2)
        compare_lanes(values, registers, before, insn, op, is_signed);
}
