/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose unit has no cycle to spare: pieces of an interval, some of them tied to one another. */
#include "fixture.h"
#include "problems.h"
#include "random.h"

#include "solve/modulo_place.h"

#include <stdio.h>
#include <string.h>

enum { OPS = 24, PAIRS = 4, MOST_CYCLES = 16 };

/* Ops of random cycles; the first ones in pairs, less than an interval and a half apart. */
static swp_problem full_loop(swp_context *ctx, test_random *random, int64_t *interval)
{
    char ops[OPS * 16] = "";
    char edges[PAIRS * 32] = "";
    *interval = 0;
    for (int i = 0; i < OPS; i++) {
        const int cycles = random_int(random, 1, MOST_CYCLES);
        (void)sprintf(ops + strlen(ops), "%d:r1x%d ", cycles, cycles);
        *interval += cycles;
    }
    for (int i = 0; i < PAIRS; i++)
        (void)sprintf(edges + strlen(edges), "%d>%d %d>%d/1=%d ", i, i + PAIRS, i + PAIRS, i,
                      -(int)*interval / 2);
    return problem_of(ctx, SWP_PROBLEM_MODULO, "1", ops, edges);
}

static void place_all(swp_context *ctx, const swp_problem *problem, int64_t interval,
                      swp_modulo_placer *placer, bool *found)
{
    static swp_problem_graph graph;
    static swp_modulo_core core;
    static swp_budget budget;
    bool fits = false;
    budget = swp_budget_start(ctx, OPS);
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_modulo_core_new(ctx, &graph, &core, &fits));
    assert_true(fits);
    swp_solve_modulo_core_set(&core, interval);
    assert_ok(ctx, swp_solve_modulo_placer_new(ctx, &core, &budget, placer));
    assert_true(swp_solve_modulo_placer_set(placer));
    assert_ok(ctx, swp_solve_modulo_pack(ctx, placer, found));
}

/* Cycle by cycle: each slot is held once. */
static void check_slots(const swp_modulo_placer *placer, int64_t interval)
{
    bool held[OPS * MOST_CYCLES] = {false};
    const swp_modulo_core *core = placer->core;
    for (int n = 0; n < core->count; n++) {
        const swp_problem_use *use = &core->graph->problem->ops[core->ops[n]].uses[0];
        for (int64_t c = 0; c < use->cycles; c++) {
            const int64_t slot = ((placer->times[n] + c) % interval + interval) % interval;
            assert_false(held[slot]);
            held[slot] = true;
        }
    }
}

static void check_edges(const swp_modulo_placer *placer, int64_t interval)
{
    const swp_problem *p = placer->core->graph->problem;
    const int *nodes = placer->core->nodes;
    for (size_t e = 0; e < p->edge_count; e++) {
        const swp_problem_edge *edge = &p->edges[e];
        assert_true(placer->times[nodes[edge->consumer]] >=
                    placer->times[nodes[edge->producer]] + edge->delay - interval * edge->distance);
    }
}

static void full_units_are_filled(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(51);
    for (size_t i = 0; i < random_cases(200); i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        int64_t interval = 0;
        const swp_problem problem = full_loop(ctx, &random, &interval);
        swp_modulo_placer placer;
        bool found = false;
        place_all(ctx, &problem, interval, &placer, &found);
        assert_true(found);
        check_slots(&placer, interval);
        check_edges(&placer, interval);
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_units_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
