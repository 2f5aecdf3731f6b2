/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The computations that addresses are made of, on 32-bit words: X(op, operands, result of a, b, c).
 * `n` is the instruction's own constant. An instruction that is none of these gives an unknown value.
 */
#ifndef SWP_AUDIT_FLOW_VALUE_OPS_H
#define SWP_AUDIT_FLOW_VALUE_OPS_H

/* clang-format off */
#define SWP_LANE_OPS(X) \
    X(MOV,       1, a) \
    X(NOT,       1, ~a) \
    X(ADD,       2, a + b) \
    X(SUB,       2, a - b) \
    X(SUBREV,    2, b - a) \
    X(AND,       2, a & b) \
    X(OR,        2, a | b) \
    X(XOR,       2, a ^ b) \
    X(XNOR,      2, ~(a ^ b)) \
    X(ANDN2,     2, a & ~b) \
    X(ORN2,      2, a | ~b) \
    X(LSHL,      2, a << (b & 31U)) \
    X(LSHLREV,   2, b << (a & 31U)) \
    X(LSHR,      2, a >> (b & 31U)) \
    X(LSHRREV,   2, b >> (a & 31U)) \
    X(ASHR,      2, shift_signed(a, b)) \
    X(ASHRREV,   2, shift_signed(b, a)) \
    X(LSHL1_ADD, 2, (a << 1U) + b) \
    X(LSHL2_ADD, 2, (a << 2U) + b) \
    X(LSHL3_ADD, 2, (a << 3U) + b) \
    X(LSHL4_ADD, 2, (a << 4U) + b) \
    X(MUL,       2, a * b) \
    X(MUL24,     2, (a & 0xffffffU) * (b & 0xffffffU)) \
    X(MIN_U32,   2, a < b ? a : b) \
    X(MAX_U32,   2, a > b ? a : b) \
    X(MIN_I32,   2, (int32_t)a < (int32_t)b ? a : b) \
    X(MAX_I32,   2, (int32_t)a > (int32_t)b ? a : b) \
    X(MAD24,     3, (a & 0xffffffU) * (b & 0xffffffU) + c) \
    X(LSHL_ADD,  3, (a << (b & 31U)) + c) \
    X(ADD_LSHL,  3, (a + b) << (c & 31U)) \
    X(LSHL_OR,   3, (a << (b & 31U)) | c) \
    X(AND_OR,    3, (a & b) | c) \
    X(OR3,       3, a | b | c) \
    X(ADD3,      3, a + b + c) \
    X(XAD,       3, (a ^ b) + c) \
    X(BFE,       3, bit_field(a, b, c & 31U)) \
    X(BFE_I,     3, signed_field(a, b, c & 31U)) \
    X(BFI,       3, (a & b) | (~a & c)) \
    X(S_BFE,     2, bit_field(a, b, b >> 16U)) \
    X(S_BFE_I,   2, signed_field(a, b, b >> 16U)) \
    X(BITOP3,    3, bit_op3(a, b, c, n)) \
    X(ADDK,      2, a + b) \
    X(MULK,      2, a * b)

/* The same for comparisons, whose result is a bit. */
#define SWP_COMPARE_OPS(X) \
    X(EQ,     a == b) \
    X(NE,     a != b) \
    X(LT_U32, a < b) \
    X(LE_U32, a <= b) \
    X(GT_U32, a > b) \
    X(GE_U32, a >= b) \
    X(LT_I32, (int32_t)a < (int32_t)b) \
    X(LE_I32, (int32_t)a <= (int32_t)b) \
    X(GT_I32, (int32_t)a > (int32_t)b) \
    X(GE_I32, (int32_t)a >= (int32_t)b) \
    X(BIT_IS_0, (a >> (b & 31U) & 1U) == 0) \
    X(BIT_IS_1, (a >> (b & 31U) & 1U) == 1)

/* And for what is no plain computation of a lane: X(op, operands). */
#define SWP_OTHER_OPS(X) \
    X(FIRST_LANE,       1) /* of the active ones */ \
    X(READ_LANE,        2) \
    X(WRITE_LANE,       2) \
    X(LANES_BELOW_LOW,  2) \
    X(LANES_BELOW_HIGH, 2) \
    X(SELECT,           3) /* by a mask */ \
    X(CHOOSE,           2) /* by scc */ \
    X(CHOOSE_WIDE,      2) \
    X(SAVE_EXEC_AND,    1) \
    X(SAVE_EXEC_ANDN2,  1) \
    X(SAVE_EXEC_OR,     1) \
    X(COPY_WIDE,        1) /* two words */ \
    X(AND_WIDE,         2) \
    X(OR_WIDE,          2) \
    X(XOR_WIDE,         2) \
    X(ANDN2_WIDE,       2) \
    X(NOT_WIDE,         1) \
    X(EQ_WIDE,          2) \
    X(NE_WIDE,          2)

/* How a branch is decided: X(op, the register that it asks). */
#define SWP_BRANCH_OPS(X) \
    X(IF_SCC_0,      SCC) \
    X(IF_SCC_1,      SCC) \
    X(IF_VCC_0,      VCC) \
    X(IF_VCC_NOT_0,  VCC) \
    X(IF_EXEC_0,     EXEC) \
    X(IF_EXEC_NOT_0, EXEC)
/* clang-format on */

#define SWP_LANE_ENUMERATOR(op, ...) SWP_VALUE_##op,
typedef enum swp_value_op {
    SWP_VALUE_UNKNOWN,
    SWP_LANE_OPS(SWP_LANE_ENUMERATOR) SWP_COMPARE_OPS(SWP_LANE_ENUMERATOR)
        SWP_OTHER_OPS(SWP_LANE_ENUMERATOR) SWP_BRANCH_OPS(SWP_LANE_ENUMERATOR) SWP_VALUE_OP_COUNT
} swp_value_op;
#undef SWP_LANE_ENUMERATOR

#endif
