/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose order of matrix ops decides how long fragments live, which have one slot. */
#include "fixture.h"
#include "problems.h"
#include "random.h"

#include "solve/bounds.h"
#include "solve/heuristic.h"
#include "solve/modulo_around.h"

#include <stdio.h>
#include <string.h>

enum { MMA, LDS, UNITS, MOST_SIDE = 10, CAPACITY = 15 };

typedef struct grid {
    int side;
    int64_t mma;      /* cycles of an MMA */
    int64_t fragment; /* until a fragment is there; 4 of the 15 accesses that may be in flight */
} grid;

/* An MMA (i, j) reads the fragments i of A and j of B, and may begin once both are there. */
static swp_problem grid_loop(swp_context *ctx, const grid *g)
{
    static const swp_problem_resource units[UNITS] = {{"mma", 1}, {"lds", CAPACITY}};
    const size_t side = (size_t)g->side;
    swp_problem_op *ops = swp_context_take(ctx, (2 + side) * side * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, 4 * side * side * sizeof *edges);
    swp_problem_use *uses = swp_context_take(ctx, UNITS * sizeof *uses);
    size_t count = 0;
    uses[MMA] = (swp_problem_use){MMA, 1, g->mma};
    uses[LDS] = (swp_problem_use){LDS, 4, g->fragment};
    for (size_t i = 0; i < 2 * side; i++)
        ops[i] = (swp_problem_op){"fragment", g->fragment, &uses[LDS], 1};
    for (int i = 0; i < g->side; i++)
        for (int j = 0; j < g->side; j++) {
            const int mma = (2 + i) * g->side + j;
            ops[mma] = (swp_problem_op){"mma", g->mma, &uses[MMA], 1};
            edges[count++] = (swp_problem_edge){i, mma, 0, g->fragment};
            edges[count++] = (swp_problem_edge){mma, i, 1, 0};
            edges[count++] = (swp_problem_edge){g->side + j, mma, 0, g->fragment};
            edges[count++] = (swp_problem_edge){mma, g->side + j, 1, 0};
        }
    return (swp_problem){.name = "grid",
                         .kind = SWP_PROBLEM_MODULO,
                         .resources = units,
                         .resource_count = UNITS,
                         .ops = ops,
                         .op_count = (2 + side) * side,
                         .edges = edges,
                         .edge_count = count};
}

static swp_answer solve(swp_context *ctx, const swp_problem *problem)
{
    swp_answer answer = {.status = SWP_ANSWER_UNKNOWN};
    swp_problem_graph graph;
    swp_budget budget = swp_budget_start(ctx, (int)problem->op_count);
    assert_ok(ctx, swp_problem_check(ctx, problem));
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_bounds(ctx, &graph, &budget, &answer));
    assert_ok(ctx, swp_solve_modulo_heuristic(ctx, &graph, 0, &budget, &answer));
    assert_non_null(answer.times);
    answer.status = SWP_ANSWER_FEASIBLE;
    return answer;
}

static void the_matrix_unit_never_waits_for_fragments_of_one_slot(void **state)
{
    static const grid grids[] = {{4, 32, 96},  {4, 64, 200}, {5, 24, 128}, {6, 16, 64},
                                 {7, 24, 128}, {8, 16, 64},  {9, 32, 200}, {10, 16, 96}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(grids); i++) {
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.work = 2000};
        const swp_problem p = grid_loop(ctx, &grids[i]);
        swp_context_set_limits(ctx, &limits);
        const swp_answer answer = solve(ctx, &p);
        assert_int_equal(answer.value, grids[i].side * grids[i].side * grids[i].mma);
        assert_ok(ctx, swp_answer_check(ctx, &p, &answer));
        swp_context_free(ctx);
    }
}

