/* SPDX-License-Identifier: Apache-2.0 */
/* What differs besides entries. */
#include "pairs.h"

static void assert_setting(const swp_diff_setting *setting, const char *path, const char *a,
                           const char *b)
{
    assert_string_equal(setting->path, path);
    assert_string_equal(setting->a, a);
    assert_string_equal(setting->b, b);
}

static void the_loop_the_machine_and_what_made_the_phases(void **state)
{
    pair p = kernels("m0.0", "m0.0");
    p.b.schedule.loop.first_base = 0;
    p.b.schedule.loop.placement = SWP_PLACE_NEXT_TILE;
    p.b.schedule.machine.vm_max = 15;
    p.b.schedule.config.prefetch = 3;
    p.b.schedule.schedule.scheduling = SWP_CSP;
    p.a.schedule.schedule.scheduling = SWP_GREEDY;
    const swp_diff diff = compared(*state, &p);
    assert_int_equal(diff.settings.count, 5);
    assert_setting(&diff.settings.items[0], "loop.first_base", "2", "0");
    assert_setting(&diff.settings.items[1], "loop.placement", "k_offset", "next_tile");
    assert_setting(&diff.settings.items[2], "machine.vm_max", "63", "15");
    assert_setting(&diff.settings.items[3], "pipeline.prefetch", "1", "3");
    assert_setting(&diff.settings.items[4], "schedule.scheduling", "greedy", "csp");
    /* Differences of phases have no meaning from one loop to another. */
    assert_null(diff.settings.items[2].with);
    pair_free(&p);
}

