/* SPDX-License-Identifier: Apache-2.0 */
/* The edits that hints name, where a reader can tell which it must be; words.h has the notation. */
#include "fixture.h"

#include "safe_roles.h"
#include "words.h"

#include "swp/verify.h"

#include <string.h>

/* Double buffer, 1x1 MMAs, raw barriers, managed registers, one group. */
static program double_buffer(const char *prologue, const char *epilogue)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, prologue);
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    program_read(&p, SWP_EPILOGUE, epilogue);
    return p;
}

static const char safe_prologue[] = "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0";
static const char safe_epilogue[] = "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0";

/* The first hazard of the kind gets this hint. */
static void expect_hint(swp_context *ctx, program p, swp_hazard_kind kind, const char *hint)
{
    swp_verdict verdict;
    const char *found = "no such hazard";
    assert_ok(ctx, swp_verify(ctx, &p.schedule, NULL, 0, &verdict));
    assert_ok(ctx, swp_verify_repairs(ctx, &p.schedule, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++)
        print_message("%s %d %d: %s\n", swp_hazard_name(verdict.hazards.items[i].kind),
                      (int)verdict.hazards.items[i].at.phase, verdict.hazards.items[i].at.entry,
                      verdict.hazards.items[i].hint);
    for (size_t i = verdict.hazards.count; i-- > 0;)
        if (verdict.hazards.items[i].kind == kind)
            found = verdict.hazards.items[i].hint;
    assert_string_equal(found, hint);
    program_free(&p);
}

/* Half 1 of the epilogue reads no A, or half 0 of the first pass finds none. */
static void what_was_left_out_is_put_back(void **state)
{
    expect_hint(*state, double_buffer(safe_prologue, "a0.0 b0.0 m0.0 b1.0 m0.0"), SWP_WRONG_TILE,
                "insert MMA_LOAD_A (stage 1, subtile 0) before epilogue entry 4 (MMA)");
    expect_hint(*state, double_buffer("B0.0:k0 A1.0:k1 B1.0:k1 v0", safe_epilogue), SWP_WRONG_TILE,
                "insert LOAD_A (stage 0, subtile 0, k_offset k0) before prologue entry 0 (LOAD_B)");
}

/* The first 2 of 4 loads are there when 2 may stay in flight; all of them, when none may. */
static void a_wait_is_lowered_no_further_than_it_must(void **state)
{
    expect_hint(*state, double_buffer("A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v1", safe_epilogue),
                SWP_STALE_READ, "set wait of prologue entry 4 (wait_vm) to 0");
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1");
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 v0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    program_read(&p, SWP_EPILOGUE, "a0.0 b0.0 v0 | m0.0 a1.0 b1.0 m0.0");
    expect_hint(*state, p, SWP_STALE_READ, "insert wait_vm 2 at the end of the prologue");
    expect_hint(*state, double_buffer("A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1", safe_epilogue),
                SWP_STALE_READ, "insert wait_vm 0 at the end of the prologue");
}

/* Each of 4 reads lacks the wait, and one wait is the hint of all. */
static void hazards_of_one_cause_have_one_hint(void **state)
{
    expect_hint(*state, double_buffer("A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1", safe_epilogue),
                SWP_STALE_READ, "insert wait_vm 0 at the end of the prologue");
}

static void work_is_added_and_taken_away(void **state)
{
    expect_hint(*state, double_buffer(safe_prologue, "a0.0 b0.0 m0.0 a1.0 b1.0"), SWP_MISSING_WORK,
                "insert MMA (stage 0, subtile 0) at the end of the epilogue");
    expect_hint(*state, double_buffer(safe_prologue, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0 m0.0"),
                SWP_DOUBLE_WORK, "remove epilogue entry 6 (MMA)");
}

static void a_lag_that_strands_a_group(void **state)
{
    program p = double_buffer(safe_prologue, safe_epilogue);
    p.schedule.machine.groups = 2;
    p.schedule.machine.lag = 1;
    p.schedule.machine.lag_prologue_index = 9;
    p.schedule.machine.lag_end_barrier = true;
    expect_hint(*state, p, SWP_DEADLOCK,
                "set machine.lag_prologue_index to 5; then verify again, as another hazard hides "
                "behind it");
    p = double_buffer(safe_prologue, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    p.schedule.machine.groups = 2;
    p.schedule.machine.lag = 1;
    p.schedule.machine.lag_end_barrier = false;
    expect_hint(*state, p, SWP_DEADLOCK,
                "set machine.lag_end_barrier to true; then verify again, as another hazard hides "
                "behind it");
}

/* Of 4 loads the counter holds 3. */
static void a_counter_that_wraps(void **state)
{
    program p = double_buffer(safe_prologue, safe_epilogue);
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    p.schedule.machine.vm_max = 3;
    expect_hint(*state, p, SWP_COUNTER, "insert wait_vm 2 before prologue entry 3 (LOAD_B)");
}

/* --- Warp roles --- */

static void expect_role_hint(roles_program *p, const char *hint)
{
    swp_verdict verdict;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_ok(p->ctx, swp_verify_repairs(p->ctx, &p->schedule, &verdict));
    assert_true(verdict.hazards.count > 0);
    for (size_t i = 0; i < verdict.hazards.count; i++)
        assert_string_equal(verdict.hazards.items[i].hint, hint);
}

static void remove_entry(swp_entry_list *list, int at)
{
    list->count--;
    memmove(list->items + at, list->items + at + 1,
            (list->count - (size_t)at) * sizeof *list->items);
}

/* The wgmma of the iteration before has to be over when its slot is given back; one more may go on. */
static void a_wait_for_groups_that_was_removed_is_put_back(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    remove_entry(&p.schedule.streams[CONSUMER].kernel, 3);
    expect_role_hint(&p, "insert matrix_wait 1 (by all) before consumer kernel entry 3 (arrive)");
}

/* Each hazard of it has the one edit that removes all of them. */
static void what_a_role_does_for_other_turns_is_put_back(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    p.schedule.streams[CONSUMER].kernel.items[0].op.iteration++;
    expect_role_hint(&p, "set iteration of consumer kernel entry 0 (wait_phase) to 1");
}

static void a_count_that_does_not_add_up_is_set_right(void **state)
{
    roles_program p;
    swp_role_object objects[2];
    safe_ring(&p, *state);
    memcpy(objects, p.schedule.objects, sizeof objects);
    objects[EMPTY].arrivals = 1;
    p.schedule.objects = objects;
    expect_role_hint(&p, "set arrivals of sync object empty to 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_wait_is_lowered_no_further_than_it_must),
        CONTEXT_TEST(what_was_left_out_is_put_back),
        CONTEXT_TEST(hazards_of_one_cause_have_one_hint),
        CONTEXT_TEST(work_is_added_and_taken_away),
        CONTEXT_TEST(a_lag_that_strands_a_group),
        CONTEXT_TEST(a_counter_that_wraps),
        CONTEXT_TEST(a_wait_for_groups_that_was_removed_is_put_back),
        CONTEXT_TEST(what_a_role_does_for_other_turns_is_put_back),
        CONTEXT_TEST(a_count_that_does_not_add_up_is_set_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
