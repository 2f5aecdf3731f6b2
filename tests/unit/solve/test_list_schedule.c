/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "large_problem.h"
#include "problems.h"
#include "random_problem.h"

#include "solve/list_schedule.h"

enum { MOST_OPS = 8 };

static void the_smallest_key_comes_first(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "2:r1x2 3:r1x3 1:", "1>2");
    swp_list list;
    bool acyclic = false;
    int64_t times[3];
    assert_ok(ctx, swp_solve_list_new(ctx, &p, &list, &acyclic));
    assert_true(acyclic);
    assert_int_equal(list.tail[1], 4);
    assert_int_equal(list.head[2], 3);
    list.key[0] = 1;
    list.key[1] = 2;
    assert_ok(ctx, swp_solve_list_generate(ctx, &list, times));
    assert_int_equal(times[0], 0);
    assert_int_equal(times[1], 2);
    assert_int_equal(times[2], 5);
    list.key[1] = 0;
    assert_ok(ctx, swp_solve_list_generate(ctx, &list, times));
    assert_int_equal(times[0], 3);
    assert_int_equal(times[1], 0);
    assert_int_equal(swp_solve_list_makespan(&list, times), 5);
}

static void a_cycle_of_distance_0_has_no_list(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "1: 1:", "0>1 1>0=-1");
    swp_list list;
    bool acyclic = true;
    assert_ok(ctx, swp_solve_list_new(ctx, &p, &list, &acyclic));
    assert_false(acyclic);
}

static void justification_shortens(void **state)
{
    swp_context *ctx = *state;
    /* Op 2 first wastes the unit while the long tail of op 0 waits. */
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "1:r1x1 5: 3:r1x3", "0>1");
    swp_list list;
    bool acyclic = false;
    int64_t times[3];
    assert_ok(ctx, swp_solve_list_new(ctx, &p, &list, &acyclic));
    list.key[0] = 1;
    assert_ok(ctx, swp_solve_list_generate(ctx, &list, times));
    assert_int_equal(swp_solve_list_makespan(&list, times), 9);
    assert_ok(ctx, swp_solve_list_justify(ctx, &list, times));
    assert_int_equal(swp_solve_list_makespan(&list, times), 6);
}

static void check(swp_context *ctx, const swp_problem *p, const swp_list *list,
                  const int64_t *times)
{
    const swp_answer answer = {.status = SWP_ANSWER_FEASIBLE,
                               .value = swp_solve_list_makespan(list, times),
                               .times = times,
                               .time_count = p->op_count};
    assert_ok(ctx, swp_answer_check(ctx, p, &answer));
}

static void lists_are_schedules_and_stay_as_short(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MAKESPAN, MOST_OPS, 3, 4, 6, 20};
    const uint64_t seed = random_seed(5);
    const size_t cases = random_cases(1000);
    size_t lists = 0;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        const swp_problem p = random_problem(ctx, &random, &shape);
        swp_list list;
        bool acyclic = false;
        int64_t times[MOST_OPS];
        assert_ok(ctx, swp_solve_list_new(ctx, &p, &list, &acyclic));
        if (acyclic) {
            lists++;
            for (int op = 0; op < list.count; op++)
                list.key[op] = random_int(&random, 0, 9);
            assert_ok(ctx, swp_solve_list_generate(ctx, &list, times));
            check(ctx, &p, &list, times);
            const int64_t before = swp_solve_list_makespan(&list, times);
            assert_ok(ctx, swp_solve_list_justify(ctx, &list, times));
            check(ctx, &p, &list, times);
            assert_true(swp_solve_list_makespan(&list, times) <= before);
        }
        swp_context_free(ctx);
    }
    assert_true(lists > cases / 2);
}

/* What is left when it comes follows one after the other, so that there is a schedule all the same. */
static void an_interruption_ends_the_search_for_room(void **state)
{
    swp_context *ctx = *state;
    enum { COUNT = 2000 };
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, COUNT, 1, 5, 3, false, 0};
    const swp_problem p = large_problem(ctx, &shape);
    interruption i = {.from = 2};
    int64_t times[COUNT];
    swp_list list;
    bool acyclic = false;
    interrupt_with(ctx, &i);
    assert_ok(ctx, swp_solve_list_new(ctx, &p, &list, &acyclic));
    assert_ok(ctx, swp_solve_list_generate(ctx, &list, times));
    assert_int_equal(i.asked, 2);
    check(ctx, &p, &list, times);
    assert_int_equal(times[COUNT - 1], times[COUNT - 2] + 3);
    assert_ok(ctx, swp_solve_list_justify(ctx, &list, times));
    assert_int_equal(i.asked, 2);
    check(ctx, &p, &list, times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_smallest_key_comes_first),
        CONTEXT_TEST(a_cycle_of_distance_0_has_no_list),
        CONTEXT_TEST(justification_shortens),
        CONTEXT_TEST(an_interruption_ends_the_search_for_room),
        CONTEXT_TEST(lists_are_schedules_and_stay_as_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
