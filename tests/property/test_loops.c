/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipelines of random loops: their phases, done op by op, compute what the loop computes for every N
 * up to 12; their times hold whatever happens within latencies; and no pipeline of the interval has
 * fewer bytes, by enumeration.
 */
#include "fixture.h"
#include "plain_loop.h"
#include "plain_problem.h"
#include "random_loop.h"

#include <stdio.h>
#include <string.h>

enum { MOST_N = 12 };

static void follow(plain_machine *machine, const swp_loop_steps *steps, int base)
{
    for (size_t i = 0; i < steps->count; i++)
        plain_do(machine, steps->items[i].op, base + steps->items[i].iteration);
}

static void follow_run(plain_machine *machine, const swp_loop_phases *phases, int n)
{
    if (n < phases->least) {
        follow(machine, &phases->straight[n], 0);
        return;
    }
    const int passes = (n - phases->least) / phases->unroll;
    follow(machine, &phases->prologue, 0);
    for (int pass = 0; pass < passes; pass++)
        follow(machine, &phases->kernel, pass * phases->unroll);
    follow(machine, &phases->epilogues[(n - phases->least) % phases->unroll],
           passes * phases->unroll);
}

static const char *fault_of(const swp_pipeline *pipeline, const swp_loop_phases *phases, int n)
{
    plain_results expected;
    plain_machine machine;
    plain_run(pipeline->loop, n, &expected);
    plain_start(&machine, pipeline->loop, pipeline->slots);
    follow_run(&machine, phases, n);
    if (machine.fault)
        return machine.fault;
    return memcmp(&expected, &machine.results, sizeof expected) == 0 ? NULL : "a wrong result";
}

/* Slots are constants of the lists: every value is back in its first slot after a pass. */
static bool slots_are_constant(const swp_pipeline *pipeline, const swp_loop_phases *phases)
{
    for (size_t v = 0; v < pipeline->loop->value_count; v++)
        if (phases->unroll % pipeline->slots[v] != 0)
            return false;
    return true;
}

static const char *check_pipeline(swp_context *ctx, const swp_pipeline *pipeline)
{
    const int64_t *times = pipeline->answer.times;
    const char *fault =
        plain_timing_fault(pipeline->loop, pipeline->slots, times, pipeline->answer.value, MOST_N);
    if (fault)
        return fault;
    if (!plain_fits(pipeline->loop, times, pipeline->answer.value))
        return "a unit is over capacity";
    for (int rotating = 0; rotating < 2; rotating++) {
        swp_loop_phases phases;
        assert_ok(ctx, swp_loop_expand(ctx, pipeline, rotating, &phases));
        if (!rotating && !slots_are_constant(pipeline, &phases))
            return "slots that change from pass to pass";
        for (int n = 0; n <= MOST_N; n++) {
            fault = fault_of(pipeline, &phases, n);
            if (fault)
                return fault;
        }
    }
    return NULL;
}

typedef struct pipelined {
    size_t count;
    int most_stages;
} pipelined;

static void check_phases(loop_case *c, void *tally)
{
    pipelined *done = tally;
    swp_pipeline p;
    const swp_status status = swp_pipeline_loop(c->ctx, &c->loop, &p);
    if (status == SWP_INFEASIBLE || status == SWP_STOPPED)
        return;
    assert_ok(c->ctx, status);
    const char *fault = check_pipeline(c->ctx, &p);
    if (fault) {
        (void)printf("case %zu: %s\n", c->index, fault);
        print_loop(&c->loop);
    }
    assert_null(fault);
    done->most_stages = p.stages > done->most_stages ? p.stages : done->most_stages;
    done->count++;
}

static void phases_compute_the_loop(void **state)
{
    static const loop_shape shape = {
        .most_ops = 7, .most_values = 5, .most_cycles = 6, .most_slots = 4, .has_wgmmas = true};
    const uint64_t seed = random_seed(5);
    const size_t cases = random_sample(800);
    pipelined done = {0};
    (void)state;
    for_random_loops(&shape, seed, cases, check_phases, &done);
    (void)printf("%zu of %zu loops, up to %d stages\n", done.count, cases, done.most_stages);
    assert_true(done.count > cases / 2);
    assert_true(done.most_stages > 2);
}

/* The units are judged apart. */
static bool edges_hold(const swp_problem *problem, const int64_t *times, int64_t interval)
{
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *e = &problem->edges[i];
        if (times[e->consumer] < times[e->producer] + e->delay - interval * e->distance)
            return false;
    }
    return true;
}

static bool choose_slots(test_random *random, const swp_loop *loop, int *slots)
{
    bool legal = true;
    for (size_t v = 0; v < loop->value_count; v++)
        slots[v] = random_int(random, 1, 4);
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            legal = legal && slots[loop->ops[o].reads[r].value] > loop->ops[o].reads[r].distance;
    return legal;
}

