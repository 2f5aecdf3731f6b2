/* SPDX-License-Identifier: Apache-2.0 */
/* How many work groups a multiprocessor takes, and what each of them has. */
#include "fixture.h"

#include "swp/target.h"
#include "target/residency.h"

#include <string.h>

static void shared_memory_is_shared_in_pieces(void **state)
{
    (void)state;
    const swp_target *nvidia = swp_target_find("sm_90");
    const swp_target *amd = swp_target_find("mi355x");
    assert_int_equal(swp_target_shared_share(nvidia, 1), 232448);
    assert_int_equal(swp_target_shared_share(nvidia, 2), 233472 / 2 - 1024);
    assert_int_equal(swp_target_shared_share(nvidia, 5), 46592 - 1024); /* 46694 in pieces of 128 */
    assert_int_equal(swp_target_shared_share(amd, 1), 163840);
    assert_int_equal(swp_target_shared_share(amd, 3), 53760); /* 54613 in pieces of 1280 */
}

static void what_each_takes_says_how_many_fit(void **state)
{
    (void)state;
    const swp_machine machine = {.groups = 1, .waves_per_group = 4};
    const swp_target *target = swp_target_find("sm_90");
    const swp_loop loop = {.name = "loop"};
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 232448, 0), 1);
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 115712, 0), 2);
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 115713, 0), 1);
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 1024, 0), 16); /* 64 warps */
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 0, 168 * 4 * 128), 3);
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 0, 168 * 4 * 128 + 1), 2);
}

static void roles_that_state_registers_have_them(void **state)
{
    (void)state;
    const swp_machine machine = {.groups = 1, .waves_per_group = 4};
    swp_loop_role roles[] = {{"producer", 1, 1, 40}, {"consumer", 4, 1, 88}};
    const swp_loop loop = {.name = "loop", .roles = roles, .role_count = 2};
    const swp_target *target = swp_target_find("sm_90");
    /* Two warp groups with 128 registers in sum: 64 a thread in a launch of 256 threads, so 16384 of 65536. */
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 0, 0), 4);
    roles[1].registers = 96;
    assert_int_equal(swp_loop_fit(target, &machine, &loop, 0, 0), 3);
}

/* A copy, whose counter is a unit too. */
static const swp_problem_resource units[] = {{"memory", 1}, {"vmcnt", 63}};
static const swp_problem_use uses[] = {{0, 1, 100}, {1, 4, 500}};
static const int writes[] = {0};

static swp_loop copying(swp_loop_value *value, swp_loop_op *op, int resident)
{
    *value = (swp_loop_value){.name = "v", .bytes = 4096, .least_slots = 1};
    *op = (swp_loop_op){.name = "op",
                        .latency = 600,
                        .completion = SWP_COMPLETION_VMCNT,
                        .accesses = 4,
                        .uses = uses,
                        .use_count = 2,
                        .writes = writes,
                        .write_count = 1};
    return (swp_loop){.name = "loop",
                      .units = units,
                      .unit_count = 2,
                      .values = value,
                      .value_count = 1,
                      .ops = op,
                      .op_count = 1,
                      .least_resident = resident,
                      .most_resident = resident,
                      .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
}

static void units_are_held_for_all_and_counters_are_not(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = {.groups = 1, .waves_per_group = 4};
    swp_loop_value value;
    swp_loop_op op;
    swp_loop loop = copying(&value, &op, 3);
    for (int again = 0; again < 2; again++) { /* once more changes nothing */
        assert_ok(ctx, swp_loop_limit(ctx, swp_target_find("mi355x"), &machine, &loop));
        assert_int_equal(loop.ops[0].uses[0].cycles, 300);
        assert_int_equal(loop.ops[0].uses[1].cycles, 500);
        assert_int_equal(loop.resident, 3);
        assert_int_equal(loop.shared_budget, 53760);
        assert_int_equal(loop.lane_registers, 168);
    }
    assert_int_equal(uses[0].cycles, 100);
}

static void more_than_a_multiprocessor_takes_are_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = {.groups = 1, .waves_per_group = 4};
    swp_loop_value value;
    swp_loop_op op;
    swp_loop loop = copying(&value, &op, 9);
    assert_status(ctx, swp_loop_limit(ctx, swp_target_find("mi355x"), &machine, &loop),
                  SWP_INVALID);
    assert_diag(ctx, "E0328", "9 work groups of 4 waves");
    swp_context_clear_diags(ctx);
    loop = copying(&value, &op, 8);
    loop.most_resident = 7;
    assert_status(ctx, swp_check_loop(ctx, &loop), SWP_INVALID);
    assert_diag(ctx, "E0320", "8 to 7 resident");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_memory_is_shared_in_pieces),
        cmocka_unit_test(what_each_takes_says_how_many_fit),
        cmocka_unit_test(roles_that_state_registers_have_them),
        CONTEXT_TEST(units_are_held_for_all_and_counters_are_not),
        CONTEXT_TEST(more_than_a_multiprocessor_takes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
