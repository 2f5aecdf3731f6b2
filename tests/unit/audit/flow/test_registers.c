/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions compute, thread by thread. */
#include "fixture.h"

#include "audit/amd/amd.h"
#include "audit/flow/registers.h"

#include <string.h>

enum { THREADS = 256 };

typedef struct bench {
    swp_values values;
    swp_registers registers;
} bench;

/* Runs instructions, one a line, from the start of a kernel, to which all first scalars are given. */
static void run(swp_context *ctx, bench *b, const char *text)
{
    swp_function function = {.workgroup = THREADS};
    for (int i = 0; i < SWP_START_COUNT; i++)
        function.start[i] = i < 2 ? SWP_START_CONSTANTS : SWP_START_UNIFORM;
    swp_statement_list list = {0};
    assert_ok(ctx, swp_flow_values_init(ctx, THREADS / SWP_WAVE, &b->values));
    swp_flow_registers_start(&b->values, &function, &b->registers);
    assert_ok(ctx, swp_amd_statements(ctx, (swp_slice){text, strlen(text)}, &list));
    for (size_t i = 0; i < list.count; i++) {
        swp_insn insn;
        swp_amd_decode(&list.items[i], SWP_PROCESSOR_GFX950, &insn);
        assert_null(insn.unknown);
        swp_flow_registers_transfer(&b->values, &b->registers, &insn, (int)i);
    }
}

static const uint32_t *words_of(const bench *b, int number)
{
    return swp_flow_registers_words(&b->values, &b->registers, number);
}

