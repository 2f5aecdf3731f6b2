/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "random.h"

#include "solve/dual_feasible.h"

#include <stdio.h>
#include <string.h>

enum { MOST_AMOUNTS = 5, MOST_CAPACITY = 30 };

static int64_t weigh(swp_context *ctx, int64_t capacity, const swp_held_amount *held, size_t count,
                     swp_amount_weights *weights)
{
    int64_t bound = 0;
    for (size_t i = 0; i < count; i++)
        bound += held[i].amount * held[i].cycles;
    bound = (bound + capacity - 1) / capacity;
    swp_held_amount items[MOST_AMOUNTS];
    const swp_held_amounts amounts = {items, count};
    assert_true(count <= MOST_AMOUNTS);
    memcpy(items, held, count * sizeof *items);
    *weights = (swp_amount_weights){0};
    assert_ok(ctx, swp_solve_weigh(ctx, capacity, &amounts, &bound, weights));
    return bound;
}

static void expect_weight(const swp_amount_weights *weights, size_t index, int64_t amount,
                          int64_t weight)
{
    assert_true(index < weights->count);
    assert_int_equal(weights->items[index].amount, amount);
    assert_int_equal(weights->items[index].weight, weight);
}

static void more_than_half_leaves_no_room_for_another(void **state)
{
    static const swp_held_amount held[] = {{8, 11 * 96}};
    swp_amount_weights weights;
    assert_int_equal(weigh(*state, 15, held, 1, &weights), 11 * 96);
    assert_int_equal(weights.count, 1);
    assert_int_equal(weights.most, 1);
    expect_weight(&weights, 0, 8, 1);
}

static void more_than_a_quarter_fits_three_times(void **state)
{
    static const swp_held_amount held[] = {{4, 32 * 128}};
    swp_amount_weights weights;
    assert_int_equal(weigh(*state, 15, held, 1, &weights), 1366);
    assert_int_equal(weights.most, 3);
    expect_weight(&weights, 0, 4, 1);
}

/* 8 and 4 fit together, 4 three times, and 8 once. */
static void amounts_of_one_function_are_weighed_against_each_other(void **state)
{
    static const swp_held_amount held[] = {{4, 600}, {8, 300}};
    swp_amount_weights weights;
    assert_int_equal(weigh(*state, 15, held, 2, &weights), 400);
    assert_int_equal(weights.most, 3);
    expect_weight(&weights, 0, 4, 1);
    expect_weight(&weights, 1, 8, 2);
}

/* What is small leaves 12 no room for another, but 3 cycles of it are not worth a weight. */
static void small_amounts_are_left_out(void **state)
{
    static const swp_held_amount held[] = {{1, 3}, {12, 100}};
    swp_amount_weights weights;
    assert_int_equal(weigh(*state, 20, held, 2, &weights), 100);
    assert_int_equal(weights.count, 1);
    expect_weight(&weights, 0, 12, 1);
}

static void amounts_that_divide_the_capacity_need_no_weights(void **state)
{
    static const swp_held_amount held[] = {{1, 17}, {2, 33}, {4, 90}, {8, 5}};
    swp_amount_weights weights;
    assert_int_equal(weigh(*state, 16, held, COUNT_OF(held), &weights), 31);
    assert_int_equal(weights.count, 0);
    assert_int_equal(weigh(*state, 1, held, 1, &weights), 17);
    assert_int_equal(weights.count, 0);
}

static void what_could_overflow_has_no_weights(void **state)
{
    swp_held_amount held[] = {{2, INT64_MAX / 100}, {3, 1}};
    swp_amount_weights weights = {0};
    int64_t bound = 0;
    assert_ok(*state, swp_solve_weigh(*state, 3, &(swp_held_amounts){held, 2}, &bound, &weights));
    assert_int_equal(weights.count, 0);
    assert_int_equal(bound, 0);
}

/* The most that amounts weigh which fit `room` together, by enumeration. */
static int64_t heaviest(const swp_amount_weights *weights, size_t first, int64_t room)
{
    int64_t most = 0;
    for (size_t i = first; i < weights->count; i++)
        if (weights->items[i].amount <= room) {
            const int64_t weight =
                weights->items[i].weight + heaviest(weights, i, room - weights->items[i].amount);
            most = weight > most ? weight : most;
        }
    return most;
}

