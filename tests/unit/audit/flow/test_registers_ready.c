/* SPDX-License-Identifier: Apache-2.0 */
/* When a register that a load writes may be used, counter by counter. */
#include "../snippets.h"

/* Lines of a loop's body. */
#define AT(n) (BODY_LINE + (n)-1)

static void a_load_to_lds_does_not_count_on_lgkmcnt(void **state)
{
    const char *weak = LOOP("ds_read_b32 v1, v0\n"
                            "global_load_lds_dword v[2:3], off offset:2048\n"
                            "s_waitcnt lgkmcnt(1)\n"
                            "v_add_u32_e32 v4, v1, v4\n"
                            "s_waitcnt vmcnt(0)\n");
    const swp_audit_report report = audit_text(*state, weak);
    const swp_audit_finding *found = &report.findings.items[report.findings.count - 1];
    assert_int_equal(report.answer, SWP_AUDIT_FAULT);
    assert_int_equal(found->kind, SWP_REGISTER_NOT_READY);
    assert_string_equal(found->place, "v1");
    assert_int_equal(found->other.line, AT(1));
    assert_int_equal(found->wait.line, AT(3));
    assert_int_equal(found->at.line, AT(4));
    assert_string_equal(found->should_be, "s_waitcnt lgkmcnt(0) in line 7");
    assert_non_null(strstr(found->detail, "global_load_lds_dword (line 6) is counted by vmcnt"));
}

#define USE_AFTER(wait)                                                                            \
    LOOP("ds_read_b32 v1, v0\n"                                                                    \
         "ds_read_b32 v2, v0 offset:4\n" wait "\nv_add_u32_e32 v4, v1, v4\n"                       \
         "s_waitcnt lgkmcnt(0)\n")

