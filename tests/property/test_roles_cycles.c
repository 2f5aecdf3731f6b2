/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interval of a loop with warp roles and the cycles of its derived synchronisation speak of one machine: each unit is
 * busy as the loop's ops say; nobody comes below a unit or, where each role has one instance, below a circle of
 * dependences; iterations that take equal times take no less than an interval that is proven least; and a GEMM whose rings
 * are as deep as its latencies ask for keeps its interval.
 */
#include "fixture.h"

#include "ir/entry.h"
#include "random.h"

#include "swp/loop_compile.h"
#include "swp/report.h"
#include "swp/simulate.h"

#include <stdio.h>

enum { PRODUCER = 1, CONSUMER };
enum { MOST_TILES = 3, MOST_OPS = 16, UNITS = 3, DEEP = 8 };

static const char *const tile_names[MOST_TILES] = {"A", "B", "D"};
static const char *const load_names[MOST_TILES] = {"LOAD_A", "LOAD_B", "LOAD_D"};
static const char *const mma_names[MOST_TILES] = {"MMA_A", "MMA_B", "MMA_D"};
static const char *const sum_names[MOST_TILES] = {"CA", "CB", "CD"};

/* --- A loop of copies, wgmmas, and perhaps ordinary instructions between two of them --- */

typedef struct draft {
    test_random *random;
    swp_loop_builder *l;
    int units[UNITS]; /* tma, tensor, vector */
    int tiles[MOST_TILES];
    int tile_count;
    bool is_gemm; /* of copies and wgmmas alone, with slots for their latencies */
    bool is_busy; /* its ops say how long they issue */
    int instances;
} draft;

static void add_tiles(draft *d)
{
    d->tile_count = random_int(d->random, 1, MOST_TILES);
    for (int i = 0; i < d->tile_count; i++) {
        const int cycles = random_int(d->random, d->is_gemm ? 100 : 32, 300);
        d->tiles[i] = swp_value(d->l, tile_names[i], .space = SWP_SPACE_SHARED, .bytes = 1024,
                                .least_slots = d->is_gemm ? DEEP : 1,
                                .most_slots = d->is_gemm ? DEEP : random_int(d->random, 1, 4));
        swp_work(d->l, load_names[i], .uses = {{.unit = d->units[0], .cycles = cycles}},
                 .latency = cycles + random_int(d->random, 0, d->is_gemm ? 300 : 600),
                 .role = PRODUCER, .completion = SWP_COMPLETION_MBARRIER, .writes = {d->tiles[i]});
    }
}

/* A sum of products for each tile, or of two of them. */
static void add_sums(draft *d)
{
    for (int i = 0; i < d->tile_count; i++) {
        const int cycles = random_int(d->random, d->is_gemm ? 200 : 64, 400);
        const int sum = swp_value(d->l, sum_names[i], .space = SWP_SPACE_REGISTERS);
        const int second = random_int(d->random, 0, d->tile_count - 1);
        swp_work(d->l, mma_names[i], .uses = {{.unit = d->units[1], .cycles = cycles}},
                 .latency = cycles + random_int(d->random, 0, 60), .role = CONSUMER,
                 .read_cycles = cycles, .completion = SWP_COMPLETION_GROUP,
                 .reads = {{.value = d->tiles[i]}, {.value = second == i ? 0 : d->tiles[second]}},
                 .updates = {sum});
    }
}

/* Scores by a wgmma, something done to them, and a wgmma that takes that. */
static void add_softmax(draft *d)
{
    const int scores = swp_value(d->l, "S", .space = SWP_SPACE_REGISTERS, .most_slots = 2);
    const int weights = swp_value(d->l, "P", .space = SWP_SPACE_REGISTERS, .most_slots = 2);
    const int out = swp_value(d->l, "O", .space = SWP_SPACE_REGISTERS);
    const int cycles = random_int(d->random, 40, 300);
    swp_work(d->l, "QK", .uses = {{.unit = d->units[1], .cycles = 200}}, .latency = 220,
             .role = CONSUMER, .read_cycles = 200, .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = d->tiles[0]}}, .writes = {scores});
    swp_work(d->l, "EXP", .uses = {{.unit = d->units[2], .cycles = cycles}},
             .latency = cycles + random_int(d->random, 0, 20), .role = CONSUMER,
             .read_cycles = cycles, .reads = {{.value = scores}}, .writes = {weights});
    swp_work(d->l, "PV", .uses = {{.unit = d->units[1], .cycles = 200}}, .latency = 220,
             .role = CONSUMER, .read_cycles = 200, .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = weights}, {.value = d->tiles[d->tile_count - 1]}},
             .updates = {out});
}

