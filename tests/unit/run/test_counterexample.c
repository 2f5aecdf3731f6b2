/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a counterexample: written, read, refused. */
#include "small_loop.h"

static swp_schedule wrong_loop(swp_context *ctx)
{
    return small_loop(ctx, "LA00@k0 LB00@k0 vm1 bar", SAFE_KERNEL, SAFE_EPILOGUE);
}

static swp_counterexample counterexample_of(swp_context *ctx, const swp_schedule *loop)
{
    const swp_hazard hazard = {.kind = SWP_STALE_READ,
                               .at = {SWP_EPILOGUE, 1},
                               .has_other = true,
                               .other = {SWP_PROLOGUE, 1},
                               .passes_before = 1,
                               .smallest_n = 1};
    swp_counterexample found;
    assert_ok(ctx, swp_counterexample_find(ctx, loop, &hazard, &found));
    return found;
}

static char *written(swp_context *ctx, const swp_counterexample *counterexample)
{
    char *text = NULL;
    size_t length = 0;
    assert_ok(ctx, swp_counterexample_write(ctx, counterexample, &text, &length));
    assert_int_equal(strlen(text), length);
    return text;
}

static swp_status read_text(swp_context *ctx, const char *text, swp_counterexample *out)
{
    return swp_counterexample_read(ctx, text, strlen(text), "cex.json", out);
}

static void what_was_written_is_read_back(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    const swp_counterexample found = counterexample_of(ctx, &loop);
    char *text = written(ctx, &found);
    swp_counterexample back;
    assert_ok(ctx, read_text(ctx, text, &back));
    assert_string_equal(written(ctx, &back), text);
    swp_run_outcome outcome;
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &back, &outcome));
    assert_int_equal(outcome.symptom, back.symptom);
    assert_int_equal(outcome.values.items[0].got, back.value.got);
    assert_int_equal(outcome.values.items[0].expected, back.value.expected);
}

static void what_it_leaves_open_happens_as_early_as_possible(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    swp_counterexample found = counterexample_of(ctx, &loop);
    swp_run_outcome outcome;
    found.events.count = 0;
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
    assert_int_equal(outcome.symptom, SWP_NO_SYMPTOM);
}

static void another_schedule_is_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    const swp_schedule other = safe_loop(ctx);
    const swp_counterexample found = counterexample_of(ctx, &loop);
    swp_run_outcome outcome;
    assert_status(ctx, swp_counterexample_replay(ctx, &other, &found, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0712", found.digest);
}

/* A single wave orders without barriers. */
static void one_wave_is_another_schedule(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = wrong_loop(ctx);
    loop.machine.waves_per_group = 4;
    const swp_counterexample found = counterexample_of(ctx, &loop);
    swp_run_outcome outcome;
    loop.machine.waves_per_group = 2;
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
    loop.machine.waves_per_group = 1;
    assert_status(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0712", found.digest);
}

static void the_digest_is_of_what_is_executed(void **state)
{
    swp_context *ctx = *state;
    char a[SWP_DIGEST_SIZE];
    char b[SWP_DIGEST_SIZE];
    swp_schedule loop = safe_loop(ctx);
    swp_schedule_digest(&loop, a);
    loop.name = "renamed";
    loop.machine.barrier_cycles = 5;
    loop.machine.waves_per_group = 4;
    swp_schedule_digest(&loop, b);
    assert_string_equal(a, b);
    loop.streams[0].kernel.items[2].op.wait_value = 1;
    swp_schedule_digest(&loop, b);
    assert_string_not_equal(a, b);
    loop.streams[0].kernel.items[2].op.wait_value = 0;
    loop.machine.registers = SWP_REGISTERS_RAW;
    swp_schedule_digest(&loop, b);
    assert_string_not_equal(a, b);
}

typedef struct event_case {
    swp_timing_event events[2];
    size_t count;
    const char *why;
} event_case;

static void a_timing_that_the_machine_does_not_permit_is_refused(void **state)
{
    const event_case cases[] = {
        {{{.wave = 2, .issue = 1}}, 1, "no such wave"},
        {{{.wave = -1, .issue = 1}}, 1, "no such wave"},
        {{{.wave = 0, .effect = 0}}, 1, "no such access is in flight"},
        {{{.wave = 0, .effect = 9999}}, 1, "no such access is in flight"},
        {{{.wave = 0, .issue = 3}}, 1, "waits for accesses"},
        {{{.wave = 0, .issue = 2}, {.wave = 0, .issue = 99}}, 2, "events[1], of wave 0"},
    };
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        swp_counterexample found = counterexample_of(ctx, &loop);
        swp_timing_event events[2] = {cases[i].events[0], cases[i].events[1]};
        swp_run_outcome outcome;
        found.events = (swp_timing_event_list){events, cases[i].count, 2};
        assert_status(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome), SWP_INVALID);
        assert_diag(ctx, "E0713", cases[i].why);
    }
}