/* X(instructions that set v9, what they come to for thread t) */
#define COMPUTATIONS(X)                                                                            \
    X("v_mov_b32_e32 v9, v0", t)                                                                   \
    X("v_mov_b32_e32 v9, -3", 0U - 3)                                                              \
    X("v_lshlrev_b32_e32 v9, 4, v0", t * 16)                                                       \
    X("v_lshrrev_b32_e32 v9, 6, v0", t / 64)                                                       \
    X("v_and_b32_e32 v9, 63, v0", t % 64)                                                          \
    X("v_and_or_b32 v9, v0, 15, 0x100", t % 16 + 256)                                              \
    X("v_lshl_or_b32 v9, v0, 2, 1", t * 4 + 1)                                                     \
    X("v_lshl_add_u32 v9, v0, 3, v0", t * 9)                                                       \
    X("v_add_lshl_u32 v9, v0, 1, 2", (t + 1) * 4)                                                  \
    X("v_add3_u32 v9, v0, v0, v0", t * 3)                                                          \
    X("v_sub_u32_e32 v9, 255, v0", 255 - t)                                                        \
    X("v_subrev_u32_e32 v9, 1, v0", t - 1)                                                         \
    X("v_mul_u32_u24_e32 v9, 20, v0", t * 20)                                                      \
    X("v_mad_u32_u24 v9, v0, 7, 5", t * 7 + 5)                                                     \
    X("v_mul_lo_u32 v9, v0, v0", t *t)                                                             \
    X("v_bfe_u32 v9, v0, 4, 34", t / 16 % 4) /* five bits of the width count */                    \
    X("v_bfe_u32 v9, v0, 4, 2", t / 16 % 4)                                                        \
    X("v_xor_b32_e32 v9, 37, v0", t ^ 37)                                                          \
    X("v_xad_u32 v9, v0, 1, v0", (t ^ 1) + t)                                                      \
    X("v_not_b32_e32 v9, v0", ~t)                                                                  \
    X("v_ashrrev_i32_e32 v9, 31, v0", 0)                                                           \
    X("v_bitop3_b32 v9, v0, 12, v0 bitop3:0xc0", t & 12)                                           \
    X("v_bitop3_b32 v9, v0, 12, 10 bitop3:0x96", t ^ 12 ^ 10)                                      \
    X("v_bitop3_b32 v9, v0, 12, 10 bitop3:0x2a", ~((t & 12) | ~10U))                               \
    X("v_bfi_b32 v9, 15, v0, -1", (t & 15) | ~15U)                                                 \
    X("v_mbcnt_lo_u32_b32 v8, -1, 0\nv_mbcnt_hi_u32_b32 v9, -1, v8", t % 64)                       \
    X("v_readfirstlane_b32 s4, v0\nv_mov_b32_e32 v9, s4", t / 64 * 64)                             \
    X("v_readfirstlane_b32 s4, v0\ns_lshr_b32 s4, s4, 6\nv_mov_b32_e32 v9, s4", t / 64)            \
    X("s_movk_i32 s4, 0x400\ns_addk_i32 s4, 0x10\nv_mov_b32_e32 v9, s4", 0x410)                    \
    X("s_movk_i32 s4, 0xfff0\ns_addk_i32 s4, 0xffff\nv_mov_b32_e32 v9, s4", 0U - 17)               \
    X("s_mov_b32 s4, 0xffff\ns_cmpk_eq_u32 s4, 0xffff\n"                                           \
      "s_cselect_b32 s4, 8, 4\nv_mov_b32_e32 v9, s4",                                              \
      8)                                                                                           \
    X("v_cmp_gt_u32_e64 s[4:5], 64, v0\ns_cmp_lg_u64 s[4:5], 0\n"                                  \
      "s_cselect_b32 s4, 8, 4\nv_mov_b32_e32 v9, s4",                                              \
      t < 64 ? 8 : 4)                                                                              \
    X("v_cmp_gt_u32_e64 s[4:5], 64, v0\ns_and_b64 s[6:7], s[4:5], exec\n"                          \
      "s_cselect_b32 s4, 8, 4\nv_mov_b32_e32 v9, s4",                                              \
      t < 64 ? 8 : 4)                                                                              \
    X("s_mov_b32 s4, 6\ns_and_b32 s4, s4, 1\ns_cselect_b32 s4, 8, 4\nv_mov_b32_e32 v9, s4", 4)     \
    X("s_mov_b32 s4, 3\ns_mulk_i32 s4, 5\ns_lshl2_add_u32 s4, s4, 1\nv_mov_b32_e32 v9, s4", 61)    \
    X("s_mov_b32 s4, 0x1234\ns_bfe_u32 s4, s4, 0x80004\nv_mov_b32_e32 v9, s4", 0x23)               \
    X("s_mov_b32 s4, 2\ns_add_i32 s5, s4, 1\ns_cmp_eq_u32 s5, 3\n"                                 \
      "s_cselect_b32 s5, 0, s5\nv_mov_b32_e32 v9, s5",                                             \
      0)                                                                                           \
    X("v_accvgpr_write_b32 a3, v0\nv_accvgpr_read_b32 v9, a3", t)                                  \
    /* Scalars spilled to lanes, on or off, of a register of which nothing else is known. */       \
    X("s_movk_i32 s4, 0x21\nv_writelane_b32 v8, s4, 7\nv_writelane_b32 v8, s9, 8\n"                \
      "s_mov_b64 exec, 0\nv_writelane_b32 v8, s4, 9\ns_mov_b64 exec, -1\n"                         \
      "v_readlane_b32 s5, v8, 7\nv_readlane_b32 s6, v8, 9\ns_add_i32 s5, s5, s6\n"                 \
      "v_mov_b32_e32 v9, s5",                                                                      \
      0x42)                                                                                        \
    X("v_readfirstlane_b32 s4, v0\nv_writelane_b32 v8, s4, 63\nv_readlane_b32 s5, v8, 63\n"        \
      "v_mov_b32_e32 v9, s5",                                                                      \
      t / 64 * 64)                                                                                 \
    X("v_readlane_b32 s5, v0, 3\nv_mov_b32_e32 v9, s5", t / 64 * 64 + 3)                           \
    X("v_cmp_gt_u32_e32 vcc, 64, v0\nv_cndmask_b32_e64 v9, 5, 7, vcc", t < 64 ? 7 : 5)             \
    X("v_cmp_gt_u32_e64 s[6:7], 33, v0\nv_cndmask_b32_e64 v9, 5, 7, s[6:7]", t < 33 ? 7 : 5)       \
    X("v_mov_b32_e32 v9, 1\nv_cmp_lt_i32_e32 vcc, 99, v0\ns_and_saveexec_b64 s[6:7], vcc\n"        \
      "v_mov_b32_e32 v9, 2\ns_or_b64 exec, exec, s[6:7]",                                          \
      t > 99 ? 2 : 1)                                                                              \
    X("v_bfe_i32 v9, v0, 2, 1", t & 4 ? UINT32_MAX : 0)                                            \
    X("v_bfe_i32 v9, v0, 31, 4", 0)                                                                \
    X("s_movk_i32 s4, 0x7f5\ns_bfe_i32 s4, s4, 0x40004\nv_mov_b32_e32 v9, s4", UINT32_MAX)         \
    X("s_min_i32 s4, -1, 2\ns_max_i32 s5, s4, -2\nv_min_i32_e32 v9, s5, v0", UINT32_MAX)           \
    X("v_max_i32_e32 v9, 99, v0", t > 99 ? t : 99)                                                 \
    X("s_cmp_eq_u32 s4, s4\ns_cselect_b64 s[6:7], -1, -1\nv_mov_b32_e32 v9, s7", UINT32_MAX)       \
    /* Bits of an argument that are masked out, or shifted to where they do not matter. */         \
    X("v_lshl_or_b32 v8, s4, 10, v0\nv_and_b32_e32 v9, 0x3ff, v8", t)                              \
    X("v_lshl_add_u32 v8, s4, 10, v0\nv_bfe_u32 v9, v8, 3, 3", t / 8 % 8)                          \
    X("v_lshl_or_b32 v8, s4, 8, v0\nv_xor_b32_e32 v8, 0x55, v8\nv_lshlrev_b32_e32 v9, 24, v8",     \
      (t ^ 0x55) << 24)                                                                            \
    X("v_mul_lo_u32 v8, s4, 12\nv_and_b32_e32 v9, 3, v8", 0)                                       \
    X("v_or_b32_e32 v8, 0xff, v5\nv_sub_u32_e32 v8, v8, v0\nv_and_b32_e32 v9, 0xff, v8", 255 - t)  \
    /* Lanes that wrote, of a register of which nothing else is known. */                          \
    X("s_mov_b64 s[6:7], exec\ns_mov_b64 exec, 0xf\nv_mov_b32_e32 v8, 5\n"                         \
      "v_readfirstlane_b32 s8, v8\ns_mov_b64 exec, s[6:7]\nv_mov_b32_e32 v9, s8",                  \
      5)                                                                                           \
    X("v_cmp_gt_u32_e32 vcc, 70, v0\ns_and_saveexec_b64 s[6:7], vcc\ns_mov_b64 exec, s[6:7]\n"     \
      "v_mov_b32_e32 v9, v0",                                                                      \
      t)

