/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of the PTX audit on linear functions of counts, against the same instruction on the plain numbers that they
 * are for all counts of a box, or many of them.
 */
#include "fixture.h"

#include "audit/ptx/values.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COUNT = 63, POINTS = 200 };
/* Counts of addresses and slopes of tensors: their products are more than 64 bits hold. */
enum { LARGE_COUNT_BITS = 47, LARGE_SLOPE_BITS = 40 };

static const char *const names[] = {
    "add.s32",     "add.s64",      "sub.s32",      "sub.u32",     "neg.s32",     "not.b32",
    "mul.lo.s32",  "mul.wide.s32", "mul.wide.u32", "mul.hi.s32",  "mul.hi.u32",  "mul.hi.s64",
    "mul.hi.u64",  "mad.lo.s32",   "mad.wide.s32", "shl.b32",     "shl.b64",     "shr.s32",
    "shr.u32",     "shr.u64",      "and.b32",      "and.b64",     "or.b32",      "xor.b32",
    "div.u32",     "div.s32",      "rem.u32",      "rem.s32",     "min.s32",     "max.u32",
    "selp.b32",    "setp.lt.s32",  "setp.ge.u32",  "setp.eq.s32", "setp.ne.b32", "setp.gt.s64",
    "cvt.s64.s32", "cvt.u64.u32",  "cvt.u32.u64",  "cvt.u16.u32", "mov.b32",     "setp.lt.and.s32"};
enum { NAMES = sizeof names / sizeof names[0] };

typedef struct trial {
    swp_ptx_insn insn;
    int count;
    swp_ptx_value sources[SWP_PTX_MOST_SOURCES];
    uint64_t lanes[SWP_PTX_MOST_SOURCES][SWP_PTX_LANES];
    swp_ptx_counts counts;
    uint64_t room[SWP_PTX_LANES];
    bool is_large;
} trial;

static int sources_of(const swp_ptx_insn *insn)
{
    switch (insn->kind) {
    case SWP_PTX_MOVE:
    case SWP_PTX_CONVERT:
    case SWP_PTX_NEG:
    case SWP_PTX_NOT:
        return 1;
    case SWP_PTX_MAD:
    case SWP_PTX_SELP:
        return 3;
    default:
        return insn->kind == SWP_PTX_SETP && swp_ptx_has(insn->name, "and") ? 3 : 2;
    }
}

/* Numbers that addresses and indices are made of, and some that are not. */
static int64_t draw_number(test_random *random)
{
    const int64_t one = INT64_C(1) << random_int(random, 0, 11);
    switch (random_int(random, 0, 6)) {
    case 6: /* divides by 3, behind a product's upper half */
        return (int64_t)(UINT64_MAX / 3 * 2 + 1);
    case 0:
        return random_int(random, 0, 99);
    case 1:
        return one;
    case 2:
        return one - 1;
    case 3:
        return -one;
    case 4:
        return (INT64_C(1) << 31) - random_int(random, 0, 299);
    default:
        return random_int(random, 0, 4999) - 1000;
    }
}

/* Around a power of two. */
static int64_t draw_large(test_random *random, int most_bits)
{
    const int64_t one = INT64_C(1) << random_int(random, 0, most_bits);
    return one + random_int(random, 0, 2) - 1;
}

static int64_t draw_slope(test_random *random, const trial *t)
{
    if (!t->is_large)
        return draw_number(random) % 4096;
    const int64_t slope = draw_large(random, LARGE_SLOPE_BITS);
    return random_int(random, 0, 1) ? slope : -slope;
}

static void draw_source(test_random *random, trial *t, int index)
{
    const bool predicate =
        index == 2 && (t->insn.kind == SWP_PTX_SETP || t->insn.kind == SWP_PTX_SELP);
    swp_ptx_value *value = &t->sources[index];
    *value = swp_ptx_number((uint64_t)(predicate ? random_int(random, 0, 1) : draw_number(random)));
    const bool sums = t->insn.kind == SWP_PTX_ADD || t->insn.kind == SWP_PTX_SUB ||
                      t->insn.kind == SWP_PTX_SETP || t->insn.kind == SWP_PTX_SELP;
    if (index == 1 && (t->insn.kind == SWP_PTX_SHL || t->insn.kind == SWP_PTX_SHR))
        value->one = (uint64_t)random_int(random, 0, 12);
    if (predicate || (index == 1 && !sums && random_chance(random, 80)))
        return;
    if (random_int(random, 0, 2) == 0) {
        value->state = SWP_PTX_VARYING;
        value->lanes = t->lanes[index];
        const uint64_t step = (uint64_t)random_int(random, 0, 8);
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            value->lanes[lane] = value->one + step * (uint64_t)lane;
    }
    for (int c = 0; c < SWP_PTX_COUNTS && random_int(random, 0, 2); c++)
        value->slope[c] = random_int(random, 0, 1) ? draw_slope(random, t) : 0;
}

