/* SPDX-License-Identifier: Apache-2.0 */
/* What the text of an instruction says. */
#include "fixture.h"

#include "audit/amd/amd.h"

#include <string.h>

static swp_insn decode(swp_context *ctx, const char *text)
{
    swp_statement_list list = {0};
    swp_insn insn;
    assert_ok(ctx, swp_amd_statements(ctx, (swp_slice){text, strlen(text)}, &list));
    assert_int_equal(list.count, 1);
    swp_amd_decode(&list.items[0], SWP_PROCESSOR_GFX950, &insn);
    return insn;
}

static void each_family_has_its_kind(void **state)
{
    static const struct {
        const char *text;
        swp_insn_kind kind;
        int destinations;
    } cases[] = {
        {"global_load_lds_dword v[2:3], off", SWP_INSN_LOAD_TO_LDS, 0},
        {"global_load_lds_dwordx4 v1, s[4:5] offset:16", SWP_INSN_LOAD_TO_LDS, 0},
        {"buffer_load_dword v1, s[4:7], 0 offen lds", SWP_INSN_LOAD_TO_LDS, 0},
        {"scratch_load_lds_dword v1, s2", SWP_INSN_LOAD_TO_LDS, 0},
        {"buffer_load_dword v1, v2, s[4:7], 0 offen", SWP_INSN_LOAD, 1},
        {"global_load_dwordx4 v[0:3], v[4:5], off", SWP_INSN_LOAD, 1},
        {"global_store_dword v[4:5], v1, off", SWP_INSN_STORE, 0},
        {"global_atomic_add v[4:5], v1, off", SWP_INSN_ATOMIC, 0},
        {"global_atomic_add v2, v[4:5], v1, off sc0", SWP_INSN_ATOMIC, 1},
        {"flat_load_dword v1, v[2:3]", SWP_INSN_FLAT_LOAD, 1},
        {"flat_store_dword v[2:3], v1", SWP_INSN_FLAT_STORE, 0},
        {"ds_read_b128 v[0:3], v4 offset:16", SWP_INSN_LDS_READ, 1},
        {"ds_read2st64_b32 v[0:1], v4 offset1:1", SWP_INSN_LDS_READ, 1},
        {"ds_read_u16_d16_hi v1, v2", SWP_INSN_LDS_READ, 1},
        {"ds_read_b64_tr_b16 v[0:1], v2", SWP_INSN_LDS_READ, 1},
        {"ds_write_b8 v1, v2", SWP_INSN_LDS_WRITE, 0},
        {"ds_add_u32 v1, v2", SWP_INSN_LDS_ATOMIC, 0},
        {"ds_add_rtn_u32 v1, v2, v3", SWP_INSN_LDS_ATOMIC, 1},
        {"ds_bpermute_b32 v1, v2, v3", SWP_INSN_LDS_SHUFFLE, 1},
        {"s_load_dwordx16 s[16:31], s[0:1], 0x0", SWP_INSN_SCALAR_LOAD, 1},
        {"v_mfma_f32_16x16x32_bf16 a[0:3], v[0:3], v[4:7], a[0:3]", SWP_INSN_MATRIX, 1},
        {"v_mad_u64_u32 v[2:3], s[4:5], v1, 3, v[2:3]", SWP_INSN_VECTOR, 2},
        {"v_add_co_u32_e32 v0, vcc, v1, v2", SWP_INSN_VECTOR, 2},
        {"s_and_saveexec_b64 s[2:3], vcc", SWP_INSN_SCALAR, 1},
        {"s_cmp_lt_i32 s1, 3", SWP_INSN_SCALAR, 0},
        {"s_setprio 1", SWP_INSN_NOTHING, 0},
        {"s_barrier", SWP_INSN_BARRIER, 0},
        {"s_endpgm", SWP_INSN_END, 0},
        {"s_setpc_b64 s[30:31]", SWP_INSN_RETURN, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const swp_insn insn = decode(*state, cases[i].text);
        if (insn.unknown || insn.kind != cases[i].kind ||
            insn.destinations != cases[i].destinations)
            fail_msg("%s: kind %d, %d results, %s", cases[i].text, (int)insn.kind,
                     insn.destinations, insn.unknown ? insn.unknown : "known");
    }
}

static void what_is_not_known_is_said_to_be(void **state)
{
    static const char *const texts[] = {
        "s_frobnicate_b32 s1, s2",
        "v_frobnicate_b32 v1, v2",
        "ds_gws_init v1",
        "s_setpc_b64 s[4:5]",
        "s_swappc_b64 s[30:31], s[4:5]",
        "s_sendmsg 3",
        "s_set_gpr_idx_on s1, 1",
        "s_store_dword s1, s[2:3], 0x0",
        "s_atomic_add s1, s[2:3], 0x0",
        "s_waitcnt_vscnt null, 0x0",
        "s_waitcnt_depctr 0",
        "s_barrier_signal -1",
        "s_barrier_wait -1",
        "s_waitcnt vmcnt(x)",
        "s_waitcnt",
        "v_add_u32_e32 0, v1, v2",
        "v_cmp_eq_u32 v1, v2",
        "ds_read_b32 v1, v2 gds",
        "buffer_load_dword v[1:2], off, s[4:7], 0 tfe",
        "s_branch 12",
        "MOV R1, R2",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (!decode(*state, texts[i]).unknown)
            fail_msg("known: %s", texts[i]);
}

static void places_are_address_and_offset(void **state)
{
    static const struct {
        const char *text;
        int address;
        int parts;
        uint32_t offsets[2];
        int size;
        int lane_stride;
    } cases[] = {
        {"ds_read_b32 v1, v2 offset:8", SWP_REG_VECTOR + 2, 1, {8, 0}, 4, 0},
        {"ds_read_b96 v[4:6], v2", SWP_REG_VECTOR + 2, 1, {0, 0}, 12, 0},
        {"ds_read2_b32 v[4:5], v2 offset0:1 offset1:3", SWP_REG_VECTOR + 2, 2, {4, 12}, 4, 0},
        {"ds_read2st64_b64 v[4:7], v2 offset1:1", SWP_REG_VECTOR + 2, 2, {0, 512}, 8, 0},
        {"ds_write2_b64 v2, v[4:5], v[6:7] offset1:1", SWP_REG_VECTOR + 2, 2, {0, 8}, 8, 0},
        {"ds_write_b16 v2, v4 offset:2", SWP_REG_VECTOR + 2, 1, {2, 0}, 2, 0},
        {"ds_read_addtid_b32 v1 offset:4", SWP_REG_M0, 1, {4, 0}, 4, 4},
        {"global_load_lds_dwordx4 v[2:3], off offset:16", SWP_REG_M0, 1, {16, 0}, 16, 16},
        {"buffer_load_ubyte v1, s[4:7], 0 offen lds", SWP_REG_M0, 1, {0, 0}, 4, 4},
        {"global_load_lds_dwordx3 v[2:3], off", -1, 1, {0, 0}, 4, 4},
        {"flat_load_dword v1, v[2:3]", -1, 1, {0, 0}, 0, 0},
        {"ds_swizzle_b32 v1, v2", -1, 0, {0, 0}, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const swp_lds_access lds = decode(*state, cases[i].text).lds;
        if (lds.address != cases[i].address || lds.parts != cases[i].parts ||
            lds.offsets[0] != cases[i].offsets[0] || lds.offsets[1] != cases[i].offsets[1] ||
            lds.size != cases[i].size || lds.lane_stride != cases[i].lane_stride)
            fail_msg("%s: register %d, %d parts at %u and %u, %d bytes, %d more a lane",
                     cases[i].text, lds.address, lds.parts, lds.offsets[0], lds.offsets[1],
                     lds.size, lds.lane_stride);
    }
}

static void comments_and_labels_are_no_code(void **state)
{
    static const char text[] = "k: ; a label\n"
                               "a: b: s_nop 0 // two, and code\n"
                               "/* over\n"
                               "s_endpgm */ s_nop 1 /* and */ ; more\n"
                               ".ident \"; no comment // either\"\n";
    static const swp_statement_kind kinds[] = {SWP_STATEMENT_LABEL,       SWP_STATEMENT_LABEL,
                                               SWP_STATEMENT_LABEL,       SWP_STATEMENT_INSTRUCTION,
                                               SWP_STATEMENT_INSTRUCTION, SWP_STATEMENT_DIRECTIVE};
    static const int lines[] = {1, 2, 2, 2, 4, 5};
    swp_statement_list list = {0};
    assert_ok(*state, swp_amd_statements(*state, (swp_slice){text, sizeof text - 1}, &list));
    assert_int_equal(list.count, COUNT_OF(kinds));
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_int_equal(list.items[i].kind, kinds[i]);
        assert_int_equal(list.items[i].line, lines[i]);
    }
    assert_true(swp_code_slice_is(list.items[5].rest, "\"; no comment // either\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_family_has_its_kind),
        CONTEXT_TEST(what_is_not_known_is_said_to_be),
        CONTEXT_TEST(places_are_address_and_offset),
        CONTEXT_TEST(comments_and_labels_are_no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