static void instructions_compute_what_they_should(void **state)
{
#define CHECK(text, result)                                                                        \
    {                                                                                              \
        bench b;                                                                                   \
        run(*state, &b, text "\n");                                                                \
        const uint32_t *words = words_of(&b, SWP_REG_VECTOR + 9);                                  \
        if (!words)                                                                                \
            fail_msg("unknown: %s", text);                                                         \
        for (uint32_t t = 0; t < THREADS; t++)                                                     \
            if (words[t] != (uint32_t)(result))                                                    \
                fail_msg("%s: %u in thread %u", text, words[t], t);                                \
    }
    COMPUTATIONS(CHECK)
#undef CHECK
}

static void what_is_not_followed_is_unknown(void **state)
{
    static const char *const texts[] = {
        "v_mov_b32_e32 v9, v5",                           /* never set */
        "v_mov_b32_e32 v9, s4",                           /* an argument */
        "v_add_u32_e32 v9, v0, s4",                       /* half known */
        "v_mov_b32_e32 v9, 0\nds_read_b32 v9, v0",        /* loaded */
        "v_add_f32_e32 v9, v0, v0",                       /* no address */
        "v_mov_b32_e32 v9, 0\nv_writelane_b32 v9, s4, 3", /* an argument in a lane */
        "s_mov_b32 s4, 0\nv_writelane_b32 v9, s4, 3",     /* 63 lanes never set */
        "v_mov_b32_e32 v9, 0\nv_writelane_b32 v9, 1, s4", /* a lane that nobody knows */
        "v_writelane_b32 v8, 1, 5\nv_readlane_b32 s4, v8, 6\nv_mov_b32_e32 v9, s4",
        "v_mov_b32_dpp v9, v0 row_shr:1",           /* other lanes */
        "v_add_u32_sdwa v9, v0, v0 dst_sel:WORD_1", /* part of a register */
        "v_mov_b32_e32 v9, 0\nv_mov_b64_e32 v[8:9], v[4:5]",
        "v_cmp_gt_u32_e32 vcc, s4, v0\ns_and_saveexec_b64 s[6:7], vcc\nv_mov_b32_e32 v9, 2",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        bench b;
        run(*state, &b, texts[i]);
        if (words_of(&b, SWP_REG_VECTOR + 9))
            fail_msg("known: %s", texts[i]);
    }
}

/* The thread's number is the first of three ids in one register. */
static void of_ids_in_one_register_the_first_is_known(void **state)
{
    const swp_function function = {.workgroup = THREADS, .packed_ids = true};
    bench b;
    assert_ok(*state, swp_flow_values_init(*state, THREADS / SWP_WAVE, &b.values));
    swp_flow_registers_start(&b.values, &function, &b.registers);
    for (int t = 0; t < THREADS; t++) {
        const swp_bits bits =
            swp_flow_values_bits(&b.values, b.registers.values[SWP_REG_VECTOR], t);
        assert_int_equal(bits.word, t);
        assert_int_equal(bits.unknown, ~0x3ffU);
    }
}

