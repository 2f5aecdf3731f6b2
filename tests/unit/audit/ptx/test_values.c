/* SPDX-License-Identifier: Apache-2.0 */
/* What the PTX audit knows of a warp's registers: arithmetic against numbers of the PTX ISA's definitions, and what is unknown. */
#include "runs.h"

/* What code leaves in the register that its last instruction, in a line of its own, writes. */
static const swp_ptx_value *result_of(swp_context *ctx, const char *before, const char *last)
{
    char all[1024];
    (void)snprintf(all, sizeof all, KERNEL(32, "%s\n%s"), before, last);
    const swp_ptx_run *run = run_text(ctx, all);
    assert_int_equal(run->outcome, SWP_PTX_ENDED);
    return value_in_line(run, FIRST_LINE + 1);
}

typedef struct sum {
    const char *before;
    const char *last;
    uint64_t result;
} sum;

static void assert_sums(swp_context *ctx, const sum *sums, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const swp_ptx_value *value = result_of(ctx, sums[i].before, sums[i].last);
        if (value->state != SWP_PTX_UNIFORM || value->one != sums[i].result)
            fail_msg("%s %s: state %d, %llx, wanted %llx", sums[i].before, sums[i].last,
                     (int)value->state, (unsigned long long)value->one,
                     (unsigned long long)sums[i].result);
    }
}

