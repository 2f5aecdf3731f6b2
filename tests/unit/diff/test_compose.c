/* SPDX-License-Identifier: Apache-2.0 */
/* What lies between two schedules begins with the one and ends with the other. */
#include "composed.h"

static void none_is_a_and_all_is_b(void **state)
{
    static const char *const variants[][3] = {
        {"fourwave", "schedule.sync", "derived"},
        {"pingpong", "schedule.sync", "derived"},
        {"pingpong", "schedule.scheduling", "identity"},
        {"pingpong", "schedule.lds_contention_penalty", "16"},
        {"pingpong", "machine.registers", "raw"},
        {"fourwave", "geometry.block", "128,256,64"},
        {"single_buffer", "schedule.sync", "derived"},
    };
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        swp_schedule *a = compiled(ctx, variants[i][0], "schedule.sync", "template");
        swp_schedule *b = compiled(ctx, variants[i][0], variants[i][1], variants[i][2]);
        assert_ends(ctx, a, b);
        assert_ends(ctx, b, a);
        swp_schedule_free(a);
        swp_schedule_free(b);
    }
}

static void a_choice_takes_single_rows(void **state)
{
    swp_context *ctx = *state;
    pair p = kernels("A0.0:k0 v4 m0.0 |", "v2 m0.0 A0.0:k0");
    pair wanted = kernels("v4 m0.0 | A0.0:k0", "");
    const swp_diff diff = compared(ctx, &p);
    swp_diff_cost_list costs = {0};
    swp_diff_composed composed;
    swp_diff_choice choice = choice_of(ctx, &diff, &costs);
    const swp_diff_phase *rows = &diff.roles[0].phases[SWP_KERNEL];
    for (size_t i = 0; i < rows->count; i++)
        choice.from_b[swp_diff_first_row(&diff, 0, SWP_KERNEL) + i] =
            rows->items[i].difference == SWP_DIFF_MOVED;
    assert_ok(ctx, swp_diff_compose(ctx, &choice, &composed));
    assert_same_phases(&composed.schedule, &wanted.a.schedule);
    pair_free(&p);
    pair_free(&wanted);
}

/* An entry more before the lag's barrier moves that along. */
static void the_lag_stays_before_its_entry(void **state)
{
    swp_context *ctx = *state;
    pair p = kernels("m0.0", "m0.0");
    program_read(&p.a, SWP_PROLOGUE, "A0.0:k0 v4 |");
    program_read(&p.b, SWP_PROLOGUE, "A0.0:k0 B0.0:k0 v4 |");
    p.a.schedule.machine.groups = p.b.schedule.machine.groups = 2;
    p.a.schedule.machine.lag = p.b.schedule.machine.lag = 1;
    p.a.schedule.machine.lag_prologue_index = 1;
    p.b.schedule.machine.lag_prologue_index = 2;
    swp_diff_composed composed;
    swp_diff_cost_list costs = {0};
    const swp_diff diff = compared(ctx, &p);
    swp_diff_choice choice = choice_of(ctx, &diff, &costs);
    assert_int_equal(diff.roles[0].phases[SWP_PROLOGUE].items[1].difference, SWP_DIFF_ADDED);
    choice.from_b[swp_diff_first_row(&diff, 0, SWP_PROLOGUE) + 1] = true;
    assert_ok(ctx, swp_diff_compose(ctx, &choice, &composed));
    assert_int_equal(composed.schedule.machine.lag_prologue_index, 2);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(none_is_a_and_all_is_b),
        CONTEXT_TEST(a_choice_takes_single_rows),
        CONTEXT_TEST(the_lag_stays_before_its_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
