/* SPDX-License-Identifier: Apache-2.0 */
/* What a target file's figures make of a loop with warp roles (docs/simulation.md, "Roles by figures"). */
#include "fixture.h"

#include "swp/loop.h"
#include "swp/target.h"

#include <string.h>

enum { TENSOR, SFU, SLOTS };
enum { LOAD, BIG, SMALL, EXP };

/* Of sm_90: a wgmma ends 128 cycles after its turn; 16 exponentials a cycle, and 128 other operations. */
static swp_target file(void)
{
    return *swp_target_find("sm_90");
}

static swp_loop loop_of_roles(swp_context *ctx, const char *slots)
{
    swp_loop loop = {0};
    swp_loop_builder *l = swp_loop_new(ctx, "loop");
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer"});
    const int consumer = swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .instances = 2});
    const int tensor = swp_loop_add_unit(l, "tensor", 1);
    const int sfu = swp_loop_add_unit(l, "sfu", 1);
    if (slots)
        (void)swp_loop_add_unit(l, slots, 4);
    const int tile = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 1024, .most_slots = 2);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS, .bytes = 1024);
    const int row = swp_value(l, "R", .space = SWP_SPACE_REGISTERS, .bytes = 512);
    swp_work(l, "LOAD", .role = producer, .latency = 600, .issue = 20, .writes = {tile},
             .completion = SWP_COMPLETION_MBARRIER);
    swp_work(l, "BIG", .role = consumer, .latency = 2000, .issue = 10,
             .uses = {{.unit = tensor, .cycles = 256}}, .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = tile}}, .updates = {sum}, .update_latencies = {1500});
    swp_work(l, "SMALL", .role = consumer, .latency = 2000,
             .uses = {{.unit = tensor, .cycles = 128}}, .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = tile}}, .updates = {sum}, .update_latencies = {60});
    swp_work(l, "EXP", .role = consumer, .latency = 400, .issue = 300,
             .uses = {{.unit = sfu, .cycles = 160}}, .updates = {row});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static void limit(swp_context *ctx, const swp_target *target, swp_loop *loop)
{
    const swp_machine machine = swp_machine_default();
    assert_ok(ctx, swp_loop_limit(ctx, target, &machine, loop));
}

static void a_wgmma_ends_its_own_latency_after_its_turn(void **state)
{
    const swp_target target = file();
    swp_loop loop = loop_of_roles(*state, NULL);
    limit(*state, &target, &loop);
    assert_int_equal(loop.ops[BIG].latency, 256 + 128);
    assert_int_equal(loop.ops[SMALL].latency, 128 + 128);
    assert_int_equal(loop.ops[EXP].latency, 400);
}

/* None is later than its maker ends, and what the small one makes is there no sooner than what it is made of. */
static void sums_stay_in_order(void **state)
{
    const swp_target target = file();
    swp_loop loop = loop_of_roles(*state, NULL);
    limit(*state, &target, &loop);
    assert_int_equal(loop.ops[BIG].update_latencies[0], 256);
    assert_int_equal(loop.ops[SMALL].update_latencies[0], 128);
    assert_ok(*state, swp_check_loop(*state, &loop));
}

/* 300 cycles less 160 on the unit, of which 16 / 128 are given back. */
static void ordinary_ops_share_the_issue_slots(void **state)
{
    const swp_target target = file();
    swp_loop loop = loop_of_roles(*state, NULL);
    limit(*state, &target, &loop);
    assert_int_equal(loop.unit_count, 3);
    assert_string_equal(loop.units[SLOTS].name, "issue_slots");
    assert_int_equal(loop.units[SLOTS].capacity, 1);
    assert_int_equal(loop.ops[EXP].use_count, 2);
    assert_int_equal(loop.ops[EXP].uses[1].resource, SLOTS);
    assert_int_equal(loop.ops[EXP].uses[1].cycles, 140 + 160 * 16 / 128);
    assert_int_equal(loop.ops[LOAD].use_count, 0);
    assert_int_equal(loop.ops[BIG].use_count, 1);
}

static void another_file_counts_in_place_of_the_first(void **state)
{
    const swp_target first = file();
    swp_target second = file();
    swp_loop loop = loop_of_roles(*state, NULL);
    second.figures[SWP_TARGET_EXP_LANES].value = 32;
    limit(*state, &first, &loop);
    limit(*state, &second, &loop);
    assert_int_equal(loop.unit_count, 3);
    assert_int_equal(loop.ops[EXP].use_count, 2);
    assert_int_equal(loop.ops[EXP].uses[1].cycles, 140 + 160 * 32 / 128);
}

static void a_unit_of_this_name_is_taken_for_it(void **state)
{
    const swp_target target = file();
    swp_loop loop = loop_of_roles(*state, "issue_slots");
    limit(*state, &target, &loop);
    assert_int_equal(loop.unit_count, 3);
    assert_int_equal(loop.units[SLOTS].capacity, 1);
    assert_int_equal(loop.ops[EXP].uses[1].resource, SLOTS);
}

static void built_in_figures_leave_a_loop_as_it_is(void **state)
{
    swp_loop loop = loop_of_roles(*state, NULL);
    limit(*state, swp_target_find("sm_90"), &loop);
    assert_int_equal(loop.unit_count, 2);
    assert_int_equal(loop.ops[BIG].latency, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_wgmma_ends_its_own_latency_after_its_turn),
        CONTEXT_TEST(sums_stay_in_order),
        CONTEXT_TEST(ordinary_ops_share_the_issue_slots),
        CONTEXT_TEST(another_file_counts_in_place_of_the_first),
        CONTEXT_TEST(a_unit_of_this_name_is_taken_for_it),
        CONTEXT_TEST(built_in_figures_leave_a_loop_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
