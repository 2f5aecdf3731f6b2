/* SPDX-License-Identifier: Apache-2.0 */
/* What a wait or barrier is for is what goes wrong without it. */
#include "fixture.h"

#include "base/names.h"
#include "swp/swp.h"

#include <string.h>

/* With the fewest barriers, where sync is derived: the goal of cycles may add some for speed. */
static swp_schedule *compile(swp_context *ctx, const char *builtin, const char *sync)
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, builtin, &description));
    assert_ok(ctx, swp_description_set(ctx, description, "schedule.sync", sync, nowhere));
    assert_ok(ctx,
              swp_description_set(ctx, description, "schedule.sync_goal", "barriers", nowhere));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

static void every_wait_and_barrier_is_explained_once(void **state)
{
    swp_explanation_list list;
    swp_schedule *schedule = compile(*state, "pingpong", "template");
    size_t sync = 0;
    for (int p = 0; p < 3; p++) {
        const swp_entry_list *phase = swp_schedule_phase(schedule, (swp_phase)p);
        for (size_t i = 0; i < phase->count; i++)
            sync += phase->items[i].op.role == SWP_SYNC;
    }
    assert_ok(*state, swp_explain(*state, schedule, &list));
    assert_int_equal(list.count, sync);
    swp_schedule_free(schedule);
}

static void derived_synchronisation_has_nothing_to_spare(void **state)
{
    swp_explanation_list list;
    swp_schedule *schedule = compile(*state, "fourwave", "derived");
    assert_ok(*state, swp_explain(*state, schedule, &list));
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.items[i].needs.count > 0);
    swp_schedule_free(schedule);
}

/* Ping-pong's only wait between its prologue loads and the first fragments of half 1. */
static void the_last_wait_of_a_half_is_for_the_other_half_s_loads(void **state)
{
    swp_explanation_list list;
    bool found = false;
    swp_schedule *schedule = compile(*state, "pingpong", "template");
    assert_ok(*state, swp_explain(*state, schedule, &list));
    for (size_t i = 0; i < list.count && !found; i++)
        if (list.items[i].at.phase == SWP_KERNEL &&
            schedule->streams[0].kernel.items[list.items[i].at.entry].op.tag == SWP_TAG_WAIT_VM) {
            found = true;
            assert_true(list.items[i].needs.count > 0);
            assert_int_equal(list.items[i].needs.items[0].kind, SWP_STALE_READ);
        }
    assert_true(found);
    swp_schedule_free(schedule);
}

static const char *const loops[] = {"gemm_tile", "gemm_fragments", "attention_fwd", "stencil"};

static void every_wait_and_barrier_of_every_form_is_explained_once(void **state)
{
    for (size_t l = 0; l < SWP_COUNT_OF(loops); l++) {
        swp_explanation_list list;
        swp_schedule *schedule = compile(*state, loops[l], "derived");
        size_t sync = 0;
        for (int f = 0; f < swp_schedule_forms(schedule); f++) {
            const swp_schedule form = swp_schedule_form(schedule, f);
            for (int p = f == 0 ? SWP_PROLOGUE : SWP_EPILOGUE; p <= SWP_EPILOGUE; p++) {
                const swp_entry_list *phase = swp_schedule_phase(&form, (swp_phase)p);
                for (size_t i = 0; i < phase->count; i++)
                    sync += phase->items[i].op.role == SWP_SYNC;
            }
        }
        assert_ok(*state, swp_explain(*state, schedule, &list));
        assert_int_equal(list.count, sync);
        swp_schedule_free(schedule);
    }
}

/* The entry in the form that runs so many iterations. */
static const swp_op *op_of(const swp_schedule *schedule, int n, swp_entry_ref at)
{
    const swp_schedule form = swp_schedule_form(schedule, swp_schedule_form_of(schedule, n));
    const swp_entry_list *entries = swp_schedule_phase(&form, at.phase);
    assert_in_range(at.entry, 0, entries->count - 1);
    return &entries->items[at.entry].op;
}

/* Whether an op of the loop has to do with a slot of a value, in its iteration or one that it reads. */
static bool touches(const swp_schedule *schedule, const swp_op *op, const char *value, int slot)
{
    const swp_loop_dataflow *d = schedule->dataflow;
    const swp_loop_op *o = &d->loop->ops[op->tag];
    for (int v = 0; v < (int)d->loop->value_count; v++) {
        if (strcmp(d->loop->values[v].name, value) != 0)
            continue;
        for (size_t i = 0; i < o->write_count; i++)
            if (o->writes[i] == v && op->iteration % d->slots[v] == slot)
                return true;
        for (size_t i = 0; i < o->update_count; i++)
            if (o->updates[i] == v)
                return true;
        for (size_t i = 0; i < o->read_count; i++)
            if (o->reads[i].value == v &&
                (op->iteration - o->reads[i].distance + d->slots[v]) % d->slots[v] == slot)
                return true;
    }
    return false;
}

/* Both entries of a conflict, in the form where it shows, are ops that touch the slot that it is about. */
static void conflicts_are_about_what_their_ops_touch(void **state)
{
    for (size_t l = 0; l < SWP_COUNT_OF(loops); l++) {
        swp_explanation_list list;
        size_t beyond = 0;
        swp_schedule *schedule = compile(*state, loops[l], "derived");
        assert_ok(*state, swp_explain(*state, schedule, &list));
        for (size_t i = 0; i < list.count; i++)
            for (size_t n = 0; n < list.items[i].needs.count; n++) {
                const swp_hazard *need = &list.items[i].needs.items[n];
                const swp_op *at = op_of(schedule, need->smallest_n, need->at);
                assert_true(touches(schedule, at, need->value, need->slot));
                if (need->has_other)
                    assert_true(touches(schedule, op_of(schedule, need->smallest_n, need->other),
                                        need->value, need->slot));
                beyond += list.items[i].form > 0;
            }
        assert_true(beyond > 0);
        swp_schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_wait_and_barrier_is_explained_once),
        CONTEXT_TEST(derived_synchronisation_has_nothing_to_spare),
        CONTEXT_TEST(every_wait_and_barrier_of_every_form_is_explained_once),
        CONTEXT_TEST(conflicts_are_about_what_their_ops_touch),
        CONTEXT_TEST(the_last_wait_of_a_half_is_for_the_other_half_s_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
