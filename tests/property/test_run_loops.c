/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of random loops, on machines of one or two groups. Fully synchronised they go
 * right for every N up to 12 under every timing; without any synchronisation they go wrong where a
 * wave reads what others made; and where nothing stands between two ops of the kernel that meet in a
 * place, an execution is found in which they meet in the wrong order.
 */
#include "fixture.h"
#include "random_loop.h"
#include "synchronised.h"

#include "swp/loop_compile.h"
#include "swp/run.h"

#include <stdio.h>
#include <string.h>

enum { MOST_N = 12, ALL_TIMINGS = SWP_TIMING_COUNT, SEARCH_WORK = 100000 };

typedef struct counts {
    int loops;
    int handed; /* of these with shared values that other ops read */
    int stale;  /* pairs of a maker and a reader */
    int overwritten;
} counts;

/* --- Loops --- */

static void make_loop(swp_context *ctx, test_random *random, swp_loop *out)
{
    static const loop_shape shape = {
        .most_ops = 6, .most_values = 5, .most_cycles = 5, .most_slots = 4};
    *out = random_loop(ctx, random, &shape);
    out->role_count = 0;
    for (size_t o = 0; o < out->op_count; o++) {
        swp_loop_op *op = (swp_loop_op *)&out->ops[o];
        op->role = 0;
        op->accesses = random_int(random, 1, 3);
    }
}

static bool makes(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (op->writes[i] == value)
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (op->updates[i] == value)
            return true;
    return false;
}

/* The last op before `op` that makes the value; -1: none. */
static int maker_before(const swp_loop *loop, int value, int op)
{
    while (--op >= 0 && !makes(&loop->ops[op], value))
        ;
    return op;
}

static bool is_shared(const swp_loop *loop, int value)
{
    return loop->values[value].space == SWP_SPACE_SHARED;
}

static bool hands_over(const swp_loop *loop)
{
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++) {
            const int value = loop->ops[o].reads[r].value;
            if (is_shared(loop, value) && maker_before(loop, value, (int)loop->op_count) >= 0)
                return true;
        }
    return false;
}

/* An op that changes a shared value in its slot reads all shares of it: no barrier can help. */
static bool is_in_its_own_way(const swp_loop_dataflow *dataflow)
{
    const swp_loop *loop = dataflow->loop;
    for (int o = 0; o < (int)loop->op_count; o++)
        for (size_t u = 0; u < loop->ops[o].update_count; u++) {
            const int value = loop->ops[o].updates[u];
            if (is_shared(loop, value) &&
                (maker_before(loop, value, o) >= 0 || dataflow->slots[value] == 1))
                return true;
        }
    return false;
}

/* --- Schedules --- */

static swp_machine random_machine(test_random *random)
{
    swp_machine machine = swp_machine_default();
    machine.waves_per_group = 2;
    machine.groups = random_int(random, 1, 2);
    machine.lag = machine.groups == 2 && random_chance(random, 50);
    machine.lag_prologue_index = 0;
    machine.barrier = random_chance(random, 50) ? SWP_BARRIER_RAW : SWP_BARRIER_FENCED;
    machine.registers = random_chance(random, 50) ? SWP_REGISTERS_RAW : SWP_REGISTERS_MANAGED;
    machine.vm_max = random_int(random, 3, 8);
    machine.lgkm_max = random_int(random, 3, 8);
    return machine;
}

/* --- Runs --- */

/* How many of the timings go wrong for one N; each has another seed. */
static int wrong_runs(const swp_schedule *schedule, int n, uint64_t seed, const char *what)
{
    int wrong = 0;
    for (int timing = 0; timing < ALL_TIMINGS; timing++) {
        swp_context *ctx = swp_context_new(NULL);
        const swp_run_options options = {
            .n = n, .timing = (swp_timing)timing, .seed = seed + (uint64_t)timing};
        swp_run_outcome outcome;
        char *text = NULL;
        assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
        if (outcome.symptom != SWP_NO_SYMPTOM && what) {
            assert_ok(ctx, swp_run_outcome_text(ctx, schedule, &outcome, &text, NULL));
            (void)printf("%s, timing %s:\n%s", what, swp_timing_name((swp_timing)timing), text);
        }
        wrong += outcome.symptom != SWP_NO_SYMPTOM;
        swp_context_free(ctx);
    }
    return wrong;
}