static size_t random_amounts(test_random *random, int capacity, swp_held_amount *held)
{
    size_t count = 0;
    for (int amount = 1; amount <= capacity && count < MOST_AMOUNTS; amount++)
        if (random_int(random, 1, capacity) <= 4)
            held[count++] = (swp_held_amount){amount, random_int(random, 1, 1000)};
    return count;
}

static void expect_feasible(const swp_amount_weights *weights, int capacity, size_t index)
{
    if (heaviest(weights, 0, capacity) > weights->most)
        fail_msg("case %zu: what fits a capacity of %d weighs more than %d", index, capacity,
                 (int)weights->most);
}

/* The cycles that the weights of the amounts need. */
static int64_t cycles_needed(const swp_amount_weights *weights, const swp_held_amount *held)
{
    int64_t load = 0;
    for (size_t w = 0, h = 0; w < weights->count; h++)
        if (held[h].amount == weights->items[w].amount)
            load += held[h].cycles * weights->items[w++].weight;
    return (load + weights->most - 1) / weights->most;
}

static void what_fits_never_weighs_more_than_the_most(void **state)
{
    const uint64_t seed = random_seed(17);
    const size_t cases = random_cases(5000);
    size_t weighed = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_held_amount held[MOST_AMOUNTS];
        swp_amount_weights weights;
        const int capacity = random_int(&random, 1, MOST_CAPACITY);
        const size_t count = random_amounts(&random, capacity, held);
        const int64_t bound = weigh(*state, capacity, held, count, &weights);
        if (weights.count == 0)
            continue;
        assert_int_equal(bound, cycles_needed(&weights, held));
        expect_feasible(&weights, capacity, i);
        weighed++;
    }
    printf("%zu of %zu have weights\n", weighed, cases);
    assert_true(weighed > cases / 3);
}

/* 8 takes more than half of 15, and 4 less than a third. */
static void halves_and_thirds_are_told_apart(void **state)
{
    swp_held_amount held[] = {{4, 1}, {6, 1}, {8, 1}, {10, 1}};
    swp_weights_list list = {0};
    assert_ok(*state, swp_solve_coarse_weights(*state, 15, &(swp_held_amounts){held, 4}, &list));
    assert_true(list.count >= 2);
    assert_int_equal(list.items[0].most, 1);
    assert_int_equal(list.items[0].count, 2);
    expect_weight(&list.items[0], 0, 8, 1);
    expect_weight(&list.items[0], 1, 10, 1);
    assert_int_equal(list.items[1].most, 2);
    assert_int_equal(list.items[1].count, 3);
    expect_weight(&list.items[1], 0, 6, 1);
    expect_weight(&list.items[1], 1, 8, 1);
    expect_weight(&list.items[1], 2, 10, 2);
}

static void coarse_weights_are_feasible_and_differ(void **state)
{
    const uint64_t seed = random_seed(19);
    for (size_t i = 0; i < random_cases(2000); i++) {
        test_random random = random_for_case(seed, i);
        swp_held_amount held[MOST_AMOUNTS];
        swp_weights_list list = {0};
        const int capacity = random_int(&random, 1, MOST_CAPACITY);
        const swp_held_amounts amounts = {held, random_amounts(&random, capacity, held)};
        assert_ok(*state, swp_solve_coarse_weights(*state, capacity, &amounts, &list));
        for (size_t w = 0; w < list.count; w++) {
            const swp_amount_weights *weights = &list.items[w];
            expect_feasible(weights, capacity, i);
            for (size_t other = 0; other < w; other++)
                assert_true(list.items[other].most != weights->most ||
                            list.items[other].count != weights->count ||
                            memcmp(list.items[other].items, weights->items,
                                   weights->count * sizeof *weights->items) != 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(more_than_half_leaves_no_room_for_another),
        CONTEXT_TEST(more_than_a_quarter_fits_three_times),
        CONTEXT_TEST(amounts_of_one_function_are_weighed_against_each_other),
        CONTEXT_TEST(small_amounts_are_left_out),
        CONTEXT_TEST(amounts_that_divide_the_capacity_need_no_weights),
        CONTEXT_TEST(what_could_overflow_has_no_weights),
        CONTEXT_TEST(what_fits_never_weighs_more_than_the_most),
        CONTEXT_TEST(halves_and_thirds_are_told_apart),
        CONTEXT_TEST(coarse_weights_are_feasible_and_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
