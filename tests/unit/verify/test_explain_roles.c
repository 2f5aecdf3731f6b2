/* SPDX-License-Identifier: Apache-2.0 */
/* What each operation of warp roles is for: whom it meets at its object, and what goes wrong without it. */
#include "fixture.h"
#include "safe_roles.h"

#include "swp/explain.h"

static const swp_explanation *explanation_of(const swp_explanation_list *list, int role,
                                             swp_phase phase, int entry)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_explanation *e = &list->items[i];
        if (e->stream == role && e->at.phase == phase && e->at.entry == entry && e->form == 0)
            return e;
    }
    fail_msg("role %d, list %d, entry %d is not explained", role, (int)phase, entry);
    return NULL;
}

static void assert_partner(const swp_explanation *e, size_t index, int role, int entry, int passes)
{
    assert_true(index < e->partners.count);
    assert_int_equal(e->partners.items[index].stream, role);
    assert_int_equal(e->partners.items[index].entry, entry);
    assert_int_equal(e->partners.items[index].passes_later, passes);
}

static void assert_need(const swp_explanation *e, swp_hazard_kind kind, int role, swp_phase phase,
                        int entry)
{
    assert_true(e->needs.count > 0);
    assert_int_equal(e->needs.items[0].kind, kind);
    assert_int_equal(e->needs.items[0].stream, role);
    assert_int_equal(e->needs.items[0].at.phase, phase);
    assert_int_equal(e->needs.items[0].at.entry, entry);
}

static void each_operation_is_explained_once(void **state)
{
    roles_program p;
    swp_explanation_list list;
    size_t sync = 0;
    safe_ring(&p, *state);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    for (int role = PRODUCER; role <= CONSUMER; role++)
        for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
            const swp_entry_list *entries =
                swp_stream_phase(&p.schedule.streams[role], (swp_phase)phase);
            for (size_t i = 0; i < entries->count; i++)
                sync += swp_infrastructure_name(entries->items[i].op.tag) != NULL;
        }
    assert_int_equal(list.count, sync);
    assert_int_equal(list.hazards, 0);
    assert_int_equal(list.left_out, 0);
}

/* The consumer gives back what it has read two passes before the producer copies into that slot again. */
static void those_that_meet_at_an_object_are_told(void **state)
{
    roles_program p;
    swp_explanation_list list;
    safe_ring(&p, *state);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    const swp_explanation *arrive = explanation_of(&list, CONSUMER, SWP_KERNEL, 4);
    assert_int_equal(arrive->partners.count, 1);
    assert_partner(arrive, 0, PRODUCER, 0, 1);
    const swp_explanation *wait = explanation_of(&list, CONSUMER, SWP_KERNEL, 0);
    assert_int_equal(wait->partners.count, 2);
    assert_partner(wait, 0, PRODUCER, 1, 0);
    assert_partner(wait, 1, PRODUCER, 2, 0);
    const swp_explanation *retires = explanation_of(&list, CONSUMER, SWP_KERNEL, 3);
    assert_int_equal(retires->partners.count, 1);
    assert_partner(retires, 0, CONSUMER, 1, -1);
    assert_int_equal(explanation_of(&list, PRODUCER, SWP_PROLOGUE, 0)->partners.count, 0);
}

static void what_goes_wrong_without_it_is_told(void **state)
{
    roles_program p;
    swp_explanation_list list;
    safe_ring(&p, *state);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    assert_int_equal(explanation_of(&list, PRODUCER, SWP_PROLOGUE, 0)->needs.count, 0);
    assert_need(explanation_of(&list, PRODUCER, SWP_KERNEL, 1), SWP_ARRIVALS, PRODUCER, SWP_KERNEL,
                2);
    assert_need(explanation_of(&list, CONSUMER, SWP_PROLOGUE, 1), SWP_UNFENCED, CONSUMER,
                SWP_PROLOGUE, 2);
    assert_need(explanation_of(&list, CONSUMER, SWP_EPILOGUE, 0), SWP_LOST_PEER, CONSUMER,
                SWP_PROLOGUE, 2);
    safe_staging(&p, *state);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    assert_need(explanation_of(&list, 0, SWP_KERNEL, 2), SWP_UNFENCED, 0, SWP_KERNEL, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_operation_is_explained_once),
        CONTEXT_TEST(those_that_meet_at_an_object_are_told),
        CONTEXT_TEST(what_goes_wrong_without_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