/* Breaks one thing that a counterexample says, and takes it back. */
#define REFUSED(field, wrong, text)                                                                \
    do {                                                                                           \
        found = counterexample_of(ctx, &loop);                                                     \
        found.field = (wrong);                                                                     \
        swp_context_clear_diags(ctx);                                                              \
        assert_status(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome), SWP_INVALID);  \
        assert_diag(ctx, "E0716", text);                                                           \
    } while (0)

static void what_the_schedule_does_not_have_is_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    swp_counterexample found;
    swp_run_outcome outcome;
    REFUSED(at.entry, 99, "hazard.entry is 99, but the epilogue phase has");
    REFUSED(at.entry, -1, "hazard.entry is -1");
    REFUSED(other.entry, (int)loop.streams[0].prologue.count, "hazard.other.entry is 4");
    REFUSED(passes_before, 2, "passes_before is 2, but 1 tile takes 0 passes");
    REFUSED(waves_per_group, 5, "waves_per_group is 5, but the machine has 2");
    REFUSED(waves_per_group, 0, "waves_per_group is 0");
    REFUSED(value.wave, 2, "value.wave is 2, but the waves are from 0 to 1");
    REFUSED(value.row, 1, "value.row is 1, but the rows of accumulators are from 0 to 0");
    REFUSED(value.column, -1, "value.column is -1");
    REFUSED(value.i, 2, "value.i is 2, but an accumulator has rows from 0 to 1");
    REFUSED(value.j, 2, "value.j is 2");
}

static void what_the_execution_does_not_show_is_told(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    swp_counterexample found = counterexample_of(ctx, &loop);
    swp_run_outcome outcome;
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
    assert_no_diag(ctx, "W0710");
    found.value.got++;
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
    assert_diag(ctx, "W0710", "shows other values");
    swp_context_clear_diags(ctx);
    found.has_value = false;
    found.symptom = SWP_WAITS_FOR_EVER;
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
    assert_diag(ctx, "W0710", swp_symptom_meaning(SWP_WAITS_FOR_EVER));
}

/* The text with the first `from` replaced. */
static char *edited(const char *text, const char *from, const char *to)
{
    static char out[16384];
    const char *place = strstr(text, from);
    assert_non_null(place);
    assert_true(strlen(text) + strlen(to) < sizeof out);
    (void)sprintf(out, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    return out;
}

static void files_that_are_none_are_refused(void **state)
{
    static const char *const edits[][3] = {
        {"\"swp_counterexample\": 1,", "", "`swp_counterexample` is missing"},
        {"\"n\": 1", "\"n\": \"one\"", "n: must be an integer"},
        {"\"seed\": 1", "\"seed\": -1", "seed: is -1"},
        {"\"waves_per_group\": 2", "\"waves_per_group\": 65", "waves_per_group: is 65"},
        {"\"schedule\": \"", "\"schedule\": \"0", "schedule: is no digest"},
        {"stale_read", "stale_reed", "hazard.kind: `stale_reed` is no value of `kind`"},
        {"\"passes_before\": 1", "\"passes\": 1", "hazard.other.passes: is no key"},
        {"\"symptom\"", "\"symptoms\"", "symptoms: is no key"},
        {"\"issue\": ", "\"effect\": 0, \"issue\": ", "not both"},
        {"{\"wave\": 0, \"issue\": ", "{\"wave\": 0, \"waits\": ", "is no key"},
        {"\"wrong_value\"", "\"none\"", "symptom: is none, but a counterexample shows"},
        {"\"wrong_value\"", "\"out_of_range\"", "value: a wrong value stands here"},
        {"\"events\": [", "\"events\": [7, ", "events[0]: must be an object"},
    };
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    const swp_counterexample found = counterexample_of(ctx, &loop);
    const char *text = written(ctx, &found);
    swp_counterexample out;
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        assert_status(ctx, read_text(ctx, edited(text, edits[i][0], edits[i][1]), &out),
                      SWP_INVALID);
        assert_diag(ctx, "E0715", edits[i][2]);
    }
    assert_status(ctx, read_text(ctx, "{", &out), SWP_INVALID);
    assert_diag(ctx, "E0110", NULL);
    assert_status(ctx, read_text(ctx, "[]", &out), SWP_INVALID);
}

