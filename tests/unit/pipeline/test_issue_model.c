/* SPDX-License-Identifier: Apache-2.0 */
/* What a step takes in an order of issue, worked out by hand. */
#include "base/names.h"
#include "fixture.h"
#include "pipeline/issue_model.h"

enum { LONG, SHORT, WORK, USE, OPS };
enum { LONG_LATENCY = 100, SHORT_LATENCY = 20, WORK_LATENCY = 90 };

/* Two loads on one counter; work on what the short one brings, and a use of both. */
static swp_loop two_loads(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "two_loads");
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    swp_loop loop;
    swp_work(l, "LONG", .latency = LONG_LATENCY, .completion = SWP_COMPLETION_COUNTER,
             .accesses = 1, .writes = {a});
    swp_work(l, "SHORT", .latency = SHORT_LATENCY, .completion = SWP_COMPLETION_COUNTER,
             .accesses = 1, .writes = {b});
    swp_work(l, "WORK", .latency = WORK_LATENCY, .reads = {{.value = b}}, .writes = {c});
    swp_work(l, "USE", .latency = 1, .reads = {{.value = a}, {.value = c}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static swp_issue_order order_of(swp_context *ctx, const int *ops)
{
    swp_issue_order order;
    assert_ok(ctx, swp_pipeline_issue_order_new(ctx, OPS, &order));
    for (int at = 0; at < OPS; at++) {
        order.ops[at] = ops[at];
        order.at[ops[at]] = at;
    }
    return order;
}

static int64_t cycles_of(swp_context *ctx, const swp_machine *machine, const int *ops)
{
    static const int slots[] = {1, 1, 1};
    const swp_loop loop = two_loads(ctx);
    const swp_issue_order order = order_of(ctx, ops);
    swp_issue_model model;
    swp_ratio cycles;
    bool within = false;
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, machine, &loop, slots, &model));
    assert_true(swp_pipeline_issue_order_is_all_legal(&model.problem.problem, &order));
    assert_ok(ctx,
              swp_pipeline_issue_price(&model, &order, (swp_ratio){1000, 1}, &within, &cycles));
    assert_true(within && cycles.passes == 1);
    assert_ok(ctx, swp_pipeline_issue_price(&model, &order, (swp_ratio){cycles.cycles - 1, 1},
                                            &within, &cycles));
    assert_false(within);
    return cycles.cycles;
}

/* Issued at 0 and 1, both are there at 100; the work ends at 190, and the next step begins at 191. */
static void a_short_load_waits_for_a_long_one_before_it(void **state)
{
    const swp_machine machine = swp_machine_default();
    const int ops[] = {LONG, SHORT, WORK, USE};
    assert_int_equal(cycles_of(*state, &machine, ops), LONG_LATENCY + WORK_LATENCY + 1);
}

/* There at 20 and 101; the work ends at 110. */
static void it_does_not_where_it_stands_before(void **state)
{
    const swp_machine machine = swp_machine_default();
    const int ops[] = {SHORT, LONG, WORK, USE};
    assert_int_equal(cycles_of(*state, &machine, ops), SHORT_LATENCY + WORK_LATENCY + 1);
}

/* The long one issues at 20 with the work behind it, and is there at 120. */
static void what_finds_its_counter_full_holds_up_what_is_behind_it(void **state)
{
    swp_machine machine = swp_machine_default();
    const int ops[] = {SHORT, LONG, WORK, USE};
    machine.vm_max = 1;
    assert_int_equal(cycles_of(*state, &machine, ops), SHORT_LATENCY + LONG_LATENCY + 1);
}

enum { OTHER, AWAITED, READ };

/* One wait is for both copies, and only the short one has a reader. */
static swp_loop two_copies(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "two_copies");
    const int s = swp_value(l, "s", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 2);
    const int t = swp_value(l, "t", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 1);
    const int r = swp_value(l, "r", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    swp_loop loop;
    swp_work(l, "OTHER", .latency = LONG_LATENCY, .completion = SWP_COMPLETION_COPY_MBARRIER,
             .accesses = 1, .writes = {s});
    swp_work(l, "AWAITED", .latency = SHORT_LATENCY, .completion = SWP_COMPLETION_COPY_GROUP,
             .accesses = 1, .writes = {t});
    swp_work(l, "READ", .latency = 1, .reads = {{.value = t}}, .writes = {r});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static bool is_critical(const swp_issue_model *model, int op)
{
    for (int i = 0; i < model->critical_count; i++)
        if (model->critical[i] == op)
            return true;
    return false;
}

/* A slot more of what it is for would let it leave one in flight. */
static void a_wait_that_retires_more_hangs_on_what_it_is_for(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = swp_machine_default();
    static const int slots[] = {2, 1, 1};
    const swp_loop loop = two_copies(ctx);
    int ops[] = {OTHER, AWAITED, READ};
    int at[] = {0, 1, 2};
    int stage[] = {0, 0, 0};
    const swp_issue_order order = {ops, at, stage};
    swp_issue_model model;
    swp_ratio cycles;
    bool within = false;
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, &machine, &loop, slots, &model));
    assert_ok(ctx,
              swp_pipeline_issue_price(&model, &order, (swp_ratio){1000, 1}, &within, &cycles));
    assert_true(within && cycles.cycles > LONG_LATENCY * cycles.passes);
    assert_true(is_critical(&model, OTHER) && is_critical(&model, AWAITED));
}

