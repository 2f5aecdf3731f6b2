/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "problems.h"
#include "random_problem.h"

#include "solve/profile.h"

enum { HORIZON = 64, MOST_OPS = 6 };

/* Cells of a resource, cycle by cycle; round the interval where there is one. */
typedef struct cells {
    const swp_problem *problem;
    int64_t interval;
    int64_t taken[3][HORIZON];
} cells;

static void cells_change(cells *c, int op, int64_t time, int64_t sign)
{
    for (size_t u = 0; u < c->problem->ops[op].use_count; u++) {
        const swp_problem_use *use = &c->problem->ops[op].uses[u];
        for (int64_t at = time; at < time + use->cycles; at++)
            c->taken[use->resource][c->interval ? at % c->interval : at] += sign * use->amount;
    }
}

static bool cells_hold(const cells *c)
{
    for (size_t r = 0; r < c->problem->resource_count; r++)
        for (int at = 0; at < HORIZON; at++)
            if (c->taken[r][at] > c->problem->resources[r].capacity)
                return false;
    return true;
}

static bool cells_fit(cells *c, int op, int64_t time)
{
    cells_change(c, op, time, 1);
    const bool fits = cells_hold(c);
    cells_change(c, op, time, -1);
    return fits;
}

/* Places ops one by one where the profile says first, and compares with the cells. */
static void place_all(swp_context *ctx, const swp_problem *p, int64_t interval, test_random *random)
{
    cells c = {.problem = p, .interval = interval};
    swp_profile profile;
    assert_ok(ctx, swp_solve_profile_new(ctx, p, interval, &profile));
    int64_t times[MOST_OPS];
    for (int op = 0; op < (int)p->op_count; op++) {
        times[op] = -1;
        const bool alone = cells_fit(&(cells){.problem = p, .interval = interval}, op, 0);
        assert_int_equal(swp_solve_fits_alone(p, op, interval), alone);
        if (!alone)
            continue;
        const int64_t from = random_int(random, 0, 8);
        const int64_t to = from + random_int(random, 0, 12);
        int64_t wanted = from;
        while (wanted <= to && !cells_fit(&c, op, wanted))
            wanted++;
        const bool found = swp_solve_profile_first_fit(&profile, op, from, to, &times[op]);
        assert_int_equal(found, wanted <= to);
        if (!found) {
            times[op] = -1;
            continue;
        }
        assert_int_equal(times[op], wanted);
        assert_ok(ctx, swp_solve_profile_add(ctx, &profile, op, times[op]));
        cells_change(&c, op, times[op], 1);
        if (random_chance(random, 30)) {
            assert_ok(ctx, swp_solve_profile_remove(ctx, &profile, op, times[op]));
            cells_change(&c, op, times[op], -1);
        }
        if (interval)
            continue;
        int64_t last = 0;
        int64_t wanted_last = 30;
        while (!cells_fit(&c, op, wanted_last))
            wanted_last--;
        assert_true(swp_solve_profile_last_fit(&profile, op, 30, 0, &last));
        assert_int_equal(last, wanted_last);
    }
}

static void profiles_agree_with_cells(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {{SWP_PROBLEM_MODULO, MOST_OPS, 3, 4, 7, 0},
                                           {SWP_PROBLEM_MAKESPAN, MOST_OPS, 3, 4, 7, 0}};
    const uint64_t seed = random_seed(3);
    const size_t cases = random_cases(2000);
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        const swp_problem p = random_problem(ctx, &random, &shapes[i % 2]);
        place_all(ctx, &p, i % 2 ? 0 : random_int(&random, 1, 9), &random);
        swp_context_free(ctx);
    }
}

static void what_is_taken_back_leaves_nothing(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "3", "1:r1x5 1:r2x4", "");
    swp_profile profile;
    assert_ok(ctx, swp_solve_profile_new(ctx, &p, 7, &profile));
    assert_ok(ctx, swp_solve_profile_add(ctx, &profile, 0, 5));
    assert_ok(ctx, swp_solve_profile_add(ctx, &profile, 1, 100));
    assert_ok(ctx, swp_solve_profile_remove(ctx, &profile, 0, 5));
    assert_ok(ctx, swp_solve_profile_remove(ctx, &profile, 1, 100));
    assert_int_equal(profile.steps[0].count, 1);
    assert_int_equal(profile.steps[0].items[0].level, 0);
}

static void long_times_cost_nothing(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "0:r1x500000000000 0:r1x500000000000", "");
    swp_profile profile;
    int64_t time = 0;
    assert_ok(ctx, swp_solve_profile_new(ctx, &p, 0, &profile));
    assert_ok(ctx, swp_solve_profile_add(ctx, &profile, 0, 0));
    assert_true(swp_solve_profile_first_fit(&profile, 1, 0, INT64_MAX, &time));
    assert_true(time == INT64_C(500000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(profiles_agree_with_cells),
        CONTEXT_TEST(what_is_taken_back_leaves_nothing),
        CONTEXT_TEST(long_times_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
