/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search that cannot finish: what it answers is legal, bounded from below, the same each time for
 * the same work limit, and never worse for a larger one.
 */
#include "fixture.h"
#include "model.h"
#include "random_body.h"

static uint64_t seed;

typedef struct run {
    swp_status status;
    swp_solution solution;
} run;

static run solve_within(swp_context *ctx, const model_problem *problem, uint64_t work)
{
    const swp_limits limits = {.work = work};
    run out = {0};
    swp_context_set_limits(ctx, &limits);
    out.status = swp_solve(ctx, problem->body, &problem->search, &out.solution);
    swp_context_set_limits(ctx, NULL);
    return out;
}

static model_order order_of(const model_problem *problem, const swp_solution *solution)
{
    model_order order = {.found = true};
    assert_int_equal(solution->order.count, problem->count);
    for (int i = 0; i < problem->count; i++)
        order.items[i] = solution->order.items[i];
    model_evaluate(problem, &order);
    return order;
}

static void check_solution(const model_problem *problem, const swp_solution *solution)
{
    const model_order order = order_of(problem, solution);
    assert_true(model_is_structured(problem, order.items));
    assert_int_equal(solution->evaluation.makespan, order.makespan);
    assert_int_equal(solution->evaluation.vgpr_peak, order.peak);
    assert_true(solution->lower_bound <= order.makespan);
    assert_true(solution->lower_bound >= model_lower_bound(problem));
    /* A seed on the bound is the answer even where it breaks max_globals. */
    if (!solution->is_seed || order.makespan != model_lower_bound(problem))
        assert_true(model_is_legal(problem, &order));
}

static void check_run(swp_context *ctx, const model_problem *problem, const run *found,
                      uint64_t work)
{
    if (found->status == SWP_OK) {
        check_solution(problem, &found->solution);
        /* A first descent, a node an op, is always allowed. */
        const uint64_t descent = (uint64_t)problem->count;
        assert_in_range(found->solution.work, 0, work > descent ? work : descent);
        if (found->solution.outcome == SWP_FEASIBLE)
            assert_true(found->solution.work >= work);
    } else {
        assert_true(found->status == SWP_STOPPED || found->status == SWP_INFEASIBLE);
        assert_true(has_error(ctx));
    }
}

static void check_same(const model_problem *problem, const run *a, const run *b)
{
    assert_int_equal(a->status, b->status);
    if (a->status != SWP_OK)
        return;
    assert_int_equal(a->solution.outcome, b->solution.outcome);
    assert_int_equal(a->solution.work, b->solution.work);
    assert_int_equal(a->solution.lower_bound, b->solution.lower_bound);
    assert_memory_equal(a->solution.order.items, b->solution.order.items,
                        sizeof(int) * (size_t)problem->count);
}

/* What a proof with less work found stays; otherwise (makespan, peak) and the bound only improve. */
static void check_not_worse(const model_problem *problem, const run *less, const run *more)
{
    if (less->status == SWP_INFEASIBLE)
        assert_int_equal(more->status, SWP_INFEASIBLE);
    if (less->status != SWP_OK)
        return;
    const swp_solution *a = &less->solution, *b = &more->solution;
    assert_int_equal(more->status, SWP_OK);
    assert_true(b->evaluation.makespan <= a->evaluation.makespan);
    if (b->evaluation.makespan == a->evaluation.makespan)
        assert_true(b->evaluation.vgpr_peak <= a->evaluation.vgpr_peak);
    assert_true(b->lower_bound >= a->lower_bound);
    if (a->outcome != SWP_OPTIMAL)
        return;
    assert_int_equal(b->outcome, SWP_OPTIMAL);
    assert_memory_equal(a->order.items, b->order.items, sizeof(int) * (size_t)problem->count);
}

static model_problem random_problem(test_random *random, swp_context *ctx, swp_loop_body *body)
{
    const bool halves = random_chance(random, 60);
    const int half = random_int(random, 4, MODEL_MOST_OPS / 2);
    const body_shape shape = {2 * half, halves, random_int(random, 2, 15)};
    swp_search search = {.halves = halves, .max_vgpr = SWP_NO_VGPR_LIMIT};
    *body = random_body(ctx, random, &shape);
    search.lds_contention_penalty = random_int(random, 0, 25);
    if (random_chance(random, 60))
        search.max_vgpr = random_int(random, 0, 4 * shape.count);
    if (halves) {
        search.max_globals_per_block = random_int(random, 0, 2);
        search.blocks_per_half = half;
    }
    return model_of(body, &search);
}

