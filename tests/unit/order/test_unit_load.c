/* SPDX-License-Identifier: Apache-2.0 */
/* Jackson's preemptive schedule on one unit. */
#include "fixture.h"
#include "order/unit_load.h"
#include "random.h"

static bool fits(const swp_job *given, int count, int64_t free_at, int64_t *end)
{
    swp_job jobs[8], heap[8];
    for (int i = 0; i < count; i++)
        jobs[i] = given[i];
    return swp_order_unit_load_fits(jobs, count, free_at, heap, end);
}

static void jobs_follow_each_other_from_where_the_unit_is_free(void **state)
{
    (void)state;
    const swp_job jobs[] = {{0, 10, 25}, {0, 10, 15}};
    int64_t end = 0;
    assert_true(fits(jobs, 2, 5, &end));
    assert_int_equal(end, 25);
    assert_false(fits(jobs, 2, 6, &end));
}

/* The long job gives way at 5 and goes on at 8: 0-5, 5-8, 8-13. */
static void an_urgent_job_interrupts(void **state)
{
    (void)state;
    const swp_job jobs[] = {{0, 10, 13}, {5, 3, 8}};
    const swp_job late[] = {{0, 10, 12}, {5, 3, 8}};
    int64_t end = 0;
    assert_true(fits(jobs, 2, 0, &end));
    assert_int_equal(end, 13);
    assert_false(fits(late, 2, 0, &end));
}

static void no_jobs_fit(void **state)
{
    (void)state;
    int64_t end = -1;
    assert_true(fits(NULL, 0, 7, &end));
    assert_int_equal(end, 7);
}

/* Cycle by cycle: the unit works on the waiting job with the earliest deadline. */
static bool fits_cycle_by_cycle(const swp_job *given, int count, int64_t free_at, int64_t *end)
{
    int64_t left[8];
    bool fit = true;
    *end = free_at;
    for (int i = 0; i < count; i++)
        left[i] = given[i].busy;
    for (int64_t time = free_at; time < 200; time++) {
        int chosen = -1;
        for (int i = 0; i < count; i++)
            if (left[i] > 0 && given[i].head <= time &&
                (chosen < 0 || given[i].deadline < given[chosen].deadline))
                chosen = i;
        if (chosen < 0)
            continue;
        *end = time + 1;
        if (--left[chosen] == 0 && time + 1 > given[chosen].deadline)
            fit = false;
    }
    return fit;
}

static void random_jobs_fit_as_they_do_cycle_by_cycle(void **state)
{
    (void)state;
    size_t fitting = 0;
    for (size_t i = 0; i < 3000; i++) {
        test_random random = random_for_case(11, i);
        const int count = random_int(&random, 1, 7);
        const int64_t free_at = random_int(&random, 0, 10);
        swp_job jobs[8];
        for (int j = 0; j < count; j++) {
            jobs[j].head = random_int(&random, 0, 20);
            jobs[j].busy = random_int(&random, 1, 8);
            jobs[j].deadline = jobs[j].head + random_int(&random, 8, 30);
        }
        int64_t end = 0, expected_end = 0;
        const bool expected = fits_cycle_by_cycle(jobs, count, free_at, &expected_end);
        assert_int_equal(fits(jobs, count, free_at, &end), expected);
        if (expected)
            assert_int_equal(end, expected_end);
        fitting += expected;
    }
    assert_in_range(fitting, 300, 2700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_follow_each_other_from_where_the_unit_is_free),
        cmocka_unit_test(an_urgent_job_interrupts),
        cmocka_unit_test(no_jobs_fit),
        cmocka_unit_test(random_jobs_fit_as_they_do_cycle_by_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
