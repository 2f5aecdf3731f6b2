/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "random.h"
#include "swp/loop.h"

/* Six values that share bytes in many ways: tens of problems. */
static swp_loop shared_loop(swp_context *ctx)
{
    static const char *const loads[] = {"L0", "L1", "L2", "L3", "L4", "L5"};
    static const char *const works[] = {"W0", "W1", "W2", "W3", "W4", "W5"};
    enum { COUNT = 6 };
    swp_loop_builder *l = swp_loop_new(ctx, "shared");
    const int memory = swp_loop_add_unit(l, "memory", 1);
    const int unit = swp_loop_add_unit(l, "unit", 1);
    int values[COUNT];
    swp_loop loop;
    for (int i = 0; i < COUNT; i++) {
        values[i] = swp_value(l, loads[i], .space = SWP_SPACE_SHARED, .bytes = 64 + 8 * i);
        swp_work(l, loads[i], .latency = 20 + 7 * i, .completion = SWP_COMPLETION_COUNTER,
                 .uses = {{.unit = memory, .cycles = 1 + i % 3}}, .writes = {values[i]});
    }
    for (int i = 0; i < COUNT; i++)
        swp_work(l, works[i], .latency = 2, .uses = {{.unit = unit, .cycles = 2}},
                 .reads = {{.value = values[i]}, {.value = values[(i + 1) % COUNT]}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static void a_limit_of_work_holds_for_all_problems_together(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = shared_loop(ctx);
    swp_pipeline free_of_limits;
    swp_pipeline p;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &free_of_limits));
    for (uint64_t work = 5; work < free_of_limits.work; work *= 2) {
        const swp_limits limits = {.work = work};
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
        /* One descent, a node an op, is always allowed, and a problem may end just beyond. */
        assert_in_range(p.work, 1, work + loop.op_count + 2);
        assert_true(p.solved < free_of_limits.solved);
        assert_true(p.bytes[SWP_SPACE_SHARED] >= free_of_limits.bytes[SWP_SPACE_SHARED] ||
                    p.answer.value > free_of_limits.answer.value);
        assert_diag(ctx, "W0401", NULL);
        swp_context_clear_diags(ctx);
    }
}

/* Interrupted when it asks for the n-th time; E0002 is right where it has no answer by then. */
static swp_status pipeline_until(swp_context *ctx, const swp_loop *loop, interruption *i,
                                 swp_pipeline *out)
{
    interrupt_with(ctx, i);
    const swp_status status = swp_pipeline_loop(ctx, loop, out);
    if (status == SWP_STOPPED) {
        assert_diag(ctx, "E0002", NULL);
        swp_context_clear_diags(ctx);
    }
    return status;
}

static bool is_proven(const swp_pipeline *p)
{
    bool proven = p->interval_proven;
    for (int objective = 0; objective < SWP_OBJECTIVE_COUNT; objective++)
        proven = proven && p->proven[objective];
    return proven;
}

/* How soon there is an answer hangs on the machine, since an interruption leaves it a moment to complete one. */
static void an_interruption_leaves_the_best_pipeline_so_far(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = shared_loop(ctx);
    interruption i = {0};
    swp_pipeline whole;
    swp_pipeline p;
    assert_ok(ctx, pipeline_until(ctx, &loop, &i, &whole));
    assert_true(is_proven(&whole));
    swp_status status = SWP_STOPPED;
    for (size_t from = 1; status == SWP_STOPPED; from++) {
        i = (interruption){.from = from};
        status = pipeline_until(ctx, &loop, &i, &p);
    }
    assert_ok(ctx, status);
    if (i.asked < i.from) /* it was done before */
        return;
    assert_in_range(i.asked - i.from, 0, 200);
    assert_in_range(p.solved, 1, whole.solved - 1);
    assert_false(is_proven(&p));
    assert_diag(ctx, "W0401", NULL);
}

/* What has no bound stays within 64 slots, and what shares a budget within that. */
static void slots_and_bytes_stay_within_their_bounds(void **state)
{
    for (int limited = 0; limited < 3; limited++) {
        swp_context *ctx = swp_context_new(NULL);
        swp_loop_builder *l = swp_loop_new(ctx, "far");
        const int unit = swp_loop_add_unit(l, "unit", 1);
        const int a = swp_value(l, "a", .space = SWP_SPACE_SHARED, .bytes = 64,
                                .most_slots = limited == 1 ? SWP_MOST_SLOTS : 0);
        const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .bytes = 8);
        swp_loop loop;
        swp_pipeline p;
        swp_work(l, "load", .latency = 300, .completion = SWP_COMPLETION_COUNTER, .writes = {a});
        swp_work(l, "use", .latency = 2, .uses = {{.unit = unit, .cycles = 2}},
                 .reads = {{.value = a}}, .updates = {c});
        assert_ok(ctx, swp_loop_done(l, &loop));
        loop.shared_budget = limited == 2 ? 2000 : 0;
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
        assert_in_range(p.slots[0], 1, SWP_MOST_SLOTS);
        assert_true(limited != 2 || p.bytes[SWP_SPACE_SHARED] <= loop.shared_budget);
        assert_int_equal(p.answer.value, limited == 2 ? 10 : 5);
        assert_true(p.interval_proven);
        swp_context_free(ctx);
    }
    (void)state;
}

