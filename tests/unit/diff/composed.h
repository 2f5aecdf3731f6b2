/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules between two, and whether their ends are the two. */
#ifndef TEST_DIFF_COMPOSED_H
#define TEST_DIFF_COMPOSED_H

#include "pairs.h"

#include "diff/compose.h"
#include "diff/settings.h"

static inline void assert_same_phases(const swp_schedule *a, const swp_schedule *b)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *x = swp_schedule_phase(a, phase);
        const swp_entry_list *y = swp_schedule_phase(b, phase);
        assert_int_equal(x->count, y->count);
        for (size_t i = 0; i < x->count; i++) {
            assert_string_equal(swp_schedule_op_name(a, x->items[i].op.tag),
                                swp_schedule_op_name(b, y->items[i].op.tag));
            assert_int_equal(x->items[i].op.stage, y->items[i].op.stage);
            assert_int_equal(x->items[i].op.subtile, y->items[i].op.subtile);
            assert_int_equal(x->items[i].op.k_offset, y->items[i].op.k_offset);
            assert_int_equal(x->items[i].op.wait_value, y->items[i].op.wait_value);
            assert_int_equal(x->items[i].op.vm_cost, y->items[i].op.vm_cost);
            assert_int_equal(x->items[i].op.lgkm_cost, y->items[i].op.lgkm_cost);
            assert_int_equal(x->items[i].op.latency, y->items[i].op.latency);
            assert_int_equal(x->items[i].time_slot, (int)i);
        }
    }
    assert_int_equal(a->machine.lag, b->machine.lag);
    assert_int_equal(a->machine.registers, b->machine.registers);
    assert_int_equal(a->machine.lag_prologue_index, b->machine.lag_prologue_index);
}

/* The list of costs again, which the comparison does not keep. */
static inline swp_diff_choice choice_of(swp_context *ctx, const swp_diff *diff,
                                        swp_diff_cost_list *costs)
{
    swp_diff_setting_list settings = {0};
    swp_diff_objects *objects = NULL;
    bool same_loop = false;
    swp_diff_choice choice;
    assert_ok(ctx, SWP_TAKE(ctx, 1, &objects));
    assert_ok(ctx, swp_diff_find_settings(ctx, diff->a.schedule, diff->b.schedule, &settings, costs,
                                          objects, &same_loop));
    assert_int_equal(settings.count, diff->settings.count);
    assert_ok(ctx, swp_diff_choice_new(ctx, diff, costs, objects, &choice));
    return choice;
}

/* With none of the differences it is A, with all of them B. */
static inline void assert_ends(swp_context *ctx, const swp_schedule *a, const swp_schedule *b)
{
    swp_diff diff;
    swp_diff_composed composed;
    swp_diff_cost_list costs = {0};
    assert_ok(ctx, swp_diff_schedules(ctx, a, b, NULL, &diff));
    swp_diff_choice choice = choice_of(ctx, &diff, &costs);
    assert_ok(ctx, swp_diff_compose(ctx, &choice, &composed));
    assert_same_phases(&composed.schedule, a);
    for (size_t i = 0; i < choice.count; i++)
        choice.from_b[i] = true;
    choice.varies_b = true;
    assert_ok(ctx, swp_diff_compose(ctx, &choice, &composed));
    assert_same_phases(&composed.schedule, b);
}

#endif
