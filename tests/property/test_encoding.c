/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The formulas of refutations against enumeration: that of a value has a model exactly if there is a
 * schedule of that value, whatever is chosen within the rules.
 */
#include "fixture.h"
#include "plain_problem.h"
#include "plain_proof.h"
#include "random_problem.h"
#include "refutations.h"

#include <stdio.h>

static bool has_model(const swp_certify_formula *formula)
{
    const plain_formula plain = {formula->literals.items, formula->literals.count};
    return plain_satisfiable(&plain, formula->variables);
}

/* Whether the step's formula has a model; `*refused` if a path or cycle says it all. */
static bool step_has_model(swp_context *ctx, const swp_problem *problem,
                           const swp_certificate_step *step, bool *refused)
{
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    swp_certify_formula formula = {0};
    const swp_status status = formula_of_step(ctx, &judgement, problem, step, &formula);
    *refused = status == SWP_INVALID && judgement.why;
    if (*refused)
        return false;
    assert_ok(ctx, status);
    return has_model(&formula);
}

typedef struct counts {
    size_t models;
    size_t none;
    size_t refused;
} counts;

/* One value of one problem, with exact groups and with others. */
static void compare(swp_context *ctx, test_random *random, const swp_problem *problem,
                    int64_t value, size_t index, counts *of)
{
    bool refused = false;
    const bool schedule = plain_has_schedule(problem, value);
    for (int how = GROUPS_EXACT; how <= GROUPS_RANDOM; how++) {
        const swp_certificate_step step =
            random_refutation(ctx, random, problem, value, (refutation_groups)how);
        const bool model = step_has_model(ctx, problem, &step, &refused);
        if ((schedule && !model) || (how == GROUPS_EXACT && model && !schedule)) {
            print_problem(ctx, problem);
            fail_msg("case %zu: at %lld there is %s schedule, but %s model%s", index,
                     (long long)value, schedule ? "a" : "no", model ? "a" : "no",
                     refused ? " (refused)" : "");
        }
        of->models += model;
        of->refused += refused;
        of->none += !model && !refused;
    }
}

static void compare_problems(const problem_shape *shape, uint64_t seed, size_t cases,
                             int64_t most_value)
{
    counts of = {0};
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        test_random random = random_for_case(seed, i);
        const swp_problem problem = random_problem(ctx, &random, shape);
        const int64_t reach = swp_problem_reach(&problem);
        const int64_t least = shape->kind == SWP_PROBLEM_MODULO;
        for (int64_t value = least; value <= most_value && value <= reach; value++)
            compare(ctx, &random, &problem, value, i, &of);
        swp_context_free(ctx);
    }
    printf("%zu models, %zu without, %zu refused\n", of.models, of.none, of.refused);
    assert_true(of.models > cases / 2 && of.none > cases / 20 && of.refused > cases / 20);
}

static void a_makespan_has_a_model_if_it_has_a_schedule(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MAKESPAN, 4, 2, 3, 3, 20};
    compare_problems(&shape, random_seed(1), random_sample(250), 9);
}

static void an_interval_has_a_model_if_it_has_a_schedule(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MODULO, 5, 2, 3, 4, 20};
    compare_problems(&shape, random_seed(2), random_sample(400), 6);
}

static bool has_negative_delay(const swp_problem *problem)
{
    for (size_t i = 0; i < problem->edge_count; i++)
        if (problem->edges[i].delay < 0)
            return true;
    return false;
}

/* What one refutation is enough for rests on this: t + floor(t / II) is a schedule at II + 1. */
static void without_negative_delays_a_schedule_stays_at_longer_intervals(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(3);
    const size_t cases = random_sample(400);
    const problem_shape shape = {SWP_PROBLEM_MODULO, 5, 2, 3, 5, 0};
    size_t seen = 0;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        test_random random = random_for_case(seed, i);
        const swp_problem problem = random_problem(ctx, &random, &shape);
        assert_false(has_negative_delay(&problem));
        bool before = false;
        for (int64_t interval = 1; interval <= 6; interval++) {
            const bool now = plain_has_schedule(&problem, interval);
            if (before && !now) {
                print_problem(ctx, &problem);
                fail_msg("case %zu: a schedule at %d, but none at %d", i, (int)interval - 1,
                         (int)interval);
            }
            seen += now && !before && interval > 1;
            before = now;
        }
        swp_context_free(ctx);
    }
    assert_true(seen > cases / 20);
}

