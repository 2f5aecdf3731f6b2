/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules of random GEMM loops, of any grid, depth and latencies: the proof takes every form, every N
 * up to 12 runs right under adversarial timing, and each wait and barrier of a form that serves one
 * remainder or one N is needed: without it the proof of that form finds a hazard.
 */
#include "fixture.h"
#include "random.h"

#include "swp/loop_compile.h"
#include "swp/run.h"
#include "swp/verify.h"

#include <stdio.h>

enum { MOST_SIDE = 2, MOST_N = 12, SEEDS = 3, NAME = 16 };

typedef struct counts {
    int forms;
    int unrolled; /* more than two iterations a pass */
    int needed;
    int stopped;
} counts;

static const char *name_of(swp_context *ctx, const char *kind, int channel, int index)
{
    char *name = swp_context_take(ctx, NAME);
    assert_non_null(name);
    (void)snprintf(name, NAME, "%s_%c%d", kind, channel == 0 ? 'A' : 'B', index);
    return name;
}

/* Loads, fragments and MMAs; in the order of the listing, or with each fragment late. */
static void describe(swp_context *ctx, test_random *random, swp_loop *out)
{
    swp_loop_builder *l = swp_loop_new(ctx, "random_gemm");
    const int sides[2] = {random_int(random, 1, MOST_SIDE), random_int(random, 1, MOST_SIDE)};
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int lgkm = swp_loop_add_unit(l, "lgkmcnt", 15);
    const int accesses = random_int(random, 1, 8);
    const int slots = random_int(random, 1, 4);
    const int load_latency = random_int(random, 20, 200);
    const int read_latency = random_int(random, 5, 30);
    int fragments[2][MOST_SIDE];
    for (int channel = 0; channel < 2; channel++)
        for (int i = 0; i < sides[channel]; i++) {
            const int own = random_chance(random, 30) ? random_int(random, 1, 4) : slots;
            const int place = swp_value(l, name_of(ctx, "place", channel, i), .bytes = 64,
                                        .most_slots = own, .space = SWP_SPACE_SHARED);
            fragments[channel][i] = swp_value(l, name_of(ctx, "register", channel, i), .bytes = 16,
                                              .most_slots = 1, .space = SWP_SPACE_REGISTERS);
            swp_work(l, name_of(ctx, "load", channel, i), .latency = load_latency,
                     .completion = SWP_COMPLETION_COUNTER, .accesses = random_int(random, 1, 4),
                     .writes = {place});
            swp_work(l, name_of(ctx, "fragment", channel, i), .latency = read_latency,
                     .uses = {{.unit = lgkm, .cycles = read_latency, .amount = accesses}},
                     .accesses = accesses, .completion = SWP_COMPLETION_COUNTER,
                     .reads = {{.value = place}}, .writes = {fragments[channel][i]});
        }
    for (int row = 0; row < sides[0]; row++)
        for (int column = 0; column < sides[1]; column++) {
            const int sum = swp_value(l, name_of(ctx, "sum", column, row),
                                      .space = SWP_SPACE_REGISTERS, .bytes = 16);
            swp_work(l, name_of(ctx, "mma", column, row), .uses = {{.unit = mma, .cycles = 16}},
                     .latency = 16,
                     .reads = {{.value = fragments[0][row]}, {.value = fragments[1][column]}},
                     .updates = {sum});
        }
    assert_ok(ctx, swp_loop_done(l, out));
}

static void expect_right(swp_context *ctx, const swp_schedule *schedule, size_t index)
{
    for (int n = 0; n <= MOST_N; n++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const swp_run_options options = {
                .n = n, .waves_per_group = 2, .timing = SWP_TIMING_ADVERSARIAL, .seed = seed};
            swp_run_outcome outcome;
            assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
            if (outcome.symptom != SWP_NO_SYMPTOM)
                (void)printf("case %zu: N = %d, seed %d: %s\n", index, n, (int)seed,
                             swp_symptom_name(outcome.symptom));
            assert_int_equal(outcome.symptom, SWP_NO_SYMPTOM);
        }
}

static bool is_sync(const swp_op *op)
{
    return op->tag == SWP_TAG_BARRIER || op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

/* A hint in place of each wait and barrier in turn. */
static void expect_needed(swp_context *ctx, const swp_schedule *schedule, int form, counts *sum)
{
    swp_schedule one = swp_schedule_form(schedule, form);
    for (size_t i = 0; i < one.streams[0].epilogue.count; i++) {
        swp_verdict verdict;
        const swp_op kept = one.streams[0].epilogue.items[i].op;
        if (!is_sync(&kept))
            continue;
        one.streams[0].epilogue.items[i].op = swp_op_set_prio(0);
        assert_ok(ctx, swp_verify_form(ctx, &one, 0, &verdict));
        one.streams[0].epilogue.items[i].op = kept;
        assert_false(verdict.safe);
        sum->needed++;
    }
}

static void check(swp_context *ctx, const swp_schedule *schedule, size_t index, counts *sum)
{
    swp_verdict verdict;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_int_equal(schedule->loop.multiple, 1);
    for (int n = 0; n <= MOST_N; n++)
        assert_true(swp_schedule_form_of(schedule, n) >= 0);
    expect_right(ctx, schedule, index);
    for (int form = 0; form < swp_schedule_forms(schedule); form++)
        expect_needed(ctx, schedule, form, sum);
    sum->forms += swp_schedule_forms(schedule);
    sum->unrolled += schedule->loop.tiles_per_pass > 2;
}

static void any_gemm_is_proven_and_runs_right(void **state)
{
    const uint64_t seed = random_seed(8);
    const size_t cases = random_sample(6);
    counts sum = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.work = 500000};
        swp_schedule *schedule = NULL;
        swp_loop loop;
        swp_context_set_limits(ctx, &limits);
        describe(ctx, &random, &loop);
        assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
        if (schedule->metrics.stopped)
            sum.stopped++;
        else
            check(ctx, schedule, i, &sum);
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    (void)printf("%d forms, %d loops unrolled beyond 2, %d waits and barriers needed, %d stopped\n",
                 sum.forms, sum.unrolled, sum.needed, sum.stopped);
    assert_true(sum.unrolled > 0 && sum.needed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_gemm_is_proven_and_runs_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
