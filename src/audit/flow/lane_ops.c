/* SPDX-License-Identifier: Apache-2.0 */
/* Integer operations lane by lane, from the table of value_ops.h. */
#include "audit/flow/lane_ops.h"

enum { WORD_BITS = 32 };

static uint32_t shift_signed(uint32_t word, uint32_t count)
{
    const uint32_t sign = (word >> (WORD_BITS - 1)) ? UINT32_MAX : 0;
    count %= WORD_BITS;
    return count ? word >> count | sign << (WORD_BITS - count) : word;
}

static uint32_t bit_field(uint32_t word, uint32_t first, uint32_t width)
{
    enum { WIDTH_MASK = 0x7f };
    width &= WIDTH_MASK;
    word >>= first % WORD_BITS;
    return width < WORD_BITS ? word & ((1U << width) - 1) : word;
}

/* Bit i of `table` is the result where the operands' bits, the first one highest, are i. */
static uint32_t bit_op3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    enum { ROWS = 8 };
    uint32_t result = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t match = (row & 4U ? a : ~a) & (row & 2U ? b : ~b) & (row & 1U ? c : ~c);
        result |= (table >> row & 1U) ? match : 0;
    }
    return result;
}

static const int operand_counts[SWP_VALUE_OP_COUNT] = {
#define ROW(op, count, result) [SWP_VALUE_##op] = (count),
    SWP_LANE_OPS(ROW)
#undef ROW
#define ROW(op, result) [SWP_VALUE_##op] = 2,
        SWP_COMPARE_OPS(ROW)
#undef ROW
};

int swp_flow_lane_operands(int op)
{
    return operand_counts[op];
}

bool swp_flow_is_comparison(int op)
{
    return op >= SWP_VALUE_EQ && op <= SWP_VALUE_BIT_IS_1;
}

static uint32_t compute(int op, uint32_t a, uint32_t b, uint32_t c, uint32_t n)
{
    switch (op) {
#define CASE(op, count, result)                                                                    \
    case SWP_VALUE_##op:                                                                           \
        return result;
        SWP_LANE_OPS(CASE)
#undef CASE
#define CASE(op, result)                                                                           \
    case SWP_VALUE_##op:                                                                           \
        return result;
        SWP_COMPARE_OPS(CASE)
#undef CASE
    default:
        return a + b + c + n;
    }
}

int swp_flow_lanes_compute(swp_values *values, int op, const int operands[3], uint32_t constant)
{
    static const uint32_t zeros[SWP_MOST_THREADS];
    const uint32_t *words[3] = {zeros, zeros, zeros};
    const int count = operand_counts[op];
    for (int i = 0; i < count; i++) {
        words[i] = swp_flow_values_words(values, operands[i]);
        if (!words[i])
            return SWP_VALUE_NONE;
    }
    if (count == 0)
        return SWP_VALUE_NONE;
    for (int t = 0; t < values->threads; t++)
        values->scratch[t] = compute(op, words[0][t], words[1][t], words[2][t], constant);
    return swp_flow_values_add(values);
}
