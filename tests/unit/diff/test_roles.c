/* SPDX-License-Identifier: Apache-2.0 */
/* Two schedules with warp roles: aligned role by role, with their objects, and each difference by itself. */
#include "composed.h"
#include "safe_roles.h"

static swp_diff compared_roles(roles_program *a, roles_program *b)
{
    swp_diff diff;
    assert_ok(a->ctx, swp_diff_schedules(a->ctx, &a->schedule, &b->schedule, NULL, &diff));
    return diff;
}

static void the_same_ring_is_alike(void **state)
{
    roles_program a;
    roles_program b;
    safe_ring(&a, *state);
    safe_ring(&b, *state);
    const swp_diff diff = compared_roles(&a, &b);
    assert_true(diff.alike);
    assert_int_equal(diff.role_count, 2);
    assert_string_equal(diff.roles[CONSUMER].name, "consumer");
}

/* All threads hand a slot back in place of one: the entry and the count belong together. */
static void an_arrival_and_its_count_need_each_other(void **state)
{
    roles_program a;
    roles_program b;
    safe_ring(&a, *state);
    safe_ring_of_all(&b, *state);
    const swp_diff diff = compared_roles(&a, &b);
    const swp_diff_row *row = &diff.roles[CONSUMER].phases[SWP_KERNEL].items[4];
    assert_false(diff.alike);
    assert_int_equal(diff.settings.count, 1);
    assert_string_equal(diff.settings.items[0].path, "sync_objects.empty.arrivals");
    assert_string_equal(diff.settings.items[0].a, "2");
    assert_string_equal(diff.settings.items[0].b, "256");
    assert_int_equal(diff.roles[CONSUMER].phases[SWP_KERNEL].differences, 1);
    assert_int_equal(diff.roles[PRODUCER].phases[SWP_KERNEL].differences, 0);
    assert_int_equal(row->difference, SWP_DIFF_CHANGED);
    assert_false(row->with->is_safe);
    assert_int_equal(row->with->hazards.items[0].kind, SWP_ARRIVALS);
    assert_string_equal(row->with->hazards.items[0].role, "consumer");
    assert_false(diff.settings.items[0].with->is_safe);
    assert_true(diff.effect.was_safe && diff.effect.is_safe);
    assert_int_equal(diff.effect.cycles_per_pass, 0);
}

static void assert_same_role(const swp_stream *x, const swp_stream *y)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *of_x = swp_stream_phase(x, phase);
        const swp_entry_list *of_y = swp_stream_phase(y, phase);
        assert_int_equal(of_x->count, of_y->count);
        for (size_t i = 0; i < of_x->count; i++) {
            assert_int_equal(of_x->items[i].op.tag, of_y->items[i].op.tag);
            assert_int_equal(of_x->items[i].op.object, of_y->items[i].op.object);
            assert_int_equal(of_x->items[i].op.by, of_y->items[i].op.by);
        }
    }
}

static void all_differences_make_b(void **state)
{
    roles_program a;
    roles_program b;
    safe_ring(&a, *state);
    safe_ring_of_all(&b, *state);
    const swp_diff diff = compared_roles(&a, &b);
    swp_diff_cost_list costs = {0};
    swp_diff_composed composed;
    swp_diff_choice choice = choice_of(*state, &diff, &costs);
    for (size_t i = 0; i < choice.count; i++)
        choice.from_b[i] = true;
    assert_ok(a.ctx, swp_diff_compose(*state, &choice, &composed));
    for (int role = PRODUCER; role <= CONSUMER; role++)
        assert_same_role(&composed.schedule.streams[role], &b.schedule.streams[role]);
    assert_int_equal(composed.schedule.objects[EMPTY].arrivals, 256);
}

/* Objects go by their names: B has one more. */
static void objects_are_matched_by_name(void **state)
{
    roles_program a;
    roles_program b;
    safe_turns(&a, *state);
    safe_turns(&b, *state);
    (void)roles_program_named(&b, "spare", 1, 64);
    const swp_diff diff = compared_roles(&a, &b);
    assert_int_equal(diff.settings.count, 1);
    assert_string_equal(diff.settings.items[0].path, "sync_objects.spare");
    assert_string_equal(diff.settings.items[0].a, "none");
    assert_int_equal(diff.roles[0].phases[SWP_KERNEL].differences, 0);
}

/* With another number of instances entries mean something else. */
static void other_instances_have_no_effects(void **state)
{
    roles_program a;
    roles_program b;
    safe_ring(&a, *state);
    safe_ring(&b, *state);
    b.schedule.streams[CONSUMER].instances = 3;
    roles_program_drop(&b, CONSUMER, SWP_KERNEL, 3);
    const swp_diff diff = compared_roles(&a, &b);
    const swp_diff_phase *rows = &diff.roles[CONSUMER].phases[SWP_KERNEL];
    assert_string_equal(diff.settings.items[0].path, "roles.consumer.instances");
    assert_int_equal(rows->differences, 1);
    for (size_t i = 0; i < rows->count; i++)
        assert_null(rows->items[i].with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_same_ring_is_alike),
        CONTEXT_TEST(an_arrival_and_its_count_need_each_other),
        CONTEXT_TEST(all_differences_make_b),
        CONTEXT_TEST(objects_are_matched_by_name),
        CONTEXT_TEST(other_instances_have_no_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
