/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interval, derived synchronisation and the cycle model speak of one machine: for random loops with units
 * for memory, the LDS, counters and arithmetic, the derived cycles are those simulated; each unit is busy as
 * its ops say; and nobody comes below what units and dependences take, reckoned here from the loop alone.
 */
#include "fixture.h"

#include "random.h"
#include "random_loop.h"

#include "swp/describe.h"
#include "swp/emit.h"
#include "swp/loop_compile.h"
#include "swp/simulate.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_TILES = 3,
    MOST_MMAS = 4,
    MOST_OPS = 16,
    MOST_VALUES = 16,
    NAME_SIZE = 16,
    MOST_EDGES = 256
};
enum { GLOBAL_MEM, LDS, MMA_UNIT, VALU, LGKMCNT, UNITS };

static const swp_problem_resource all_units[UNITS] = {
    {"global_mem", 1}, {"lds", 1}, {"mma_unit", 1}, {"valu", 1}, {"lgkmcnt", 15}};

/* --- A loop of loads, fragment loads, conversions and MMAs --- */

typedef struct draft {
    test_random *random;
    swp_loop loop;
    swp_loop_op ops[MOST_OPS];
    swp_loop_value values[MOST_VALUES];
    swp_problem_use uses[MOST_OPS][2];
    swp_loop_read reads[MOST_OPS][2];
    int made[MOST_OPS];
    int64_t update_latencies[MOST_OPS];
    char names[MOST_OPS + MOST_VALUES][NAME_SIZE];
    bool counts_lgkm; /* the counter is a unit too */
    bool is_memory_bound;
} draft;

static const char *name_for(draft *d, const char *stem, int index)
{
    char *name = d->names[d->loop.op_count + d->loop.value_count];
    (void)snprintf(name, NAME_SIZE, "%s%d", stem, index);
    return name;
}

static int add_value(draft *d, const char *stem, int index, swp_space space, int most_slots)
{
    const int value = (int)d->loop.value_count;
    d->values[value] = (swp_loop_value){.name = name_for(d, stem, index),
                                        .space = space,
                                        .bytes = 1024,
                                        .least_slots = 1,
                                        .most_slots = random_int(d->random, 1, most_slots)};
    d->loop.value_count++;
    return value;
}

static swp_loop_op *add_op(draft *d, const char *stem, int index, int unit, int cycles, int latency)
{
    const size_t number = d->loop.op_count;
    swp_loop_op *op = &d->ops[number];
    d->uses[number][0] = (swp_problem_use){unit, 1, cycles};
    *op = (swp_loop_op){.name = name_for(d, stem, index),
                        .latency = latency,
                        .accesses = 1,
                        .uses = d->uses[number],
                        .use_count = 1,
                        .reads = d->reads[number]};
    d->loop.op_count++;
    return op;
}

static void set_made(draft *d, swp_loop_op *op, int value, bool updates)
{
    int *made = &d->made[op - d->ops];
    *made = value;
    if (updates) {
        op->updates = made;
        op->update_count = 1;
    } else {
        op->writes = made;
        op->write_count = 1;
    }
}

static void add_read(draft *d, swp_loop_op *op, int value)
{
    d->reads[op - d->ops][op->read_count++] = (swp_loop_read){.value = value};
}

static swp_loop_op *add_access(draft *d, const char *stem, int index, int unit, int latency)
{
    const int most = d->is_memory_bound ? 120 : 40;
    swp_loop_op *op = add_op(d, stem, index, unit, random_int(d->random, 0, most), latency);
    op->completion = SWP_COMPLETION_COUNTER;
    op->accesses = random_int(d->random, 1, 4);
    return op;
}

