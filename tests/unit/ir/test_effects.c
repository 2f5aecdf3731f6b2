/* SPDX-License-Identifier: Apache-2.0 */
/* What entries of small schedules do: places, tiles and counters that can be told by hand. */
#include "../run/small_dataflow.h"
#include "words.h"

#include "ir/effects.h"

static const int one_slot_each[] = {1, 1, 1};

static void a_fragment_load_carries_what_its_compute_wants(void **state)
{
    swp_effects effects;
    program p = program_double_buffer();
    program_read(&p, SWP_KERNEL, "A0.0:k0 a0.0 l0 m0.0 |");
    assert_ok(*state, swp_ir_effects(*state, &p.schedule, &effects));
    const swp_effect *kernel = effects.entries[SWP_KERNEL];
    assert_int_equal(effects.lengths[SWP_KERNEL], 5);
    assert_int_equal(kernel[0].object, SWP_VMCNT);
    assert_int_equal(kernel[1].object, SWP_LGKMCNT);
    assert_true(kernel[0].writes.items[0].is_shared);
    assert_int_equal(kernel[0].writes.items[0].where, kernel[1].reads.items[0].where);
    assert_true(kernel[1].reads.items[0].carries);
    assert_true(kernel[1].writes.items[0].carries);
    assert_int_equal(kernel[2].kind, SWP_EFFECT_WAIT);
    assert_int_equal(kernel[2].waits, SWP_WAIT_FOR_LGKM);
    assert_int_equal(kernel[3].reads.count, 2); /* a row of A and a column of B */
    assert_false(kernel[3].reads.items[0].carries);
    assert_int_equal(kernel[3].reads.items[0].where, kernel[1].writes.items[0].where);
    assert_int_equal(kernel[3].accumulator, 0);
    assert_int_equal(kernel[4].kind, SWP_EFFECT_BARRIER);
    program_free(&p);
}

static void a_compute_beyond_the_tiles_of_a_pass_is_surplus(void **state)
{
    swp_effects effects;
    program p = program_double_buffer();
    program_read(&p, SWP_KERNEL, "m0.0 m0.0 m0.0"); /* two tiles a pass */
    assert_ok(*state, swp_ir_effects(*state, &p.schedule, &effects));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(effects.entries[SWP_KERNEL][i].tiles.first, i);
        assert_int_equal(effects.entries[SWP_KERNEL][i].tiles.step, 2);
        assert_int_equal(effects.entries[SWP_KERNEL][i].surplus, i == 2);
    }
    program_free(&p);
}

/* U adds to s, whose version before is that of the iteration before. */
static void an_update_reads_the_version_before(void **state)
{
    swp_context *ctx = *state;
    swp_effects effects;
    swp_schedule s = small_dataflow(ctx, loop_of(ctx, load_read_use), one_slot_each, "L1 R0 U0");
    assert_ok(ctx, swp_ir_effects(ctx, &s, &effects));
    const swp_effect *kernel = effects.entries[SWP_KERNEL];
    assert_int_equal(effects.op_count, 3);
    assert_int_equal(effects.place_count, 1);
    assert_int_equal(effects.register_count, 2);
    assert_int_equal(kernel[0].writes.items[0].tiles.first, 1);
    assert_int_equal(kernel[1].reads.items[0].tiles.first, 0);
    assert_int_equal(kernel[1].reads.items[0].tiles.step, 1);
    assert_int_equal(kernel[2].object, SWP_NO_OBJECT);
    const swp_access *before = &kernel[2].reads.items[1];
    const swp_access *after = &kernel[2].writes.items[0];
    assert_int_equal(before->where, after->where);
    assert_int_equal(before->tiles.first, -1);
    assert_int_equal(after->tiles.first, 0);
    assert_true(before->updates && after->updates);
}

static void a_slot_that_is_no_constant_is_refused(void **state)
{
    static const int slots[] = {2, 1, 1};
    swp_context *ctx = *state;
    swp_effects effects;
    const swp_schedule s = small_dataflow(ctx, loop_of(ctx, load_read_use), slots, "L0 R0 U0");
    assert_status(ctx, swp_ir_effects(ctx, &s, &effects), SWP_INVALID);
    assert_diag(ctx, "E0701", "value A has 2 slots, but a pass has 1 iterations");
    swp_context_clear_diags(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_fragment_load_carries_what_its_compute_wants),
        CONTEXT_TEST(a_compute_beyond_the_tiles_of_a_pass_is_surplus),
        CONTEXT_TEST(an_update_reads_the_version_before),
        CONTEXT_TEST(a_slot_that_is_no_constant_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
