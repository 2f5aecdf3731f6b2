/* SPDX-License-Identifier: Apache-2.0 */
/* When LDS accesses of one wave, and of different waves, are in order. */
#include "../snippets.h"

/* Four waves; v0 is the thread. v1: 4 * thread; v2: that of the thread 64 further on, round 256. */
#define ADDRESSES                                                                                  \
    "v_lshlrev_b32_e32 v1, 2, v0\n"                                                                \
    "v_add_u32_e32 v2, 0x100, v1\n"                                                                \
    "v_and_b32_e32 v2, 0x3ff, v2\n"
#define SHARED_LOOP(body)                                                                          \
    KERNEL_HEAD ADDRESSES "loop:\n" body "s_cbranch_scc1 loop\n" KERNEL_TAIL(256)
#define AT(n) (BODY_LINE + 2 + (n))

/* Each wave writes what its neighbour reads. */
#define EXCHANGE(between, after)                                                                   \
    SHARED_LOOP("ds_write_b32 v1, v5\n" between "\nds_read_b32 v6, v2\n" after "\n")
#define SYNC "s_waitcnt lgkmcnt(0)\ns_barrier"

static void a_write_needs_a_wait_and_a_barrier_before_another_wave_s_read(void **state)
{
    assert_answer(*state, EXCHANGE(SYNC, SYNC), SWP_AUDIT_NO_FAULT);
    assert_fault(*state, EXCHANGE("s_waitcnt lgkmcnt(0)", SYNC), SWP_STALE_READ, AT(3), AT(1));
    assert_fault(*state, EXCHANGE("s_barrier", SYNC), SWP_STALE_READ, AT(3), AT(1));
    assert_fault(*state, EXCHANGE("s_barrier\ns_waitcnt lgkmcnt(0)", SYNC), SWP_STALE_READ, AT(4),
                 AT(1));
}

static void a_read_needs_them_before_another_wave_s_write(void **state)
{
    assert_fault(*state, EXCHANGE(SYNC, "s_waitcnt lgkmcnt(0)"), SWP_OVERWRITTEN, AT(1), AT(4));
    assert_fault(*state, EXCHANGE(SYNC, "s_barrier"), SWP_OVERWRITTEN, AT(1), AT(4));
    assert_fault(*state, EXCHANGE(SYNC, "s_nop 0"), SWP_OVERWRITTEN, AT(1), AT(4));
}

/* Nobody else touches what a wave keeps for itself, and one wave's LDS operations are in order. */
static void a_wave_s_own_lds_needs_neither(void **state)
{
    assert_answer(*state,
                  SHARED_LOOP("ds_write_b32 v1, v5\n"
                              "ds_read_b32 v6, v1\n"
                              "s_waitcnt lgkmcnt(0)\n"),
                  SWP_AUDIT_NO_FAULT);
}

/* m0 is 256 * wave: a load to LDS fills 4 bytes a lane from there. */
#define OWN_M0                                                                                     \
    "v_readfirstlane_b32 s4, v0\n"                                                                 \
    "s_lshl_b32 s4, s4, 2\n"                                                                       \
    "s_mov_b32 m0, s4\n"
#define LOADED(m0, between, after)                                                                 \
    KERNEL_HEAD ADDRESSES m0 "loop:\nglobal_load_lds_dword v[8:9], off\n" between                  \
                             "\nds_read_b32 v6, v1\n" after                                        \
                             "\ns_cbranch_scc1 loop\n" KERNEL_TAIL(256)

static void a_load_to_lds_is_not_in_order_with_the_wave_s_reads(void **state)
{
    enum { LOAD = BODY_LINE + 6, READ = LOAD + 2, LATE_READ = READ };
    assert_answer(*state, LOADED(OWN_M0, "s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)"),
                  SWP_AUDIT_NO_FAULT);
    assert_fault(*state, LOADED(OWN_M0, "s_waitcnt vmcnt(1)", "s_waitcnt lgkmcnt(0)"),
                 SWP_STALE_READ, READ, LOAD);
    assert_fault(*state, LOADED(OWN_M0, "s_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(0)"),
                 SWP_STALE_READ, READ, LOAD);
    assert_fault(*state, LOADED(OWN_M0, "s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(1)"),
                 SWP_OVERWRITTEN, LOAD, READ);
}