/* Wgmmas of several sizes on one sum, and instructions that leave their instance little time to issue them. */
static void add_busy_sum(draft *d)
{
    const int sum = swp_value(d->l, "C", .space = SWP_SPACE_REGISTERS);
    const int work = random_int(d->random, 20, 600);
    for (int i = 0; i < d->tile_count; i++) {
        const int cycles = random_int(d->random, 8, 128);
        swp_work(d->l, mma_names[i], .uses = {{.unit = d->units[1], .cycles = cycles}},
                 .latency = cycles + random_int(d->random, 20, 120), .read_cycles = cycles,
                 .issue = random_int(d->random, 1, 40), .role = CONSUMER,
                 .completion = SWP_COMPLETION_GROUP, .reads = {{.value = d->tiles[i]}},
                 .updates = {sum});
    }
    swp_work(d->l, "POST", .latency = work, .read_cycles = work, .issue = work, .role = CONSUMER,
             .reads = {{.value = sum}});
}

static swp_loop drawn(draft *d, swp_context *ctx)
{
    static const char *const names[UNITS] = {"tma", "tensor", "vector"};
    swp_loop loop;
    d->is_gemm = !d->is_busy && random_chance(d->random, 40);
    d->instances = random_int(d->random, 1, d->is_busy ? 1 : 3);
    d->l = swp_loop_new(ctx, "random");
    swp_loop_add_role(d->l, (swp_loop_role){.name = "producer"});
    swp_loop_add_role(d->l, (swp_loop_role){.name = "consumer", .instances = d->instances});
    for (int i = 0; i < UNITS; i++)
        d->units[i] = swp_loop_add_unit(d->l, names[i], 1);
    add_tiles(d);
    if (d->is_busy)
        add_busy_sum(d);
    else if (d->is_gemm || random_chance(d->random, 50))
        add_sums(d);
    else
        add_softmax(d);
    assert_ok(ctx, swp_loop_done(d->l, &loop));
    loop.signal = random_int(d->random, 0, 40);
    return loop;
}

/* --- What nobody can come below --- */

/* Each instance of an op's role takes the unit. */
static int64_t load_of(const swp_loop *loop, int unit)
{
    int64_t sum = 0;
    for (size_t o = 0; o < loop->op_count; o++) {
        const int instances = loop->roles[loop->ops[o].role].instances;
        for (size_t u = 0; u < loop->ops[o].use_count; u++)
            if (loop->ops[o].uses[u].resource == unit)
                sum += loop->ops[o].uses[u].amount * loop->ops[o].uses[u].cycles *
                       (instances > 0 ? instances : 1);
    }
    return sum;
}

/* Whether `tiles` iterations in `cycles` leave a dependence without its delay (Bellman and Ford). */
static bool is_too_fast(const swp_problem *problem, int64_t cycles, int64_t tiles)
{
    int64_t at[MOST_OPS] = {0};
    bool moved = true;
    for (size_t round = 0; round <= problem->op_count && moved; round++) {
        moved = false;
        for (size_t e = 0; e < problem->edge_count; e++) {
            const swp_problem_edge *arc = &problem->edges[e];
            const int64_t least = at[arc->producer] + arc->delay * tiles - arc->distance * cycles;
            if (least > at[arc->consumer]) {
                at[arc->consumer] = least;
                moved = true;
            }
        }
    }
    return moved;
}

/* --- What is said of it --- */

typedef struct tally {
    size_t loops;
    size_t gemms;
    size_t at_interval;
    size_t judged; /* beside an interval that is proven least, as iterations take equal times */
    size_t faults;
} tally;

static void blame(size_t index, tally *sum, const char *what, int64_t is, int64_t not )
{
    if (sum->faults++ < 5)
        printf("case %zu: %s: %lld, reckoned %lld\n", index, what, (long long)is, (long long)not );
}

/* Cycles for which an instance issues the entries of a pass. */
static int64_t issue_of(const swp_schedule *schedule, const swp_stream *stream)
{
    int64_t cycles = 0;
    for (size_t i = 0; i < stream->kernel.count; i++) {
        const swp_loop_op *work = swp_ir_loop_op(schedule, &stream->kernel.items[i].op);
        const int64_t least = schedule->machine.issue_cycles;
        cycles += work && work->issue > least ? work->issue : least;
    }
    return cycles;
}

