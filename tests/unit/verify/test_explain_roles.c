/* SPDX-License-Identifier: Apache-2.0 */
/* What each operation of warp roles is for: whom it meets at its object, and what goes wrong without it. */
#include "fixture.h"
#include "safe_roles.h"

#include "swp/explain.h"

#include <string.h>

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

/* Of two wgmmas in flight the older one has to be retired before its slot is given back: one may stay, and no more. */
static void how_many_groups_a_wait_may_leave_is_told(void **state)
{
    roles_program p;
    swp_explanation_list list;
    safe_ring(&p, *state);
    swp_op *wait = &p.schedule.streams[CONSUMER].kernel.items[3].op;
    assert_int_equal(wait->tag, SWP_TAG_MATRIX_WAIT);
    assert_int_equal(wait->wait_value, 1);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    assert_int_equal(explanation_of(&list, CONSUMER, SWP_KERNEL, 3)->may_leave, 1);
    assert_int_equal(explanation_of(&list, CONSUMER, SWP_KERNEL, 0)->may_leave, -1);
    wait->wait_value = 0;
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    assert_int_equal(explanation_of(&list, CONSUMER, SWP_KERNEL, 3)->may_leave, 1);
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

/* As an edit by hand would do it: a fence of the other kind stands there, so that all others keep their numbers. */
static bool is_safe_without(roles_program *p, const swp_explanation *e)
{
    swp_stream *stream = &p->schedule.streams[e->stream];
    const swp_entry_list *list = e->at.phase == SWP_BEGIN   ? &stream->begin
                                 : e->at.phase == SWP_END   ? &stream->end
                                 : e->at.phase == SWP_DRAIN ? &stream->drain
                                                            : swp_stream_phase(stream, e->at.phase);
    swp_op *op = &list->items[e->at.entry].op;
    const swp_op before = *op;
    swp_verdict verdict = {0};
    *op = swp_op_none();
    op->tag = before.tag == SWP_TAG_MATRIX_FENCE ? SWP_TAG_FENCE_ASYNC : SWP_TAG_MATRIX_FENCE;
    op->role = SWP_SYNC;
    op->instances = before.instances;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    *op = before;
    return verdict.safe;
}

/* Proofs of output tiles end with the first run that goes wrong: that is found of each entry that is needed. */
static void of_output_tiles_all_that_is_needed_has_a_reason(void **state)
{
    roles_program p;
    swp_explanation_list list;
    size_t needed = 0;
    safe_tiles(&p, *state);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    assert_int_equal(list.hazards + list.left_out, 0);
    for (size_t i = 0; i < list.count; i++) {
        const bool is_needed = list.items[i].needs.count > 0;
        assert_int_equal(is_needed, !is_safe_without(&p, &list.items[i]));
        needed += is_needed;
    }
    assert_true(needed > 0);
}

static void text_begins_with_kernels_and_says_what_is_left_out_once(void **state)
{
    roles_program p;
    swp_explanation_list list;
    swp_order_reason_list order = {0};
    char *text = NULL;
    safe_ring(&p, *state);
    assert_ok(p.ctx, swp_explain(p.ctx, &p.schedule, &list));
    swp_explanation *first = &list.items[0];
    assert_int_equal(first->at.phase, SWP_PROLOGUE);
    first->left_out = true;
    list.left_out = 1;
    swp_explanation *expects = NULL;
    for (size_t i = 0; i < list.count && !expects; i++)
        expects = list.items[i].needs.count > 0 ? &list.items[i] : NULL;
    swp_hazard alike[3] = {expects->needs.items[0], expects->needs.items[0],
                           expects->needs.items[0]};
    expects->needs = (swp_hazard_list){alike, 3, 3};
    assert_ok(p.ctx, swp_explanation_text(p.ctx, &p.schedule, &list, &order, &text, NULL));
    assert_ptr_equal(strstr(text, "producer kernel"), text);
    assert_null(strstr(text, "producer prologue     0"));
    assert_non_null(strstr(text, "; and 2 more\n"));
    assert_non_null(strstr(text, ", and 1 not looked for"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_operation_is_explained_once),
        CONTEXT_TEST(those_that_meet_at_an_object_are_told),
        CONTEXT_TEST(how_many_groups_a_wait_may_leave_is_told),
        CONTEXT_TEST(what_goes_wrong_without_it_is_told),
        CONTEXT_TEST(of_output_tiles_all_that_is_needed_has_a_reason),
        CONTEXT_TEST(text_begins_with_kernels_and_says_what_is_left_out_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