/* The component's ops in one iteration, with as much time as its delays can ask for. */
static bool component_has_schedule(swp_context *ctx, const swp_problem *problem, const bool *inside)
{
    swp_problem alone = *problem;
    swp_problem_op *ops = swp_context_take(ctx, (problem->op_count + 1) * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, (problem->edge_count + 1) * sizeof *edges);
    int64_t most = 0;
    alone.kind = SWP_PROBLEM_MAKESPAN;
    alone.ops = ops;
    alone.edges = edges;
    alone.edge_count = 0;
    for (size_t o = 0; o < problem->op_count; o++) {
        ops[o] = problem->ops[o];
        ops[o].latency = 0;
        ops[o].use_count = inside[o] ? ops[o].use_count : 0;
    }
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        if (edge->distance != 0 || !inside[edge->producer] || !inside[edge->consumer])
            continue;
        edges[alone.edge_count++] = *edge;
        most += edge->delay < 0 ? -edge->delay : edge->delay;
    }
    return plain_has_schedule(&alone, most);
}

static void a_component_has_a_model_if_it_can_be_scheduled(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(4);
    const size_t cases = random_sample(150);
    counts of = {0};
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        test_random random = random_for_case(seed, i);
        swp_problem_resource resource = {"r", random_int(&random, 1, 2)};
        swp_problem_use uses[3];
        swp_problem_op ops[3];
        swp_problem_edge edges[4];
        for (int o = 0; o < 3; o++) {
            uses[o] = (swp_problem_use){0, random_int(&random, 1, (int)resource.capacity),
                                        random_int(&random, 1, 3)};
            ops[o] = (swp_problem_op){"op", 1, &uses[o], 1};
        }
        /* Two ops tied to each other by delays there and back, a third tied to the second. */
        for (int e = 0; e < 4; e++)
            edges[e] =
                (swp_problem_edge){e < 2 ? e : e - 1, e < 2 ? 1 - e : 4 - e, 0,
                                   e % 2 ? -random_int(&random, 0, 3) : random_int(&random, -2, 0)};
        const swp_problem problem = {.name = "tied",
                                     .kind = SWP_PROBLEM_MODULO,
                                     .resources = &resource,
                                     .resource_count = 1,
                                     .ops = ops,
                                     .op_count = 3,
                                     .edges = edges,
                                     .edge_count = 4};
        assert_ok(ctx, swp_problem_check(ctx, &problem));
        bool refused = false;
        const bool inside[3] = {true, true, true};
        const swp_certificate_step step =
            component_refutation(ctx, &problem, random_int(&random, 0, 2));
        const bool model = step_has_model(ctx, &problem, &step, &refused);
        assert_false(refused);
        if (model != component_has_schedule(ctx, &problem, inside)) {
            print_problem(ctx, &problem);
            fail_msg("case %zu: the component has %s model", i, model ? "a" : "no");
        }
        if (!model)
            for (int64_t interval = 1; interval < 9; interval++)
                assert_false(plain_has_schedule(&problem, interval));
        of.models += model;
        of.none += !model;
        swp_context_free(ctx);
    }
    printf("%zu models, %zu without\n", of.models, of.none);
    assert_true(of.models > cases / 10 && of.none > cases / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_makespan_has_a_model_if_it_has_a_schedule),
        cmocka_unit_test(an_interval_has_a_model_if_it_has_a_schedule),
        cmocka_unit_test(without_negative_delays_a_schedule_stays_at_longer_intervals),
        cmocka_unit_test(a_component_has_a_model_if_it_can_be_scheduled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
