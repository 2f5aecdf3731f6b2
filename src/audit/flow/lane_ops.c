/* SPDX-License-Identifier: Apache-2.0 */
/* Integer operations lane by lane, from the table of value_ops.h. */
#include "audit/flow/lane_ops.h"

#include "audit/flow/computed_table.h"

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

/* The same with the field's highest bit for a sign; beyond the word there are more of that. */
static uint32_t signed_field(uint32_t word, uint32_t first, uint32_t width)
{
    enum { WIDTH_MASK = 0x7f };
    width &= WIDTH_MASK;
    first %= WORD_BITS;
    if (width == 0 || first + width >= WORD_BITS)
        return width ? shift_signed(word, first) : 0;
    return shift_signed(word << (WORD_BITS - first - width), WORD_BITS - width);
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

/* --- words of which some bits are not known --- */

static const swp_bits nothing = {0, UINT32_MAX};

static swp_bits not_bits(swp_bits a)
{
    return (swp_bits){~a.word & ~a.unknown, a.unknown};
}

static swp_bits and_bits(swp_bits a, swp_bits b)
{
    const uint32_t may_be_1 = (a.word | a.unknown) & (b.word | b.unknown);
    return (swp_bits){a.word & b.word, may_be_1 & ~(a.word & b.word)};
}

static swp_bits or_bits(swp_bits a, swp_bits b)
{
    return not_bits(and_bits(not_bits(a), not_bits(b)));
}

static swp_bits xor_bits(swp_bits a, swp_bits b)
{
    const uint32_t unknown = a.unknown | b.unknown;
    return (swp_bits){(a.word ^ b.word) & ~unknown, unknown};
}

/* The bits that differ between the least and the largest sum may differ, and those that the operands lack. */
static swp_bits add_bits(swp_bits a, swp_bits b)
{
    const uint32_t least = a.word + b.word;
    const uint32_t largest = least + a.unknown + b.unknown;
    const uint32_t unknown = (least ^ largest) | a.unknown | b.unknown;
    return (swp_bits){least & ~unknown, unknown};
}

static swp_bits sub_bits(swp_bits a, swp_bits b)
{
    return not_bits(add_bits(not_bits(a), b));
}

/* Shifts by a known count of what is filled in with what follows from the sign. */
static swp_bits shift_bits(swp_bits a, swp_bits count, int op)
{
    const uint32_t by = count.word % WORD_BITS;
    if (count.unknown % WORD_BITS)
        return nothing;
    if (op == SWP_VALUE_LSHL)
        return (swp_bits){a.word << by, a.unknown << by};
    if (op == SWP_VALUE_LSHR)
        return (swp_bits){a.word >> by, a.unknown >> by};
    return (swp_bits){shift_signed(a.word, by), shift_signed(a.unknown, by)};
}

/* Of a product the bits below the first that a factor lacks, and the zeros that both end with. */
static swp_bits mul_bits(swp_bits a, swp_bits b)
{
    const uint32_t lacking = a.unknown | b.unknown;
    const uint32_t first = lacking & (0U - lacking);
    const uint32_t unknown = first ? ~(first - 1) : 0;
    uint32_t zeros = 0; /* whatever the bits that are lacking */
    for (uint32_t bit = 1; bit && !((a.word | a.unknown) & bit); bit <<= 1U)
        zeros++;
    for (uint32_t bit = 1; bit && !((b.word | b.unknown) & bit); bit <<= 1U)
        zeros++;
    const uint32_t ending = zeros < WORD_BITS ? (1U << zeros) - 1 : UINT32_MAX;
    return (swp_bits){a.word * b.word & ~unknown, unknown & ~ending};
}

static swp_bits number(uint32_t word)
{
    return (swp_bits){word, 0};
}

/* Of a field whose place is known; of one with a sign the bits that are lacking have one too. */
static swp_bits field_bits(swp_bits a, swp_bits first, swp_bits width, bool is_signed)
{
    uint32_t (*const field)(uint32_t, uint32_t, uint32_t) = is_signed ? signed_field : bit_field;
    if (first.unknown || width.unknown)
        return nothing;
    return (swp_bits){field(a.word, first.word, width.word),
                      field(a.unknown, first.word, width.word)};
}

/* Each bit may be what the rows of the table say that its operands' bits may select. */
static swp_bits table_bits(swp_bits a, swp_bits b, swp_bits c, uint32_t table)
{
    const uint32_t may_be_0[3] = {~a.word | a.unknown, ~b.word | b.unknown, ~c.word | c.unknown};
    const uint32_t may_be_1[3] = {a.word | a.unknown, b.word | b.unknown, c.word | c.unknown};
    enum { ROWS = 8 };
    uint32_t results[2] = {0, 0};
    for (uint32_t row = 0; row < ROWS; row++)
        results[table >> row & 1U] |= (row & 4U ? may_be_1 : may_be_0)[0] &
                                      (row & 2U ? may_be_1 : may_be_0)[1] &
                                      (row & 1U ? may_be_1 : may_be_0)[2];
    return (swp_bits){results[1] & ~results[0], results[1] & results[0]};
}

/* X(op, result of a, b, c and the instruction's constant n): what can be told bit by bit. */
/* clang-format off */
#define PARTIAL_OPS(X) \
    X(NOT,       not_bits(a)) \
    X(ADD,       add_bits(a, b)) \
    X(ADDK,      add_bits(a, b)) \
    X(SUB,       sub_bits(a, b)) \
    X(SUBREV,    sub_bits(b, a)) \
    X(AND,       and_bits(a, b)) \
    X(OR,        or_bits(a, b)) \
    X(XOR,       xor_bits(a, b)) \
    X(XNOR,      not_bits(xor_bits(a, b))) \
    X(ANDN2,     and_bits(a, not_bits(b))) \
    X(ORN2,      or_bits(a, not_bits(b))) \
    X(LSHL,      shift_bits(a, b, SWP_VALUE_LSHL)) \
    X(LSHLREV,   shift_bits(b, a, SWP_VALUE_LSHL)) \
    X(LSHR,      shift_bits(a, b, SWP_VALUE_LSHR)) \
    X(LSHRREV,   shift_bits(b, a, SWP_VALUE_LSHR)) \
    X(ASHR,      shift_bits(a, b, SWP_VALUE_ASHR)) \
    X(ASHRREV,   shift_bits(b, a, SWP_VALUE_ASHR)) \
    X(LSHL1_ADD, add_bits(shift_bits(a, number(1), SWP_VALUE_LSHL), b)) \
    X(LSHL2_ADD, add_bits(shift_bits(a, number(2), SWP_VALUE_LSHL), b)) \
    X(LSHL3_ADD, add_bits(shift_bits(a, number(3), SWP_VALUE_LSHL), b)) \
    X(LSHL4_ADD, add_bits(shift_bits(a, number(4), SWP_VALUE_LSHL), b)) \
    X(MUL,       mul_bits(a, b)) \
    X(MULK,      mul_bits(a, b)) \
    X(LSHL_ADD,  add_bits(shift_bits(a, b, SWP_VALUE_LSHL), c)) \
    X(ADD_LSHL,  shift_bits(add_bits(a, b), c, SWP_VALUE_LSHL)) \
    X(LSHL_OR,   or_bits(shift_bits(a, b, SWP_VALUE_LSHL), c)) \
    X(AND_OR,    or_bits(and_bits(a, b), c)) \
    X(OR3,       or_bits(or_bits(a, b), c)) \
    X(ADD3,      add_bits(add_bits(a, b), c)) \
    X(XAD,       add_bits(xor_bits(a, b), c)) \
    X(BFE,       field_bits(a, b, and_bits(c, number(31)), false)) \
    X(BFE_I,     field_bits(a, b, and_bits(c, number(31)), true)) \
    X(S_BFE,     field_bits(a, b, shift_bits(b, number(16), SWP_VALUE_LSHR), false)) \
    X(S_BFE_I,   field_bits(a, b, shift_bits(b, number(16), SWP_VALUE_LSHR), true)) \
    X(BFI,       or_bits(and_bits(a, b), and_bits(not_bits(a), c))) \
    X(BITOP3,    table_bits(a, b, c, n))
/* clang-format on */

static swp_bits compute_bits(int op, swp_bits a, swp_bits b, swp_bits c, uint32_t n)
{
    switch (op) {
#define CASE(op, result)                                                                           \
    case SWP_VALUE_##op:                                                                           \
        return result;
        PARTIAL_OPS(CASE) /* NOLINT(bugprone-branch-clone): two names of one instruction */
#undef CASE
    default:
        return nothing;
    }
}

int swp_flow_lanes_compute(swp_values *values, int op, const int operands[3], uint32_t constant)
{
    const int count = operand_counts[op];
    const swp_operation operation = {op, {operands[0], operands[1], operands[2]}, constant};
    int computed = SWP_VALUE_NONE;
    if (count == 0 || swp_flow_computed_find(values, &operation, &computed))
        return computed;
    for (int t = 0; t < values->threads; t++) {
        swp_bits of[3] = {{0, 0}, {0, 0}, {0, 0}};
        for (int i = 0; i < count; i++)
            of[i] = swp_flow_values_bits(values, operands[i], t);
        const bool known = !(of[0].unknown | of[1].unknown | of[2].unknown);
        const swp_bits result =
            known ? number(compute(op, of[0].word, of[1].word, of[2].word, constant))
                  : compute_bits(op, of[0], of[1], of[2], constant);
        swp_flow_values_set_bits(values, t, result);
    }
    return swp_flow_computed_keep(values, &operation, swp_flow_values_add_bits(values));
}
