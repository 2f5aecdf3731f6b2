/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each kind of hazard a small program that has just that one, and its one-step repair, which is
 * safe. Both judges say so. tests/judges/words.h has the notation.
 */
#include "fixture.h"

#include "unrolled.h"
#include "words.h"

typedef struct phases {
    const char *prologue;
    const char *kernel;
    const char *epilogue;
} phases;

/* Double buffer, 1x1 MMAs, raw barriers, managed registers, one group. */
static const phases safe_double = {
    "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0",
    "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |",
    "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0",
};

/* Single buffer, one k-slice, fenced barriers, managed registers. */
static const phases safe_single = {
    "L S | L f0",
    "c0 | S L | f0",
    "c0 | S | f0 c0",
};

static program double_buffer(phases words)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, words.prologue);
    program_read(&p, SWP_KERNEL, words.kernel);
    program_read(&p, SWP_EPILOGUE, words.epilogue);
    return p;
}

static program single_buffer(phases words)
{
    program p = program_single_buffer();
    program_read(&p, SWP_PROLOGUE, words.prologue);
    program_read(&p, SWP_KERNEL, words.kernel);
    program_read(&p, SWP_EPILOGUE, words.epilogue);
    return p;
}

static void expect_judged(const program *p, const judged_hazard *only)
{
    judgement judged = unrolled_judge(&p->schedule, 12);
    assert_int_equal(judged.count, only ? 1 : 0);
    if (only) {
        assert_int_equal(judged.items[0].kind, only->kind);
        assert_int_equal(judged.items[0].phase, only->phase);
        assert_int_equal(judged.items[0].entry, only->entry);
        assert_int_equal(judged.items[0].smallest_n, only->smallest_n);
    }
    judgement_free(&judged);
}

static void expect_verified(const program *p, const judged_hazard *only)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, &p->schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.safe, !only);
    assert_int_equal(verdict.hazards.count, only ? 1 : 0);
    if (only) {
        const swp_hazard *h = &verdict.hazards.items[0];
        assert_int_equal(h->kind, only->kind);
        assert_int_equal(h->at.phase, only->phase);
        assert_int_equal(h->at.entry, only->entry);
        assert_int_equal(h->smallest_n, only->smallest_n);
    }
    swp_context_free(ctx);
}

static void expect_safe(program p)
{
    expect_judged(&p, NULL);
    expect_verified(&p, NULL);
    program_free(&p);
}

static void expect_only(program p, swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    const judged_hazard only = {.kind = kind, .phase = phase, .entry = entry, .smallest_n = n};
    expect_judged(&p, &only);
    expect_verified(&p, &only);
    program_free(&p);
}

static void the_programs_before_their_edits_are_safe(void **state)
{
    (void)state;
    expect_safe(double_buffer(safe_double));
    expect_safe(single_buffer(safe_single));
}

/* No barrier between the store and the fragment load of another wave's share. */
static void stale_read(void **state)
{
    (void)state;
    phases words = safe_single;
    words.epilogue = "c0 | S f0 c0";
    expect_only(single_buffer(words), SWP_STALE_READ, SWP_EPILOGUE, 3, 2);
    expect_safe(single_buffer(safe_single));
}

/* Another wave may still read the fragment when the load replaces it. */
static void overwritten(void **state)
{
    (void)state;
    phases words = safe_single;
    words.kernel = "c0 S L | f0";
    expect_only(single_buffer(words), SWP_OVERWRITTEN, SWP_KERNEL, 1, 3);
    expect_safe(single_buffer(safe_single));
}

/* Two loads of one place are in flight together. */
static void write_race(void **state)
{
    (void)state;
    phases words = safe_double;
    words.prologue = "A0.0:k1 A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0";
    expect_only(double_buffer(words), SWP_WRITE_RACE, SWP_PROLOGUE, 1, 2);
    words.prologue = "A0.0:k1 v0 A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0";
    expect_safe(double_buffer(words));
}

/* The fragment of half 1 is not read: the register still has that of half 0. */
static void wrong_tile(void **state)
{
    (void)state;
    phases words = safe_double;
    words.epilogue = "a0.0 b0.0 m0.0 a1.0 m0.0";
    expect_only(double_buffer(words), SWP_WRONG_TILE, SWP_EPILOGUE, 4, 2);
    expect_safe(double_buffer(safe_double));
}

static void missing_work(void **state)
{
    (void)state;
    phases words = safe_double;
    words.epilogue = "a0.0 b0.0 m0.0 a1.0 b1.0";
    expect_only(double_buffer(words), SWP_MISSING_WORK, SWP_EPILOGUE, 5, 2);
    expect_safe(double_buffer(safe_double));
}

static void double_work(void **state)
{
    (void)state;
    phases words = safe_double;
    words.epilogue = "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0 m0.0";
    expect_only(double_buffer(words), SWP_DOUBLE_WORK, SWP_EPILOGUE, 6, 2);
    expect_safe(double_buffer(safe_double));
}

/* Nothing waits for the fragments of the last COMPUTE. */
static void register_not_ready(void **state)
{
    (void)state;
    phases words = safe_double;
    words.epilogue = "a0.0 b0.0 l0 m0.0 a1.0 b1.0 m0.0";
    program p = double_buffer(words);
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    expect_only(p, SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 6, 2);
    words.epilogue = "a0.0 b0.0 l0 m0.0 a1.0 b1.0 l0 m0.0";
    p = double_buffer(words);
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    expect_safe(p);
}

/* Tile N; nobody reads it. */
static void out_of_range(void **state)
{
    (void)state;
    phases words = safe_double;
    words.epilogue = "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0 l0 | A0.0:k0";
    expect_only(double_buffer(words), SWP_OUT_OF_RANGE, SWP_EPILOGUE, 8, 2);
    words.epilogue = "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0 l0 |";
    expect_safe(double_buffer(words));
}

static program lagging(bool end_barrier)
{
    program p = double_buffer((phases){
        "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 |",
        "a0.0 b0.0 l0 | | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | | A1.0:k1 B1.0:k1 m0.0 v0 | |",
        "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0 |",
    });
    p.schedule.machine.groups = 2;
    p.schedule.machine.lag = 1;
    p.schedule.machine.lag_prologue_index = 4;
    p.schedule.machine.lag_end_barrier = end_barrier;
    return p;
}

static void deadlock(void **state)
{
    (void)state;
    expect_only(lagging(false), SWP_DEADLOCK, SWP_EPILOGUE, 6, 2);
    expect_safe(lagging(true));
}

static program wrapping(const char *prologue)
{
    phases words = safe_double;
    words.prologue = prologue;
    program p = double_buffer(words);
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    p.schedule.machine.vm_max = 4;
    return p;
}

/* Five accesses in flight, and a counter that holds four. */
static void counter(void **state)
{
    (void)state;
    expect_only(wrapping("A0.0:k0 B0.0:k0 A1.0:k1*2 B1.0:k1 v0"), SWP_COUNTER, SWP_PROLOGUE, 3, 2);
    expect_safe(wrapping("A0.0:k0 B0.0:k0 A1.0:k1*2 v0 B1.0:k1 v0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_before_their_edits_are_safe),
        cmocka_unit_test(stale_read),
        cmocka_unit_test(overwritten),
        cmocka_unit_test(write_race),
        cmocka_unit_test(wrong_tile),
        cmocka_unit_test(missing_work),
        cmocka_unit_test(double_work),
        cmocka_unit_test(register_not_ready),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(deadlock),
        cmocka_unit_test(counter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
