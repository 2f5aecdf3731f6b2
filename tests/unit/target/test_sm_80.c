/* SPDX-License-Identifier: Apache-2.0 */
/* sm_80 (docs/cuda.md, "The machine"): loads are groups, fragment loads synchronous, barriers fenced. */
#include "fixture.h"
#include "swp/swp.h"

static swp_description *describe(swp_context *ctx, const char *kernel, const char *block)
{
    swp_description *d = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, kernel, &d));
    assert_ok(ctx, swp_description_set_target(ctx, d, "sm_80", (swp_place){0}));
    if (block)
        assert_ok(ctx, swp_description_set(ctx, d, "geometry.block", block, (swp_place){0}));
    return d;
}

static swp_schedule *compile(swp_context *ctx, const char *kernel, const char *block,
                             const char *sync)
{
    swp_schedule *schedule = NULL;
    swp_description *d = describe(ctx, kernel, block);
    assert_ok(ctx, swp_description_set(ctx, d, "schedule.sync", sync, (swp_place){0}));
    assert_ok(ctx, swp_description_compile(ctx, d, &schedule));
    return schedule;
}

static bool is_safe(swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    return verdict.safe;
}

static void check_phase(const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        if (op->role == SWP_GLOBAL_LOAD)
            assert_int_equal(op->vm_cost, 1);
        if (op->role == SWP_FRAGMENT_LOAD)
            assert_int_equal(op->lgkm_cost, 0);
        assert_int_not_equal(op->tag, SWP_TAG_WAIT_LGKM);
    }
}

/* 64 x 64 a warp: 128 x 256 is 8 warps, 128 x 128 is 4. */
static void derived_schedules_wait_for_groups_alone_and_are_safe(void **state)
{
    swp_context *ctx = *state;
    static const struct {
        const char *block;
        int waves;
    } blocks[] = {{"128,256,64", 8}, {"128,128,64", 4}, {"256,128,32", 8}};
    static const char *const kernels[] = {"pingpong", "fourwave"};
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (size_t b = 0; b < COUNT_OF(blocks); b++) {
            swp_schedule *s = compile(ctx, kernels[k], blocks[b].block, "derived");
            assert_int_equal(s->machine.groups * s->machine.waves_per_group, blocks[b].waves);
            assert_int_equal(s->machine.barrier, SWP_BARRIER_FENCED);
            assert_int_equal(s->machine.registers, SWP_REGISTERS_SCOREBOARD);
            for (int phase = 0; phase < 3; phase++)
                check_phase(swp_schedule_phase(s, (swp_phase)phase));
            assert_true(is_safe(ctx, s));
            swp_schedule_free(s);
        }
}

/* Its epilogue reads what the prologue loaded without a barrier in between, on any target. */
static void the_published_fourwave_stays_unsafe(void **state)
{
    swp_schedule *s = compile(*state, "fourwave", NULL, "template");
    assert_false(is_safe(*state, s));
    swp_schedule_free(s);
}

static void a_single_buffer_is_safe(void **state)
{
    swp_schedule *s = compile(*state, "single_buffer", NULL, "template");
    assert_int_equal(s->machine.barrier, SWP_BARRIER_FENCED);
    assert_true(is_safe(*state, s));
    swp_schedule_free(s);
}

/* cp.async.wait_group takes any count, so no number in flight is too many. */
static void the_counter_has_no_limit(void **state)
{
    swp_schedule *s = compile(*state, "pingpong", "128,256,32", "template");
    assert_int_equal(s->machine.vm_max, SWP_MOST_ACCESSES);
    assert_no_diag(*state, "W0601");
    swp_schedule_free(s);
}

static void a_block_that_warps_cannot_fill_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = NULL;
    assert_status(ctx,
                  swp_description_compile(ctx, describe(ctx, "fourwave", "96,128,32"), &schedule),
                  SWP_INVALID);
    assert_diag(ctx, "E0601", "BM = 96 is not a multiple of a wave's 64");
    swp_context_clear_diags(ctx);
    assert_status(ctx,
                  swp_description_compile(ctx, describe(ctx, "pingpong", "64,64,32"), &schedule),
                  SWP_INVALID);
    assert_diag(ctx, "E0601", "1 wave cannot stand in 2 warp groups");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(derived_schedules_wait_for_groups_alone_and_are_safe),
        CONTEXT_TEST(the_published_fourwave_stays_unsafe),
        CONTEXT_TEST(a_single_buffer_is_safe),
        CONTEXT_TEST(the_counter_has_no_limit),
        CONTEXT_TEST(a_block_that_warps_cannot_fill_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
