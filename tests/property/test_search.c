/* SPDX-License-Identifier: Apache-2.0 */
/*
 * docs/scheduling.md on random bodies: greedy and exact orders are legal, evaluation and bound are
 * those of the chapter, and the exact answer is the one that enumeration finds, ties included.
 */
#include "fixture.h"
#include "model.h"
#include "random_body.h"

static uint64_t seed;

static int pick(test_random *random, const int *choices, size_t count)
{
    return choices[random_int(random, 0, (int)count - 1)];
}

static int most_computes_of_a_half(const swp_loop_body *body)
{
    int computes[2] = {0, 0};
    for (size_t i = 0; i < body->count; i++)
        computes[i >= body->count / 2] += body->nodes[i].op.role == SWP_COMPUTE;
    return computes[0] > computes[1] ? computes[0] : computes[1];
}

static swp_search random_search(test_random *random, bool halves, const swp_loop_body *body)
{
    static const int penalties[] = {0, 0, 1, 3, 7, 20, 30};
    static const int globals[] = {0, 0, 1, 2, 3};
    swp_search search = {.halves = halves, .max_vgpr = SWP_NO_VGPR_LIMIT};
    search.lds_contention_penalty = pick(random, penalties, COUNT_OF(penalties));
    if (random_chance(random, 50))
        search.max_vgpr = random_int(random, 0, 4 * (int)body->count);
    if (!halves)
        return search;
    search.max_globals_per_block = pick(random, globals, COUNT_OF(globals));
    search.blocks_per_half = most_computes_of_a_half(body);
    return search;
}

static void print_case(size_t index, const model_problem *problem, const model_order *expected,
                       const swp_solution *found)
{
    print_error("SWP_SEED=%llu, case %zu: penalty %d, max_vgpr %d, halves %d, max_globals %d, "
                "blocks_per_half %d\n",
                (unsigned long long)seed, index, problem->search.lds_contention_penalty,
                problem->search.max_vgpr, problem->search.halves,
                problem->search.max_globals_per_block, problem->search.blocks_per_half);
    print_body(problem->body);
    print_error("expected (%lld, %lld):", (long long)expected->makespan, (long long)expected->peak);
    for (int i = 0; i < problem->count; i++)
        print_error(" %d", expected->items[i]);
    print_error("\nfound (%lld, %lld):", (long long)found->evaluation.makespan,
                (long long)found->evaluation.vgpr_peak);
    for (size_t i = 0; i < found->order.count; i++)
        print_error(" %d", found->order.items[i]);
    print_error("\n");
}

static bool same_answer(const model_problem *problem, const model_order *expected,
                        const swp_solution *found)
{
    if (found->order.count != problem->body->count || found->outcome != SWP_OPTIMAL ||
        found->evaluation.makespan != expected->makespan ||
        found->evaluation.vgpr_peak != expected->peak || found->lower_bound > expected->makespan)
        return false;
    for (int i = 0; i < problem->count; i++)
        if (found->order.items[i] != expected->items[i])
            return false;
    return true;
}

/* What the cases were, so that a test that only saw easy ones shows. */
typedef struct search_tally {
    size_t seeds, searched, infeasible, skipped;
} search_tally;

static void check_answer(swp_context *ctx, size_t index, const model_problem *problem,
                         search_tally *tally)
{
    long nodes = 60000;
    const model_order expected = model_answer(problem, &nodes);
    swp_solution found = {0};
    const swp_status status = swp_solve(ctx, problem->body, &problem->search, &found);
    if (nodes <= 0) {
        tally->skipped++;
        return;
    }
    const bool agree = expected.found ? status == SWP_OK && same_answer(problem, &expected, &found)
                                      : status == SWP_INFEASIBLE && has_error(ctx);
    if (!agree) {
        print_case(index, problem, &expected, &found);
        fail_msg("status %d; the answer differs", (int)status);
    }
    tally->infeasible += !expected.found;
    tally->seeds += expected.found && found.is_seed;
    tally->searched += expected.found && !found.is_seed;
}

static void check_many(bool halves, size_t standard_cases)
{
    search_tally tally = {0};
    const size_t cases = random_sample(standard_cases);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i * 2 + halves);
        const int count = halves ? random_int(&random, 2, 11) : random_int(&random, 1, 8);
        const body_shape shape = {count, halves, random_int(&random, 0, 5) * 10};
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        const swp_loop_body body = random_body(ctx, &random, &shape);
        const swp_search search = random_search(&random, halves, &body);
        const model_problem problem = model_of(&body, &search);
        check_answer(ctx, i, &problem, &tally);
        swp_context_free(ctx);
    }
    print_message("%zu seeds, %zu searched, %zu infeasible, %zu skipped\n", tally.seeds,
                  tally.searched, tally.infeasible, tally.skipped);
    if (cases >= 1000)
        assert_true(tally.searched * 10 > cases && tally.infeasible * 50 > cases);
}

static void the_answer_is_that_of_enumeration(void **state)
{
    (void)state;
    check_many(false, 2000);
}

static void the_answer_with_halves_is_that_of_enumeration(void **state)
{
    (void)state;
    check_many(true, 3000);
}

static void check_greedy(swp_context *ctx, const model_problem *problem)
{
    const model_order expected = model_seed(problem);
    swp_order order = {0};
    const swp_status status =
        problem->search.halves
            ? swp_greedy_schedule(ctx, problem->body, 2, problem->search.blocks_per_half, &order)
            : swp_simple_greedy_schedule(ctx, problem->body, &order);
    assert_status(ctx, status, expected.found ? SWP_OK : SWP_INVALID);
    if (!expected.found) {
        assert_diag(ctx, "E0402", NULL);
        return;
    }
    assert_true(model_is_structured(problem, order.items));
    assert_memory_equal(order.items, expected.items, sizeof(int) * problem->body->count);
    swp_evaluation evaluation;
    assert_ok(ctx, swp_evaluate_schedule(ctx, problem->body, &order,
                                         problem->search.lds_contention_penalty, &evaluation));
    assert_int_equal(evaluation.makespan, expected.makespan);
    assert_int_equal(evaluation.vgpr_peak, expected.peak);
    int64_t bound = 0;
    assert_ok(ctx, swp_makespan_lower_bound(ctx, problem->body,
                                            problem->search.lds_contention_penalty, &bound));
    assert_int_equal(bound, model_lower_bound(problem));
}

/* Larger bodies than enumeration takes. */
static void greedy_evaluation_and_bound_are_those_of_the_page(void **state)
{
    (void)state;
    const size_t cases = random_sample(2000);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed + 1, i);
        const bool halves = random_chance(&random, 60);
        const int pairs = random_int(&random, 1, MODEL_MOST_OPS / 2);
        const body_shape shape = {2 * pairs, halves, random_int(&random, 0, 25)};
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        const swp_loop_body body = random_body(ctx, &random, &shape);
        const swp_search search = random_search(&random, halves, &body);
        const model_problem problem = model_of(&body, &search);
        check_greedy(ctx, &problem);
        swp_context_free(ctx);
    }
}

int main(void)
{
    seed = random_seed(20240901);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_that_of_enumeration),
        cmocka_unit_test(the_answer_with_halves_is_that_of_enumeration),
        cmocka_unit_test(greedy_evaluation_and_bound_are_those_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