static swp_branch_sense sense_after(swp_context *ctx, const char *text, const char *branch,
                                    bool taken[SWP_MOST_WAVES])
{
    bench b;
    swp_statement_list list = {0};
    swp_insn insn;
    run(ctx, &b, text);
    assert_ok(ctx, swp_amd_statements(ctx, (swp_slice){branch, strlen(branch)}, &list));
    swp_amd_decode(&list.items[0], SWP_PROCESSOR_GFX950, &insn);
    return swp_flow_registers_branch(&b.values, &b.registers, &insn, taken);
}

static void it_is_known_which_waves_take_a_branch(void **state)
{
    bool taken[SWP_MOST_WAVES] = {false};
    assert_int_equal(sense_after(*state, "v_readfirstlane_b32 s4, v0\ns_cmp_lt_u32 s4, 0x80",
                                 "s_cbranch_scc1 x", taken),
                     SWP_BRANCH_KNOWN);
    for (int wave = 0; wave < 4; wave++)
        assert_int_equal(taken[wave], wave < 2);
    assert_int_equal(sense_after(*state,
                                 "v_cmp_eq_u32_e32 vcc, 70, v0\ns_and_saveexec_b64 s[6:7], vcc",
                                 "s_cbranch_execz x", taken),
                     SWP_BRANCH_KNOWN);
    for (int wave = 0; wave < 4; wave++)
        assert_int_equal(taken[wave], wave != 1);
}

static void waves_agree_on_what_comes_from_arguments_alone(void **state)
{
    bool taken[SWP_MOST_WAVES];
    assert_int_equal(
        sense_after(*state, "s_add_i32 s4, s5, 1\ns_cmp_lt_u32 s4, s6", "s_cbranch_scc1 x", taken),
        SWP_BRANCH_UNIFORM);
    assert_int_equal(sense_after(*state,
                                 "s_load_dword s4, s[0:1], 0x0\ns_mul_i32 s7, s4, s4\n"
                                 "s_cmp_lt_u32 s7, s6\ns_mul_hi_u32 s7, s4, s4",
                                 "s_cbranch_scc1 x", taken),
                     SWP_BRANCH_UNIFORM);
    assert_int_equal(sense_after(*state, "v_readfirstlane_b32 s4, v7\ns_cmp_lt_u32 s4, s6",
                                 "s_cbranch_scc1 x", taken),
                     SWP_BRANCH_DIVERGENT);
    assert_int_equal(sense_after(*state, "v_readfirstlane_b32 s4, v7\ns_add_i32 s5, s4, s6",
                                 "s_cbranch_scc1 x", taken),
                     SWP_BRANCH_DIVERGENT);
}

static void what_waves_may_differ_in_decides_branches_differently(void **state)
{
    static const char *const texts[][2] = {
        {"s_memtime s[4:5]\ns_cmp_lt_u32 s4, s6", "s_cbranch_scc1 x"},
        {"s_getreg_b32 s4, hwreg(HW_REG_HW_ID)\ns_cmp_lt_u32 s4, s6", "s_cbranch_scc1 x"},
        {"s_nop 0", "s_cbranch_vccz x"}, /* left over from before */
        {"v_cmp_gt_u32_e32 vcc, s4, v0", "s_cbranch_vccz x"},
        {"v_cmp_gt_u32_e32 vcc, s4, v0\ns_and_saveexec_b64 s[6:7], vcc", "s_cbranch_execz x"},
        {"v_cmpx_gt_u32_e32 s4, v0", "s_cbranch_execz x"},
        {"v_cmpx_gt_u32_e32 s4, v0\nv_cmp_eq_u32_e64 vcc, s5, 0", "s_cbranch_vccz x"},
    };
    bool taken[SWP_MOST_WAVES];
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (sense_after(*state, texts[i][0], texts[i][1], taken) != SWP_BRANCH_DIVERGENT)
            fail_msg("not varying: %s", texts[i][0]);
    /* A mask that comes from arguments, as clang writes conditions of scalars. */
    assert_int_equal(sense_after(*state,
                                 "s_cmp_lt_u32 s4, s6\ns_cselect_b64 s[8:9], -1, 0\n"
                                 "s_and_b64 vcc, exec, s[8:9]",
                                 "s_cbranch_vccnz x", taken),
                     SWP_BRANCH_UNIFORM);
    assert_int_equal(sense_after(*state, "s_nop 0", "s_cbranch_execz x", taken),
                     SWP_BRANCH_UNIFORM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(instructions_compute_what_they_should),
        CONTEXT_TEST(what_is_not_followed_is_unknown),
        CONTEXT_TEST(of_ids_in_one_register_the_first_is_known),
        CONTEXT_TEST(it_is_known_which_waves_take_a_branch),
        CONTEXT_TEST(waves_agree_on_what_comes_from_arguments_alone),
        CONTEXT_TEST(what_waves_may_differ_in_decides_branches_differently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