static void check_right(swp_context *ctx, const swp_schedule *schedule, uint64_t seed)
{
    const swp_schedule safe = synchronised(ctx, schedule);
    for (int n = 0; n <= MOST_N; n++) {
        const int wrong = wrong_runs(&safe, n, seed, "synchronised");
        if (wrong)
            print_loop(schedule->dataflow->loop);
        assert_int_equal(wrong, 0);
    }
}

static void check_wrong(const swp_schedule *schedule, uint64_t seed)
{
    const int wrong = wrong_runs(schedule, MOST_N, seed, NULL);
    if (!wrong)
        print_loop(schedule->dataflow->loop);
    assert_true(wrong > 0);
}

/* --- Pairs of entries that meet in a place --- */

/* A shared value that `reader` takes from all waves, in the version of `*iteration`; -1: none. */
static int read_of(const swp_loop *loop, const swp_op *reader, size_t index, int *iteration)
{
    const swp_loop_op *op = &loop->ops[reader->tag];
    if (index >= op->read_count || !is_shared(loop, op->reads[index].value))
        return -1;
    *iteration = reader->iteration - op->reads[index].distance;
    return op->reads[index].value;
}

/* Whether `maker` makes the very tile of that version which `reader` wants. */
static bool brings(const swp_loop *loop, const swp_op *maker, const swp_op *reader, int value,
                   int iteration)
{
    const int end = iteration == reader->iteration ? reader->tag : (int)loop->op_count;
    return maker->iteration == iteration && maker->tag == maker_before(loop, value, end);
}

static bool replaces(const swp_loop_dataflow *dataflow, const swp_op *maker, int value,
                     int iteration)
{
    return makes(&dataflow->loop->ops[maker->tag], value) &&
           (maker->iteration - iteration) % dataflow->slots[value] == 0;
}

static bool is_named(const swp_instance *at, const swp_entry_ref *ref)
{
    return at->phase == ref->phase && at->entry == ref->entry;
}

/* An execution shows the hazard; in its replay the two entries meet unless others may do so first. */
static void expect_found(const swp_schedule *schedule, swp_hazard hazard)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_counterexample found;
    swp_run_outcome outcome;
    bool met = hazard.at.entry > hazard.other.entry + 1;
    assert_ok(ctx, swp_counterexample_find(ctx, schedule, &hazard, &found));
    assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &found, &outcome));
    for (size_t i = 0; i < outcome.operands.count && !met; i++) {
        const swp_wrong_operand *operand = &outcome.operands.items[i];
        met =
            (is_named(&operand->reader, &hazard.at) && is_named(&operand->other, &hazard.other)) ||
            (is_named(&operand->reader, &hazard.other) && is_named(&operand->other, &hazard.at));
    }
    if (!met || outcome.values.count == 0 || found.n != hazard.smallest_n) {
        char *text = NULL;
        assert_ok(ctx, swp_run_outcome_text(ctx, schedule, &outcome, &text, NULL));
        (void)printf("%s at %d, other %d:\n%s", swp_hazard_name(hazard.kind), hazard.at.entry,
                     hazard.other.entry, text);
        print_loop(schedule->dataflow->loop);
    }
    assert_true(met && outcome.values.count > 0);
    assert_int_equal(found.n, hazard.smallest_n);
    swp_context_free(ctx);
}

