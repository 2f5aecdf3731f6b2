/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "large_problem.h"

#include "solve/clauses.h"

typedef struct counter {
    const interruption *interruption;
    size_t clauses;
    size_t after; /* that it was told to stop */
} counter;

static bool count(void *user, const int *literals, int literal_count)
{
    counter *c = user;
    (void)literals;
    (void)literal_count;
    c->clauses++;
    c->after += c->interruption->asked >= c->interruption->from;
    return true;
}

static void write(swp_context *ctx, const swp_problem *problem, int64_t value, counter *c,
                  swp_formula *formula)
{
    swp_problem_graph graph;
    swp_encoding encoding;
    swp_encoding_state encoded;
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_encode_value(ctx, &graph, value, &encoding, &encoded));
    assert_int_equal(encoded, SWP_ENCODING_READY);
    assert_ok(ctx, swp_solve_write_clauses(ctx, &encoding, count, c, formula));
}

/* Whatever they are about: times, edges, or what is held in a slot. */
static void an_interruption_ends_the_clauses(void **state)
{
    static const large_shape shapes[] = {
        {SWP_PROBLEM_MAKESPAN, 100, 0, 1, 100, false, 0},
        {SWP_PROBLEM_MAKESPAN, 100, 0, 1, 100, true, 0},
        {SWP_PROBLEM_MAKESPAN, 60, 1, 7, 20, false, 0},
    };
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        swp_context *ctx = swp_context_new(NULL);
        const swp_problem p = large_problem(ctx, &shapes[s]);
        const int64_t value = shapes[s].cycles * (shapes[s].ops + 2);
        interruption i = {.from = SIZE_MAX};
        counter whole = {.interruption = &i};
        swp_formula formula;
        interrupt_with(ctx, &i);
        write(ctx, &p, value, &whole, &formula);
        assert_true(formula.complete && whole.clauses > 10000);
        i = (interruption){.from = i.asked / 2};
        counter some = {.interruption = &i};
        write(ctx, &p, value, &some, &formula);
        assert_false(formula.complete);
        assert_true(some.clauses < whole.clauses);
        assert_in_range(some.after, 0, 1);
        swp_context_free(ctx);
    }
    (void)state;
}

/* The slots of a long chain have one or two members each: all uses must not be looked at for each. */
static void slots_cost_what_they_hold(void **state)
{
    swp_context *ctx = *state;
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, 8000, 1, 2, 60, true, 0};
    const swp_problem p = large_problem(ctx, &shape);
    interruption i = {.from = SIZE_MAX};
    counter c = {.interruption = &i};
    swp_formula formula;
    interrupt_with(ctx, &i);
    write(ctx, &p, 8000 * 60 + 3, &c, &formula);
    assert_true(formula.complete);
    assert_in_range(i.asked, 1, 2000);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interruption_ends_the_clauses),
        CONTEXT_TEST(slots_cost_what_they_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