static void arithmetic_is_that_of_the_type(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, 0xffffffff;", "add.u32 %r2, %r1, 2;", 1},
        {"mov.u64 %rd1, 0xffffffff;", "add.u64 %rd2, %rd1, 2;", 0x100000001},
        {"mov.u16 %h1, 0xffff;", "add.u16 %h2, %h1, 2;", 1},
        {"mov.u32 %r1, -7;", "div.s32 %r2, %r1, 2;", 0xfffffffd},
        {"mov.u32 %r1, -7;", "div.u32 %r2, %r1, 2;", 0x7ffffffc},
        {"mov.u32 %r1, -7;", "rem.s32 %r2, %r1, 2;", 0xffffffff},
        {"mov.u32 %r1, -7;", "min.s32 %r2, %r1, 3;", 0xfffffff9},
        {"mov.u32 %r1, -7;", "min.u32 %r2, %r1, 3;", 3},
        {"mov.u32 %r1, -7;", "max.s32 %r2, %r1, 3;", 3},
        {"mov.u32 %r1, -7;", "abs.s32 %r2, %r1;", 7},
        {"mov.u32 %r1, 0x12345678;", "mul.lo.u32 %r2, %r1, 0x9abcdef0;", 0x242d2080},
        {"mov.u32 %r1, 0x12345678;", "mul.hi.u32 %r2, %r1, 0x9abcdef0;", 0x0b00ea4e},
        {"mov.u32 %r1, 0x12345678;", "mul.hi.s32 %r2, %r1, 0x9abcdef0;", 0xf8cc93d6},
        {"mov.u32 %r1, -5;", "mul.wide.s32 %rd2, %r1, 3;", (uint64_t)-15},
        {"mov.u32 %r1, -5;", "mul.wide.u32 %rd2, %r1, 3;", 0x2fffffff1},
        {"mov.u32 %r1, 7;", "mad.wide.s32 %rd2, %r1, -3, 10;", (uint64_t)-11},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void shifts_beyond_the_width_leave_nothing_but_a_sign(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, 1;", "shl.b32 %r2, %r1, 31;", 0x80000000},
        {"mov.u32 %r1, 1;", "shl.b32 %r2, %r1, 32;", 0},
        {"mov.u32 %r1, 1;", "shl.b32 %r2, %r1, 63;", 0},
        {"mov.u64 %rd1, 1;", "shl.b64 %rd2, %rd1, 63;", UINT64_C(1) << 63},
        {"mov.u64 %rd1, 1;", "shl.b64 %rd2, %rd1, 64;", 0},
        {"mov.u32 %r1, 0x80000000;", "shr.u32 %r2, %r1, 31;", 1},
        {"mov.u32 %r1, 0x80000000;", "shr.u32 %r2, %r1, 32;", 0},
        {"mov.u32 %r1, 0x80000000;", "shr.s32 %r2, %r1, 40;", 0xffffffff},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void fields_and_bits_are_picked(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, 0x0000f000;", "bfe.u32 %r2, %r1, 8, 8;", 0xf0},
        {"mov.u32 %r1, 0x0000f000;", "bfe.s32 %r2, %r1, 8, 8;", 0xfffffff0},
        {"mov.u32 %r1, 0x80000000;", "bfe.s32 %r2, %r1, 28, 8;", 0xfffffff8},
        {"mov.u32 %r1, 0x80000000;", "bfe.s32 %r2, %r1, 28, 0;", 0},
        {"mov.u32 %r1, 0xf0f0f0f0; mov.u32 %r3, 0xcccccccc;",
         "lop3.b32 %r2, %r1, %r3, 0xaaaaaaaa, 0x96;", 0x96969696},
        {"mov.u32 %r1, 0xf0f0f0f0; mov.u32 %r3, 0xcccccccc;",
         "lop3.b32 %r2, %r1, %r3, 0xaaaaaaaa, 0xea;", 0xeaeaeaea},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void bits_are_counted_turned_inserted_and_permuted(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, 0x00f00001;", "popc.b32 %r2, %r1;", 5},
        {"mov.u64 %rd1, -1;", "popc.b64 %r2, %rd1;", 64},
        {"mov.u32 %r1, 0x00f00001;", "clz.b32 %r2, %r1;", 8},
        {"mov.u32 %r1, 0;", "clz.b32 %r2, %r1;", 32},
        {"mov.u64 %rd1, 1;", "clz.b64 %r2, %rd1;", 63},
        {"mov.u32 %r1, 0x00f00001;", "brev.b32 %r2, %r1;", 0x80000f00},
        {"mov.u64 %rd1, 3;", "brev.b64 %rd2, %rd1;", UINT64_C(3) << 62},
        {"mov.u32 %r1, 0xabcd; mov.u32 %r3, 0x11111111;", "bfi.b32 %r2, %r1, %r3, 8, 12;",
         0x111bcd11},
        {"mov.u32 %r1, 0xabcd; mov.u32 %r3, 0x11111111;", "bfi.b32 %r2, %r1, %r3, 28, 12;",
         0xd1111111},
        {"mov.u32 %r1, 0xabcd; mov.u32 %r3, 0x11111111;", "bfi.b32 %r2, %r1, %r3, 40, 12;",
         0x11111111},
        {"mov.u32 %r1, 0x33221100; mov.u32 %r3, 0x77665544;", "prmt.b32 %r2, %r1, %r3, 0x7531;",
         0x77553311},
        {"mov.u32 %r1, 0x33228100; mov.u32 %r3, 0x77665544;", "prmt.b32 %r2, %r1, %r3, 0x9999;",
         0xffffffff},
        {"mov.u32 %r1, 0x33228100; mov.u32 %r3, 0x77665544;", "prmt.b32 %r2, %r1, %r3, 0x0180;",
         0x00810000},
        {"mov.u32 %r1, 0x12345678; mov.u32 %r3, 0x9abcdef0;", "shf.l.wrap.b32 %r2, %r1, %r3, 8;",
         0xbcdef012},
        {"mov.u32 %r1, 0x12345678; mov.u32 %r3, 0x9abcdef0;", "shf.r.wrap.b32 %r2, %r1, %r3, 40;",
         0xf0123456},
        {"mov.u32 %r1, 0x12345678; mov.u32 %r3, 0x9abcdef0;", "shf.r.clamp.b32 %r2, %r1, %r3, 40;",
         0x9abcdef0},
        {"mov.u32 %r1, 0x12345678; mov.u32 %r3, 0x9abcdef0;", "shf.l.clamp.b32 %r2, %r1, %r3, 40;",
         0x12345678},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void conversions_extend_by_the_source_and_cut_to_the_result(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, 0xff8;", "cvt.s32.s8 %r2, %r1;", 0xfffffff8},
        {"mov.u32 %r1, 0xff8;", "cvt.u32.u8 %r2, %r1;", 0xf8},
        {"mov.u32 %r1, -8;", "cvt.s64.s32 %rd2, %r1;", (uint64_t)-8},
        {"mov.u32 %r1, -8;", "cvt.u64.u32 %rd2, %r1;", 0xfffffff8},
        {"mov.u64 %rd1, 0x1234567890;", "cvt.u32.u64 %r2, %rd1;", 0x34567890},
        {"mov.u32 %r1, 0xff8; cvt.s8.s32 %h1, %r1;", "cvt.u32.u16 %r2, %h1;", 0xfff8},
        {"mov.u32 %r1, 0xff8; cvt.u8.u32 %h1, %r1;", "cvt.u32.u16 %r2, %h1;", 0xf8},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void predicates_are_compared_combined_and_inverted(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, -5;", "setp.lt.s32 %p1, %r1, 3;", 1},
        {"mov.u32 %r1, -5;", "setp.lt.u32 %p1, %r1, 3;", 0},
        {"mov.u32 %r1, -5;", "setp.lo.s32 %p1, %r1, 3;", 0},
        {"mov.u32 %r1, -5;", "setp.hs.u32 %p1, %r1, -5;", 1},
        {"mov.u32 %r1, 3; setp.eq.u32 %p2, %r1, 3;", "setp.gt.and.s32 %p1, %r1, 2, !%p2;", 0},
        {"mov.u32 %r1, 3; setp.eq.u32 %p2, %r1, 3;", "setp.gt.xor.s32 %p1, %r1, 2, %p2;", 0},
        {"mov.u32 %r1, 3; setp.eq.u32 %p2, %r1, 3;", "setp.lt.or.s32 %p1, %r1, 2, %p2;", 1},
        {"mov.u32 %r1, 3; setp.eq.u32 %p2|%p3, %r1, 3;", "selp.b32 %r2, 7, 9, %p3;", 9},
        {"mov.u32 %r1, 3; setp.eq.u32 %p2, %r1, 3;", "selp.b32 %r2, 7, 9, !%p2;", 9},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void registers_are_packed_and_taken_apart(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, 0x55667788; mov.u32 %r2, 0x11223344;", "mov.b64 %rd1, {%r1, %r2};",
         0x1122334455667788},
        {"mov.b64 %rd1, 0x1122334455667788;", "mov.b64 {%r1, _}, %rd1;", 0x55667788},
        {"mov.b64 %rd1, 0x1122334455667788; mov.b64 {_, %r1}, %rd1;", "mov.b32 %r2, %r1;",
         0x11223344},
        {"mov.u16 %h1, 3; mov.u16 %h2, 4;", "mov.b32 %r2, {%h1, %h2};", 0x40003},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
}

static void what_is_not_followed_is_unknown(void **state)
{
    static const char *const last[] = {"min.relu.s32 %r2, %r1, 3;",
                                       "add.sat.s32 %r2, %r1, 3;",
                                       "add.f32 %f1, 0f3F800000, 0f3F800000;",
                                       "div.u32 %r2, %r1, 0;",
                                       "div.s32 %r2, %r1, -1;",
                                       "bfind.u32 %r2, %r1;",
                                       "prmt.b32.f4e %r2, %r1, %r1, 1;",
                                       "add.u32 %r2, %r9, 1;",
                                       "ld.global.u32 %r2, [%rd9];",
                                       "mov.u32 %r2, %smid;",
                                       "mov.u32 %r2, %clock;",
                                       "cvt.sat.u8.u32 %h2, %r1;"};
    for (size_t i = 0; i < COUNT_OF(last); i++) {
        const swp_ptx_value *value = result_of(*state, "mov.u32 %r1, -7;", last[i]);
        if (swp_ptx_known(value) || !(value->depends & SWP_PTX_DATA))
            fail_msg("%s is known, or depends on %llx", last[i],
                     (unsigned long long)value->depends);
    }
}

static void one_source_may_decide_alone(void **state)
{
    static const sum sums[] = {
        {"ld.global.u32 %r1, [%rd9];", "and.b32 %r2, %r1, 0;", 0},
        {"ld.global.u32 %r1, [%rd9];", "mul.lo.u32 %r2, %r1, 0;", 0},
        {"ld.global.u32 %r1, [%rd9];", "or.b32 %r2, %r1, 0xffffffff;", 0xffffffff},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
    assert_false(
        swp_ptx_known(result_of(*state, "ld.global.u32 %r1, [%rd9];", "or.b32 %r2, %r1, 0xffff;")));
}

static void an_unknown_argument_is_named(void **state)
{
    const swp_ptx_value *value =
        result_of(*state, "ld.param.u32 %r1, [n];", "add.u32 %r2, %r1, 1;");
    assert_int_equal(value->state, SWP_PTX_UNKNOWN);
    assert_int_equal(value->depends, 1);
    value =
        result_of(*state, "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];", "add.u32 %r2, %r1, 1;");
    assert_int_equal(value->depends, 2);
    /* The same bytes in another width have no value of their own. */
    value =
        result_of(*state, "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [p];", "add.u32 %r2, %r1, 1;");
    assert_int_equal(value->depends, SWP_PTX_DATA);
}

static void a_given_argument_fits_its_bits(void **state)
{
    ptx_world *w = make_world(*state, KERNEL(32, "ld.param.u8 %h1, [n];"));
    w->arguments.count = 1;
    w->arguments.items[0] = (swp_ptx_argument){.param = 1, .bits = 8, .given = true, .value = 300};
    assert_ok(*state, swp_ptx_run_follow(&w->run));
    assert_int_equal(value_in_line(&w->run, FIRST_LINE)->one, 300 & 0xff);
}

static void assert_lanes(swp_context *ctx, const char *before, const char *last,
                         uint64_t (*wanted)(int))
{
    const swp_ptx_value *value = result_of(ctx, before, last);
    assert_true(swp_ptx_known(value));
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        assert_int_equal(swp_ptx_lane(value, lane), wanted(lane));
}

static uint64_t the_next(int lane)
{
    return (uint64_t)(lane == 31 ? 31 : lane + 1);
}
static uint64_t the_one_before(int lane)
{
    return (uint64_t)(lane == 0 ? 0 : lane - 1);
}
static uint64_t the_partner(int lane)
{
    return (uint64_t)(lane ^ 5);
}
static uint64_t the_seventh(int lane)
{
    (void)lane;
    return 7;
}
static uint64_t only_the_first(int lane)
{
    return lane == 0;
}
static uint64_t those_before(int lane)
{
    return (UINT64_C(1) << lane) - 1;
}
static uint64_t those_from_here(int lane)
{
    return UINT32_MAX & ~((UINT64_C(1) << lane) - 1);
}
static uint64_t odd_ones_have_one(int lane)
{
    return (uint64_t)(lane % 2 ? 1 : lane);
}

static void lanes_have_numbers_of_their_own(void **state)
{
    static const char thread[] = "mov.u32 %r1, %tid.x;";
    assert_lanes(*state, thread, "shfl.sync.down.b32 %r2, %r1, 1, 31, -1;", the_next);
    assert_lanes(*state, thread, "shfl.sync.up.b32 %r2, %r1, 1, 0, -1;", the_one_before);
    assert_lanes(*state, thread, "shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;", the_partner);
    assert_lanes(*state, thread, "shfl.sync.idx.b32 %r2, %r1, 7, 31, -1;", the_seventh);
    assert_lanes(*state, "elect.sync _|%p1, -1;", "selp.b32 %r2, 1, 0, %p1;", only_the_first);
    assert_lanes(*state, "", "mov.u32 %r2, %lanemask_lt;", those_before);
    assert_lanes(*state, "", "mov.u32 %r2, %lanemask_ge;", those_from_here);
    assert_lanes(*state, "mov.u32 %r2, %laneid; and.b32 %r1, %r2, 1; setp.eq.u32 %p1, %r1, 1;",
                 "@%p1 mov.u32 %r2, 1;", odd_ones_have_one);
}

static void votes_count_the_lanes_that_come(void **state)
{
    static const sum sums[] = {
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 4;", "vote.sync.ballot.b32 %r2, %p1, -1;",
         0xf},
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 4;", "vote.sync.ballot.b32 %r2, !%p1, -1;",
         0xfffffff0},
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 4;", "vote.sync.any.pred %p2, %p1, -1;", 1},
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 4;", "vote.sync.all.pred %p2, %p1, -1;", 0},
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 4;", "vote.sync.uni.pred %p2, %p1, -1;", 0},
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 99;", "vote.sync.uni.pred %p2, !%p1, -1;", 1},
        {"mov.u32 %r1, %laneid; setp.gt.u32 %p1, %r1, 3; @%p1 ret; setp.lt.u32 %p1, %r1, 4;",
         "vote.sync.all.pred %p2, %p1, -1;", 1},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
    assert_false(swp_ptx_known(result_of(*state, "mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r9, 4;",
                                         "vote.sync.any.pred %p2, %p1, -1;")));
    /* Lane 0 is kept away by the guard: who names it waits for it. */
    static const char guard[] = "mov.u32 %r1, %laneid; setp.ne.u32 %p1, %r1, 0;";
    assert_false(swp_ptx_known(result_of(*state, guard, "@%p1 vote.sync.any.pred %p2, %p1, -1;")));
    assert_true(
        swp_ptx_known(result_of(*state, guard, "@%p1 vote.sync.any.pred %p2, %p1, 0xfffffffe;")));
}

/* A shared variable's generic address is no small number, as arguments are. */
static void generic_addresses_lie_apart(void **state)
{
    static const sum sums[] = {
        {"mov.u64 %rd1, tile+64; cvta.shared.u64 %rd2, %rd1;", "cvta.to.shared.u64 %rd3, %rd2;",
         64},
        {"mov.u64 %rd1, tile+64; cvta.shared.u64 %rd2, %rd1; add.u64 %rd2, %rd2, 8;",
         "cvta.to.shared.u64 %rd3, %rd2;", 72},
        {"mov.u64 %rd1, tile+64; cvta.shared.u64 %rd2, %rd1;", "cvt.u32.u64 %r1, %rd2;", 64},
    };
    assert_sums(*state, sums, COUNT_OF(sums));
    assert_true(result_of(*state, "mov.u64 %rd1, tile+64;", "cvta.shared.u64 %rd2, %rd1;")->one >
                UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(arithmetic_is_that_of_the_type),
        CONTEXT_TEST(shifts_beyond_the_width_leave_nothing_but_a_sign),
        CONTEXT_TEST(fields_and_bits_are_picked),
        CONTEXT_TEST(bits_are_counted_turned_inserted_and_permuted),
        CONTEXT_TEST(conversions_extend_by_the_source_and_cut_to_the_result),
        CONTEXT_TEST(predicates_are_compared_combined_and_inverted),
        CONTEXT_TEST(registers_are_packed_and_taken_apart),
        CONTEXT_TEST(what_is_not_followed_is_unknown),
        CONTEXT_TEST(one_source_may_decide_alone),
        CONTEXT_TEST(an_unknown_argument_is_named),
        CONTEXT_TEST(a_given_argument_fits_its_bits),
        CONTEXT_TEST(lanes_have_numbers_of_their_own),
        CONTEXT_TEST(votes_count_the_lanes_that_come),
        CONTEXT_TEST(generic_addresses_lie_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
