/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every op of a body is in its program exactly once, or there is an error that says why
 * (docs/schedules.md, "What is checked"); for random grids, blocks of any size, all strategies and
 * max_globals 0 to 3.
 */
#include "fixture.h"
#include "ops.h"
#include "random_pipeline.h"

#include "swp/reference.h"

static uint64_t seed;

/* Searches need not be finished here: what is tested comes after them. */
static const swp_limits limits = {.work = 2000};

static size_t times_in_body(const random_pipeline *pipeline, const swp_op *op)
{
    size_t times = 0;
    for (size_t i = 0; i < pipeline->count; i++)
        times += same_op(&pipeline->ops[i], op);
    return times;
}

static size_t times_in_entries(const swp_entry_list *entries, const swp_op *op)
{
    size_t times = 0;
    for (size_t i = 0; i < entries->count; i++)
        times += same_op(&entries->items[i].op, op);
    return times;
}

static void check_entries(const random_pipeline *pipeline, const swp_entry_list *entries)
{
    size_t kernel_ops = 0;
    for (size_t i = 0; i < entries->count; i++)
        kernel_ops += entries->items[i].op.tag < SWP_FIRST_INFRASTRUCTURE_TAG;
    assert_int_equal(kernel_ops, pipeline->count);
    for (size_t i = 0; i < pipeline->count; i++)
        assert_int_equal(times_in_entries(entries, &pipeline->ops[i]),
                         times_in_body(pipeline, &pipeline->ops[i]));
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].op.role == SWP_GLOBAL_LOAD)
            assert_int_equal(entries->items[i].is_prefetch,
                             entries->items[i].op.k_offset != SWP_K_PREV &&
                                 entries->items[i].op.k_offset != SWP_K_NONE);
}

static void check_order(const random_pipeline *pipeline, const swp_order *order)
{
    bool seen[PIPELINE_MOST_OPS] = {0};
    assert_int_equal(order->count, pipeline->count);
    for (size_t i = 0; i < order->count; i++) {
        assert_in_range(order->items[i], 0, pipeline->count - 1);
        assert_false(seen[order->items[i]]);
        seen[order->items[i]] = true;
    }
}

static void check_max_globals(const random_pipeline *pipeline, const swp_program *program)
{
    const int most = pipeline->config.block_sizing.max_globals;
    for (size_t i = 0; most > 0 && i < program->blocks.count; i++)
        assert_in_range(program->blocks.items[i].globals.count, 0, most);
}

static bool build(swp_context *ctx, const random_pipeline *pipeline)
{
    swp_built_program built = {0};
    swp_entry_list entries = {0};
    const swp_status status = swp_build_kernel_program(
        ctx, pipeline->ops, pipeline->count, &pipeline->config, &pipeline->sched, NULL, &built);
    if (status != SWP_OK) {
        assert_true(has_error(ctx));
        return false;
    }
    assert_false(has_error(ctx));
    check_order(pipeline, &built.solution.order);
    check_max_globals(pipeline, &built.program);
    assert_ok(ctx, swp_program_expand_to_list(ctx, &built.program, SWP_KERNEL, &entries));
    assert_int_equal(entries.count, swp_program_total_entries(&built.program));
    check_entries(pipeline, &entries);
    return true;
}

static void every_op_is_in_the_program_exactly_once(void **state)
{
    (void)state;
    size_t done = 0, by_strategy[3] = {0};
    const size_t cases = random_sample(4000);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_pipeline pipeline;
        random_pipeline_fill(&random, &pipeline);
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        swp_context_set_limits(ctx, &limits);
        if (build(ctx, &pipeline)) {
            done++;
            by_strategy[pipeline.sched.scheduling]++;
        }
        swp_context_free(ctx);
    }
    print_message("%zu of %zu built: identity %zu, greedy %zu, csp %zu\n", done, cases,
                  by_strategy[0], by_strategy[1], by_strategy[2]);
    if (cases >= 1000)
        for (int s = 0; s < 3; s++)
            assert_true(by_strategy[s] * 20 > cases);
}

int main(void)
{
    seed = random_seed(20240902);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_is_in_the_program_exactly_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
