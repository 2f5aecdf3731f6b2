/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of random schedules with warp roles that go on from the cut behind their passes, against the same runs followed from
 * their beginning; and the proof of one form after an edit of its last lists, against the proof of all forms. SWP_SEED
 * replays a run, SWP_CASES scales it, SWP_ONLY takes the tests of that name, which may have a *.
 */
#include "fixture.h"
#include "random.h"
#include "roles_clusters.h"
#include "roles_generator.h"
#include "verify/roles_prove.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 5, ALL_FORMS = -1 };

/* --- Runs --- */

static bool same_threads(const swp_happens_run *a, const swp_happens_run *b)
{
    const size_t size = (size_t)a->thread_count * sizeof(int);
    for (int t = 0; t < a->thread_count; t++) {
        const swp_happens_thread *x = &a->threads[t];
        const swp_happens_thread *y = &b->threads[t];
        if (x->step != y->step || x->issued != y->issued)
            return false;
        for (int s = 0; s <= x->step; s++)
            if (memcmp(a->clocks.items[x->clocks[s]], b->clocks.items[y->clocks[s]], size) != 0)
                return false;
    }
    return a->stuck == b->stuck;
}

static bool same_steps(const swp_happens_run *a, const swp_happens_run *b)
{
    for (int i = 0; i < a->program->count; i++) {
        if (a->lengths[i] != b->lengths[i])
            return false;
        for (int s = 0; s < a->lengths[i]; s++) {
            const swp_happens_step *x = &a->steps[i][s];
            const swp_happens_step *y = &b->steps[i][s];
            if (x->op != y->op || x->list != y->list || x->iteration != y->iteration ||
                x->barrier != y->barrier || x->meeting != y->meeting || x->retires != y->retires ||
                x->retired_by != y->retired_by || x->earlier != y->earlier)
                return false;
        }
    }
    return true;
}

static bool same_phases(const swp_happens_run *a, const swp_happens_run *b)
{
    for (int p = 0; p < a->phase_count; p++) {
        const swp_happens_phase *x = &a->phases[p];
        const int number = swp_happens_find_phase(b, x->rank, x->object, x->turn);
        if (number < 0)
            return false;
        const swp_happens_phase *y = &b->phases[number];
        if (x->arrivals != y->arrivals || x->expected != y->expected || x->brought != y->brought ||
            x->pending != y->pending || x->completed != y->completed ||
            x->waits.count != y->waits.count || (x->before < 0) != (y->before < 0) ||
            (x->after < 0) != (y->after < 0) ||
            memcmp(x->clock, y->clock, (size_t)a->thread_count * sizeof(int)) != 0)
            return false;
    }
    return a->phase_count == b->phase_count;
}

static bool same_run(const swp_happens_run *a, const swp_happens_run *b)
{
    return same_steps(a, b) && same_threads(a, b) && same_phases(a, b);
}

/* @return whether the run goes on as it does from its beginning */
static bool try_end(swp_context *ctx, swp_happens_run *shared, const swp_happens_program *program)
{
    swp_context inner;
    swp_happens_run whole;
    assert_int_equal(swp_scope_open(ctx, &inner), SWP_OK);
    assert_ok(ctx, swp_happens_run_follow(&inner, program, shared->passes, &whole));
    assert_ok(ctx, swp_happens_run_end(&inner, shared, program));
    const bool same = same_run(shared, &whole);
    swp_happens_run_back(shared);
    swp_scope_close(&inner);
    return same;
}

/* Each run twice, so that the cut is left as it was. @return whether all were the same */
static bool try_runs(const random_roles *p, size_t *tried)
{
    const int forms = swp_schedule_forms(&p->schedule);
    const int straight = (int)p->schedule.streams[0].tails.straight_count;
    const int count = forms - straight;
    swp_schedule *schedules = calloc((size_t)count, sizeof *schedules);
    swp_happens_program *programs = calloc((size_t)count, sizeof *programs);
    const swp_happens_rooms rooms = {{2, 4}}; /* both are outgrown */
    swp_happens_run shared;
    bool same = true;
    for (int f = 0; f < count; f++) {
        schedules[f] = swp_schedule_form(&p->schedule, f);
        assert_ok(p->ctx, swp_happens_program_build(p->ctx, &schedules[f], &programs[f]));
    }
    assert_ok(p->ctx, swp_happens_run_begin(p->ctx, &programs[0], rooms, &shared));
    for (int passes = 0; passes <= MOST_PASSES; passes++) {
        if (passes > 0)
            assert_ok(p->ctx, swp_happens_run_go_on(&shared));
        for (int f = 0; f < 2 * count; f++)
            if (swp_happens_run_may_end(&shared, &programs[f % count])) {
                same = same && try_end(p->ctx, &shared, &programs[f % count]);
                ++*tried;
            }
    }
    free(programs);
    free(schedules);
    return same;
}

