/* SPDX-License-Identifier: Apache-2.0 */
/* What no order of issue takes, held against all orders of small random loops. */
#include "base/random.h"
#include "fixture.h"
#include "ir/loop_dataflow.h"
#include "pipeline/order_refuter.h"
#include "swp/loop_compile.h"

enum { OPS = 4, STAGES = 4, LOOPS = 200, COMPILED = 20, MOST_CYCLES = 4000, MOST_WORK = 1 << 22 };

static int draw(uint64_t *random, int below)
{
    return (int)(swp_random(random) % (uint64_t)below);
}

/* Ops that each make a value, of which most are loads, and read one or two that others make. */
static swp_loop random_loop(swp_context *ctx, uint64_t *random)
{
    static const char *const names[OPS] = {"P", "Q", "R", "S"};
    swp_loop_builder *l = swp_loop_new(ctx, "random");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    int values[OPS];
    swp_loop loop;
    for (int i = 0; i < OPS; i++) {
        const swp_space space = draw(random, 3) == 0 ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
        values[i] = swp_value(l, names[i], .space = space, .bytes = 64,
                              .most_slots = 1 + (i == OPS - 1 || draw(random, 2)));
    }
    for (int i = 0; i < OPS; i++) {
        const int first = i == 0 ? OPS - 1 : draw(random, i);
        const swp_completion by[] = {SWP_COMPLETION_VMCNT, SWP_COMPLETION_VMCNT,
                                     SWP_COMPLETION_LGKMCNT, SWP_COMPLETION_NONE};
        swp_work(l, names[i], .latency = 10 * (1 + draw(random, 20)),
                 .completion = by[draw(random, 4)], .accesses = 1 + draw(random, 9),
                 .uses = {{.unit = unit, .cycles = draw(random, 2) * 5 * draw(random, 8)}},
                 .reads = {{.value = values[first], .distance = i == 0}}, .writes = {values[i]});
    }
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static const int *slots_of(swp_context *ctx, const swp_loop *loop)
{
    int *slots = NULL;
    assert_ok(ctx, SWP_TAKE(ctx, loop->value_count, &slots));
    for (int v = 0; v < (int)loop->value_count; v++)
        slots[v] = swp_ir_loop_most_slots(loop, v);
    return slots;
}

typedef struct enumeration {
    swp_issue_model model;
    swp_issue_order order;
    swp_ratio least;
} enumeration;

static void price(enumeration *e)
{
    bool within = false;
    swp_ratio cycles;
    if (!swp_pipeline_issue_order_is_all_legal(&e->model.problem.problem, &e->order))
        return;
    assert_ok(e->model.ctx,
              swp_pipeline_issue_price(&e->model, &e->order, e->least, &within, &cycles));
    if (within)
        e->least = cycles;
}

static void price_stages(enumeration *e, int op)
{
    if (op == OPS)
        price(e);
    for (int stage = 0; op < OPS && stage < STAGES; stage++) {
        e->order.stage[op] = stage;
        price_stages(e, op + 1);
    }
}

static void price_orders(enumeration *e, int at)
{
    if (at == OPS)
        price_stages(e, 0);
    for (int op = 0; at < OPS && op < OPS; op++) {
        if (e->order.at[op] >= 0)
            continue;
        e->order.at[op] = at;
        e->order.ops[at] = op;
        price_orders(e, at + 1);
        e->order.at[op] = -1;
    }
}

static swp_ratio least_of_all(swp_context *ctx, const swp_machine *machine, const swp_loop *loop)
{
    enumeration e = {.least = {MOST_CYCLES, 1}};
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, machine, loop, slots_of(ctx, loop), &e.model));
    assert_ok(ctx, swp_pipeline_issue_order_new(ctx, OPS, &e.order));
    for (int op = 0; op < OPS; op++)
        e.order.at[op] = -1;
    price_orders(&e, 0);
    return e.least;
}

static swp_order_outcome refute(swp_context *ctx, const swp_machine *machine, const swp_loop *loop,
                                int64_t period)
{
    swp_budget budget = swp_budget_start(ctx, 0);
    swp_order_refuter refuter = {.budget = &budget, .most_work = MOST_WORK};
    assert_ok(ctx, swp_pipeline_refuter_new(ctx, machine, loop, slots_of(ctx, loop), SWP_NO_OBJECT,
                                            &refuter));
    assert_ok(ctx, swp_pipeline_refute_orders(&refuter, period));
    return refuter.outcome;
}

static void what_is_refuted_no_order_takes(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = swp_machine_default();
    int exact = 0;
    for (uint64_t seed = 1; seed <= LOOPS; seed++) {
        uint64_t random = seed;
        const swp_loop loop = random_loop(ctx, &random);
        const swp_ratio least = least_of_all(ctx, &machine, &loop);
        const int64_t whole = (least.cycles + least.passes - 1) / least.passes;
        const swp_order_outcome at = refute(ctx, &machine, &loop, whole);
        const swp_order_outcome below = refute(ctx, &machine, &loop, whole - 1);
        if (at != SWP_ORDERS_LEFT || below == SWP_ORDERS_OPEN)
            print_message("seed %d: %d at %d cycles\n", (int)seed, (int)at, (int)whole);
        assert_int_equal(at, SWP_ORDERS_LEFT);
        assert_int_not_equal(below, SWP_ORDERS_OPEN);
        exact += below == SWP_ORDERS_REFUTED;
    }
    assert_true(exact * 100 >= LOOPS * 99);
}

