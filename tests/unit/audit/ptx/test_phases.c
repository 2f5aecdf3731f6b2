/* SPDX-License-Identifier: Apache-2.0 */
/* mbarriers in a run: arrivals, phases and their parities, expected bytes, waits that spin, who may come too early. */
#include "runs.h"

/* %p1: not thread 0; %p2: the second warp; %p3: not the first lane of a warp. */
#define TWO_WARPS(count, body)                                                                     \
    KERNEL(64, "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; setp.gt.u32 %p2, %r1, 31; "          \
               "and.b32 %r2, %r1, 31; setp.ne.u32 %p3, %r2, 0; mov.u32 %r4, bars; "                \
               "@!%p1 mbarrier.init.shared.b64 [%r4], " #count "; bar.sync 0;\n" body)
#define BODY_LINE (FIRST_LINE + 1)
#define ARRIVE "mbarrier.arrive.shared.b64 _, [%r4];"
#define WAIT(label, parity)                                                                        \
    label ": mbarrier.try_wait.parity.shared.b64 %p9, [%r4], " #parity "; @!%p9 bra " label ";"
#define COPY                                                                                       \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 256, "      \
    "[%r4];"

static void a_phase_ends_with_the_last_arrival(void **state)
{
    const swp_ptx_run *run = run_text(*state, TWO_WARPS(64, ARRIVE "\n" WAIT("W", 0)));
    assert_int_equal(run->outcome, SWP_PTX_ENDED);
    assert_int_equal(run->mbarriers[0].phase, 1);
    assert_int_equal(run->mbarriers[0].pending, 64);
    run = run_text(*state, TWO_WARPS(65, ARRIVE));
    assert_int_equal(run->outcome, SWP_PTX_ENDED);
    assert_int_equal(run->mbarriers[0].phase, 0);
    assert_int_equal(run->mbarriers[0].pending, 1);
}

static void an_arrival_may_count_for_several(void **state)
{
    const swp_ptx_run *run = run_text(
        *state, TWO_WARPS(64, "@!%p3 mbarrier.arrive.shared.b64 _, [%r4], 32;\n" WAIT("W", 0)));
    assert_int_equal(run->outcome, SWP_PTX_ENDED);
    assert_int_equal(run->mbarriers[0].phase, 1);
    assert_doubt(*state, TWO_WARPS(64, "@!%p3 mbarrier.arrive.shared.b64 _, [%r4], 0;"),
                 "1 to 1048575");
    assert_doubt(*state, TWO_WARPS(64, "@!%p3 mbarrier.arrive.shared.b64 _, [%r4], 1048576;"),
                 "1 to 1048575");
}

static void too_many_or_too_few_arrivals_are_faults(void **state)
{
    assert_run_fault(*state, TWO_WARPS(63, ARRIVE), SWP_ARRIVALS, BODY_LINE);
    assert_run_fault(*state, TWO_WARPS(65, ARRIVE "\n" WAIT("W", 0)), SWP_DEADLOCK, BODY_LINE + 1);
}

static void parity_says_which_phase_is_waited_for(void **state)
{
    assert_ends(*state, TWO_WARPS(64, WAIT("W", 1) "\n" ARRIVE));
    assert_run_fault(*state, TWO_WARPS(64, WAIT("W", 0) "\n" ARRIVE), SWP_DEADLOCK, BODY_LINE);
    assert_ends(*state,
                TWO_WARPS(64, ARRIVE WAIT("W", 0) "\nbar.sync 0;" ARRIVE "\n" WAIT("V", 1)));
    assert_run_fault(*state,
                     TWO_WARPS(64, ARRIVE WAIT("W", 0) "\nbar.sync 0;" ARRIVE "\n" WAIT("V", 0)),
                     SWP_PHASE_ALIAS, BODY_LINE + 2);
}

/* A thread of the second warp may still spin on the first phase when the second one is complete, and then for ever. */
static void who_waits_must_be_back_before_the_next_phase_ends(void **state)
{
    assert_ends(*state, TWO_WARPS(32, "@%p2 bra W;\n" ARRIVE "bar.sync 0; " ARRIVE
                                      "bra E;\n" WAIT("W", 0) "\nbar.sync 0;\nE:"));
    assert_run_fault(
        *state,
        TWO_WARPS(32, "@%p2 bra W;\n" ARRIVE WAIT("V", 0) ARRIVE "bra E;\n" WAIT("W", 0) "\nE:"),
        SWP_DEADLOCK, BODY_LINE + 2);
}

static void what_was_before_an_arrival_is_before_what_comes_behind_the_wait(void **state)
{
#define HANDED(arrive, wait)                                                                       \
    TWO_WARPS(32, "@%p2 bra W;\nst.shared.b32 [tile], 1; bar.warp.sync -1;\n" arrive               \
                  "bra E;\nW: " wait "\nld.shared.b32 %r9, [tile];\nE:")
    assert_ends(*state, HANDED(ARRIVE, WAIT("V", 0)));
    assert_run_fault(*state, HANDED("", ""), SWP_OVERWRITTEN, BODY_LINE + 1);
    assert_run_fault(*state, HANDED(ARRIVE, WAIT("V", 1)), SWP_OVERWRITTEN, BODY_LINE + 1);
    /* Asked once, it waits for nothing. */
    assert_run_fault(*state, HANDED(ARRIVE, "mbarrier.try_wait.parity.shared.b64 %p9, [%r4], 0;"),
                     SWP_OVERWRITTEN, BODY_LINE + 1);
#undef HANDED
}

static void a_wait_may_ask_again_in_other_words(void **state)
{
#define ASKED(again)                                                                               \
    TWO_WARPS(64, ARRIVE                                                                           \
              "\nmov.u32 %r30, 0;\nW: mbarrier.try_wait.parity.shared.b64 %p9, [%r4], 0;" again)
    static const char *const spin[] = {
        ASKED("@!%p9 bra W;"),
        ASKED("@%p9 bra D; bra W; D:"),
        ASKED("selp.b32 %r9, 1, 0, %p9; setp.eq.u32 %p8, %r9, 0; @%p8 bra W;"),
        ASKED("not.pred %p8, %p9; @%p8 bra W;"),
        ASKED("nanosleep.u32 20; @!%p9 bra W;"),
        ASKED("@%p9 bra D; add.u32 %r30, %r30, 1; bra W; D:"),
        ASKED("selp.b32 %r9, 0, 1, !%p9; setp.ne.u32 %p8, %r9, 0; @%p8 bra D; bra W; D:"),
    };
    for (size_t i = 0; i < COUNT_OF(spin); i++) {
        const swp_ptx_run *run = run_text(*state, spin[i]);
        assert_int_equal(run->outcome, SWP_PTX_ENDED);
        assert_int_equal(run->undecided, -1);
    }
    static const char *const others[] = {
        ASKED("@%p9 bra W;"),
        ASKED("@%p9 bra D; setp.lt.u32 %p8, %r30, 9; @%p8 bra W; D:"),
        ASKED("selp.b32 %r4, 1, 0, %p9; setp.eq.u32 %p8, %r4, 0; @%p8 bra W;"),
    };
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_true(run_text(*state, others[i])->undecided >= 0);
#undef ASKED
}

static void copies_bring_what_a_phase_expects(void **state)
{
#define FILLED(expect, bytes)                                                                      \
    TWO_WARPS(1, "@!%p1 mbarrier." expect ".shared.b64 " bytes ";\n@!%p1 " COPY                    \
                 "\n" WAIT("W", 0) "\nld.shared.b32 %r9, [tile+252];")
    assert_ends(*state, FILLED("arrive.expect_tx", "_, [%r4], 256"));
    assert_run_fault(*state, FILLED("arrive.expect_tx", "_, [%r4], 240"), SWP_ARRIVALS, BODY_LINE);
    assert_run_fault(*state, FILLED("arrive.expect_tx", "_, [%r4], 272"), SWP_ARRIVALS, BODY_LINE);
    assert_run_fault(*state, FILLED("expect_tx.relaxed.cta", "[%r4], 256"), SWP_DEADLOCK,
                     BODY_LINE + 2);
#undef FILLED
    assert_run_fault(
        *state,
        TWO_WARPS(1, "@!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 256;\n" WAIT("W", 0)),
        SWP_DEADLOCK, BODY_LINE + 1);
    assert_run_fault(
        *state,
        TWO_WARPS(1, "@!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 256;\n@!%p1 " COPY),
        SWP_LOST_PEER, BODY_LINE + 1);
}

static void a_copy_has_landed_behind_the_wait_only(void **state)
{
    assert_run_fault(
        *state,
        TWO_WARPS(1, "@!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 256;\n@!%p1 " COPY
                     "\nld.shared.b32 %r9, [tile];\n" WAIT("W", 0)),
        SWP_OVERWRITTEN, BODY_LINE + 1);
}

/* The second warp comes first here: without an arrival of its own nothing says that its bytes are in time. */
static void bytes_are_expected_before_the_last_arrival(void **state)
{
#define EXPECTED(first, second)                                                                    \
    TWO_WARPS(1, "@!%p2 bra A;\n@%p3 bra W;\n"                                                     \
                 "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r4], 256;\n" COPY first              \
                 "bra W;\nA: @%p1 bra W;\n" second "\n" WAIT("W", 0))
    assert_ends(*state, EXPECTED(ARRIVE, ""));
    const swp_ptx_run *run = run_text(*state, EXPECTED("", ARRIVE));
    assert_int_equal(run->outcome, SWP_PTX_FAULT);
    assert_non_null(strstr(run->finding.detail, "all arrivals may come before these bytes"));
#undef EXPECTED
}

/* What an arrival returns names its phase, and is no number. */
static void a_token_names_the_phase_of_its_arrival(void **state)
{
#define TOKEN "mbarrier.arrive.shared.b64 %rd9, [%r4];"
#define WAIT_FOR(label, token)                                                                     \
    label ": mbarrier.try_wait.shared.b64 %p9, [%r4], " token "; @!%p9 bra " label ";"
    const swp_ptx_run *run = run_text(
        *state,
        TWO_WARPS(64, TOKEN "\n" WAIT_FOR("W", "%rd9") "\n" TOKEN "\nadd.u64 %rd1, %rd9, 0;"));
    assert_int_equal(run->outcome, SWP_PTX_ENDED);
    assert_int_equal(value_in_line(run, BODY_LINE)->one, swp_ptx_token(0, 1).one);
    assert_int_equal(value_in_line(run, BODY_LINE)->tokens, SWP_PTX_ALL_LANES);
    assert_false(swp_ptx_known(value_in_line(run, BODY_LINE + 3)));
    const uint64_t last = swp_ptx_token(SWP_PTX_MOST_MBARRIERS - 1, INT32_MAX).one;
    assert_int_equal(swp_ptx_mbarrier_of(last), SWP_PTX_MOST_MBARRIERS - 1);
    assert_int_equal(swp_ptx_phase_of(last), INT32_MAX);
    assert_ends(*state, TWO_WARPS(64, TOKEN "mov.b64 %rd8, %rd9;" WAIT_FOR("W", "%rd8")));
    assert_run_fault(*state, TWO_WARPS(65, TOKEN "\n" WAIT_FOR("W", "%rd9")), SWP_DEADLOCK,
                     BODY_LINE + 1);
    assert_doubt(*state,
                 TWO_WARPS(64, "@!%p1 mbarrier.init.shared.b64 [%r4+8], 64; bar.sync 0;" TOKEN
                               "W: mbarrier.try_wait.shared.b64 %p9, [%r4+8], %rd9; @!%p9 bra W;"),
                 "which phase");
    assert_doubt(*state,
                 TWO_WARPS(64, TOKEN "mov.b64 {%r8, %r9}, %rd9; mov.b64 %rd9, {%r8, %r9};" WAIT_FOR(
                                   "W", "%rd9")),
                 "which phase");
    assert_doubt(*state, TWO_WARPS(64, TOKEN WAIT_FOR("W", "0")), "which phase");
    /* No number is a token, nor is a token a parity. */
    assert_doubt(*state, TWO_WARPS(64, TOKEN WAIT_FOR("W", "0x746b000000000000")), "which phase");
    assert_doubt(*state,
                 TWO_WARPS(64, TOKEN "W: mbarrier.try_wait.parity.shared.b64 %p9, [%r4], %rd9; "
                                     "@!%p9 bra W;"),
                 "number that orders");
}

static void the_mbarrier_itself_is_in_order(void **state)
{
    static const char early[] =
        KERNEL(64, "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; mov.u32 %r4, bars; "
                   "@!%p1 mbarrier.init.shared.b64 [%r4], 64;\n" ARRIVE);
    assert_run_fault(*state, early, SWP_ARRIVALS, BODY_LINE);
    assert_doubt(*state, TWO_WARPS(64, "mbarrier.arrive.shared.b64 _, [%r4+8];"), "no mbarrier");
    assert_doubt(*state, TWO_WARPS(64, "@!%p1 mbarrier.init.shared.b64 [%r4], 64;"),
                 "initialised twice");
    assert_doubt(*state, TWO_WARPS(64, "@!%p1 mbarrier.init.shared.b64 [%r4+12], 64;"),
                 "multiple of 8");
    assert_run_fault(*state, TWO_WARPS(64, "@!%p1 st.shared.b32 [%r4+4], 0;"), SWP_OVERWRITTEN,
                     BODY_LINE);
    assert_ends(
        *state,
        TWO_WARPS(
            64,
            ARRIVE WAIT(
                "W", 0) "bar.sync 0;\n@!%p1 mbarrier.inval.shared.b64 [%r4];\n"
                        "@!%p1 st.shared.b32 [%r4], 0;\n@!%p1 mbarrier.init.shared.b64 [%r4], 2;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_phase_ends_with_the_last_arrival),
        CONTEXT_TEST(an_arrival_may_count_for_several),
        CONTEXT_TEST(too_many_or_too_few_arrivals_are_faults),
        CONTEXT_TEST(parity_says_which_phase_is_waited_for),
        CONTEXT_TEST(who_waits_must_be_back_before_the_next_phase_ends),
        CONTEXT_TEST(what_was_before_an_arrival_is_before_what_comes_behind_the_wait),
        CONTEXT_TEST(a_wait_may_ask_again_in_other_words),
        CONTEXT_TEST(copies_bring_what_a_phase_expects),
        CONTEXT_TEST(a_copy_has_landed_behind_the_wait_only),
        CONTEXT_TEST(bytes_are_expected_before_the_last_arrival),
        CONTEXT_TEST(a_token_names_the_phase_of_its_arrival),
        CONTEXT_TEST(the_mbarrier_itself_is_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