/* Whether an iteration of each op begins as long after the one before, in all of a pass. */
static bool is_even(const swp_simulation *m, const swp_schedule *schedule)
{
    const int64_t tiles = schedule->loop.tiles_per_pass;
    int64_t last[MOST_OPS];
    for (size_t g = 0; g < m->group_count; g++) {
        const swp_stream *stream = &schedule->streams[m->groups[g].stream];
        bool seen[MOST_OPS] = {false};
        for (size_t i = 0; i < stream->kernel.count; i++) {
            const swp_op *entry = &stream->kernel.items[i].op;
            if (!swp_ir_loop_op(schedule, entry))
                continue;
            const int op = swp_loop_op_of_tag(entry->tag);
            const int64_t issue = m->groups[g].issues[i];
            if (seen[op] && (issue - last[op]) * tiles != m->cycles)
                return false;
            seen[op] = true;
            last[op] = issue;
        }
    }
    return m->passes == 1;
}

static void check_groups(const swp_simulation *m, const swp_schedule *schedule, size_t index,
                         tally *sum)
{
    for (size_t i = 0; i < m->group_count; i++) {
        const swp_group_load *group = &m->groups[i];
        const int64_t issues = issue_of(schedule, &schedule->streams[group->stream]) * m->passes;
        int64_t held = 0;
        for (size_t s = 0; s < m->stalls.count; s++)
            held += m->stalls.items[s].group == (int)i ? m->stalls.items[s].cycles : 0;
        if (held != group->held)
            blame(index, sum, "stalls of an instance", held, group->held);
        if (held + issues != m->cycles && i == 0)
            blame(index, sum, "cycles of an instance", held + issues, m->cycles);
    }
}

static void check(const draft *d, size_t index, const swp_schedule *schedule, tally *sum)
{
    const swp_pipeline *p = schedule->pipeline;
    const swp_loop *loop = p->loop;
    swp_context *ctx = swp_context_new(NULL);
    swp_simulation m;
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &m));
    const int64_t iterations = (int64_t)m.passes * schedule->loop.tiles_per_pass;
    for (int unit = 0; unit < UNITS; unit++) {
        const int64_t load = load_of(loop, unit) * iterations;
        if (m.units[unit].busy != load)
            blame(index, sum, "simulated use of a unit", m.units[unit].busy, load);
        if (m.cycles < load)
            blame(index, sum, "cycles beyond a unit", m.cycles, load);
    }
    check_groups(&m, schedule, index, sum);
    if (d->instances == 1 && is_too_fast(&p->problem.problem, m.cycles, iterations))
        blame(index, sum, "cycles beyond dependences", m.cycles, p->answer.value * iterations);
    const bool judges = p->interval_proven && is_even(&m, schedule);
    if (judges && m.cycles < p->answer.value * iterations)
        blame(index, sum, "cycles below a proven interval", m.cycles, p->answer.value * iterations);
    const bool keeps = m.cycles <= p->answer.value * iterations;
    if (d->is_gemm && m.cycles != p->answer.value * iterations)
        blame(index, sum, "cycles of a GEMM", m.cycles, p->answer.value * iterations);
    sum->loops++;
    sum->gemms += d->is_gemm;
    sum->at_interval += keeps;
    sum->judged += judges;
    swp_context_free(ctx);
}

static void agree(uint64_t seed, size_t cases, bool is_busy)
{
    const swp_limits limits = {.work = 20000000};
    tally sum = {0};
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        swp_schedule *schedule = NULL;
        draft d = {.random = &random, .is_busy = is_busy};
        const swp_loop loop = drawn(&d, ctx);
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
        check(&d, i, schedule, &sum);
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    printf("%zu loops, %zu of them synchronised within their interval; %zu GEMMs; %zu beside a "
           "proven interval\n",
           sum.loops, sum.at_interval, sum.gemms, sum.judged);
    assert_int_equal(sum.faults, 0);
    assert_true(sum.loops > 0 && (!is_busy || sum.judged > 0));
}

static void interval_and_simulation_agree(void **state)
{
    (void)state;
    agree(random_seed(31), random_sample(5), false);
}

static void they_agree_where_ops_say_how_long_they_issue(void **state)
{
    (void)state;
    agree(random_seed(32), random_sample(40), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_and_simulation_agree),
        cmocka_unit_test(they_agree_where_ops_say_how_long_they_issue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
