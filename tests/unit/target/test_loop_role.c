/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops without roles are one role: those of tensor copies, where a role may do all of their ops. */
#include "fixture.h"

#include "swp/loop_compile.h"
#include "swp/target.h"
#include "target/loop_role.h"

typedef struct gemm {
    swp_loop_value values[2];
    swp_loop_read read;
    int tile, sum;
    swp_loop_op ops[2];
    swp_loop_role role;
    swp_loop loop;
} gemm;

/* A tile is copied, and what `completion` is multiplies it. */
static void make_gemm(gemm *g, swp_completion completion)
{
    *g = (gemm){
        .values = {{.name = "A",
                    .space = SWP_SPACE_SHARED,
                    .bytes = 16384,
                    .least_slots = 1,
                    .most_slots = 3},
                   {.name = "C", .space = SWP_SPACE_REGISTERS, .bytes = 32768, .least_slots = 1}},
        .sum = 1,
        .ops = {{.name = "LOAD", .latency = 700, .completion = SWP_COMPLETION_MBARRIER},
                {.name = "MMA", .latency = 140, .completion = completion}}};
    g->ops[0].accesses = g->ops[1].accesses = 1;
    g->ops[0].writes = &g->tile;
    g->ops[1].reads = &g->read;
    g->ops[1].updates = &g->sum;
    g->ops[0].write_count = g->ops[1].read_count = g->ops[1].update_count = 1;
    g->loop = (swp_loop){.name = "gemm",
                         .values = g->values,
                         .value_count = 2,
                         .ops = g->ops,
                         .op_count = 2,
                         .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
}

static bool is_role(swp_context *ctx, gemm *g, const char *target, swp_machine machine)
{
    size_t said = 0;
    assert_ok(ctx, swp_target_give_role(ctx, swp_target_find(target), &machine, &g->loop));
    (void)swp_context_diags(ctx, &said);
    assert_int_equal(said, 0);
    return g->loop.role_count > 0 && g->loop.roles->warps > 0;
}

static const swp_machine four = {.groups = 1, .waves_per_group = 4};
static const swp_machine eight = {.groups = 2, .waves_per_group = 4};

static const swp_machine lagging = {.groups = 2, .waves_per_group = 2, .lag = 1};

static void a_loop_of_tensor_copies_is_one_role_of_all_waves(void **state)
{
    swp_context *ctx = *state;
    gemm g;
    make_gemm(&g, SWP_COMPLETION_GROUP);
    assert_true(is_role(ctx, &g, "sm_90", four));
    assert_string_equal(g.loop.roles->name, "all");
    assert_int_equal(g.loop.roles->warps, 4);
    make_gemm(&g, SWP_COMPLETION_NONE);
    assert_true(is_role(ctx, &g, "sm_90", eight));
    assert_int_equal(g.loop.roles->warps, 8);
    make_gemm(&g, SWP_COMPLETION_NONE);
    g.role.name = "solo";
    g.loop.roles = &g.role;
    g.loop.role_count = 1;
    assert_true(is_role(ctx, &g, "sm_90", four));
    assert_string_equal(g.loop.roles->name, "solo");
}

/* Two warp groups that issue wgmmas are two instances, and nobody says which share of a unit each takes. */
static void what_a_role_does_not_know_is_counted(void **state)
{
    swp_context *ctx = *state;
    gemm g;
    make_gemm(&g, SWP_COMPLETION_GROUP);
    assert_false(is_role(ctx, &g, "sm_80", four));
    assert_false(is_role(ctx, &g, "mi355x", four));
    assert_false(is_role(ctx, &g, "sm_90", eight));
    assert_false(is_role(ctx, &g, "sm_90", lagging));
    g.values[0].bytes = 1000;
    assert_false(is_role(ctx, &g, "sm_90", four));
    g.values[0].bytes = 0;
    assert_false(is_role(ctx, &g, "sm_90", four));
    g.values[0].bytes = 1024;
    g.values[1].most_slots = 2;
    assert_false(is_role(ctx, &g, "sm_90", four));
    g.values[1].most_slots = 1;
    g.ops[1].completion = SWP_COMPLETION_COUNTER;
    assert_false(is_role(ctx, &g, "sm_90", four));
    g.ops[0].completion = SWP_COMPLETION_COPY_GROUP;
    g.ops[1].completion = SWP_COMPLETION_GROUP;
    assert_false(is_role(ctx, &g, "sm_90", four));
    g.ops[0].completion = SWP_COMPLETION_MBARRIER;
    assert_true(is_role(ctx, &g, "sm_90", four));
}

/* An ordinary op changes in its place what the copy has brought. */
static void a_tile_that_is_updated_in_its_place_is_counted(void **state)
{
    gemm g;
    make_gemm(&g, SWP_COMPLETION_NONE);
    g.ops[1].updates = &g.tile;
    assert_false(is_role(*state, &g, "sm_90", four));
}

static void its_mbarrier_has_a_slot_for_each_of_the_value(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_options options = {.target = "sm_90", .machine = four};
    gemm g;
    swp_schedule *schedule = NULL;
    make_gemm(&g, SWP_COMPLETION_GROUP);
    assert_ok(ctx, swp_compile_loop(ctx, &g.loop, &options, &schedule));
    assert_int_equal(schedule->stream_count, 1);
    assert_int_equal(schedule->object_count, 1);
    assert_int_equal(schedule->objects->kind, SWP_OBJECT_MBARRIER);
    assert_int_equal(schedule->objects->slots, schedule->dataflow->slots[g.tile]);
    assert_int_equal(g.loop.role_count, 0);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_loop_of_tensor_copies_is_one_role_of_all_waves),
        CONTEXT_TEST(what_a_role_does_not_know_is_counted),
        CONTEXT_TEST(a_tile_that_is_updated_in_its_place_is_counted),
        CONTEXT_TEST(its_mbarrier_has_a_slot_for_each_of_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