/* From global memory by LDS to a register, which is its number. */
static int add_tile(draft *d, int index)
{
    const int shared = add_value(d, "S", index, SWP_SPACE_SHARED, 3);
    swp_loop_op *load = add_access(d, "LOAD", index, GLOBAL_MEM, random_int(d->random, 50, 600));
    set_made(d, load, shared, false);
    const int fragment = add_value(d, "r", index, SWP_SPACE_REGISTERS, 2);
    swp_loop_op *read = add_access(d, "FRAG", index, LDS, random_int(d->random, 10, 120));
    if (d->counts_lgkm) {
        d->uses[read - d->ops][1] = (swp_problem_use){LGKMCNT, read->accesses, read->latency};
        read->use_count = 2;
    }
    add_read(d, read, shared);
    set_made(d, read, fragment, false);
    if (random_chance(d->random, 60))
        return fragment;
    const int converted = add_value(d, "d", index, SWP_SPACE_REGISTERS, 2);
    const int cycles = random_int(d->random, 1, 80);
    swp_loop_op *convert =
        add_op(d, "CVT", index, VALU, cycles, cycles + random_int(d->random, 0, 9));
    add_read(d, convert, fragment);
    set_made(d, convert, converted, false);
    return converted;
}

static void add_mma(draft *d, int index, const int *registers, int count)
{
    const int cycles = random_int(d->random, 4, 64);
    const int sum = add_value(d, "c", index, SWP_SPACE_REGISTERS, 1);
    swp_loop_op *mma = add_op(d, "MMA", index, MMA_UNIT, cycles, cycles);
    const int first = random_int(d->random, 0, count - 1);
    add_read(d, mma, registers[first]);
    if (count > 1)
        add_read(d, mma, registers[(first + 1) % count]);
    set_made(d, mma, sum, true);
    if (random_chance(d->random, 50)) {
        d->update_latencies[mma - d->ops] = random_int(d->random, 1, cycles);
        mma->update_latencies = &d->update_latencies[mma - d->ops];
    }
}

/* What no op reads, the machine loads again without a wait. */
static void add_needless_load(draft *d)
{
    const swp_space space = random_chance(d->random, 50) ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
    const int value = add_value(d, "x", 0, space, 3);
    set_made(d, add_access(d, "NEEDLESS", 0, GLOBAL_MEM, random_int(d->random, 50, 900)), value,
             false);
}

static void draw(draft *d, test_random *random)
{
    int registers[MOST_TILES];
    *d = (draft){.random = random};
    d->is_memory_bound = random_chance(random, 50);
    d->counts_lgkm = random_chance(random, 30);
    const int tiles = random_int(random, 1, MOST_TILES);
    const int mmas = random_int(random, 1, MOST_MMAS);
    for (int i = 0; i < tiles; i++)
        registers[i] = add_tile(d, i);
    if (random_chance(random, 25))
        add_needless_load(d);
    for (int i = 0; i < mmas; i++)
        add_mma(d, i, registers, tiles);
    d->loop.name = "random";
    d->loop.units = all_units;
    d->loop.unit_count = UNITS;
    d->loop.values = d->values;
    d->loop.ops = d->ops;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        d->loop.objectives[i] = (swp_objective)i;
}

/* --- What nobody can come below --- */

static int64_t load_of(const swp_loop *loop, int unit)
{
    int64_t sum = 0;
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t u = 0; u < loop->ops[o].use_count; u++)
            if (loop->ops[o].uses[u].resource == unit)
                sum += loop->ops[o].uses[u].amount * loop->ops[o].uses[u].cycles;
    return sum;
}

typedef struct edge {
    size_t from;
    size_t to;
    int64_t delay;
    int distance;
} edge;

typedef struct graph {
    edge edges[MOST_EDGES];
    size_t count;
} graph;

static void add_edge(graph *g, size_t from, size_t to, int64_t delay, int distance)
{
    assert_true(g->count < MOST_EDGES);
    g->edges[g->count++] = (edge){from, to, delay, distance};
}

static bool makes(const swp_loop_op *op, int value)
{
    return (op->write_count && op->writes[0] == value) ||
           (op->update_count && op->updates[0] == value);
}

/*
 * Each value has one maker here. Its readers come after its latency; in LDS the next version of a slot is loaded after
 * those have read it, in registers after they were issued.
 */
static void depend(graph *g, const swp_loop *loop, const int *slots)
{
    g->count = 0;
    for (size_t p = 0; p < loop->op_count; p++) {
        const swp_loop_op *op = &loop->ops[p];
        if (op->update_count)
            add_edge(g, p, p, op->update_latencies ? op->update_latencies[0] : op->latency, 1);
        for (size_t r = 0; r < op->read_count; r++) {
            const int value = op->reads[r].value;
            const bool shared = loop->values[value].space == SWP_SPACE_SHARED;
            size_t maker = 0;
            while (!makes(&loop->ops[maker], value))
                maker++;
            add_edge(g, maker, p, loop->ops[maker].latency, 0);
            add_edge(g, p, maker, shared ? op->latency : 0, slots[value]);
        }
    }
}