/* From the store to its reader, and from that to the next store: each time the issue of both, and the barrier. */
static void a_barrier_stands_behind_what_is_no_access(void **state)
{
    swp_context *ctx = *state;
    swp_machine machine = swp_machine_default();
    static const int slots[] = {1, 1};
    swp_loop_builder *l = swp_loop_new(ctx, "store");
    const int s = swp_value(l, "s", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 1);
    const int r = swp_value(l, "r", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    swp_loop loop;
    int ops[] = {0, 1};
    int at[] = {0, 1};
    int stage[] = {0, 0};
    const swp_issue_order order = {ops, at, stage};
    swp_issue_model model;
    swp_ratio cycles;
    bool within = false;
    swp_work(l, "STORE", .latency = 1, .completion = SWP_COMPLETION_NONE, .writes = {s});
    swp_work(l, "READ", .latency = 1, .reads = {{.value = s}}, .writes = {r});
    assert_ok(ctx, swp_loop_done(l, &loop));
    machine.barrier_cycles = 50;
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, &machine, &loop, slots, &model));
    assert_ok(ctx,
              swp_pipeline_issue_price(&model, &order, (swp_ratio){1000, 1}, &within, &cycles));
    assert_true(within);
    assert_int_equal(cycles.cycles, 2 * (50 + 2 * machine.issue_cycles) * cycles.passes);
}

/* Times know of no counter: 20 + 90 for the work, or 100. */
static void times_are_those_of_dependences_in_this_order(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = swp_machine_default();
    static const int slots[] = {1, 1, 1};
    const int ops[] = {LONG, SHORT, WORK, USE};
    const swp_loop loop = two_loads(ctx);
    const swp_issue_order order = order_of(ctx, ops);
    int64_t times[OPS];
    swp_issue_model model;
    bool exist = false;
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, &machine, &loop, slots, &model));
    assert_ok(ctx, swp_pipeline_issue_times(&model, &order, 111, times, &exist));
    assert_true(exist);
    assert_int_equal(times[USE] - times[SHORT], SHORT_LATENCY + WORK_LATENCY);
    assert_ok(ctx, swp_pipeline_issue_times(&model, &order, 109, times, &exist));
    assert_false(exist);
}

/* Whatever was asked of an order before. */
static void a_price_that_is_remembered_is_that_of_a_new_model(void **state)
{
    swp_context *ctx = *state;
    static const int orders[][OPS] = {
        {LONG, SHORT, WORK, USE}, {SHORT, LONG, WORK, USE}, {SHORT, WORK, LONG, USE}};
    static const int limits[] = {1, 1000, 1, 1000};
    static const int slots[] = {1, 1, 1};
    const swp_machine machine = swp_machine_default();
    const swp_loop loop = two_loads(ctx);
    swp_issue_model model;
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, &machine, &loop, slots, &model));
    for (size_t asked = 0; asked < SWP_COUNT_OF(limits) * SWP_COUNT_OF(orders); asked++) {
        const int *ops = orders[asked % SWP_COUNT_OF(orders)];
        const swp_ratio most = {limits[asked / SWP_COUNT_OF(orders)], 1};
        const swp_issue_order order = order_of(ctx, ops);
        swp_ratio cycles = {0, 1};
        bool within = false;
        assert_ok(ctx, swp_pipeline_issue_price(&model, &order, most, &within, &cycles));
        assert_int_equal(within, most.cycles > 1);
        assert_int_equal(cycles.cycles, within ? cycles_of(ctx, &machine, ops) : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_short_load_waits_for_a_long_one_before_it),
        CONTEXT_TEST(it_does_not_where_it_stands_before),
        CONTEXT_TEST(what_finds_its_counter_full_holds_up_what_is_behind_it),
        CONTEXT_TEST(a_wait_that_retires_more_hangs_on_what_it_is_for),
        CONTEXT_TEST(a_barrier_stands_behind_what_is_no_access),
        CONTEXT_TEST(times_are_those_of_dependences_in_this_order),
        CONTEXT_TEST(a_price_that_is_remembered_is_that_of_a_new_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