/* Without the wave's part in m0 all four waves fill the same 256 bytes. */
static void loads_of_all_waves_to_one_place_race(void **state)
{
    enum { LOAD = BODY_LINE + 4 };
    assert_fault(*state, LOADED("s_mov_b32 m0, 0\n", "s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)"),
                 SWP_WRITE_RACE, LOAD, LOAD);
}

/* Two buffers, one written while the other is read: one barrier a pass is enough. */
static void a_loop_that_changes_buffers_is_followed_pass_by_pass(void **state)
{
#define BUFFERS(change)                                                                            \
    KERNEL_HEAD ADDRESSES "s_mov_b32 s5, 0\nloop:\n"                                               \
                          "v_add_u32_e32 v3, s5, v1\n"                                             \
                          "ds_write_b32 v3, v5\n" change "v_add_u32_e32 v4, s5, v2\n"              \
                          "ds_read_b32 v6, v4\n" SYNC "\ns_cbranch_scc1 loop\n" KERNEL_TAIL(256)
    assert_answer(*state, BUFFERS("s_xor_b32 s5, s5, 0x1000\n"), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, BUFFERS("s_nop 0\n"), SWP_AUDIT_FAULT);
}

static void places_that_cannot_be_told_are_never_safe(void **state)
{
#define ANYWHERE(sync) SHARED_LOOP("ds_write_b32 v1, v5\n" sync "\nds_read_b32 v6, v40\n" SYNC "\n")
    assert_answer(*state, ANYWHERE("s_waitcnt lgkmcnt(0)"), SWP_AUDIT_UNKNOWN);
    assert_answer(*state, ANYWHERE(SYNC), SWP_AUDIT_NO_FAULT);
}

static void lanes_that_are_off_touch_nothing(void **state)
{
    /* Only the lanes whose thread is below 64, wave 0, write; only wave 3 reads what they do not. */
    const char *mask = KERNEL_HEAD ADDRESSES "loop:\n"
                                             "v_cmp_gt_u32_e32 vcc, 64, v0\n"
                                             "s_and_saveexec_b64 s[6:7], vcc\n"
                                             "ds_write_b32 v1, v5\n"
                                             "s_mov_b64 exec, s[6:7]\n"
                                             "v_cmp_lt_u32_e32 vcc, 191, v0\n"
                                             "s_and_saveexec_b64 s[6:7], vcc\n"
                                             "ds_read_b32 v6, v1\n"
                                             "s_mov_b64 exec, s[6:7]\n"
                                             "s_waitcnt lgkmcnt(0)\n"
                                             "s_cbranch_scc1 loop\n" KERNEL_TAIL(256);
    assert_answer(*state, mask, SWP_AUDIT_NO_FAULT);
}

/* Waves 2 and 3 execute one barrier more before the loop: they are one behind in it. */
#define STAGGERED(condition, sync)                                                                 \
    KERNEL_HEAD ADDRESSES "v_readfirstlane_b32 s4, v0\n" condition "\ns_cbranch_scc1 skip\n"       \
                          "s_barrier\n"                                                            \
                          "skip:\n"                                                                \
                          "loop:\n"                                                                \
                          "ds_write_b32 v1, v5\n" sync "\nds_read_b32 v6, v2\n" sync               \
                          "\ns_cbranch_scc0 loop\n" KERNEL_TAIL(256)
#define SYNC_TWICE "s_waitcnt lgkmcnt(0)\ns_barrier\ns_barrier"

static void waves_that_lag_need_one_barrier_more(void **state)
{
    assert_answer(*state, STAGGERED("s_cmp_lt_u32 s4, 0x80", SYNC_TWICE), SWP_AUDIT_NO_FAULT);
    assert_answer(*state, STAGGERED("s_cmp_lt_u32 s4, 0x80", SYNC), SWP_AUDIT_FAULT);
}