static void try_programs(uint64_t standard, size_t sample,
                         random_roles (*program)(test_random *random))
{
    const uint64_t seed = random_seed(standard);
    const size_t cases = random_sample(sample);
    size_t tried = 0;
    size_t failed = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = program(&random);
        if (p.schedule.loop.tiles_per_pass > 0 && !try_runs(&p, &tried)) {
            print_message("case %zu\n", i);
            failed++;
        }
        random_roles_free(&p);
    }
    assert_int_equal(failed, 0);
    assert_true(tried >= cases); /* of twelve or more of each program most go on from the cut */
}

static void runs_go_on_from_a_cut_as_from_their_beginning(void **state)
{
    (void)state;
    try_programs(81, 300, random_roles_new);
}

static void so_do_those_of_clusters(void **state)
{
    (void)state;
    try_programs(82, 100, random_roles_cluster_new);
}

/* --- The proof of one form --- */

static swp_entry_list *last_list(swp_schedule *schedule, int stream, int form)
{
    swp_stream *of = &schedule->streams[stream];
    const int epilogues = (int)of->tails.epilogue_count;
    if (form == 0)
        return &of->epilogue;
    return form <= epilogues ? &of->tails.epilogues[form - 1]
                             : &of->tails.straight[form - 1 - epilogues];
}

/* Takes an entry out of a last list of one form. @return false: nothing was there */
static bool spoil(swp_schedule *schedule, test_random *random, int *form)
{
    *form = random_int(random, 0, swp_schedule_forms(schedule) - 1);
    const int stream = random_int(random, 0, (int)schedule->stream_count - 1);
    swp_entry_list *list = last_list(schedule, stream, *form);
    if (list->count == 0)
        return false;
    const int at = random_int(random, 0, (int)list->count - 1);
    list->count--;
    memmove(&list->items[at], &list->items[at + 1],
            (list->count - (size_t)at) * sizeof *list->items);
    return random_roles_is_legal(schedule);
}

static void a_proof_of_one_form_counts_as_that_of_all(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(83);
    const size_t cases = random_sample(400);
    size_t safe = 0;
    size_t unsafe = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_safe(&random);
        swp_role_form_work *works = calloc((size_t)swp_schedule_forms(&p.schedule), sizeof *works);
        swp_verdict all = {0};
        swp_verdict one = {0};
        int form = 0;
        assert_ok(p.ctx, swp_verify_roles_until_unsafe(p.ctx, &p.schedule, ALL_FORMS,
                                                       SWP_PROOF_ASKED_FOR, works, &all));
        assert_true(all.safe);
        if (spoil(&p.schedule, &random, &form)) {
            assert_ok(p.ctx, swp_verify_roles_until_unsafe(p.ctx, &p.schedule, form,
                                                           SWP_PROOF_ASKED_FOR, works, &one));
            assert_ok(p.ctx, swp_verify_roles_until_unsafe(p.ctx, &p.schedule, ALL_FORMS,
                                                           SWP_PROOF_ASKED_FOR, NULL, &all));
            assert_int_equal(one.safe, all.safe);
            assert_int_equal(one.work, all.work);
            safe += all.safe;
            unsafe += !all.safe;
        }
        free(works);
        random_roles_free(&p);
    }
    print_message("%zu safe, %zu unsafe\n", safe, unsafe);
    assert_true(unsafe > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_go_on_from_a_cut_as_from_their_beginning),
        cmocka_unit_test(so_do_those_of_clusters),
        cmocka_unit_test(a_proof_of_one_form_counts_as_that_of_all),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