static swp_schedule *compiled(swp_context *ctx, const swp_loop *loop)
{
    const swp_loop_options options = {.machine = swp_machine_default()};
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_compile_loop(ctx, loop, &options, &schedule));
    return schedule;
}

static void no_schedule_takes_what_is_refuted(void **state)
{
    int bounded = 0;
    for (uint64_t seed = 1; seed <= COMPILED; seed++) {
        uint64_t random = seed;
        const swp_loop loop = random_loop(*state, &random);
        swp_schedule *schedule = compiled(*state, &loop);
        const int64_t iterations = (int64_t)schedule->sync.passes * schedule->loop.tiles_per_pass;
        const int64_t refuted = schedule->pipeline->order_bound.refuted;
        if (schedule->sync.cycles <= refuted * iterations)
            print_message("seed %d: %d\n", (int)seed, (int)refuted);
        assert_true(schedule->sync.cycles > refuted * iterations);
        bounded += refuted > 0;
        swp_schedule_free(schedule);
    }
    assert_true(bounded * 4 >= COMPILED);
}

/* X holds one of two for long and the other shortly; Y needs one, and has it once the short use ends. */
static void uses_of_one_unit_end_one_by_one(void **state)
{
    enum { SHORT = 3, LONG = 100, OWN = 50 };
    const swp_machine machine = swp_machine_default();
    swp_loop_builder *l = swp_loop_new(*state, "twice");
    const int unit = swp_loop_add_unit(l, "unit", 2);
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    swp_loop loop;
    swp_work(l, "X", .latency = 1,
             .uses = {{.unit = unit, .cycles = SHORT}, {.unit = unit, .cycles = LONG}},
             .writes = {x});
    swp_work(l, "Y", .latency = 1, .uses = {{.unit = unit, .cycles = OWN}}, .writes = {y});
    assert_ok(*state, swp_loop_done(l, &loop));
    assert_int_equal(refute(*state, &machine, &loop, LONG + SHORT), SWP_ORDERS_LEFT);
    assert_int_equal(refute(*state, &machine, &loop, SHORT + OWN - 1), SWP_ORDERS_REFUTED);
}

/* The load of an index ends behind that of a tile before it, so that one of two slots is free once in two iterations. */
static void a_load_behind_a_longer_one_needs_slots(void **state)
{
    enum { TILE = 900, SLOTS = 2 };
    swp_loop_builder *l = swp_loop_new(*state, "indexed");
    const int index =
        swp_value(l, "index", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = SLOTS);
    const int tile =
        swp_value(l, "tile", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 4);
    swp_loop loop;
    swp_work(l, "LOAD_INDEX", .latency = 200, .completion = SWP_COMPLETION_VMCNT,
             .writes = {index});
    swp_work(l, "LOAD_TILE", .latency = TILE, .completion = SWP_COMPLETION_VMCNT,
             .reads = {{.value = index}}, .writes = {tile});
    swp_work(l, "USE", .latency = 1, .reads = {{.value = tile}});
    assert_ok(*state, swp_loop_done(l, &loop));
    swp_schedule *schedule = compiled(*state, &loop);
    const swp_loop_order_bound *bound = &schedule->pipeline->order_bound;
    assert_int_equal(bound->refuted, TILE / SLOTS - 1);
    assert_int_equal(bound->queue_count, 1);
    assert_string_equal(bound->queues[0], "vmcnt");
    assert_int_equal(bound->value_count, 1);
    assert_string_equal(loop.values[bound->values[0]].name, "index");
    assert_int_equal(bound->slots[0], SLOTS);
    swp_schedule_free(schedule);
}

/* Of three loads of 6 lgkmcnt has room for two, its 15: each issues when the one before the last has ended. */
static void three_of_which_two_fit_take_turns(void **state)
{
    enum { LOADS = 3, LATENCY = 100, FULL = LOADS * LATENCY / 2 };
    static const char *const names[LOADS] = {"x", "y", "z"};
    const swp_machine machine = swp_machine_default();
    swp_loop_builder *l = swp_loop_new(*state, "three");
    swp_loop loop;
    for (int i = 0; i < LOADS; i++) {
        const int value =
            swp_value(l, names[i], .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 4);
        swp_work(l, names[i], .latency = LATENCY, .completion = SWP_COMPLETION_LGKMCNT,
                 .accesses = 6, .writes = {value});
    }
    assert_ok(*state, swp_loop_done(l, &loop));
    assert_int_equal(refute(*state, &machine, &loop, FULL - 1), SWP_ORDERS_REFUTED);
    assert_int_equal(refute(*state, &machine, &loop, FULL), SWP_ORDERS_LEFT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_is_refuted_no_order_takes),
        CONTEXT_TEST(three_of_which_two_fit_take_turns),
        CONTEXT_TEST(no_schedule_takes_what_is_refuted),
        CONTEXT_TEST(uses_of_one_unit_end_one_by_one),
        CONTEXT_TEST(a_load_behind_a_longer_one_needs_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
