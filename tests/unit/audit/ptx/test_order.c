/* SPDX-License-Identifier: Apache-2.0 */
/* Happens-before of a run's threads: vector clocks, and accesses to shared memory that are compared by them. */
#include "runs.h"

/* Two warps; the body gives the accesses a number of an instruction each. */
static ptx_world *make_two_warps(swp_context *ctx)
{
    ptx_world *w =
        make_world(ctx, KERNEL(64, "st.shared.b32 [%r1], %r2;\nld.shared.b32 %r3, [%r1];\n"
                                   "red.shared.add.u32 [%r1], 1;\nst.shared.b32 [%r1], 7;"));
    assert_ok(ctx, swp_ptx_run_begin(&w->run));
    return w;
}

enum { STORE, LOAD, ATOMIC, STORE_SEVEN };
static const int first_warp = 0; /* chains: lane 0 of each */
static const int second_warp = 2;

static swp_ptx_access access_of(swp_ptx_run *run, int chain, int insn, int64_t low, int64_t high)
{
    const int event = swp_ptx_tick(run, chain);
    return (swp_ptx_access){.low = low,
                            .high = high,
                            .writes = insn != LOAD,
                            .is_atomic = insn == ATOMIC,
                            .component = chain,
                            .value = event,
                            .chain = chain,
                            .event = event,
                            .insn = insn};
}

static void access_bytes(swp_context *ctx, swp_ptx_run *run, int chain, int insn, int64_t low,
                         int64_t high)
{
    assert_ok(ctx, swp_ptx_access_shared(run, &run->clocks[chain],
                                         access_of(run, chain, insn, low, high)));
}

static void hand_over(swp_ptx_run *run, int from, int to)
{
    swp_ptx_join(&run->clocks[to], &run->clocks[from]);
}

static void clocks_join_component_by_component(void **state)
{
    swp_ptx_run *run = &make_two_warps(*state)->run;
    assert_int_equal(swp_ptx_tick(run, 0), 1);
    assert_int_equal(swp_ptx_tick(run, 0), 2);
    assert_int_equal(swp_ptx_tick(run, 2), 1);
    hand_over(run, 0, 2);
    assert_int_equal(run->clocks[2].at[0], 2);
    assert_int_equal(run->clocks[2].at[2], 1);
    assert_int_equal(run->clocks[0].at[2], 0);
}

static void lane_0_of_a_warp_has_a_clock_and_the_others_one(void **state)
{
    (void)state;
    assert_int_equal(swp_ptx_chains_of(1), 1);
    assert_int_equal(swp_ptx_chains_of(2), 2);
    assert_int_equal(swp_ptx_chains_of(UINT32_C(1) << 31), 2);
    assert_int_equal(swp_ptx_chains_of(3), 3);
    assert_int_equal(swp_ptx_chain(3, 1), 7);
}

static void an_event_is_past_when_all_who_live_know_it(void **state)
{
    swp_ptx_run *run = &make_two_warps(*state)->run;
    const int event = swp_ptx_tick(run, 0);
    for (int chain = 1; chain < 4; chain++) {
        assert_false(swp_ptx_is_past(run, 0, event));
        hand_over(run, 0, chain);
    }
    assert_true(swp_ptx_is_past(run, 0, event));
    const int other = swp_ptx_tick(run, 0);
    hand_over(run, 0, 2);
    hand_over(run, 0, 3);
    run->warps[0].alive = 1;
    assert_true(swp_ptx_is_past(run, 0, other));
}

static void assert_conflict(swp_context *ctx, int first, int second, bool conflicts,
                            swp_hazard_kind kind)
{
    for (int ordered = 0; ordered < 2; ordered++) {
        swp_ptx_run *run = &make_two_warps(ctx)->run;
        access_bytes(ctx, run, first_warp, first, 0, 4);
        if (ordered)
            hand_over(run, first_warp, second_warp);
        access_bytes(ctx, run, second_warp, second, 0, 4);
        assert_int_equal(run->outcome, conflicts && !ordered ? SWP_PTX_FAULT : SWP_PTX_GOES_ON);
        if (conflicts && !ordered)
            assert_int_equal(run->finding.kind, kind);
    }
}

static void two_accesses_conflict_unless_one_is_known_to_be_before(void **state)
{
    assert_conflict(*state, STORE, LOAD, true, SWP_STALE_READ);
    assert_conflict(*state, LOAD, STORE, true, SWP_OVERWRITTEN);
    assert_conflict(*state, LOAD, LOAD, false, SWP_STALE_READ);
    assert_conflict(*state, STORE, STORE_SEVEN, true, SWP_WRITE_RACE);
    assert_conflict(*state, STORE, STORE, true, SWP_WRITE_RACE);
    assert_conflict(*state, STORE_SEVEN, STORE_SEVEN, false, SWP_WRITE_RACE);
    assert_conflict(*state, ATOMIC, ATOMIC, false, SWP_WRITE_RACE);
    assert_conflict(*state, ATOMIC, STORE, true, SWP_WRITE_RACE);
    assert_conflict(*state, ATOMIC, LOAD, true, SWP_STALE_READ);
}

static void bytes_beside_each_other_are_no_conflict(void **state)
{
    swp_ptx_run *run = &make_two_warps(*state)->run;
    access_bytes(*state, run, first_warp, STORE, 16, 32);
    access_bytes(*state, run, second_warp, LOAD, 0, 16);
    access_bytes(*state, run, second_warp, LOAD, 32, 48);
    assert_int_equal(run->outcome, SWP_PTX_GOES_ON);
    access_bytes(*state, run, second_warp, LOAD, 31, 33);
    assert_int_equal(run->outcome, SWP_PTX_FAULT);
}