typedef struct outcomes {
    size_t optimal, feasible, stopped, infeasible;
} outcomes;

static void count_outcome(outcomes *counts, const run *found)
{
    counts->stopped += found->status == SWP_STOPPED;
    counts->infeasible += found->status == SWP_INFEASIBLE;
    counts->optimal += found->status == SWP_OK && found->solution.outcome == SWP_OPTIMAL;
    counts->feasible += found->status == SWP_OK && found->solution.outcome == SWP_FEASIBLE;
}

static void check_ladder(swp_context *ctx, const model_problem *problem, outcomes *counts)
{
    static const uint64_t works[] = {1, 2, 3, 10, 50, 300, 2000};
    run before = {.status = SWP_STOPPED};
    for (size_t i = 0; i < COUNT_OF(works); i++) {
        swp_context_clear_diags(ctx);
        const run found = solve_within(ctx, problem, works[i]);
        check_run(ctx, problem, &found, works[i]);
        const run again = solve_within(ctx, problem, works[i]);
        check_same(problem, &found, &again);
        check_not_worse(problem, &before, &found);
        count_outcome(counts, &found);
        before = found;
    }
}

static void a_limited_search_is_legal_repeatable_and_no_worse_with_more_work(void **state)
{
    (void)state;
    outcomes counts = {0};
    const size_t cases = random_sample(250);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        swp_loop_body body;
        const model_problem problem = random_problem(&random, ctx, &body);
        check_ladder(ctx, &problem, &counts);
        swp_context_free(ctx);
    }
    print_message("%zu optimal, %zu feasible, %zu stopped, %zu infeasible\n", counts.optimal,
                  counts.feasible, counts.stopped, counts.infeasible);
    if (cases >= 200)
        assert_true(counts.feasible > cases && counts.stopped > 0);
}

static bool stop_at_once(void *user)
{
    ++*(size_t *)user;
    return true;
}

/* The first bodies that take more than so much work. */
static void an_interrupted_search_ends_with_the_best_so_far(void **state)
{
    (void)state;
    const uint64_t much = 2000;
    size_t interrupted = 0;
    for (size_t i = 0; i < 100 && interrupted < 5; i++) {
        test_random random = random_for_case(seed + 2, i);
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        swp_loop_body body;
        const model_problem problem = random_problem(&random, ctx, &body);
        const run long_run = solve_within(ctx, &problem, much);
        if (long_run.status == SWP_OK && long_run.solution.outcome == SWP_FEASIBLE) {
            size_t polls = 0;
            const swp_limits limits = {.interrupted = stop_at_once, .user = &polls};
            run found = {0};
            swp_context_set_limits(ctx, &limits);
            found.status = swp_solve(ctx, problem.body, &problem.search, &found.solution);
            assert_int_equal(polls, 1);
            if (found.status == SWP_OK) {
                assert_int_equal(found.solution.outcome, SWP_FEASIBLE);
                check_solution(&problem, &found.solution);
                assert_true(found.solution.work < much);
            } else {
                assert_int_equal(found.status, SWP_STOPPED);
            }
            interrupted++;
        }
        swp_context_free(ctx);
    }
    assert_int_equal(interrupted, 5);
}

/* The first body that takes longer than that. */
static void a_search_stops_when_its_seconds_are_over(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.seconds = 0.05};
    size_t stopped = 0;
    swp_context_set_limits(ctx, &limits);
    for (size_t i = 0; i < 40 && stopped == 0; i++) {
        test_random random = random_for_case(seed + 2, i);
        swp_loop_body body;
        const model_problem problem = random_problem(&random, ctx, &body);
        swp_solution solution = {0};
        const swp_status status = swp_solve(ctx, problem.body, &problem.search, &solution);
        if (status == SWP_OK)
            check_solution(&problem, &solution);
        stopped += status == SWP_STOPPED || (status == SWP_OK && solution.outcome == SWP_FEASIBLE);
    }
    assert_int_equal(stopped, 1);
}

int main(void)
{
    seed = random_seed(20240903);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limited_search_is_legal_repeatable_and_no_worse_with_more_work),
        cmocka_unit_test(an_interrupted_search_ends_with_the_best_so_far),
        CONTEXT_TEST(a_search_stops_when_its_seconds_are_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