/* Everything is synchronised but what is between two entries of the kernel, the second at fault. */
static void check_pair(swp_context *ctx, const swp_schedule *schedule, swp_hazard_kind kind,
                       int first, int second)
{
    swp_schedule open = synchronised(ctx, schedule);
    const int before = 3 * (2 * first + 1);
    open.streams[0].kernel = synchronised_but(ctx, &schedule->streams[0].kernel, first, second);
    const swp_hazard hazard = {.kind = kind,
                               .at = {SWP_KERNEL, first + before + second - first},
                               .has_other = true,
                               .other = {SWP_KERNEL, first + before},
                               .smallest_n =
                                   schedule->loop.min_tiles + schedule->loop.tiles_per_pass};
    expect_found(&open, hazard);
}

static void check_pairs(swp_context *ctx, const swp_schedule *schedule, test_random *random,
                        counts *sum)
{
    const swp_loop *loop = schedule->dataflow->loop;
    const swp_entry *entries = schedule->streams[0].kernel.items;
    const int count = (int)schedule->streams[0].kernel.count;
    for (int second = 1; second < count; second++)
        for (int first = 0; first < second; first++)
            for (size_t r = 0; r < SWP_LOOP_OPERANDS && random_chance(random, 40); r++) {
                int iteration = 0;
                int value = read_of(loop, &entries[second].op, r, &iteration);
                if (value >= 0 &&
                    brings(loop, &entries[first].op, &entries[second].op, value, iteration)) {
                    check_pair(ctx, schedule, SWP_STALE_READ, first, second);
                    sum->stale++;
                }
                value = read_of(loop, &entries[first].op, r, &iteration);
                if (value >= 0 &&
                    replaces(schedule->dataflow, &entries[second].op, value, iteration)) {
                    check_pair(ctx, schedule, SWP_OVERWRITTEN, first, second);
                    sum->overwritten++;
                }
            }
}

static void strip(swp_entry_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].op.tag < SWP_FIRST_INFRASTRUCTURE_TAG)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* What the derivation has put there. */
static void strip_all(swp_schedule *schedule)
{
    strip(&schedule->streams[0].prologue);
    strip(&schedule->streams[0].kernel);
    strip(&schedule->streams[0].epilogue);
    for (size_t i = 0; i < schedule->streams[0].tails.epilogue_count; i++)
        strip(&schedule->streams[0].tails.epilogues[i]);
    for (size_t i = 0; i < schedule->streams[0].tails.straight_count; i++)
        strip(&schedule->streams[0].tails.straight[i]);
}

static void check(swp_context *ctx, swp_schedule *schedule, test_random *random, counts *sum)
{
    const uint64_t seed = (uint64_t)random_int(random, 0, 1000000);
    strip_all(schedule);
    schedule->machine = random_machine(random);
    check_right(ctx, schedule, seed);
    if (hands_over(schedule->dataflow->loop)) {
        check_wrong(schedule, seed);
        sum->handed++;
    }
    schedule->machine.lag = 0;
    check_pairs(ctx, schedule, random, sum);
    sum->loops++;
}

static void runs_of_random_loops_are_as_right_as_their_synchronisation(void **state)
{
    const uint64_t seed = random_seed(2);
    const size_t cases = random_sample(60);
    counts sum = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.work = SEARCH_WORK};
        swp_schedule *schedule = NULL;
        swp_loop loop;
        swp_context_set_limits(ctx, &limits);
        make_loop(ctx, &random, &loop);
        if (swp_compile_loop(ctx, &loop, NULL, &schedule) == SWP_OK && schedule->dataflow &&
            !is_in_its_own_way(schedule->dataflow))
            check(ctx, schedule, &random, &sum);
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    (void)printf("%d loops, %d of them with shared values handed over; %d stale reads, %d "
                 "overwritten\n",
                 sum.loops, sum.handed, sum.stale, sum.overwritten);
    assert_true(sum.handed > 0 && sum.stale > 0 && sum.overwritten > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_random_loops_are_as_right_as_their_synchronisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