/* All waves take a branch that asks for an argument; a compared vector register may split them. */
static void only_a_branch_that_may_split_the_waves_can_make_them_lag(void **state)
{
    assert_answer(*state, STAGGERED("s_cmp_lt_u32 s9, 0x80", SYNC), SWP_AUDIT_NO_FAULT);
    assert_answer(*state,
                  STAGGERED("v_readfirstlane_b32 s4, v9\ns_cmp_lt_u32 s4, 0x80", SYNC_TWICE),
                  SWP_AUDIT_UNKNOWN);
}

/* A constant on each path, and still a value of each wave's own. */
#define PARTED(split, other)                                                                       \
    KERNEL_HEAD ADDRESSES split "\ns_cbranch_scc1 one\n"                                           \
                                "s_mov_b32 s5, 0\n"                                                \
                                "s_branch both\n"                                                  \
                                "one:\ns_mov_b32 s5, " other "\n"                                  \
                                "both:\n"                                                          \
                                "s_cmp_eq_u32 s5, 0\n"                                             \
                                "s_cbranch_scc1 skip\n"                                            \
                                "s_barrier\n"                                                      \
                                "skip:\n"                                                          \
                                "loop:\n"                                                          \
                                "ds_write_b32 v1, v5\n" SYNC "\nds_read_b32 v6, v2\n" SYNC         \
                                "\ns_cbranch_scc0 loop\n" KERNEL_TAIL(256)

static void what_is_set_on_different_ways_differs_between_waves(void **state)
{
    const char *by_vector = PARTED("v_readfirstlane_b32 s4, v9\ns_cmp_lt_u32 s4, 7", "1");
    const char *by_load = PARTED("v_readfirstlane_b32 s4, v9\ns_cmp_lt_u32 s4, 7", "s9");
    assert_answer(*state, by_vector, SWP_AUDIT_UNKNOWN);
    assert_answer(*state, by_load, SWP_AUDIT_UNKNOWN);
    assert_answer(*state, PARTED("s_cmp_lt_u32 s9, 7", "1"), SWP_AUDIT_NO_FAULT);
}

/* Two paths, one of which writes 4 bytes a thread and the other reads those of the thread 128 on. */
#define TWO_WAYS(split, mask, writer, reader)                                                      \
    KERNEL_HEAD "v_lshlrev_b32_e32 v1, 2, v0\nv_add_u32_e32 v2, 0x200, v1\n"                       \
                "v_and_b32_e32 v2, " mask ", v2\n" split "\ns_cbranch_scc1 reads\n"                \
                "ds_write_b32 v1, v5\n" writer "s_branch both\nreads:\n" reader                    \
                "ds_read_b32 v6, v2\nboth:\ns_waitcnt lgkmcnt(0)\nloop:\n"                         \
                "s_cbranch_scc1 loop\n" KERNEL_TAIL(256)
#define BY_WAVE "v_readfirstlane_b32 s4, v0\ns_cmp_lt_u32 s4, 0x80"

static void waves_on_different_ways_are_there_at_once(void **state)
{
    enum { WRITE = BODY_LINE + 5, READ = WRITE + 3 };
    assert_fault(*state, TWO_WAYS(BY_WAVE, "0x3ff", "", ""), SWP_STALE_READ, READ, WRITE);
    /* Threads 0 to 127 go where they read bytes 512 to 1023, which the others write. */
    assert_answer(*state, TWO_WAYS("s_cmp_lt_u32 s9, 7", "0x3ff", "", ""), SWP_AUDIT_NO_FAULT);
    assert_answer(*state,
                  TWO_WAYS("v_readfirstlane_b32 s4, v9\ns_cmp_lt_u32 s4, 7", "0x3ff", "", ""),
                  SWP_AUDIT_UNKNOWN);
    /* With bit 9 masked out they read bytes 0 to 511, which only they would write. */
    assert_answer(*state, TWO_WAYS(BY_WAVE, "0x1ff", "", ""), SWP_AUDIT_NO_FAULT);
    /* The barriers order the two, wherever they stand; without the wait they do not. */
    assert_answer(*state,
                  TWO_WAYS(BY_WAVE, "0x3ff", "s_waitcnt lgkmcnt(0)\ns_barrier\n", "s_barrier\n"),
                  SWP_AUDIT_NO_FAULT);
    assert_answer(*state, TWO_WAYS(BY_WAVE, "0x3ff", "s_barrier\n", "s_barrier\n"),
                  SWP_AUDIT_FAULT);
}

