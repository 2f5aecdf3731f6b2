/* SPDX-License-Identifier: Apache-2.0 */
/* What each instruction computes. */
#include "gfx9.h"

static uint64_t low_bits(uint64_t word, uint64_t count)
{
    return count >= 32 ? word : word % (1ULL << count);
}

static uint64_t arithmetic_shift(uint64_t word, uint64_t count)
{
    const int64_t number = (int64_t)(int32_t)(uint32_t)word;
    const int64_t divisor = (int64_t)1 << count % 32;
    return (uint64_t)(number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor));
}

/* bitop3 of a table that is the majority of three. */
static uint64_t majority(gfx9_numbers n)
{
    return (n.a & n.b) | (n.a & n.c) | (n.b & n.c);
}

#define INT(x) ((int32_t)(uint32_t)(x))

/* X(name, form, result, scc afterwards where the form has one). `r` is the result. */
/* clang-format off */
#define INSTRUCTIONS(X) \
    X("s_add_i32", SCALAR_2, n.a + n.b, (int64_t)INT(n.a) + INT(n.b) != INT(r)) \
    X("s_sub_i32", SCALAR_2, n.a - n.b, (int64_t)INT(n.a) - INT(n.b) != INT(r)) \
    X("s_and_b32", SCALAR_2, n.a & n.b, r != 0) \
    X("s_or_b32", SCALAR_2, n.a | n.b, r != 0) \
    X("s_xor_b32", SCALAR_2, (n.a | n.b) - (n.a & n.b), r != 0) \
    X("s_andn2_b32", SCALAR_2, n.a - (n.a & n.b), r != 0) \
    X("s_orn2_b32", SCALAR_2, n.a | (0xffffffff - n.b), r != 0) \
    X("s_lshl_b32", SCALAR_2, n.a * (1ULL << n.b % 32), r != 0) \
    X("s_lshr_b32", SCALAR_2, n.a / (1ULL << n.b % 32), r != 0) \
    X("s_ashr_i32", SCALAR_2, arithmetic_shift(n.a, n.b), r != 0) \
    X("s_bfe_u32", SCALAR_2, low_bits(n.a >> n.b % 32, (n.b >> 16) % 128), r != 0) \
    X("s_min_u32", SCALAR_2, n.a < n.b ? n.a : n.b, n.a < n.b) \
    X("s_max_u32", SCALAR_2, n.a > n.b ? n.a : n.b, n.a > n.b) \
    X("s_lshl2_add_u32", SCALAR_2, n.a * 4 + n.b, n.a * 4 + n.b > 0xffffffff) \
    X("s_mul_i32", SCALAR_2, n.a * n.b, before) \
    X("s_not_b32", SCALAR_1, 0xffffffff - n.a, r != 0) \
    X("s_mov_b32", SCALAR_1, n.a, before) \
    X("s_brev_b32", SCALAR_1, reversed(n.a), before) \
    X("s_addk_i32", SCALAR_K, n.a + n.b, (int64_t)INT(n.a) + INT(n.b) != INT(r)) \
    X("s_mulk_i32", SCALAR_K, n.a * n.b, before) \
    X("s_cmp_eq_u32", COMPARE, 0, n.a == n.b) \
    X("s_cmp_lg_u32", COMPARE, 0, n.a != n.b) \
    X("s_cmp_gt_i32", COMPARE, 0, INT(n.a) > INT(n.b)) \
    X("s_cmp_le_u32", COMPARE, 0, n.a <= n.b) \
    X("s_bitcmp1_b32", COMPARE, 0, n.a >> n.b % 32 & 1) \
    X("s_cselect_b32", CHOOSE, before ? n.a : n.b, before) \
    X("s_and_b64", PAIR_2, n.a & n.b, r != 0) \
    X("s_or_b64", PAIR_2, n.a | n.b, r != 0) \
    X("s_xor_b64", PAIR_2, (n.a | n.b) - (n.a & n.b), r != 0) \
    X("s_andn2_b64", PAIR_2, n.a - (n.a & n.b), r != 0) \
    X("s_mov_b64", PAIR_1, n.a, before) \
    X("s_not_b64", PAIR_1, UINT64_MAX - n.a, r != 0) \
    X("s_cselect_b64", CHOOSE_PAIR, before ? n.a : n.b, before) \
    X("s_and_saveexec_b64", SAVE_EXEC, n.a & n.b, r != 0) \
    X("s_or_saveexec_b64", SAVE_EXEC, n.a | n.b, r != 0) \
    X("s_andn2_saveexec_b64", SAVE_EXEC, n.a - (n.a & n.b), r != 0) \
    X("v_mov_b32_e32", VECTOR_1, n.a, before) \
    X("v_not_b32_e32", VECTOR_1, 0xffffffff - n.a, before) \
    X("v_add_u32_e64", VECTOR_2, n.a + n.b, before) \
    X("v_sub_u32_e64", VECTOR_2, n.a - n.b, before) \
    X("v_subrev_u32_e64", VECTOR_2, n.b - n.a, before) \
    X("v_and_b32_e64", VECTOR_2, n.a & n.b, before) \
    X("v_or_b32_e64", VECTOR_2, n.a | n.b, before) \
    X("v_xor_b32_e64", VECTOR_2, (n.a | n.b) - (n.a & n.b), before) \
    X("v_lshlrev_b32_e64", VECTOR_2, n.b * (1ULL << n.a % 32), before) \
    X("v_lshrrev_b32_e64", VECTOR_2, n.b / (1ULL << n.a % 32), before) \
    X("v_ashrrev_i32_e64", VECTOR_2, arithmetic_shift(n.b, n.a), before) \
    X("v_mul_lo_u32", VECTOR_2, n.a * n.b, before) \
    X("v_mul_u32_u24_e64", VECTOR_2, (n.a % (1 << 24)) * (n.b % (1 << 24)), before) \
    X("v_min_u32_e64", VECTOR_2, n.a < n.b ? n.a : n.b, before) \
    X("v_max_u32_e64", VECTOR_2, n.a > n.b ? n.a : n.b, before) \
    X("v_and_or_b32", VECTOR_3, (n.a & n.b) | n.c, before) \
    X("v_lshl_add_u32", VECTOR_3, n.a * (1ULL << n.b % 32) + n.c, before) \
    X("v_add_lshl_u32", VECTOR_3, (n.a + n.b) * (1ULL << n.c % 32), before) \
    X("v_lshl_or_b32", VECTOR_3, (uint32_t)(n.a * (1ULL << n.b % 32)) | n.c, before) \
    X("v_or3_b32", VECTOR_3, n.a | n.b | n.c, before) \
    X("v_add3_u32", VECTOR_3, n.a + n.b + n.c, before) \
    X("v_xad_u32", VECTOR_3, ((n.a | n.b) - (n.a & n.b)) + n.c, before) \
    X("v_mad_u32_u24", VECTOR_3, (n.a % (1 << 24)) * (n.b % (1 << 24)) + n.c, before) \
    X("v_bfe_u32", VECTOR_3, low_bits(n.a >> n.b % 32, n.c % 32), before) \
    X("v_bfi_b32", VECTOR_3, (n.a & n.b) | ((0xffffffff - n.a) & n.c), before) \
    X("v_bitop3_b32", VECTOR_3, majority(n), before) \
    X("v_cmp_eq_u32_e64", VECTOR_COMPARE, n.a == n.b, before) \
    X("v_cmp_gt_u32_e64", VECTOR_COMPARE, n.a > n.b, before) \
    X("v_cmp_lt_i32_e64", VECTOR_COMPARE, INT(n.a) < INT(n.b), before) \
    X("v_cndmask_b32_e64", SELECT, 0, before) \
    X("v_readfirstlane_b32", FIRST_LANE, 0, before) \
    X("v_readlane_b32", READ_LANE, 0, before) \
    X("v_writelane_b32", WRITE_LANE, 0, before) \
    X("v_mbcnt_lo_u32_b32", COUNT_LANES_LOW, 0, before) \
    X("v_mbcnt_hi_u32_b32", COUNT_LANES_HIGH, 0, before)
