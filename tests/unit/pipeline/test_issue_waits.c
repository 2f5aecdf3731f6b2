/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that are for two objects at once: whom they hold up, and which of them are needless. */
#include "fixture.h"
#include "pipeline/issue_model.h"

enum { OTHER, AWAITED, READ, OPS };
enum { LONG_LATENCY = 100, SHORT_LATENCY = 20 };

/* One wait is for groups and mbarriers. The slow copy has a reader of its own only if that is said. */
static swp_loop two_copies(swp_context *ctx, bool reads_both)
{
    swp_loop_builder *l = swp_loop_new(ctx, "two_copies");
    const int s = swp_value(l, "s", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 2);
    const int t = swp_value(l, "t", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = 2);
    const int r = swp_value(l, "r", .space = SWP_SPACE_REGISTERS, .bytes = 64, .most_slots = 1);
    swp_loop loop;
    swp_work(l, "OTHER", .latency = LONG_LATENCY, .completion = SWP_COMPLETION_COPY_MBARRIER,
             .accesses = 1, .writes = {s});
    swp_work(l, "AWAITED", .latency = SHORT_LATENCY, .completion = SWP_COMPLETION_COPY_GROUP,
             .accesses = 1, .writes = {t});
    if (reads_both)
        swp_work(l, "READ", .latency = 1, .reads = {{.value = s}, {.value = t}}, .writes = {r});
    else
        swp_work(l, "READ", .latency = 1, .reads = {{.value = t}}, .writes = {r});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* In the order of the loop, with the reader so many stages behind. */
static swp_issue_model priced(swp_context *ctx, const swp_loop *loop, int stages, swp_ratio *cycles)
{
    static const int slots[] = {2, 2, 1};
    const swp_machine machine = swp_machine_default();
    int ops[] = {OTHER, AWAITED, READ};
    int at[] = {0, 1, 2};
    int stage[] = {0, 0, stages};
    const swp_issue_order order = {ops, at, stage};
    swp_issue_model model;
    bool within = false;
    assert_ok(ctx, swp_pipeline_issue_model_new(ctx, &machine, loop, slots, &model));
    assert_ok(ctx, swp_pipeline_issue_price(&model, &order, (swp_ratio){1000, 1}, &within, cycles));
    assert_true(within);
    return model;
}

static int count_waits(const swp_issue_model *model)
{
    int count = 0;
    for (int i = 0; i < (int)model->problem.problem.edge_count; i++)
        count += model->waits[i];
    return count;
}

/* The copy that nobody reads is over behind the wait, and the next one issues behind the reader. */
static void a_wait_retires_what_it_is_not_for(void **state)
{
    swp_ratio cycles;
    const swp_loop loop = two_copies(*state, false);
    (void)priced(*state, &loop, 0, &cycles);
    assert_int_equal(cycles.passes, 1);
    assert_int_equal(cycles.cycles, LONG_LATENCY + 2);
}

/* It leaves a copy of each object in flight, so that the same chain goes through two steps. */
static void a_wait_leaves_as_many_of_either_object(void **state)
{
    swp_ratio cycles;
    const swp_loop loop = two_copies(*state, false);
    (void)priced(*state, &loop, 1, &cycles);
    assert_int_equal(cycles.cycles * 2, (LONG_LATENCY + 2) * cycles.passes);
}

static void a_wait_that_another_one_covers_is_none(void **state)
{
    swp_ratio cycles;
    const swp_loop one = two_copies(*state, false);
    const swp_loop both = two_copies(*state, true);
    const swp_issue_model of_one = priced(*state, &one, 0, &cycles);
    const swp_issue_model of_both = priced(*state, &both, 0, &cycles);
    assert_int_equal(count_waits(&of_one), 1);
    assert_int_equal(count_waits(&of_both), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_wait_retires_what_it_is_not_for),
        CONTEXT_TEST(a_wait_leaves_as_many_of_either_object),
        CONTEXT_TEST(a_wait_that_another_one_covers_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