/* At the interval of the matrix unit alone, with the first order that is built and no other method behind it. */
static bool finds_by_one_order(swp_context *ctx, const grid *g)
{
    static const swp_around_effort one = {.orders = 1, .looks = INT64_MAX / 2};
    const swp_problem p = grid_loop(ctx, g);
    swp_budget budget = swp_budget_start(ctx, (int)p.op_count);
    swp_problem_graph graph;
    swp_modulo_core core;
    swp_modulo_placer placer;
    swp_modulo_around around;
    bool fits = false;
    bool found = false;
    assert_ok(ctx, swp_problem_graph_new(ctx, &p, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_modulo_core_new(ctx, &graph, &core, &fits));
    assert_true(fits);
    assert_ok(ctx, swp_solve_modulo_placer_new(ctx, &core, &budget, &placer));
    assert_ok(ctx, swp_solve_modulo_around_new(ctx, &placer, &around, &fits));
    assert_true(fits);
    assert_true(swp_solve_modulo_core_set(&core, g->side * g->side * g->mma));
    assert_true(swp_solve_modulo_placer_set(&placer));
    assert_ok(ctx, swp_solve_modulo_around_try(ctx, &around, one, &found));
    return found;
}

/* Without room in the order for what finds no place, or the tightest op first, one or another of these is missed. */
static void one_order_is_enough_for_small_loops(void **state)
{
    static const grid grids[] = {{3, 16, 48}, {4, 24, 96},  {3, 64, 200}, {4, 32, 128},
                                 {5, 24, 96}, {8, 16, 160}, {9, 24, 260}, {10, 24, 260}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(grids); i++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_true(finds_by_one_order(ctx, &grids[i]));
        swp_context_free(ctx);
    }
}

/* Where no order of the unit gives the others room at the bound, there is one a little above. */
static void where_the_bound_is_out_of_reach_an_interval_near_it_is_found(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.work = 20000};
    const grid g = {3, 16, 60};
    const swp_problem p = grid_loop(ctx, &g);
    swp_context_set_limits(ctx, &limits);
    const swp_answer answer = solve(ctx, &p);
    assert_ok(ctx, swp_answer_check(ctx, &p, &answer));
    assert_in_range(answer.value, 3 * 3 * 16 + 1, 3 * 3 * 16 + 12);
}

enum { OPS = 12 };

/* Ops of a full unit that use another one too, and are bound to each other at random. */
static swp_problem tangled_loop(swp_context *ctx, test_random *random)
{
    char ops[OPS * 32] = "";
    char edges[OPS * 32] = "";
    for (int i = 0; i < OPS; i++) {
        (void)sprintf(ops + strlen(ops), "%d:%s%dx%d", random_int(random, 1, 9),
                      i % 3 == 2 ? "s" : "r", i % 3 == 2 ? random_int(random, 1, 3) : 1,
                      random_int(random, 1, 8));
        if (i % 3 == 1)
            (void)sprintf(ops + strlen(ops), "+s%dx%d", random_int(random, 1, 3),
                          random_int(random, 1, 12));
        (void)strcat(ops, " ");
        if (i > 0)
            (void)sprintf(edges + strlen(edges), "%d>%d %d>%d/%d=%d ", i - 1, i, i,
                          random_int(random, 0, i - 1), random_int(random, 1, 3),
                          random_int(random, -9, 9));
    }
    return problem_of(ctx, SWP_PROBLEM_MODULO, "1 3", ops, edges);
}

static void whatever_is_found_obeys_edges_and_resources(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(52);
    for (size_t i = 0; i < random_sample(300); i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        const swp_problem p = tangled_loop(ctx, &random);
        const swp_answer answer = solve(ctx, &p);
        assert_ok(ctx, swp_answer_check(ctx, &p, &answer));
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_unit_never_waits_for_fragments_of_one_slot),
        cmocka_unit_test(one_order_is_enough_for_small_loops),
        CONTEXT_TEST(where_the_bound_is_out_of_reach_an_interval_near_it_is_found),
        cmocka_unit_test(whatever_is_found_obeys_edges_and_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
