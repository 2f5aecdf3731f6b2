/* SPDX-License-Identifier: Apache-2.0 */
/* Random schedules with warp roles, judged run by run; SWP_SEED replays a run. */
#include "fixture.h"

#include "agree.h"
#include "mix.h"
#include "roles_unrolled.h"

#include "swp/emit.h"

static judgement judge(const swp_schedule *schedule)
{
    judgement out;
    roles_unrolled_judge(schedule, roles_most_n(schedule), &out);
    return out;
}

static void print_hazards(const judgement *judged)
{
    char text[128];
    for (size_t i = 0; i < judged->count; i++) {
        judged_hazard_print(text, sizeof text, &judged->items[i]);
        print_message("%s\n", text);
    }
}

static void programs_without_edits_are_safe(void **state)
{
    const uint64_t seed = random_seed(21);
    const size_t cases = random_sample(300);
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_safe(&random);
        judgement judged = judge(&p.schedule);
        if (judged.count > 0 || !random_roles_is_legal(&p.schedule)) {
            print_message("case %zu\n", i);
            print_hazards(&judged);
            random_roles_print(&p);
            fail();
        }
        judgement_free(&judged);
        random_roles_free(&p);
    }
}

static void programs_are_of_all_kinds(void **state)
{
    const uint64_t seed = random_seed(22);
    const size_t cases = random_sample(1000);
    program_mix mix = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_new(&random);
        judgement judged = judge(&p.schedule);
        program_mix_add(&mix, p.edits, &judged);
        judgement_free(&judged);
        random_roles_free(&p);
    }
    program_mix_print(&mix);
    assert_true(role_mix_is_rich(&mix));
}

/* A program that is printed is judged the same when it is read. */
static void programs_survive_json(void **state)
{
    const uint64_t seed = random_seed(23);
    const size_t cases = random_sample(100);
    const swp_emit_format *json = swp_emit_format_find("json");
    (void)state;
    for (size_t i = 0; json && i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_new(&random);
        char *text = NULL;
        size_t length = 0;
        swp_schedule *back = NULL;
        assert_ok(p.ctx, json->emit(p.ctx, &p.schedule, &text, &length));
        assert_ok(p.ctx, swp_schedule_read_json(p.ctx, text, length, "random.json", &back));
        judgement judged = judge(&p.schedule);
        judgement again = judge(back);
        assert_int_equal(judged.count, again.count);
        if (judged.count > 0)
            assert_memory_equal(judged.items, again.items, judged.count * sizeof *judged.items);
        judgement_free(&judged);
        judgement_free(&again);
        swp_schedule_free(back);
        random_roles_free(&p);
    }
}

static bool is_first(const swp_schedule *schedule, void *user)
{
    judgement judged = judge(schedule);
    const bool first = judged.count > 0 && judgement_first(&judged) == *(swp_hazard_kind *)user;
    judgement_free(&judged);
    return first;
}

static size_t count_entries(const swp_schedule *schedule)
{
    size_t count = 0;
    for (size_t s = 0; s < schedule->stream_count; s++)
        for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            count += swp_stream_phase(&schedule->streams[s], (swp_phase)phase)->count;
    return count;
}

static void programs_shrink_to_their_fault(void **state)
{
    const uint64_t seed = random_seed(24);
    swp_hazard_kind kind = SWP_NAMED_BARRIER;
    size_t shrunk = 0;
    (void)state;
    for (size_t i = 0; shrunk < 1 && i < 1000; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_new(&random);
        const size_t entries = count_entries(&p.schedule);
        if (is_first(&p.schedule, &kind)) {
            random_roles_shrink(&p, is_first, &kind);
            assert_true(count_entries(&p.schedule) < entries);
            assert_true(is_first(&p.schedule, &kind));
            shrunk++;
        }
        random_roles_free(&p);
    }
    assert_int_equal(shrunk, 1);
}

/* The hazards of a judgement as the proof says them. */
static void differences_are_told(void **state)
{
    swp_hazard hazards[] = {
        {.kind = SWP_DEADLOCK, .at = {SWP_KERNEL, 3}, .smallest_n = 2},
        {.kind = SWP_STALE_READ, .at = {SWP_EPILOGUE, 0}, .smallest_n = 5},
    };
    swp_verdict verdict = {.hazards = {.items = hazards, .count = COUNT_OF(hazards)}};
    judgement judged = {0};
    (void)state;
    judgement_add(&judged,
                  (judged_hazard){.kind = SWP_STALE_READ, .phase = SWP_EPILOGUE, .smallest_n = 5});
    assert_int_equal(roles_differences(&verdict, &judged, 12, NULL), 1);
    judgement_add(
        &judged,
        (judged_hazard){.kind = SWP_DEADLOCK, .phase = SWP_KERNEL, .entry = 3, .smallest_n = 2});
    assert_int_equal(roles_differences(&verdict, &judged, 12, NULL), 0);
    hazards[0].smallest_n = 3;
    assert_int_equal(roles_differences(&verdict, &judged, 12, NULL), 2);
    hazards[0].smallest_n = 13; /* beyond what the judge looks at */
    assert_int_equal(roles_differences(&verdict, &judged, 12, NULL), 1);
    judgement_free(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_without_edits_are_safe),
        cmocka_unit_test(programs_are_of_all_kinds),
        cmocka_unit_test(programs_survive_json),
        cmocka_unit_test(programs_shrink_to_their_fault),
        cmocka_unit_test(differences_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
