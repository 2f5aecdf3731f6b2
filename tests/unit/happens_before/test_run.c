/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before what in runs of small schedules with warp roles. */
#include "fixture.h"
#include "happens_before/run.h"
#include "safe_roles.h"

#include "base/context.h"

/* Instances of the ring, by number. */
enum { PRODUCING, FIRST, SECOND };

static swp_happens_run follow(roles_program *p, swp_happens_program *program, int passes)
{
    swp_happens_run run;
    assert_ok(p->ctx, swp_happens_program_build(p->ctx, &p->schedule, program));
    assert_ok(p->ctx, swp_happens_run_follow(p->ctx, program, passes, &run));
    return run;
}

/* The step of an instance that does an entry. */
static int step_of(const swp_happens_run *run, int instance, swp_phase list, int pass, int entry)
{
    for (int s = 0; s < run->lengths[instance]; s++) {
        const swp_happens_step *step = swp_happens_step_of(run, instance, s);
        if (step->list == list && step->entry == entry &&
            (list == SWP_PROLOGUE || step->pass == pass))
            return s;
    }
    fail_msg("no step does entry %d", entry);
    return -1;
}

static void a_run_ends_and_its_phases_complete(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    const swp_happens_run run = follow(&p, &program, 3);
    assert_false(run.stuck);
    assert_int_equal(run.n, 4);
    for (int i = 0; i < run.phase_count; i++)
        assert_true(run.phases[i].completed);
    assert_int_equal(run.phase_count, 4 + 2 + 4); /* of full, of empty below 0, of empty */
}

static void a_copy_is_over_for_who_waited(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    const swp_happens_run run = follow(&p, &program, 3);
    const int load = step_of(&run, PRODUCING, SWP_PROLOGUE, 0, 2);
    const int wait = step_of(&run, FIRST, SWP_PROLOGUE, 0, 0);
    for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
        const int thread = swp_happens_thread_of(FIRST, which);
        assert_false(swp_happens_over_before(&run, 0, PRODUCING, 0, load, 0, thread, wait));
        assert_true(swp_happens_over_before(&run, 0, PRODUCING, 0, load, 0, thread, wait + 1));
    }
}

/* Its slot is filled again two iterations later, after both instances are done with it. */
static void a_wgmma_is_over_for_who_fills_its_slot(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    const swp_happens_run run = follow(&p, &program, 3);
    const int thread = swp_happens_thread_of(PRODUCING, 0);
    for (int consumer = FIRST; consumer <= SECOND; consumer++) {
        const int mma = step_of(&run, consumer, SWP_PROLOGUE, 0, 2);
        const int next = step_of(&run, PRODUCING, SWP_KERNEL, 0, 2);
        const int same = step_of(&run, PRODUCING, SWP_KERNEL, 1, 2);
        assert_false(swp_happens_over_before(&run, 0, consumer, 0, mma, 0, thread, next));
        assert_true(swp_happens_over_before(&run, 0, consumer, 0, mma, 0, thread, same));
    }
}

/* Two instances that wait for one producer are not ordered by that. */
static void instances_are_not_ordered(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    const swp_happens_run run = follow(&p, &program, 1);
    const int mma = step_of(&run, FIRST, SWP_PROLOGUE, 0, 2);
    const int commit = step_of(&run, SECOND, SWP_KERNEL, 0, 2);
    assert_false(swp_happens_before(&run, 0, swp_happens_thread_of(FIRST, 0),
                                    swp_happens_issue(mma), swp_happens_thread_of(SECOND, 0),
                                    commit));
}

/* A matrix_wait waits for all threads of the instance to have issued what it retires. */
static void a_matrix_wait_orders_threads(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    const swp_happens_run run = follow(&p, &program, 0);
    const int mma = step_of(&run, FIRST, SWP_PROLOGUE, 0, 2);
    const int wait = step_of(&run, FIRST, SWP_EPILOGUE, 0, 0);
    assert_int_equal(swp_happens_step_of(&run, FIRST, mma)->retired_by, wait);
    assert_int_equal(swp_happens_step_of(&run, FIRST, wait)->retires, mma);
    for (int step = wait; step <= wait + 1; step++)
        assert_int_equal(swp_happens_before(&run, 0, swp_happens_thread_of(FIRST, 1),
                                            swp_happens_issue(mma), swp_happens_thread_of(FIRST, 0),
                                            step),
                         step > wait);
}

static void turns_open_one_after_the_other(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_turns(&p, *state);
    const swp_happens_run run = follow(&p, &program, 2);
    const int sync = step_of(&run, 1, SWP_KERNEL, 1, 0);
    const int barrier = swp_happens_step_of(&run, 1, sync)->barrier;
    assert_int_equal(run.barriers[barrier].participants, 2);
    assert_int_equal(run.barriers[barrier].threads, 256);
    assert_int_equal(swp_happens_step_of(&run, 1, sync)->meeting, 1);
    assert_true(swp_happens_opened_before(&run, barrier, 0, swp_happens_thread_of(1, 0), sync));
    assert_false(swp_happens_opened_before(&run, barrier, 1, swp_happens_thread_of(1, 0), sync));
}

static void who_waits_for_nobody_is_stuck(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_KERNEL, 0)->iteration = 1;
    const swp_happens_run run = follow(&p, &program, 2);
    const int thread = swp_happens_thread_of(PRODUCING, 0);
    assert_true(run.stuck);
    assert_true(run.threads[thread].issued);
    assert_int_equal(run.threads[thread].step, step_of(&run, PRODUCING, SWP_KERNEL, 0, 0));
}

/* --- All numbers of passes --- */

static void a_ring_repeats_once_its_beginning_is_out_of_reach(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_ring(&p, *state);
    const swp_happens_run run = follow(&p, &program, 60);
    const swp_happens_span span = swp_happens_span_of(&program);
    assert_true(span.reach >= 4); /* two slots, and iterations from 2 before to 1 after */
    assert_false(swp_happens_repeats(&run, span, 1, 2));
    assert_true(swp_happens_repeats(&run, span, 40, 41));
    assert_true(swp_happens_repeats(&run, span, 40, 43));
}

/* One instance has a part in each pass and the other none: their meetings drift apart. */
static void a_drift_does_not_repeat(void **state)
{
    roles_program p;
    swp_happens_program program;
    safe_turns(&p, *state);
    roles_program_op(&p, 0, SWP_KERNEL, 0)->instances = 2;
    const swp_happens_run run = follow(&p, &program, 60);
    const swp_happens_span span = swp_happens_span_of(&program);
    assert_false(swp_happens_repeats(&run, span, 40, 41));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_run_ends_and_its_phases_complete),
        CONTEXT_TEST(a_copy_is_over_for_who_waited),
        CONTEXT_TEST(a_wgmma_is_over_for_who_fills_its_slot),
        CONTEXT_TEST(instances_are_not_ordered),
        CONTEXT_TEST(a_matrix_wait_orders_threads),
        CONTEXT_TEST(turns_open_one_after_the_other),
        CONTEXT_TEST(who_waits_for_nobody_is_stuck),
        CONTEXT_TEST(a_ring_repeats_once_its_beginning_is_out_of_reach),
        CONTEXT_TEST(a_drift_does_not_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
