/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/bounds.h"
#include "fixture.h"
#include "plain_problem.h"
#include "problems.h"
#include "random_problem.h"

/* The bound of a step, or -1000 with `*why` where it is refused. */
static int64_t bound_of(swp_context *ctx, const swp_problem *problem,
                        const swp_certificate_step *step, const char **why)
{
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    int64_t bound = -1000;
    const swp_status status = swp_certify_step_bound(ctx, &judgement, problem, step, &bound);
    assert_true((status == SWP_INVALID) == (judgement.why != NULL));
    *why = judgement.why;
    return status == SWP_OK ? bound : -1000;
}

static void expect_bound(swp_context *ctx, const swp_problem *problem,
                         const swp_certificate_step *step, int64_t expected)
{
    const char *why = NULL;
    const int64_t bound = bound_of(ctx, problem, step, &why);
    if (why)
        fail_msg("refused: %s", why);
    assert_int_equal(bound, expected);
}

static void expect_refusal(swp_context *ctx, const swp_problem *problem,
                           const swp_certificate_step *step, const char *expected)
{
    const char *why = NULL;
    (void)bound_of(ctx, problem, step, &why);
    assert_non_null(why);
    assert_string_equal(why, expected);
}

static swp_certificate_step edge_step(swp_certificate_step_kind kind, const int *edges,
                                      size_t count)
{
    return (swp_certificate_step){.kind = kind, .edges = {edges, count}};
}

/* 2 for 3 cycles and 1 for 4: 10 units of capacity 3 take 4 slots. */
static void a_resource_bounds_an_interval(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MODULO, "3", "1:r2x3 9:r1x4", "");
    const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE};
    expect_bound(*state, &problem, &step, 4);
}

/* The 8 units of capacity 2 are held from 5, when the source is done, until 3 before the end. */
static void a_resource_bounds_a_makespan_with_what_comes_before_and_after(void **state)
{
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MAKESPAN, "2", "5: 2:r2x2 2:r2x2 3:", "0>1 0>2 1>3 2>3");
    const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE};
    expect_bound(*state, &problem, &step, 5 + 4 + 3);
}

/* Its use outlasts the op by 4 cycles, which are no part of the makespan. */
static void a_use_may_outlast_its_op(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "2:r1x6", "");
    const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE};
    expect_bound(*state, &problem, &step, 2);
    /* From 4 on, 2 of 6 cycles count, and all of 3. */
    const swp_problem among =
        problem_of(*state, SWP_PROBLEM_MAKESPAN, "1 1", "4: 2:r1x6 4:r1x3", "0>1 0>2");
    expect_bound(*state, &among, &step, 4 + 5 + 0);
}

/* Of 10, 3 counts 1 of 3 and 6 counts 2, so that 8 + 4 + 9 take 7 cycles. 1 counts nothing. */
static void weights_bound_an_interval(void **state)
{
    static const swp_amount_weight items[] = {{3, 1}, {6, 2}};
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MODULO, "10", "1:r3x8+r6x2 1:r3x9 1:r1x100", "");
    swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE, .weights = {items, 2, 3}};
    expect_bound(*state, &problem, &step, 7);
    step.weights.most = 2;
    expect_refusal(*state, &problem, &step,
                   "amounts that come to 9, and fit the capacity of 10, weigh more than 2");
}

/* What weighs nothing has no part in the least head and tail. */
static void weights_bound_a_makespan(void **state)
{
    static const swp_amount_weight items[] = {{2, 1}};
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "3",
                                           "5: 4:r2x4 4:r2x4 3: 1:r1x1", "0>1 0>2 1>3 2>3");
    const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE, .weights = {items, 1, 1}};
    expect_bound(*state, &problem, &step, 5 + 8 + 3);
}

/* Weights of 2^16 for 2^39 cycles, of 2^8 uses, come to 2^63. */
static void weights_that_come_to_too_much_are_refused(void **state)
{
    static const swp_amount_weight items[] = {{1, 65536}};
    static const swp_problem_resource resource = {"r", 1};
    static const swp_problem_use use = {0, 1, (int64_t)1 << 39};
    swp_problem_op ops[256];
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        ops[i] = (swp_problem_op){"op", 1, &use, 1};
    const swp_problem problem = {.name = "long",
                                 .kind = SWP_PROBLEM_MODULO,
                                 .resources = &resource,
                                 .resource_count = 1,
                                 .ops = ops,
                                 .op_count = COUNT_OF(ops)};
    const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE,
                                       .weights = {items, 1, 65536}};
    expect_refusal(*state, &problem, &step,
                   "the weights of all uses come to more than 4611686018427387903");
}