/* Whether `tiles` iterations in `cycles` leave a dependence without its delay (Bellman and Ford). */
static bool is_too_fast(const graph *g, size_t ops, int64_t cycles, int64_t tiles)
{
    int64_t at[MOST_OPS] = {0};
    bool moved = true;
    for (size_t round = 0; round <= ops && moved; round++) {
        moved = false;
        for (size_t e = 0; e < g->count; e++) {
            const edge *arc = &g->edges[e];
            const int64_t least = at[arc->from] + arc->delay * tiles - arc->distance * cycles;
            if (least > at[arc->to]) {
                at[arc->to] = least;
                moved = true;
            }
        }
    }
    return moved;
}

/* --- What is said of it --- */

typedef struct tally {
    size_t loops;
    size_t at_interval; /* synchronised within the interval */
    size_t faults;
} tally;

static void blame(const draft *d, size_t index, tally *sum, const char *what, int64_t is,
                  int64_t not )
{
    if (sum->faults++ == 0) {
        printf("case %zu: %s: %lld, reckoned %lld\n", index, what, (long long)is, (long long)not );
        print_loop(&d->loop);
    }
}

static void check_units(const draft *d, size_t index, const swp_schedule *schedule,
                        const swp_simulation *m, tally *sum)
{
    const int64_t rounds =
        (int64_t)m->passes * schedule->loop.tiles_per_pass * schedule->machine.groups;
    for (int unit = 0; unit < UNITS; unit++) {
        const int64_t load = load_of(&d->loop, unit) * rounds;
        if (m->units[unit].busy != load)
            blame(d, index, sum, "simulated use of a unit", m->units[unit].busy, load);
        if (m->cycles * all_units[unit].capacity < load)
            blame(d, index, sum, "cycles beyond a unit", m->cycles, load);
    }
}

static void check_interval(const draft *d, size_t index, const swp_pipeline *p, const graph *g,
                           tally *sum)
{
    const int64_t interval = p->answer.value;
    for (int unit = 0; unit < UNITS; unit++)
        if (interval * all_units[unit].capacity < load_of(&d->loop, unit))
            blame(d, index, sum, "interval beyond a unit", interval, load_of(&d->loop, unit));
    if (is_too_fast(g, d->loop.op_count, interval, 1))
        blame(d, index, sum, "interval beyond dependences", interval, 0);
}

static void check(const draft *d, size_t index, const swp_schedule *schedule, tally *sum)
{
    const swp_sync_result *sync = &schedule->sync;
    const int tiles = schedule->loop.tiles_per_pass;
    swp_context *ctx = swp_context_new(NULL);
    swp_simulation m;
    graph g;
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &m));
    depend(&g, &d->loop, schedule->pipeline->slots);
    check_interval(d, index, schedule->pipeline, &g, sum);
    check_units(d, index, schedule, &m, sum);
    if (sync->cycles * m.passes != m.cycles * sync->passes)
        blame(d, index, sum, "derived cycles", sync->cycles * m.passes, m.cycles * sync->passes);
    if (sync->bound > sync->cycles)
        blame(d, index, sum, "bound above the cycles", sync->bound, sync->cycles);
    if (is_too_fast(&g, d->loop.op_count, m.cycles, (int64_t)m.passes * tiles))
        blame(d, index, sum, "cycles beyond dependences", m.cycles, 0);
    /* One order is as fast in every iteration: at a part of a cycle more it keeps a whole interval. */
    if (m.cycles <= (schedule->pipeline->answer.value - 1) * m.passes * tiles)
        blame(d, index, sum, "cycles below the interval", m.cycles,
              schedule->pipeline->answer.value * m.passes * tiles);
    sum->at_interval += m.cycles <= schedule->pipeline->answer.value * m.passes * tiles;
    sum->loops++;
    swp_context_free(ctx);
}