static void print_times(const loop_case *c, const int64_t *times, const int *slots,
                        const swp_loop_problem *problem)
{
    for (size_t o = 0; o < c->loop.op_count; o++)
        (void)printf(" %d", (int)times[o]);
    for (size_t v = 0; v < c->loop.value_count; v++)
        (void)printf(" slots %d", slots[v]);
    for (size_t e = 0; e < problem->problem.edge_count; e++) {
        const swp_problem_edge *edge = &problem->problem.edges[e];
        (void)printf(" [%s %d>%d/%d=%d]", swp_loop_edge_name(problem->edges[e].kind),
                     edge->producer, edge->consumer, (int)edge->distance, (int)edge->delay);
    }
    print_loop(&c->loop);
}

/* Some times at random, of some interval; `*holding` is whether the edges allow them. */
static void check_times(loop_case *c, const int *slots, const swp_loop_problem *problem,
                        bool *holding)
{
    int64_t times[PLAIN_MOST_OPS];
    const int64_t interval = random_int(&c->random, 1, 9);
    for (size_t o = 0; o < c->loop.op_count; o++)
        times[o] = random_int(&c->random, 0, 9);
    const char *fault = plain_timing_fault(&c->loop, slots, times, interval, MOST_N);
    *holding = edges_hold(&problem->problem, times, interval);
    if (*holding != !fault) {
        (void)printf("case %zu, interval %d: %s\n", c->index, (int)interval,
                     fault ? fault : "an edge forbids it, but nothing goes wrong");
        print_times(c, times, slots, problem);
    }
    assert_int_equal(*holding, !fault);
}

static void check_dependences(loop_case *c, void *tally)
{
    size_t *counts = tally; /* forbidden, allowed */
    int slots[PLAIN_MOST_VALUES];
    swp_loop_problem problem;
    if (!choose_slots(&c->random, &c->loop, slots))
        return;
    assert_ok(c->ctx, swp_loop_dependences(c->ctx, &c->loop, slots, &problem));
    for (int t = 0; t < 60; t++) {
        bool hold = false;
        check_times(c, slots, &problem, &hold);
        counts[hold]++;
    }
}

/*
 * The edges against what can go wrong in a run: each that is missing lets a fault pass, each that is
 * needless forbids times without one. The pipelines above are only as good as these.
 */
static void edges_forbid_what_goes_wrong_and_nothing_else(void **state)
{
    static const loop_shape shape = {
        .most_ops = 4, .most_values = 3, .most_cycles = 3, .most_slots = 3, .has_wgmmas = true};
    const uint64_t seed = random_seed(8);
    const size_t cases = random_sample(4000);
    size_t counts[2] = {0, 0};
    (void)state;
    for_random_loops(&shape, seed, cases, check_dependences, counts);
    (void)printf("%zu times forbidden, %zu allowed\n", counts[0], counts[1]);
    assert_true(counts[0] > cases && counts[1] > cases);
}

static int least_of(const swp_loop *loop, int value)
{
    int least = loop->values[value].least_slots;
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            if (loop->ops[o].reads[r].value == value && loop->ops[o].reads[r].distance >= least)
                least = loop->ops[o].reads[r].distance + 1;
    return least;
}

/* What every iteration updates first stays in its slots unless it says more; others may have `any`. */
static int most_of(const swp_loop *loop, int value, int any)
{
    if (loop->values[value].most_slots > 0)
        return loop->values[value].most_slots;
    for (size_t o = 0; o < loop->op_count; o++) {
        for (size_t w = 0; w < loop->ops[o].write_count; w++)
            if (loop->ops[o].writes[w] == value)
                return any;
        for (size_t u = 0; u < loop->ops[o].update_count; u++)
            if (loop->ops[o].updates[u] == value)
                return least_of(loop, value);
    }
    return least_of(loop, value);
}

/* More slots are never worse, so those are tried that are as many as the loop may have. */
static void expect_no_shorter_interval(swp_context *ctx, const swp_pipeline *p)
{
    int slots[PLAIN_MOST_VALUES];
    swp_loop_problem problem;
    for (int v = 0; v < (int)p->loop->value_count; v++)
        slots[v] = most_of(p->loop, v, SWP_MOST_SLOTS);
    assert_ok(ctx, swp_loop_dependences(ctx, p->loop, slots, &problem));
    for (int64_t interval = 1; interval < p->answer.value; interval++)
        assert_false(plain_has_schedule(&problem.problem, interval));
    assert_true(plain_has_schedule(&problem.problem, p->answer.value));
}