static void lds_reads_retire_in_order(void **state)
{
    assert_answer(*state, USE_AFTER("s_waitcnt lgkmcnt(1)"), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, USE_AFTER("s_waitcnt lgkmcnt(0)"), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, USE_AFTER("s_waitcnt lgkmcnt(2)"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
    assert_fault(*state, USE_AFTER("s_waitcnt vmcnt(0)"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
    assert_fault(*state, USE_AFTER("s_nop 0"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
}

static void a_full_count_is_no_wait(void **state)
{
    assert_fault(*state, USE_AFTER("s_waitcnt lgkmcnt(15)"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
    assert_fault(*state, USE_AFTER("s_waitcnt vmcnt(63) lgkmcnt(15)"), SWP_REGISTER_NOT_READY,
                 AT(4), AT(1));
}

/* gfx9: vmcnt in bits 0 to 3 and 14, 15; lgkmcnt in bits 8 to 11. */
static void a_wait_may_be_a_number(void **state)
{
    assert_answer(*state, USE_AFTER("s_waitcnt 0xc17f"), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, USE_AFTER("s_waitcnt 0"), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, USE_AFTER("s_waitcnt 0xc27f"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
    assert_fault(*state, USE_AFTER("s_waitcnt 0x0f70"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
}

static void counts_may_be_joined_in_several_ways(void **state)
{
    assert_answer(*state, USE_AFTER("s_waitcnt vmcnt(1) & lgkmcnt(1)"), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, USE_AFTER("s_waitcnt vmcnt(1), expcnt(0), lgkmcnt(1)"),
                  SWP_AUDIT_NO_FAULT);
    assert_answer(*state, USE_AFTER("s_waitcnt lgkmcnt(1) ; vmcnt(0)"), SWP_AUDIT_NO_FAULT);
}

static void one_read2_counts_once_and_loads_both(void **state)
{
#define READ2(wait, use)                                                                           \
    LOOP("ds_read2_b32 v[2:3], v0 offset1:64\n"                                                    \
         "ds_read_b32 v5, v0 offset:8\n"                                                           \
         "s_waitcnt lgkmcnt(" wait ")\nv_mov_b32_e32 v9, " use "\n"                                \
         "s_waitcnt lgkmcnt(0)\n")
    assert_answer(*state, READ2("1", "v2"), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, READ2("1", "v3"), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, READ2("1", "v5"), SWP_REGISTER_NOT_READY, AT(4), AT(2));
    assert_fault(*state, READ2("2", "v3"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
#undef READ2
}

/* A scalar load may be done before or after whatever was issued with it. */
static void scalar_loads_push_nothing_out_and_are_there_after_a_wait_for_0(void **state)
{
#define SCALAR(more, wait, use)                                                                    \
    LOOP("ds_read_b32 v1, v0\n" more "s_load_dword s4, s[0:1], 0x0\n"                              \
         "s_waitcnt lgkmcnt(" wait ")\n" use "\ns_waitcnt lgkmcnt(0)\n")
#define READ "ds_read_b32 v2, v0 offset:4\n"
    assert_fault(*state, SCALAR("", "1", "v_mov_b32_e32 v9, v1"), SWP_REGISTER_NOT_READY, AT(4),
                 AT(1));
    assert_fault(*state, SCALAR("", "1", "s_mov_b32 s9, s4"), SWP_REGISTER_NOT_READY, AT(4), AT(2));
    assert_answer(*state, SCALAR("", "0", "v_add_u32_e32 v9, s4, v1"), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, SCALAR(READ, "1", "v_mov_b32_e32 v9, v1"), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, SCALAR(READ, "1", "v_mov_b32_e32 v9, v2"), SWP_REGISTER_NOT_READY, AT(5),
                 AT(2));
#undef READ
#undef SCALAR
}

static void flat_accesses_count_twice(void **state)
{
#define FLAT(wait)                                                                                 \
    LOOP("flat_load_dword v1, v[2:3]\n"                                                            \
         "s_waitcnt " wait "\nv_mov_b32_e32 v9, v1\n"                                              \
         "s_waitcnt vmcnt(0) lgkmcnt(0)\n")
    assert_fault(*state, FLAT("vmcnt(0)"), SWP_REGISTER_NOT_READY, AT(3), AT(1));
    assert_fault(*state, FLAT("lgkmcnt(0)"), SWP_REGISTER_NOT_READY, AT(3), AT(1));
    assert_answer(*state, FLAT("vmcnt(0) lgkmcnt(0)"), SWP_AUDIT_NO_FAULT);
#undef FLAT
}

static void stores_count_with_loads(void **state)
{
#define STORED(wait)                                                                               \
    LOOP("global_load_dword v1, v[2:3], off\n"                                                     \
         "global_store_dword v[4:5], v6, off\n"                                                    \
         "s_waitcnt vmcnt(" wait ")\nv_mov_b32_e32 v9, v1\n"                                       \
         "s_waitcnt vmcnt(0)\n")
    assert_answer(*state, STORED("1"), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, STORED("2"), SWP_REGISTER_NOT_READY, AT(4), AT(1));
#undef STORED
}

static void a_register_must_not_be_overwritten_either(void **state)
{
    const char *text = LOOP("global_load_dword v1, v[2:3], off\n"
                            "v_mov_b32_e32 v1, 0\n"
                            "s_waitcnt vmcnt(0)\n");
    const swp_audit_report report = audit_text(*state, text);
    assert_int_equal(report.findings.count, 1);
    assert_non_null(strstr(report.findings.items[0].detail, "v1 is overwritten while"));
    assert_fault(*state, text, SWP_REGISTER_NOT_READY, AT(2), AT(1));
    assert_fault(*state,
                 LOOP("ds_read_b32 v1, v0\n"
                      "ds_read_b32 v1, v0 offset:4\n"
                      "s_waitcnt lgkmcnt(0)\n"),
                 SWP_REGISTER_NOT_READY, AT(2), AT(1));
}

/* Vector memory writes registers in the order of issue. */
static void a_vector_load_may_replace_another(void **state)
{
    assert_answer(*state,
                  LOOP("global_load_dword v1, v[2:3], off\n"
                       "global_load_dword v1, v[4:5], off\n"
                       "s_waitcnt vmcnt(0)\n"
                       "v_mov_b32_e32 v9, v1\n"),
                  SWP_AUDIT_NO_FAULT);
}

static void the_next_pass_is_looked_at_too(void **state)
{
    const char *text = LOOP("v_add_u32_e32 v4, v1, v4\n"
                            "s_waitcnt lgkmcnt(0)\n"
                            "ds_read_b32 v1, v0\n");
    const swp_audit_report report = audit_text(*state, text);
    assert_fault(*state, text, SWP_REGISTER_NOT_READY, AT(1), AT(3));
    assert_true(report.findings.items[0].earlier_pass);
}

/* What 15 later accesses have pushed out of lgkmcnt is there. */
static void a_full_counter_stalls_until_the_oldest_is_done(void **state)
{
#define PUSHED(more)                                                                               \
    KERNEL_HEAD "loop:\nds_read_b32 v1, v0\n"                                                      \
                "ds_read_b32 v2, v0\nds_read_b32 v3, v0\nds_read_b32 v4, v0\n"                     \
                "ds_read_b32 v5, v0\nds_read_b32 v6, v0\nds_read_b32 v7, v0\n"                     \
                "ds_read_b32 v8, v0\nds_read_b32 v9, v0\nds_read_b32 v10, v0\n"                    \
                "ds_read_b32 v11, v0\nds_read_b32 v12, v0\nds_read_b32 v13, v0\n"                  \
                "ds_read_b32 v14, v0\nds_read_b32 v15, v0\n" more "v_mov_b32_e32 v30, v1\n"        \
                "s_waitcnt lgkmcnt(0)\ns_cbranch_scc1 loop\n" KERNEL_TAIL(256)
    assert_answer(*state, PUSHED("ds_read_b32 v16, v0\n"), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, PUSHED("s_nop 0\n"), SWP_REGISTER_NOT_READY, AT(17), AT(1));
}

/* A wait on one path only is none where the paths join. */
static void what_holds_on_one_way_only_does_not_hold_after(void **state)
{
#define TWO_WAYS(first, second)                                                                    \
    LOOP("ds_read_b32 v1, v0\n"                                                                    \
         "s_cbranch_vccz else\n" first "\ns_branch end\nelse:\n" second "\nend:\n"                 \
         "v_mov_b32_e32 v9, v1\ns_waitcnt lgkmcnt(0)\n")
    assert_fault(*state, TWO_WAYS("s_waitcnt lgkmcnt(0)", "s_nop 0"), SWP_REGISTER_NOT_READY, AT(8),
                 AT(1));
    assert_fault(*state, TWO_WAYS("s_nop 0", "s_waitcnt lgkmcnt(0)"), SWP_REGISTER_NOT_READY, AT(8),
                 AT(1));
    assert_answer(*state, TWO_WAYS("s_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(0)"),
                  SWP_AUDIT_NO_FAULT);
#undef TWO_WAYS
}

static void accumulation_registers_are_others(void **state)
{
    assert_answer(*state,
                  LOOP("ds_read_b32 v1, v0\n"
                       "v_accvgpr_write_b32 a1, v2\n"
                       "s_waitcnt lgkmcnt(0)\n"),
                  SWP_AUDIT_NO_FAULT);
    assert_fault(*state,
                 LOOP("ds_read_b128 a[0:3], v0\n"
                      "v_mfma_f32_16x16x32_bf16 v[4:7], a[0:3], v[8:11], v[4:7]\n"
                      "s_waitcnt lgkmcnt(0)\n"),
                 SWP_REGISTER_NOT_READY, AT(2), AT(1));
}

/* Registers that an instruction reads without naming them. */
static void conditions_and_m0_must_be_ready_too(void **state)
{
#define LOADED(to, between, use)                                                                   \
    LOOP("s_load_dwordx2 " to ", s[0:1], 0x0\n" between use "s_waitcnt lgkmcnt(0)\n")
    const char *branch = "s_cbranch_vccnz after\ns_nop 0\nafter:\n";
    const char *load = "global_load_lds_dword v[8:9], off\ns_waitcnt vmcnt(0)\ns_barrier\n";
    char text[1024];
    for (int waits = 0; waits < 2; waits++)
        for (int which = 0; which < 2; which++) {
            (void)snprintf(text, sizeof text, LOADED("%s", "%s", "%s"), which ? "vcc" : "m0",
                           waits ? "s_waitcnt lgkmcnt(0)\n" : "", which ? branch : load);
            if (which == 0) {
                char *wide = strstr(text, "dwordx2");
                memmove(wide + 5, wide + 7, strlen(wide + 7) + 1);
            }
            const swp_audit_report report = audit_text(*state, text);
            bool found = false;
            for (size_t i = 0; i < report.findings.count; i++)
                found |= report.findings.items[i].kind == SWP_REGISTER_NOT_READY;
            assert_int_equal(found, !waits);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(conditions_and_m0_must_be_ready_too),
        CONTEXT_TEST(a_load_to_lds_does_not_count_on_lgkmcnt),
        CONTEXT_TEST(lds_reads_retire_in_order),
        CONTEXT_TEST(a_full_count_is_no_wait),
        CONTEXT_TEST(a_wait_may_be_a_number),
        CONTEXT_TEST(counts_may_be_joined_in_several_ways),
        CONTEXT_TEST(one_read2_counts_once_and_loads_both),
        CONTEXT_TEST(scalar_loads_push_nothing_out_and_are_there_after_a_wait_for_0),
        CONTEXT_TEST(flat_accesses_count_twice),
        CONTEXT_TEST(stores_count_with_loads),
        CONTEXT_TEST(a_register_must_not_be_overwritten_either),
        CONTEXT_TEST(a_vector_load_may_replace_another),
        CONTEXT_TEST(the_next_pass_is_looked_at_too),
        CONTEXT_TEST(a_full_counter_stalls_until_the_oldest_is_done),
        CONTEXT_TEST(what_holds_on_one_way_only_does_not_hold_after),
        CONTEXT_TEST(accumulation_registers_are_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