/* No schedule is shorter than what a resource proves of it. */
static void bounds_are_never_above_the_optimum(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(1);
    const size_t cases = random_cases(300);
    size_t tight = 0;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        test_random random = random_for_case(seed, i);
        const problem_shape shape = {
            i % 2 ? SWP_PROBLEM_MODULO : SWP_PROBLEM_MAKESPAN, 4, 2, 3, 4, 30};
        const swp_problem problem = random_problem(ctx, &random, &shape);
        const int64_t optimum = plain_optimum(&problem, 10);
        for (size_t r = 0; r < problem.resource_count && optimum >= 0; r++) {
            const swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE,
                                               .resource = (int)r};
            const char *why = NULL;
            const int64_t bound = bound_of(ctx, &problem, &step, &why);
            assert_null(why);
            if (bound > optimum) {
                print_problem(ctx, &problem);
                fail_msg("case %zu: resource %zu proves %d, but the optimum is %d", i, r,
                         (int)bound, (int)optimum);
            }
            tight += bound == optimum && optimum > 1;
        }
        swp_context_free(ctx);
    }
    assert_true(tight > cases / 20);
}

static void an_idle_resource_bounds_nothing(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1 2", "2:r1x0", "");
    swp_certificate_step step = {.kind = SWP_CERTIFICATE_RESOURCE};
    expect_bound(*state, &problem, &step, 0);
    step.resource = 2;
    expect_refusal(*state, &problem, &step, "there is no resource 2: there are 2");
}

static void a_path_adds_delays_and_the_last_latency(void **state)
{
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "4: 2: 7:", "0>1 1>2=-1 0>2");
    static const int edges[] = {0, 1};
    swp_certificate_step step = edge_step(SWP_CERTIFICATE_PATH, edges, 2);
    expect_bound(*state, &problem, &step, 4 - 1 + 7);
    step.edges.count = 0;
    expect_bound(*state, &problem, &step, 4);
    step.op = 1;
    step.edges.count = 1;
    expect_refusal(*state, &problem, &step,
                   "edge 0 begins at op 0 (`op`), but the path has come to op 1 (`op`)");
    step.op = 3;
    expect_refusal(*state, &problem, &step, "there is no op 3: there are 3");
}

static void a_cycle_divides_delays_by_distances(void **state)
{
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MODULO, "1", "4: 3: 1:", "0>1 1>0/2 1>2 2>2/1=-9 0>0");
    static const int edges[] = {0, 1, 3, 4};
    swp_certificate_step step = edge_step(SWP_CERTIFICATE_CYCLE, edges, 2);
    expect_bound(*state, &problem, &step, 4);
    step.edges.items = edges + 2;
    step.edges.count = 1;
    expect_bound(*state, &problem, &step, -9);
    step.edges.items = edges;
    expect_refusal(*state, &problem, &step,
                   "the edges lead from op 0 (`op`) to op 1 (`op`), which is no cycle");
    step.edges.items = edges + 3;
    expect_refusal(*state, &problem, &step,
                   "the distances of the cycle come to 0, which bounds no interval");
    step.edges.count = 0;
    expect_refusal(*state, &problem, &step, "a cycle has at least one edge");
    static const int unknown[] = {5};
    step = edge_step(SWP_CERTIFICATE_CYCLE, unknown, 1);
    expect_refusal(*state, &problem, &step, "there is no edge 5: there are 5");
}

static void paths_and_cycles_are_for_one_kind_of_problem(void **state)
{
    static const int edges[] = {0};
    const swp_problem modulo = problem_of(*state, SWP_PROBLEM_MODULO, "1", "4:", "0>0/1");
    const swp_problem makespan = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "4: 1:", "0>1");
    swp_certificate_step step = edge_step(SWP_CERTIFICATE_PATH, edges, 1);
    expect_refusal(*state, &modulo, &step,
                   "a path bounds a makespan, but this is a modulo problem");
    step.kind = SWP_CERTIFICATE_CYCLE;
    expect_refusal(*state, &makespan, &step,
                   "a cycle bounds an initiation interval, but this is a makespan problem");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_resource_bounds_an_interval),
        CONTEXT_TEST(a_resource_bounds_a_makespan_with_what_comes_before_and_after),
        CONTEXT_TEST(a_use_may_outlast_its_op),
        CONTEXT_TEST(weights_bound_an_interval),
        CONTEXT_TEST(weights_bound_a_makespan),
        CONTEXT_TEST(weights_that_come_to_too_much_are_refused),
        cmocka_unit_test(bounds_are_never_above_the_optimum),
        CONTEXT_TEST(an_idle_resource_bounds_nothing),
        CONTEXT_TEST(a_path_adds_delays_and_the_last_latency),
        CONTEXT_TEST(a_cycle_divides_delays_by_distances),
        CONTEXT_TEST(paths_and_cycles_are_for_one_kind_of_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