/* The least bytes of a space by trying all slots, given the bytes of the spaces before it. */
static int64_t least_bytes(swp_context *ctx, const swp_pipeline *p, swp_space space,
                           int64_t shared_limit)
{
    enum { MOST_SLOTS = 4 };
    const swp_loop *loop = p->loop;
    int slots[PLAIN_MOST_VALUES];
    int64_t best = INT64_MAX;
    int64_t choices = 1;
    for (size_t v = 0; v < loop->value_count; v++)
        choices *= MOST_SLOTS;
    for (int64_t choice = 0; choice < choices; choice++) {
        int64_t rest = choice;
        int64_t bytes[2] = {0, 0};
        bool legal = true;
        swp_loop_problem problem;
        for (size_t v = 0; v < loop->value_count; v++, rest /= MOST_SLOTS) {
            slots[v] = 1 + (int)(rest % MOST_SLOTS);
            bytes[loop->values[v].space] += loop->values[v].bytes * slots[v];
            legal = legal && slots[v] >= least_of(loop, (int)v) &&
                    slots[v] <= most_of(loop, (int)v, MOST_SLOTS);
        }
        if (!legal || bytes[space] >= best ||
            (shared_limit >= 0 && bytes[SWP_SPACE_SHARED] > shared_limit))
            continue;
        assert_ok(ctx, swp_loop_dependences(ctx, loop, slots, &problem));
        if (plain_has_schedule(&problem.problem, p->answer.value))
            best = bytes[space];
    }
    return best;
}

/* Whether the loop can be enumerated. */
static bool is_small(const swp_pipeline *p)
{
    if (!p->interval_proven || p->answer.value > 7)
        return false;
    for (size_t v = 0; v < p->loop->value_count; v++)
        if (p->slots[v] > 4 || p->loop->values[v].most_slots > 4)
            return false;
    return true;
}

static void check_bytes(loop_case *c, void *tally)
{
    size_t *compared = tally;
    swp_pipeline p;
    if (swp_pipeline_loop(c->ctx, &c->loop, &p) != SWP_OK || !is_small(&p))
        return;
    expect_no_shorter_interval(c->ctx, &p);
    const int64_t shared = least_bytes(c->ctx, &p, SWP_SPACE_SHARED, -1);
    if (shared != p.bytes[SWP_SPACE_SHARED])
        print_loop(&c->loop);
    assert_true(shared <= p.bytes[SWP_SPACE_SHARED]);
    if (p.proven[SWP_LEAST_SHARED])
        assert_int_equal(shared, p.bytes[SWP_SPACE_SHARED]);
    if (p.proven[SWP_LEAST_SHARED] && p.proven[SWP_LEAST_REGISTERS])
        assert_int_equal(least_bytes(c->ctx, &p, SWP_SPACE_REGISTERS, shared),
                         p.bytes[SWP_SPACE_REGISTERS]);
    ++*compared;
}

static void no_pipeline_has_fewer_bytes(void **state)
{
    static const loop_shape shape = {
        .most_ops = 4, .most_values = 3, .most_cycles = 3, .most_slots = 3, .has_wgmmas = true};
    const uint64_t seed = random_seed(6);
    const size_t cases = random_sample(300);
    size_t compared = 0;
    (void)state;
    for_random_loops(&shape, seed, cases, check_bytes, &compared);
    (void)printf("%zu of %zu loops compared\n", compared, cases);
    assert_true(compared > cases / 5);
}

/* One byte less than it would have, or of registers, which are counted in fours, up to four. */
static int64_t set_budget(swp_loop *loop, swp_space space, int64_t bytes)
{
    if (space == SWP_SPACE_SHARED)
        return loop->shared_budget = bytes - 1;
    loop->lanes = 1;
    loop->lane_registers = (int)((bytes - 1) / 4);
    return loop->lane_registers * INT64_C(4);
}

/* Nothing smaller within the budget. */
static void expect_no_shorter_within(swp_context *ctx, const swp_pipeline *p, int64_t from,
                                     swp_space space, int64_t budget)
{
    swp_pipeline smaller = *p;
    for (int64_t interval = from; interval < p->answer.value; interval++) {
        smaller.answer.value = interval;
        assert_true(least_bytes(ctx, &smaller, space, -1) > budget);
    }
}