/* As no value has more than 64 slots, the interval is a 64th of it. */
static void a_latency_may_be_longer_than_an_int(void **state)
{
    swp_context *ctx = *state;
    swp_loop_builder *l = swp_loop_new(ctx, "long");
    const int a = swp_value(l, "a");
    swp_loop loop;
    swp_pipeline p;
    swp_work(l, "load", .latency = (int64_t)1 << 38, .completion = SWP_COMPLETION_COUNTER,
             .writes = {a});
    swp_work(l, "use", .latency = 1, .reads = {{.value = a}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_int_equal(p.answer.value, (int64_t)1 << 32);
    assert_int_equal(p.slots[0], SWP_MOST_SLOTS);
    assert_in_range(p.stages, 64, 66);
}

/* Ops of 60 cycles one after the other, and a new iteration in each cycle. */
static void more_stages_than_anybody_writes_out_are_refused(void **state)
{
    enum { LINKS = 18 };
    for (int links = LINKS - 1; links <= LINKS; links++) {
        swp_context *ctx = swp_context_new(NULL);
        swp_loop_builder *l = swp_loop_new(ctx, "chain");
        int value = swp_value(l, "first", .space = SWP_SPACE_REGISTERS);
        swp_loop loop;
        swp_pipeline p;
        swp_work(l, "first", .latency = 60, .writes = {value});
        for (int i = 0; i < links; i++) {
            const int next = swp_value(l, "next", .space = SWP_SPACE_REGISTERS);
            swp_work(l, "link", .latency = 60, .reads = {{.value = value}}, .writes = {next});
            value = next;
        }
        assert_ok(ctx, swp_loop_done(l, &loop));
        const bool legal = links * 60 < 1024;
        assert_status(ctx, swp_pipeline_loop(ctx, &loop, &p), legal ? SWP_OK : SWP_INVALID);
        if (!legal)
            assert_diag(ctx, "E0326", "1024 stages");
        swp_context_free(ctx);
    }
    (void)state;
}

/*
 * Two instances share a unit, and each waits for its one slot. An independent solver finds times for 299 cycles, and that
 * there are none for 298; equal shifts and those of free instances take 351.
 */
static void instances_take_a_unit_one_behind_the_other(void **state)
{
    swp_context *ctx = *state;
    swp_loop_builder *l = swp_loop_new(ctx, "softmax");
    const int role = swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .instances = 2});
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int vector = swp_loop_add_unit(l, "vector", 1);
    const int scores =
        swp_value(l, "S", .space = SWP_SPACE_REGISTERS, .bytes = 128, .most_slots = 1);
    swp_pipeline p;
    swp_loop loop;
    swp_work(l, "QK", .role = role, .latency = 80, .uses = {{.unit = tensor, .cycles = 50}},
             .writes = {scores});
    swp_work(l, "EXP", .role = role, .latency = 180, .uses = {{.unit = vector, .cycles = 95}},
             .updates = {scores});
    swp_work(l, "PACK", .role = role, .latency = 14, .uses = {{.unit = vector, .cycles = 14}},
             .reads = {{.value = scores}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_int_equal(p.answer.value, 299);
}

/* A copy of up to three values, which several ops read; 0: each has as many slots as the copy says, up to `MOST_ALIKE`. */
enum { MOST_ALIKE = 4 };

static swp_loop alike_loop(swp_context *ctx, test_random random, int slots)
{
    static const char *const names[] = {"A", "B", "C", "R0", "R1", "R2"};
    swp_loop_builder *l = swp_loop_new(ctx, "alike");
    const int memory = swp_loop_add_unit(l, "memory", 1);
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 4);
    const int count = random_int(&random, 1, 3);
    int values[3] = {0};
    swp_loop loop;
    for (int v = 0; v < count; v++)
        values[v] = swp_value(
            l, names[v],
            .space = random_chance(&random, 70) ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS,
            .bytes = 8 * random_int(&random, 1, 9), .least_slots = slots, .most_slots = slots);
    swp_work(l, "LOAD", .latency = random_int(&random, 1, 60), .completion = SWP_COMPLETION_COUNTER,
             .uses = {{.unit = memory, .cycles = random_int(&random, 1, 12)}},
             .writes = {values[0], values[1], values[2]},
             .most_slots = slots == 0 ? MOST_ALIKE : 0);
    for (int op = 0; op < 3; op++)
        swp_work(l, names[3 + op], .latency = random_int(&random, 1, 20),
                 .read_cycles = random_int(&random, 1, 30),
                 .uses = {{.unit = unit, .cycles = random_int(&random, 1, 6)}},
                 .reads = {{.value = values[random_int(&random, 0, count - 1)],
                            .distance = random_chance(&random, 20)}},
                 .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* Then one slot is too few. */
static bool reads_before(const swp_loop *loop)
{
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            if (loop->ops[o].reads[r].distance > 0)
                return true;
    return false;
}

/* The fewest slots of all numbers that the values have in common, at the least interval of these. */
static void values_of_an_op_have_equally_many_slots(void **state)
{
    const uint64_t seed = random_seed(23);
    const size_t cases = random_cases(300);
    size_t several = 0;
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        const test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_loop loop = alike_loop(ctx, random, 0);
        swp_pipeline found;
        swp_pipeline best = {.answer.value = INT64_MAX};
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &found));
        for (int slots = 1 + reads_before(&loop); slots <= MOST_ALIKE; slots++) {
            const swp_loop own = alike_loop(ctx, random, slots);
            swp_pipeline p;
            if (swp_pipeline_loop(ctx, &own, &p) == SWP_OK && p.answer.value < best.answer.value)
                best = p;
        }
        if (found.answer.value != best.answer.value || !found.interval_proven)
            fail_msg("case %zu: interval %d, not %d", i, (int)found.answer.value,
                     (int)best.answer.value);
        for (size_t v = 1; v < loop.value_count; v++)
            if (found.slots[v] != best.slots[v])
                fail_msg("case %zu: %d slots, not %d", i, found.slots[v], best.slots[v]);
        several += found.slots[1] > 1;
        swp_context_free(ctx);
    }
    assert_true(several > cases / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(instances_take_a_unit_one_behind_the_other),
        CONTEXT_TEST(a_limit_of_work_holds_for_all_problems_together),
        CONTEXT_TEST(an_interruption_leaves_the_best_pipeline_so_far),
        CONTEXT_TEST(a_latency_may_be_longer_than_an_int),
        cmocka_unit_test(more_stages_than_anybody_writes_out_are_refused),
        cmocka_unit_test(slots_and_bytes_stay_within_their_bounds),
        cmocka_unit_test(values_of_an_op_have_equally_many_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