/* It has no row, as published lists leave it out; each side is proven with and without it. */
static void the_barrier_before_the_loop(void **state)
{
    static const char kernel[] =
        "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |";
    pair p = kernels(kernel, kernel);
    program *const sides[] = {&p.a, &p.b};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        program_read(sides[i], SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0");
        program_read(sides[i], SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    }
    p.b.schedule.drops_loop_barrier = true;
    const swp_diff diff = compared(*state, &p);
    assert_int_equal(diff.settings.count, 1);
    assert_setting(&diff.settings.items[0], "loop_barrier", "true", "false");
    assert_true(diff.settings.items[0].with->was_safe);
    assert_false(diff.settings.items[0].with->is_safe);
    assert_false(diff.settings.items[0].without->was_safe);
    assert_true(diff.settings.items[0].without->is_safe);
    pair_free(&p);
}

/* A row of its own, and the loads are alike but for it. */
static void what_all_ops_of_a_name_cost(void **state)
{
    pair p = kernels("A0.0:k0 A0.1:k0 B0.0:k0 v0", "A0.0:k0*4 A0.1:k0*4 B0.0:k0 v0");
    const swp_diff diff = compared(*state, &p);
    char text[64];
    assert_int_equal(diff.settings.count, 1);
    assert_setting(&diff.settings.items[0], "costs.LOAD_A.vm_cost", "1", "4");
    assert_non_null(diff.settings.items[0].with);
    write_rows(&diff.roles[0].phases[SWP_KERNEL], text, sizeof text);
    assert_string_equal(text, "0=0 1=1 2=2 3=3");
    pair_free(&p);
}

static void what_one_of_them_costs_is_a_change_of_that_one(void **state)
{
    pair p = kernels("A0.0:k0 A0.1:k0 B0.0:k0 v0", "A0.0:k0*4 A0.1:k0 B0.0:k0 v0");
    const swp_diff diff = compared(*state, &p);
    char text[64];
    assert_int_equal(diff.settings.count, 0);
    write_rows(&diff.roles[0].phases[SWP_KERNEL], text, sizeof text);
    assert_string_equal(text, "0~0 1=1 2=2 3=3");
    pair_free(&p);
    p = kernels("A0.0:k0 A0.1:k0", "A0.0:k0 A0.1:k0");
    p.b.schedule.streams[0].kernel.items[1].op.latency = 7;
    const swp_diff slower = compared(*state, &p);
    assert_int_equal(slower.settings.count, 0);
    write_rows(&slower.roles[0].phases[SWP_KERNEL], text, sizeof text);
    assert_string_equal(text, "0=0 1~1");
    pair_free(&p);
}

static void costs_are_taken_by_themselves(void **state)
{
    /* Wait for all but 4: of two loads of 4 accesses the last is left, of 2 both. */
    pair p = kernels("a0.0 m0.0", "a0.0 m0.0");
    program_read(&p.a, SWP_PROLOGUE, "A0.0:k0*4 A1.0:k1*4 v4 |");
    program_read(&p.b, SWP_PROLOGUE, "A0.0:k0*2 A1.0:k1*2 v4 |");
    const swp_diff diff = compared(*state, &p);
    assert_setting(&diff.settings.items[0], "costs.LOAD_A.vm_cost", "4", "2");
    const swp_diff_effect *with = diff.settings.items[0].with;
    assert_true(with->hazards.count > 0);
    assert_int_equal(with->hazards.items[0].kind, SWP_STALE_READ);
    assert_int_equal(diff.settings.items[0].without->gone.count, with->hazards.count);
    pair_free(&p);
}

/* Entries of two loops look alike; what they do is the dataflow's to say. */
static void what_the_ops_and_values_of_a_loop_are(void **state)
{
    swp_schedule *a = compiled(*state, "stencil", "machine.lag", "0");
    swp_loop loop = *a->dataflow->loop;
    swp_loop_op ops[8];
    int slots[8];
    assert_true(loop.op_count <= 8 && loop.value_count <= 8);
    memcpy(ops, loop.ops, loop.op_count * sizeof *ops);
    memcpy(slots, a->dataflow->slots, loop.value_count * sizeof *slots);
    ops[1].latency = 500;
    ops[1].read_count = 2;
    slots[1] = 1;
    loop.ops = ops;
    const swp_loop_dataflow dataflow = {&loop, slots};
    swp_schedule b = *a;
    b.dataflow = &dataflow;
    swp_diff diff;
    assert_ok(*state, swp_diff_schedules(*state, a, &b, NULL, &diff));
    assert_false(diff.alike);
    assert_int_equal(diff.settings.count, 3);
    assert_setting(&diff.settings.items[0], "dataflow.ops.READ.latency", "404", "500");
    assert_setting(&diff.settings.items[1], "dataflow.ops.READ.reads",
                   "plane, plane 1 before, plane 2 before", "plane, plane 1 before");
    assert_setting(&diff.settings.items[2], "dataflow.values.points.slots", "2", "1");
    assert_null(diff.settings.items[0].with);
    b.dataflow = NULL;
    assert_ok(*state, swp_diff_schedules(*state, a, &b, NULL, &diff));
    assert_setting(&diff.settings.items[0], "dataflow", "a loop's", "none");
    swp_schedule_free(a);
}

/* What no longer is the op of its number is named once, and the ops behind it are compared by name. */
static void which_op_is_another_one(void **state)
{
    swp_schedule *a = compiled(*state, "stencil", "machine.lag", "0");
    swp_loop loop = *a->dataflow->loop;
    swp_loop_op ops[8];
    assert_true(loop.op_count <= 8);
    memcpy(ops, loop.ops, loop.op_count * sizeof *ops);
    ops[2].name = "SMOOTH";
    loop.ops = ops;
    const swp_loop_dataflow dataflow = {&loop, a->dataflow->slots};
    swp_schedule b = *a;
    b.dataflow = &dataflow;
    swp_diff diff;
    assert_ok(*state, swp_diff_schedules(*state, a, &b, NULL, &diff));
    assert_int_equal(diff.settings.count, 1);
    assert_setting(&diff.settings.items[0], "dataflow.ops.2.op", "STENCIL", "SMOOTH");
    swp_schedule_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_loop_the_machine_and_what_made_the_phases),
        CONTEXT_TEST(the_barrier_before_the_loop),
        CONTEXT_TEST(what_all_ops_of_a_name_cost),
        CONTEXT_TEST(what_one_of_them_costs_is_a_change_of_that_one),
        CONTEXT_TEST(costs_are_taken_by_themselves),
        CONTEXT_TEST(what_the_ops_and_values_of_a_loop_are),
        CONTEXT_TEST(which_op_is_another_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