static void check_budget(loop_case *c, void *tally)
{
    size_t *costly = tally;
    swp_pipeline any;
    swp_pipeline p;
    const swp_space space = random_chance(&c->random, 30) ? SWP_SPACE_REGISTERS : SWP_SPACE_SHARED;
    const bool is_shared = space == SWP_SPACE_SHARED;
    const swp_objective objective = is_shared ? SWP_LEAST_SHARED : SWP_LEAST_REGISTERS;
    c->loop.objectives[0] = objective;
    c->loop.objectives[1] = is_shared ? SWP_LEAST_REGISTERS : SWP_LEAST_SHARED;
    if (swp_pipeline_loop(c->ctx, &c->loop, &any) != SWP_OK || !is_small(&any) ||
        any.bytes[space] <= (is_shared ? 1 : 4))
        return;
    const int64_t budget = set_budget(&c->loop, space, any.bytes[space]);
    const swp_status status = swp_pipeline_loop(c->ctx, &c->loop, &p);
    if (status != SWP_OK) {
        assert_int_equal(status, SWP_INFEASIBLE);
        return;
    }
    assert_true(p.bytes[space] <= budget);
    assert_null(check_pipeline(c->ctx, &p));
    if (!any.proven[objective] || !p.interval_proven)
        return;
    expect_no_shorter_within(c->ctx, &p, any.answer.value, space, budget);
    if (p.proven[objective])
        assert_int_equal(least_bytes(c->ctx, &p, space, -1), p.bytes[space]);
    *costly += p.answer.value > any.answer.value;
}

/* The interval within a budget, against every way to share the bytes out. */
static void a_budget_costs_the_least_cycles(void **state)
{
    static const loop_shape shape = {
        .most_ops = 5, .most_values = 3, .most_cycles = 3, .most_slots = 3, .has_wgmmas = true};
    const uint64_t seed = random_seed(7);
    const size_t cases = random_cases(300);
    size_t costly = 0;
    (void)state;
    for_random_loops(&shape, seed, cases, check_budget, &costly);
    (void)printf("%zu of %zu budgets cost cycles\n", costly, cases);
    assert_true(costly > 0);
}

/* The loop of the test above for which the interval without a budget refuted what the longer one allows. */
static void refutations_of_a_shorter_interval_do_not_count(void **state)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_loop_builder *l = swp_loop_new(ctx, "budget");
    const int one = swp_loop_add_unit(l, "one", 1);
    const int two = swp_loop_add_unit(l, "two", 2);
    const int a = swp_value(l, "a", .space = SWP_SPACE_SHARED, .bytes = 1);
    const int b = swp_value(l, "b", .space = SWP_SPACE_SHARED, .bytes = 2, .most_slots = 3);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .bytes = 2);
    const int first = swp_loop_add_role(l, (swp_loop_role){.name = "first"});
    const int second = swp_loop_add_role(l, (swp_loop_role){.name = "second"});
    swp_loop loop;
    swp_pipeline p;
    (void)state;
    swp_work(l, "read", .latency = 11, .role = first, .uses = {{.unit = one, .cycles = 3}},
             .reads = {{.value = a, .distance = 1}, {.value = b, .distance = 1}});
    swp_work(l, "write", .latency = 2, .role = second, .completion = SWP_COMPLETION_COUNTER,
             .uses = {{.unit = two, .cycles = 1}}, .writes = {a, c});
    swp_work(l, "work", .latency = 2, .role = first,
             .uses = {{.unit = one, .cycles = 3}, {.unit = two, .cycles = 2}});
    swp_work(l, "end", .latency = 11, .role = second, .completion = SWP_COMPLETION_VMCNT,
             .uses = {{.unit = one, .cycles = 1}}, .reads = {{.value = c}}, .writes = {b});
    assert_ok(ctx, swp_loop_done(l, &loop));
    loop.signal = 2;
    loop.shared_budget = 8;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_int_equal(p.answer.value, 8);
    assert_int_equal(p.bytes[SWP_SPACE_SHARED], 7);
    assert_true(p.proven[SWP_LEAST_SHARED]);
    swp_context_free(ctx);
}

/* Nothing else bounds its slots: an interval of 1 with a latency of 90 would take 91. */
static void no_value_has_more_than_64_slots(void **state)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_loop_builder *l = swp_loop_new(ctx, "long");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int a = swp_value(l, "a", .bytes = 16);
    swp_loop loop;
    swp_pipeline p;
    (void)state;
    swp_work(l, "load", .latency = 80, .completion = SWP_COMPLETION_COUNTER,
             .uses = {{.unit = unit, .cycles = 1}}, .writes = {a});
    swp_work(l, "use", .latency = 10, .completion = SWP_COMPLETION_COUNTER,
             .reads = {{.value = a}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_int_equal(p.answer.value, 2); /* 90 cycles in 64 iterations */
    assert_int_equal(p.slots[0], 45);
    assert_true(p.interval_proven && p.proven[SWP_LEAST_SHARED]);
    swp_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_compute_the_loop),
        cmocka_unit_test(edges_forbid_what_goes_wrong_and_nothing_else),
        cmocka_unit_test(no_pipeline_has_fewer_bytes),
        cmocka_unit_test(a_budget_costs_the_least_cycles),
        cmocka_unit_test(refutations_of_a_shorter_interval_do_not_count),
        cmocka_unit_test(no_value_has_more_than_64_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