/* Written, read and executed again, without a word. */
static swp_run_outcome played_back(swp_context *ctx, const swp_schedule *loop,
                                   const swp_counterexample *counterexample)
{
    swp_counterexample back;
    swp_run_outcome outcome;
    size_t diags = 0;
    assert_ok(ctx, read_text(ctx, written(ctx, counterexample), &back));
    assert_int_equal(back.passes_before, counterexample->passes_before);
    assert_ok(ctx, swp_counterexample_replay(ctx, loop, &back, &outcome));
    (void)swp_context_diags(ctx, &diags);
    assert_int_equal(diags, 0);
    return outcome;
}

/* The tile that does not exist is added, too. */
static void a_wrong_number_may_stand_beside_what_is_claimed(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop =
        small_loop(ctx, "LA00@prev LB00@k0 vm0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    const swp_hazard hazard = {.kind = SWP_OUT_OF_RANGE, .at = {SWP_PROLOGUE, 0}, .smallest_n = 1};
    swp_counterexample found;
    assert_ok(ctx, swp_counterexample_find(ctx, &loop, &hazard, &found));
    assert_int_equal(found.symptom, SWP_TILE_OUTSIDE);
    assert_false(found.has_value);
    const swp_run_outcome outcome = played_back(ctx, &loop, &found);
    assert_int_equal(outcome.symptom, SWP_WRONG_VALUE);
    assert_int_equal(outcome.outside.count, 2); /* one of each wave */
    assert_true(outcome.values.count > 0);
}

/* A wave that waits for ever hides nothing of what else is wrong. */
static void a_wave_that_waits_may_stand_beside_a_wrong_number(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = wrong_loop(ctx);
    loop.machine.groups = 2;
    loop.machine.lag = 1;
    loop.machine.lag_end_barrier = false;
    const swp_counterexample found = counterexample_of(ctx, &loop);
    assert_int_equal(found.symptom, SWP_WRONG_VALUE);
    const swp_run_outcome outcome = played_back(ctx, &loop, &found);
    assert_int_equal(outcome.symptom, SWP_WAITS_FOR_EVER);
    assert_true(outcome.values.count > 0);
}

/* A load of tile 2 that is not waited for; the pass after reads the place for tile 1. */
static void the_other_entry_may_stand_in_a_later_pass(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = small_loop(ctx, "LA00@k0 LB00@k0 vm0 bar",
                                         "FA00 FB00 lgkm0 bar LA00@k0 vm0 LA00@k1 LB00@k0 M00 "
                                         "lgkm0 bar",
                                         SAFE_EPILOGUE);
    swp_verdict verdict;
    swp_counterexample found;
    assert_ok(ctx, swp_verify(ctx, &loop, NULL, 0, &verdict));
    const swp_hazard *later = NULL;
    for (size_t i = 0; i < verdict.hazards.count; i++)
        if (verdict.hazards.items[i].passes_before < 0)
            later = &verdict.hazards.items[i];
    assert_non_null(later);
    assert_int_equal(later->kind, SWP_OVERWRITTEN);
    assert_ok(ctx, swp_counterexample_find(ctx, &loop, later, &found));
    assert_int_equal(found.passes_before, -1);
    (void)played_back(ctx, &loop, &found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_was_written_is_read_back),
        CONTEXT_TEST(what_it_leaves_open_happens_as_early_as_possible),
        CONTEXT_TEST(another_schedule_is_refused),
        CONTEXT_TEST(one_wave_is_another_schedule),
        CONTEXT_TEST(the_digest_is_of_what_is_executed),
        CONTEXT_TEST(a_timing_that_the_machine_does_not_permit_is_refused),
        CONTEXT_TEST(what_the_schedule_does_not_have_is_refused),
        CONTEXT_TEST(what_the_execution_does_not_show_is_told),
        CONTEXT_TEST(a_wrong_number_may_stand_beside_what_is_claimed),
        CONTEXT_TEST(a_wave_that_waits_may_stand_beside_a_wrong_number),
        CONTEXT_TEST(the_other_entry_may_stand_in_a_later_pass),
        CONTEXT_TEST(files_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