/* Accesses are kept in pieces by where they are. */
static void long_accesses_are_found_at_each_of_their_bytes(void **state)
{
    static const int64_t bytes[] = {8, 128, 500, 513, 4096, 65536};
    for (size_t i = 0; i < COUNT_OF(bytes); i++)
        for (int last = 0; last < 2; last++) {
            swp_ptx_run *run = &make_two_warps(*state)->run;
            const int64_t at = last ? 100 + bytes[i] - 1 : 100;
            access_bytes(*state, run, first_warp, STORE, 100, 100 + bytes[i]);
            access_bytes(*state, run, second_warp, LOAD, 96, 100);
            access_bytes(*state, run, second_warp, LOAD, 100 + bytes[i], 101 + bytes[i]);
            assert_int_equal(run->outcome, SWP_PTX_GOES_ON);
            access_bytes(*state, run, second_warp, LOAD, at, at + 1);
            assert_int_equal(run->outcome, SWP_PTX_FAULT);
        }
}

/* The order comes from the first store, not from the one that has replaced it. */
static void a_later_write_stands_for_an_earlier_one(void **state)
{
    swp_ptx_run *run = &make_two_warps(*state)->run;
    access_bytes(*state, run, first_warp, STORE, 0, 4);
    hand_over(run, first_warp, second_warp);
    access_bytes(*state, run, first_warp, STORE_SEVEN, 0, 4);
    access_bytes(*state, run, second_warp, LOAD, 0, 4);
    assert_int_equal(run->outcome, SWP_PTX_FAULT);
    assert_int_equal(run->finding.other, STORE_SEVEN);
}

static void a_narrow_write_does_not_hide_a_wide_one(void **state)
{
    swp_ptx_run *run = &make_two_warps(*state)->run;
    access_bytes(*state, run, first_warp, STORE, 0, 16);
    const swp_ptx_clock wide = run->clocks[first_warp];
    access_bytes(*state, run, first_warp, STORE_SEVEN, 4, 8);
    access_bytes(*state, run, second_warp, LOAD, 12, 16);
    assert_int_equal(run->outcome, SWP_PTX_FAULT);
    assert_int_equal(run->finding.other, STORE);
    assert_true(wide.at[0] > 0);
}

static void accesses_that_memory_decides_are_not_sure(void **state)
{
    swp_ptx_run *run = &make_two_warps(*state)->run;
    swp_ptx_access store = access_of(run, first_warp, STORE, 0, 4);
    store.unsure = true;
    assert_ok(*state, swp_ptx_access_shared(run, &run->clocks[first_warp], store));
    access_bytes(*state, run, second_warp, LOAD, 0, 4);
    assert_int_equal(run->outcome, SWP_PTX_FAULT);
    assert_true(run->finding.unsure);
}

static void an_asynchronous_access_needs_a_proxy_fence_behind_a_store(void **state)
{
    for (int fenced = 0; fenced < 2; fenced++) {
        swp_ptx_run *run = &make_two_warps(*state)->run;
        access_bytes(*state, run, first_warp, STORE, 0, 4);
        if (fenced)
            run->clocks[first_warp].at[SWP_PTX_CLOCK_FENCED + first_warp] =
                run->clocks[first_warp].at[SWP_PTX_CLOCK_OWN_FENCED + first_warp] =
                    run->clocks[first_warp].at[first_warp];
        hand_over(run, first_warp, second_warp);
        swp_ptx_access bulk = access_of(run, second_warp, LOAD, 0, 16);
        bulk.is_async = true;
        assert_ok(*state, swp_ptx_access_shared(run, &run->clocks[second_warp], bulk));
        assert_int_equal(run->outcome, fenced ? SWP_PTX_GOES_ON : SWP_PTX_FAULT);
        if (!fenced)
            assert_int_equal(run->finding.kind, SWP_UNFENCED);
    }
}

static void nothing_reaches_beyond_shared_memory(void **state)
{
    static const int64_t places[][2] = {{-4, 0}, {1 << 18, (1 << 18) + 4}, {0, INT64_C(1) << 31}};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        swp_ptx_run *run = &make_two_warps(*state)->run;
        access_bytes(*state, run, first_warp, STORE, places[i][0], places[i][1]);
        assert_int_equal(run->outcome, SWP_PTX_INCONCLUSIVE);
    }
    /* No launch has such an argument. */
    ptx_world *w = make_two_warps(*state);
    w->arguments.count = 1;
    w->arguments.items[0].given = true;
    access_bytes(*state, &w->run, first_warp, STORE, 1 << 18, (1 << 18) + 4);
    assert_int_equal(w->run.outcome, SWP_PTX_DISCARDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(clocks_join_component_by_component),
        CONTEXT_TEST(lane_0_of_a_warp_has_a_clock_and_the_others_one),
        CONTEXT_TEST(an_event_is_past_when_all_who_live_know_it),
        CONTEXT_TEST(two_accesses_conflict_unless_one_is_known_to_be_before),
        CONTEXT_TEST(bytes_beside_each_other_are_no_conflict),
        CONTEXT_TEST(long_accesses_are_found_at_each_of_their_bytes),
        CONTEXT_TEST(a_later_write_stands_for_an_earlier_one),
        CONTEXT_TEST(a_narrow_write_does_not_hide_a_wide_one),
        CONTEXT_TEST(accesses_that_memory_decides_are_not_sure),
        CONTEXT_TEST(an_asynchronous_access_needs_a_proxy_fence_behind_a_store),
        CONTEXT_TEST(nothing_reaches_beyond_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