/* Some waves may be back at the loop's start while others are still at its last barrier. */
static void a_way_back_past_a_barrier_is_not_followed(void **state)
{
#define BACK(split)                                                                                \
    KERNEL_HEAD ADDRESSES "loop:\n"                                                                \
                          "ds_write_b32 v1, v5\n" SYNC "\nds_read_b32 v6, v2\n" SYNC "\n" split    \
                          "\ns_cbranch_scc1 loop\ns_barrier\n"                                     \
                          "s_cmp_lt_u32 s8, 7\ns_cbranch_scc0 loop\n" KERNEL_TAIL(256)
    assert_answer(*state, BACK("v_readfirstlane_b32 s4, v9\ns_cmp_lt_u32 s4, 7"),
                  SWP_AUDIT_UNKNOWN);
    assert_answer(*state, BACK("s_cmp_lt_u32 s9, 7"), SWP_AUDIT_NO_FAULT);
}

/* After an error the wave may halt; if not it goes on, and nothing is lost but time. */
static void a_trap_does_not_hide_what_follows(void **state)
{
    assert_answer(*state,
                  KERNEL_HEAD ADDRESSES "s_cbranch_scc0 loop\ns_trap 2\n"
                                        "loop:\nds_write_b32 v1, v5\n" SYNC
                                        "\nds_read_b32 v6, v2\n" SYNC
                                        "\ns_cbranch_scc1 loop\n" KERNEL_TAIL(256),
                  SWP_AUDIT_NO_FAULT);
    assert_answer(*state, EXCHANGE(SYNC "\ns_trap 1", SYNC), SWP_AUDIT_UNKNOWN);
}

static void one_wave_alone_needs_no_barrier(void **state)
{
    const char *text = KERNEL_HEAD ADDRESSES "loop:\nds_write_b32 v1, v5\nds_read_b32 v6, v2\n"
                                             "s_waitcnt lgkmcnt(0)\n"
                                             "s_cbranch_scc1 loop\n" KERNEL_TAIL(64);
    assert_answer(*state, text, SWP_AUDIT_NO_FAULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_write_needs_a_wait_and_a_barrier_before_another_wave_s_read),
        CONTEXT_TEST(a_read_needs_them_before_another_wave_s_write),
        CONTEXT_TEST(a_wave_s_own_lds_needs_neither),
        CONTEXT_TEST(a_load_to_lds_is_not_in_order_with_the_wave_s_reads),
        CONTEXT_TEST(loads_of_all_waves_to_one_place_race),
        CONTEXT_TEST(a_loop_that_changes_buffers_is_followed_pass_by_pass),
        CONTEXT_TEST(places_that_cannot_be_told_are_never_safe),
        CONTEXT_TEST(lanes_that_are_off_touch_nothing),
        CONTEXT_TEST(waves_that_lag_need_one_barrier_more),
        CONTEXT_TEST(only_a_branch_that_may_split_the_waves_can_make_them_lag),
        CONTEXT_TEST(what_is_set_on_different_ways_differs_between_waves),
        CONTEXT_TEST(waves_on_different_ways_are_there_at_once),
        CONTEXT_TEST(a_way_back_past_a_barrier_is_not_followed),
        CONTEXT_TEST(a_trap_does_not_hide_what_follows),
        CONTEXT_TEST(one_wave_alone_needs_no_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