/* clang-format on */

#define ENUMERATE(name, form, result, scc) form,
static const form forms[] = {INSTRUCTIONS(ENUMERATE)};
#undef ENUMERATE
#define NAME(name, form, result, scc) name,
static const char *const names[] = {INSTRUCTIONS(NAME)};
#undef NAME

static uint64_t reversed(uint64_t word)
{
    uint64_t result = 0;
    for (int bit = 0; bit < 32; bit++)
        result |= (word >> bit & 1) << (31 - bit);
    return result;
}

bool gfx9_is_wide(form f)
{
    return f == PAIR_2 || f == PAIR_1 || f == CHOOSE_PAIR || f == SAVE_EXEC;
}

uint64_t gfx9_compute(int op, gfx9_numbers n, bool *scc)
{
    const bool before = *scc;
    uint64_t r = 0;
    int at = 0;
#define COMPUTE(name, form, result, after)                                                         \
    if (at++ == op) {                                                                              \
        r = (result);                                                                              \
        r = gfx9_is_wide(form) ? r : (uint32_t)r;                                                  \
        *scc = (after);                                                                            \
        return r;                                                                                  \
    }
    INSTRUCTIONS(COMPUTE)
#undef COMPUTE
    return 0;
}

int gfx9_op_count(void)
{
    return (int)(sizeof forms / sizeof *forms);
}

form gfx9_form(int op)
{
    return forms[op];
}

const char *gfx9_name(int op)
{
    return names[op];
}

int gfx9_sources(form f)
{
    switch (f) {
    case SCALAR_1:
    case PAIR_1:
    case SAVE_EXEC:
    case VECTOR_1:
    case FIRST_LANE:
        return 1;
    case VECTOR_3:
    case SELECT:
        return 3;
    default:
        return 2;
    }
}
