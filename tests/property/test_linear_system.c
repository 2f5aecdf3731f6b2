/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear equations of the PTX audit: what follows from them, against all vectors of a box that they map to 0. A sum is the same
 * in all solutions if none of these vectors changes it; coefficients of 0 to 3 have enough of them in that box. Its number is that of
 * the solution that the equations were made of.
 */
#include "fixture.h"

#include "audit/ptx/linear_system.h"
#include "random.h"

enum {
    CASES = 3000,
    MOST_UNKNOWNS = 3,
    MOST_EQUATIONS = 4,
    QUESTIONS = 6,
    MOST_COEFFICIENT = 3,
    BOX = 2 * MOST_COEFFICIENT * MOST_COEFFICIENT, /* of minors of two rows */
    DENOMINATOR = 6                                /* of the solution's numbers */
};

typedef struct instance {
    size_t unknowns;
    size_t equations;
    int64_t rows[MOST_EQUATIONS][MOST_UNKNOWNS];
    int64_t solution[MOST_UNKNOWNS]; /* times DENOMINATOR */
} instance;

static int64_t sum(const instance *p, const int64_t *coefficients, const int64_t *of)
{
    int64_t total = 0;
    for (size_t i = 0; i < p->unknowns; i++)
        total += coefficients[i] * of[i];
    return total;
}

static void draw_row(test_random *random, const instance *p, int64_t *row)
{
    for (size_t i = 0; i < p->unknowns; i++)
        row[i] = random_int(random, 0, MOST_COEFFICIENT);
}

/* Values are whole numbers: an equation that has none is multiplied. */
static instance draw(test_random *random)
{
    instance p = {.unknowns = (size_t)random_int(random, 1, MOST_UNKNOWNS),
                  .equations = (size_t)random_int(random, 0, MOST_EQUATIONS)};
    const int whole = random_chance(random, 50) ? DENOMINATOR : 1;
    for (size_t i = 0; i < p.unknowns; i++)
        p.solution[i] = (int64_t)random_int(random, -20, 200) * whole;
    for (size_t e = 0; e < p.equations; e++)
        draw_row(random, &p, p.rows[e]);
    return p;
}

static void add_all(const instance *p, int64_t wrong, swp_ptx_linear_system *system)
{
    for (size_t e = 0; e < p->equations; e++) {
        int64_t scaled[MOST_UNKNOWNS] = {0};
        const int64_t value = sum(p, p->rows[e], p->solution);
        const int64_t by = value % DENOMINATOR ? DENOMINATOR : 1;
        for (size_t i = 0; i < p->unknowns; i++)
            scaled[i] = p->rows[e][i] * by;
        swp_ptx_add_linear(system, scaled, value * by / DENOMINATOR + wrong);
    }
}

static bool is_mapped_to_0(const instance *p, const int64_t *vector)
{
    bool all = true;
    for (size_t e = 0; e < p->equations; e++)
        all &= sum(p, p->rows[e], vector) == 0;
    return all;
}

/* Whether no vector that the equations map to 0 changes the sum. */
static bool is_implied(const instance *p, const int64_t *asked)
{
    int64_t vector[MOST_UNKNOWNS] = {0};
    const int64_t side = 2 * BOX + 1;
    const int64_t all = p->unknowns == 1   ? side
                        : p->unknowns == 2 ? side * side
                                           : side * side * side;
    for (int64_t number = 0; number < all; number++) {
        vector[0] = number % side - BOX;
        vector[1] = number / side % side - BOX;
        vector[2] = number / side / side - BOX;
        if (is_mapped_to_0(p, vector) && sum(p, asked, vector))
            return false;
    }
    return true;
}

static void check_answer(const instance *p, const int64_t *asked, swp_ptx_linear_system *system)
{
    int64_t value = 0;
    const swp_ptx_implied implied = swp_ptx_solve_linear(system, asked, &value);
    const int64_t right = sum(p, asked, p->solution);
    if (!is_implied(p, asked)) {
        assert_int_equal(implied, SWP_PTX_NOT_IMPLIED);
        return;
    }
    assert_int_equal(implied, right % DENOMINATOR ? SWP_PTX_IMPLIED_FRACTION : SWP_PTX_IMPLIED);
    if (implied == SWP_PTX_IMPLIED)
        assert_int_equal(value, right / DENOMINATOR);
}

/* Equations that contradict them change nothing. */
static void what_follows_is_what_all_solutions_share(void **state)
{
    const size_t cases = random_sample(CASES);
    const uint64_t seed = random_seed(20261127);
    size_t counts[3] = {0};
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        const instance p = draw(&random);
        swp_ptx_linear_system system;
        assert_ok(*state, swp_ptx_open_linear(*state, p.unknowns, 2 * MOST_EQUATIONS, &system));
        add_all(&p, 0, &system);
        if (random_chance(&random, 50))
            add_all(&p, 1, &system);
        for (int q = 0; q < QUESTIONS; q++) {
            int64_t asked[MOST_UNKNOWNS] = {0};
            int64_t value = 0;
            draw_row(&random, &p, asked);
            check_answer(&p, asked, &system);
            counts[swp_ptx_solve_linear(&system, asked, &value)]++;
        }
    }
    print_message("%zu do not follow, %zu do, %zu are fractions\n", counts[SWP_PTX_NOT_IMPLIED],
                  counts[SWP_PTX_IMPLIED], counts[SWP_PTX_IMPLIED_FRACTION]);
    for (size_t kind = 0; kind < 3; kind++)
        assert_true(counts[kind] > 0 || cases < 100);
}

/* Numbers that 60 bits do not hold may say less, and nothing that is wrong. */
static void large_numbers_are_right_or_say_nothing(void **state)
{
    const size_t cases = random_sample(CASES);
    const uint64_t seed = random_seed(20261128);
    size_t implied = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        const size_t unknowns = (size_t)random_int(&random, 1, 8);
        const int bits = random_int(&random, 1, 20);
        int64_t solution[8];
        int64_t row[8];
        swp_ptx_linear_system system;
        int64_t value = 0;
        assert_ok(*state, swp_ptx_open_linear(*state, unknowns, unknowns, &system));
        for (size_t u = 0; u < unknowns; u++)
            solution[u] = random_int(&random, 1, 1 << 20);
        for (size_t e = 0; e < unknowns; e++) {
            value = 0;
            for (size_t u = 0; u < unknowns; u++) {
                row[u] = random_int(&random, 0, 1 << bits);
                value += row[u] * solution[u];
            }
            swp_ptx_add_linear(&system, row, value);
        }
        for (size_t u = 0; u < unknowns; u++) {
            int64_t one[8] = {0};
            one[u] = 1;
            if (swp_ptx_solve_linear(&system, one, &value) == SWP_PTX_NOT_IMPLIED)
                continue;
            assert_int_equal(value, solution[u]);
            implied++;
        }
    }
    print_message("%zu follow\n", implied);
    assert_true(implied > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_follows_is_what_all_solutions_share),
        CONTEXT_TEST(large_numbers_are_right_or_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