static trial *draw(test_random *random, size_t which, bool is_large)
{
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->insn.name = (swp_slice){names[which], strlen(names[which])};
    swp_ptx_classify(&t->insn);
    t->count = sources_of(&t->insn);
    t->is_large = is_large;
    for (int i = 0; i < t->count; i++)
        draw_source(random, t, i);
    for (int c = 0; c < SWP_PTX_COUNTS; c++)
        t->counts.most[c] =
            is_large ? draw_large(random, LARGE_COUNT_BITS) : random_int(random, 0, MOST_COUNT);
    return t;
}

static uint64_t at(const swp_ptx_value *value, int lane, const int64_t *counts)
{
    uint64_t number = swp_ptx_lane(value, lane);
    for (int c = 0; c < SWP_PTX_COUNTS; c++)
        number += (uint64_t)value->slope[c] * (uint64_t)counts[c];
    return number;
}

static void check_point(const trial *t, const swp_ptx_value *out, const int64_t *counts)
{
    const int bits = t->insn.kind == SWP_PTX_SETP ? 1 : t->insn.type.bits * (t->insn.wide ? 2 : 1);
    const swp_ptx_type type = {bits, false};
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        uint64_t plain[SWP_PTX_MOST_SOURCES] = {0};
        uint64_t wanted = 0;
        for (int i = 0; i < t->count; i++)
            plain[i] = at(&t->sources[i], lane, counts);
        if (!swp_ptx_compute(&t->insn, plain, t->count, &wanted))
            fail_msg("%.*s: known, though it has no result", SWP_SLICE_FORMAT(t->insn.name));
        const uint64_t got = swp_ptx_extend(at(out, lane, counts), type);
        if (got != wanted)
            fail_msg("%.*s of %lld + (%lld, %lld, %lld), %lld + (%lld, %lld, %lld), lane %d, "
                     "counts %lld %lld %lld: %llu, not %llu",
                     SWP_SLICE_FORMAT(t->insn.name), (long long)t->sources[0].one,
                     (long long)t->sources[0].slope[0], (long long)t->sources[0].slope[1],
                     (long long)t->sources[0].slope[2], (long long)t->sources[1].one,
                     (long long)t->sources[1].slope[0], (long long)t->sources[1].slope[1],
                     (long long)t->sources[1].slope[2], lane, (long long)counts[0],
                     (long long)counts[1], (long long)counts[2], (unsigned long long)got,
                     (unsigned long long)wanted);
    }
}

/* The corners, where linear functions are greatest and least, and others. */
static void check(test_random *random, const trial *t, const swp_ptx_value *out)
{
    for (int p = 0; p < POINTS; p++) {
        int64_t counts[SWP_PTX_COUNTS];
        for (int c = 0; c < SWP_PTX_COUNTS; c++)
            counts[c] = p < 1 << SWP_PTX_COUNTS ? (p >> c & 1) * t->counts.most[c]
                        : t->is_large
                            ? draw_large(random, LARGE_COUNT_BITS) % (t->counts.most[c] + 1)
                            : random_int(random, 0, (int)t->counts.most[c]);
        check_point(t, out, counts);
    }
}

/* How many of the trials have a result that is known. */
static size_t try_all(uint64_t seed, size_t each, size_t which, bool is_large)
{
    size_t known = 0;
    for (size_t i = 0; i < each; i++) {
        test_random random = random_for_case(seed, which * each + i);
        trial *t = draw(&random, which, is_large);
        const swp_ptx_value out =
            swp_ptx_evaluate_affine(&t->insn, t->sources, t->count, &t->counts, t->room);
        if (swp_ptx_known(&out)) {
            check(&random, t, &out);
            known++;
        }
        free(t);
    }
    print_message("%s: %zu of %zu known\n", names[which], known, each);
    return known;
}

enum { FEW = 300 };

static void what_is_known_is_so_for_all_counts(void **state)
{
    const size_t each = random_sample(FEW);
    const uint64_t seed = random_seed(20261124);
    size_t all = 0;
    (void)state;
    for (size_t which = 0; which < NAMES; which++) {
        const size_t known = try_all(seed, each, which, false);
        all += known;
        assert_true(known > 0 || each < FEW);
    }
    assert_true(all > each * NAMES / 3);
}

static void what_is_known_of_large_counts_is_so(void **state)
{
    const size_t each = random_sample(FEW);
    const uint64_t seed = random_seed(20261126);
    size_t all = 0;
    (void)state;
    for (size_t which = 0; which < NAMES; which++)
        all += try_all(seed, each, which, true);
    assert_true(all > each * NAMES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_known_is_so_for_all_counts),
                                       cmocka_unit_test(what_is_known_of_large_counts_is_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
