/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/weights.h"
#include "fixture.h"
#include "random.h"

#include <stdio.h>

/* Why the weights are refused; NULL if they are not. */
static const char *why_not(swp_context *ctx, int64_t capacity, const swp_amount_weight *items,
                           size_t count, int64_t most)
{
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE,
                                       .weights = {items, count, most}};
    const swp_status status = swp_certify_judge_weights(ctx, &judgement, &step, capacity);
    assert_true((status == SWP_INVALID) == (judgement.why != NULL));
    return judgement.why;
}

static void expect_refusal(swp_context *ctx, int64_t capacity, const swp_amount_weight *items,
                           size_t count, int64_t most, const char *expected)
{
    const char *why = why_not(ctx, capacity, items, count, most);
    assert_non_null(why);
    assert_string_equal(why, expected);
}

static void weights_that_fit_wherever_their_amounts_fit_are_taken(void **state)
{
    static const swp_amount_weight items[] = {{4, 1}, {8, 2}, {15, 3}};
    assert_null(why_not(*state, 15, NULL, 0, 0));
    assert_null(why_not(*state, 15, items, COUNT_OF(items), 3));
    assert_null(why_not(*state, 15, items, 1, 3));
    assert_null(why_not(*state, 15, items + 1, 1, 3));
}

/* 4 fits four times in 16; an op that overlaps itself may hold it so often alone. */
static void weights_that_do_not_fit_are_refused(void **state)
{
    static const swp_amount_weight items[] = {{4, 1}, {8, 2}};
    expect_refusal(*state, 16, items, 1, 3,
                   "amounts that come to 16, and fit the capacity of 16, weigh more than 3");
    expect_refusal(*state, 15, items, 2, 2,
                   "amounts that come to 12, and fit the capacity of 15, weigh more than 2");
}

static void weights_of_the_wrong_form_are_refused(void **state)
{
    static const swp_amount_weight twice[] = {{4, 1}, {4, 1}};
    static const swp_amount_weight zero[] = {{0, 1}};
    static const swp_amount_weight large[] = {{16, 1}};
    static const swp_amount_weight light[] = {{8, 0}};
    static const swp_amount_weight heavy[] = {{8, 2}};
    expect_refusal(*state, 15, twice, 2, 3,
                   "amounts have to ascend from 1 to the capacity of 15, but number 2 is 4");
    expect_refusal(*state, 15, zero, 1, 1,
                   "amounts have to ascend from 1 to the capacity of 15, but number 1 is 0");
    expect_refusal(*state, 15, large, 1, 1,
                   "amounts have to ascend from 1 to the capacity of 15, but number 1 is 16");
    expect_refusal(*state, 15, light, 1, 1, "the amount 8 weighs 0, which is not 1 to 1");
    expect_refusal(*state, 15, heavy, 1, 1, "the amount 8 weighs 2, which is not 1 to 1");
    expect_refusal(*state, 15, twice, 1, 0, "`most` is 0, but has to be 1 to 65536");
    expect_refusal(*state, 15, twice, 1, 65537, "`most` is 65537, but has to be 1 to 65536");
}

/* The table has a number for each weight, and none for each unit of the capacity. */
static void a_large_capacity_takes_no_longer(void **state)
{
    static const swp_amount_weight items[] = {{((int64_t)1 << 39) + 1, 1}};
    assert_null(why_not(*state, (int64_t)1 << 40, items, 1, 1));
    static const swp_amount_weight half[] = {{(int64_t)1 << 39, 1}};
    expect_refusal(*state, (int64_t)1 << 40, half, 1, 1,
                   "amounts that come to 1099511627776, and fit the capacity of 1099511627776, "
                   "weigh more than 1");
}

static void a_limit_ends_the_check(void **state)
{
    static const swp_amount_weight items[] = {{1, 1}};
    const swp_limits limits = {.work = 1000};
    const swp_certificate_step step = {.weights = {items, 1, 65536}};
    swp_context_set_limits(*state, &limits);
    swp_judgement judgement = {.ctx = *state, .budget = swp_budget_start(*state, 0)};
    assert_int_equal(swp_certify_judge_weights(*state, &judgement, &step, 65536), SWP_STOPPED);
}

/* The most that amounts weigh which fit `room` together, by enumeration. */
static int64_t heaviest(const swp_amount_weight *items, size_t count, int64_t room)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (items[i].amount <= room) {
            const int64_t weight =
                items[i].weight + heaviest(items + i, count - i, room - items[i].amount);
            most = weight > most ? weight : most;
        }
    return most;
}

static void the_judge_agrees_with_enumeration(void **state)
{
    const uint64_t seed = random_seed(18);
    const size_t cases = random_cases(5000);
    size_t taken = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_amount_weight items[4];
        size_t count = 0;
        const int capacity = random_int(&random, 1, 20);
        const int most = random_int(&random, 1, 6);
        for (int amount = 1; amount <= capacity && count < COUNT_OF(items); amount++)
            if (random_chance(&random, 20))
                items[count++] = (swp_amount_weight){amount, random_int(&random, 1, most)};
        const bool fits = heaviest(items, count, capacity) <= most;
        if (fits != (why_not(*state, capacity, items, count, most) == NULL))
            fail_msg("case %zu: weights that %s", i, fits ? "fit are refused" : "do not are taken");
        taken += fits && count > 0;
    }
    printf("%zu of %zu are taken\n", taken, cases);
    assert_true(taken > cases / 20 && taken < cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(weights_that_fit_wherever_their_amounts_fit_are_taken),
        CONTEXT_TEST(weights_that_do_not_fit_are_refused),
        CONTEXT_TEST(weights_of_the_wrong_form_are_refused),
        CONTEXT_TEST(a_large_capacity_takes_no_longer),
        CONTEXT_TEST(a_limit_ends_the_check),
        CONTEXT_TEST(the_judge_agrees_with_enumeration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