static void interval_synthesis_and_simulation_agree(void **state)
{
    const uint64_t seed = random_seed(13);
    const size_t cases = random_sample(16);
    const swp_limits limits = {.work = 20000};
    tally sum = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        swp_loop_options options = {.machine = swp_machine_default()};
        swp_schedule *schedule = NULL;
        draft d;
        draw(&d, &random);
        options.machine.groups = random_int(&random, 1, 2);
        if (random_chance(&random, 50)) {
            options.machine.wait_cycles = random_int(&random, 0, 40);
            options.machine.barrier_cycles = random_int(&random, 0, 60);
        }
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_compile_loop(ctx, &d.loop, &options, &schedule));
        check(&d, i, schedule, &sum);
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    printf("%zu loops, %zu of them synchronised within their interval\n", sum.loops,
           sum.at_interval);
    assert_int_equal(sum.faults, 0);
    assert_true(sum.loops > 0);
}

/* --- Targets as files --- */

static int64_t rounded_up(int64_t work, int64_t each)
{
    return (work + each - 1) / each;
}

/* An sm_90 with other figures, and what 128 x 128 x 64 of bf16 takes of its busiest unit. */
static const swp_target *draw_target(swp_context *ctx, test_random *random, int64_t *busiest)
{
    enum { BYTES = 2 * 128 * 64 * 2 };
    char text[512];
    const swp_target *target = NULL;
    const int loads = random_int(random, 8, 200);
    const int shared = random_int(random, 32, 256);
    const int products = random_int(random, 256, 4096);
    const int length =
        snprintf(text, sizeof text,
                 "swp: 1\nlike: sm_90\nload: {latency: %d, bytes_per_cycle: %d}\n"
                 "shared: {bytes_per_cycle: %d}\nmma: {products_per_cycle: %d}\n"
                 "sync: {wait: %d, arrive: %d, signal: %d, barrier: %d, fence: %d}\n",
                 random_int(random, 0, 900), loads, shared, products, random_int(random, 0, 40),
                 random_int(random, 0, 40), random_int(random, 0, 60), random_int(random, 0, 60),
                 random_int(random, 0, 60));
    assert_ok(ctx, swp_target_read_yaml(ctx, text, (size_t)length, "random", &target));
    const int64_t copies = 2 * rounded_up(BYTES / 2, loads);
    const int64_t mma = rounded_up(128 * 128 * 64, products);
    *busiest = copies > mma ? copies : mma;
    return target;
}

static double cycles_of(swp_context *ctx, const swp_schedule *schedule)
{
    swp_simulation m;
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &m));
    return (double)m.cycles / ((double)m.passes * schedule->loop.tiles_per_pass);
}

/* The same cycles from the JSON, which has what synchronisation costs. */
static void assert_cycles_stay(swp_context *ctx, const swp_schedule *schedule, double cycles)
{
    char *text = NULL;
    size_t length = 0;
    swp_schedule *again = NULL;
    assert_ok(ctx, swp_emit_format_find("json")->emit(ctx, schedule, &text, &length));
    assert_ok(ctx, swp_schedule_read_json(ctx, text, length, "random", &again));
    assert_true(cycles_of(ctx, again) == cycles);
    swp_schedule_free(again);
}

static void they_agree_for_targets_as_files(void **state)
{
    static const char *const names[] = {"gemm_tile", "gemm_ws"};
    const uint64_t seed = random_seed(16);
    const size_t cases = random_sample(9);
    const swp_limits limits = {.work = 20000};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        swp_description *description = NULL;
        swp_schedule *schedule = NULL;
        int64_t busiest = 0;
        const swp_target *target = draw_target(ctx, &random, &busiest);
        const bool has_roles = i % 2 == 1;
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_description_from_builtin(ctx, names[has_roles], &description));
        assert_ok(ctx, swp_description_use_target(ctx, description, target));
        assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
        const double cycles = cycles_of(ctx, schedule);
        const swp_sync_result *sync = &schedule->sync;
        const double derived =
            (double)sync->cycles / ((double)sync->passes * schedule->loop.tiles_per_pass);
        assert_cycles_stay(ctx, schedule, cycles);
        assert_true(cycles >= (double)schedule->pipeline->answer.value);
        if (!has_roles) {
            assert_true(schedule->pipeline->answer.value >= busiest);
            assert_true(derived == cycles);
        }
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_synthesis_and_simulation_agree),
        cmocka_unit_test(they_agree_for_targets_as_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
