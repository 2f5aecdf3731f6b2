/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived synchronisation of the built-ins under all geometries and options, sampled by seed: each
 * combination that the compiler accepts is safe, or no synchronisation makes it so. SWP_CASES says
 * how many.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "sequential.h"
#include "swp/swp.h"
#include "trials.h"

enum { CASES = 150 };

enum { MOST_SETTINGS = 12 };

/* --- Settings --- */

/* A path and some of its values; "" leaves the built-in's. */
typedef struct choice {
    const char *path;
    const char *values[10];
} choice;

static const choice of_double_buffers[] = {
    {"geometry.block",
     {"256,256,64", "128,128,64", "256,128,64", "128,256,32", "64,64,64", "512,256,128",
      "192,256,64", "64,256,256", "256,512,64"}},
    {"geometry.mma", {"16,16,32", "16,16,16", "32,32,16", "32,32,8", "16,16,64", "16,16,128"}},
    {"geometry.elem_bytes", {"2", "1", "4", "8"}},
    {"pipeline.max_globals", {"0", "1", "2", "3", "4"}},
    {"pipeline.heavy", {"2", "3", "4", "6", "8"}},
    {"pipeline.light", {"1", "2", "3", "4"}},
    {"pipeline.vm_per_load_a", {"1", "2", "4", "8", "16"}},
    {"pipeline.vm_per_load_b", {"1", "2", "4", "8", "16"}},
    {"pipeline.lgkm_per_load_a", {"1", "2", "4", "8", "15", "16"}},
    {"pipeline.lgkm_per_load_b", {"1", "2", "4", "8", "15", "16"}},
    {"pipeline.warp_stagger", {"none", "auto", "fixed(0)", "fixed(3)", "fixed(100)"}},
    {"pipeline.frag_order", {"a_before_b", "b_before_a"}},
    {"pipeline.cross_stage_rotation", {"true", "false"}},
    {"pipeline.loop_carried", {"none", "fragment_zero", "fragment_load:1"}},
    {"pipeline.ch0_match_field", {"0", "1"}},
    {"pipeline.ch1_match_field", {"0", "1"}},
    {"schedule.scheduling", {"identity", "greedy", "csp"}},
    {"schedule.max_vgpr", {"96", "100", "120", "999999"}},
    {"schedule.sched_barrier_mask", {"0", "0x55", "0xff"}},
    {"schedule.minimal_barriers", {"true", "false"}},
    {"schedule.omit_mma_set_prio", {"true", "false"}},
    {"schedule.barrier_before_pre_ops", {"true", "false"}},
    {"schedule.wrap_waits_with_sched_barrier", {"true", "false"}},
    {"schedule.auto_waits", {"true", "false"}},
    {"schedule.wait_lgkm_first", {"0", "8", "255"}},
    {"schedule.wait_vm_last", {"0", "6", "60"}},
    {"schedule.lgkm_after_last", {"true", "false"}},
    {"schedule.inter_block_lgkm_drain", {"true", "false"}},
    {"schedule.partial_prologue_drain", {"true", "false"}},
    {"schedule.drain_lgkm_mask", {"0", "0b10", "0xff"}},
    {"schedule.auto_drain", {"true", "false"}},
    {"schedule.global_before_frag", {"true", "false"}},
    {"schedule.lds_contention_penalty", {"0", "3", "20"}},
};

static const choice of_single_buffers[] = {
    {"num_k_tiles", {"1", "2", "3", "4", "5", "6", "7", "8"}},
    {"hints.m_mmas", {"1", "2", "4", "8"}},
    {"hints.n_mmas", {"1", "2", "4", "8"}},
    {"hints.k_mmas", {"1", "2", "4"}},
    {"hints.mma_m", {"16", "32"}},
    {"hints.a_loads", {"0", "1", "4"}},
    {"pipeline.loop_carried", {"none", "fragment_zero", "fragment_load:1"}},
};

static const choice of_all[] = {
    {"machine.groups", {"1", "2"}},
    {"machine.lag", {"0", "1"}},
    {"machine.waves_per_group", {"1", "2", "4", "8"}},
    {"machine.barrier", {"raw", "fenced"}},
    {"machine.registers", {"managed", "raw"}},
    {"machine.vm_max", {"63", "16", "12", "255"}},
    {"machine.lgkm_max", {"15", "16", "63"}},
    {"machine.counter_full", {"stall", "wraps"}},
    {"machine.barrier_cycles", {"0", "4", "20"}},
    {"machine.issue_cycles", {"1", "2", "4"}},
    {"schedule.sync_goal", {"cycles", "barriers"}},
    {"schedule.sync_pace", {"true", "false"}},
};

typedef struct settings {
    const char *builtin;
    const choice *of[MOST_SETTINGS];
    const char *values[MOST_SETTINGS];
    int count;
} settings;

static const char *pick_value(test_random *random, const choice *from)
{
    int values = 0;
    while (values < (int)COUNT_OF(from->values) && from->values[values])
        values++;
    return from->values[random_int(random, 0, values - 1)];
}

static bool is_set(const settings *s, const char *path)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->of[i]->path, path) == 0)
            return true;
    return false;
}

static void pick(settings *s, test_random *random, const choice *from, size_t count)
{
    const choice *one = &from[random_int(random, 0, (int)count - 1)];
    if (s->count == MOST_SETTINGS || is_set(s, one->path))
        return;
    s->of[s->count] = one;
    s->values[s->count++] = pick_value(random, one);
}

static settings random_settings(test_random *random)
{
    static const char *const builtins[] = {"fourwave", "pingpong", "single_buffer"};
    const int which = random_int(random, 0, 99);
    settings s = {.builtin = builtins[which < 40 ? 0 : which < 85 ? 1 : 2]};
    const bool single = which >= 85;
    for (int i = random_int(random, 0, 7); i > 0; i--)
        pick(&s, random, single ? of_single_buffers : of_double_buffers,
             single ? COUNT_OF(of_single_buffers) : COUNT_OF(of_double_buffers));
    for (int i = random_int(random, 0, 4); i > 0; i--)
        pick(&s, random, of_all, COUNT_OF(of_all));
    return s;
}

static void print_settings(const settings *s)
{
    print_message("%s", s->builtin);
    for (int i = 0; i < s->count; i++)
        print_message(" --set '%s=%s'", s->of[i]->path, s->values[i]);
    print_message("\n");
}

static swp_status compile(swp_context *ctx, const settings *s, const char *sync, swp_schedule **out)
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    *out = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, s->builtin, &description));
    assert_ok(ctx, swp_description_set(ctx, description, "schedule.sync", sync, nowhere));
    for (int i = 0; i < s->count; i++) {
        const swp_status status =
            swp_description_set(ctx, description, s->of[i]->path, s->values[i], nowhere);
        if (status != SWP_OK)
            return status;
    }
    return swp_description_compile(ctx, description, out);
}

/* --- What must hold --- */

typedef struct tally {
    size_t derived;
    size_t by_builtin[3];
    size_t refused;
    size_t not_compiled;
    size_t judged;
    size_t optimal;
    size_t gaps;
    double widest_gap; /* of the cycles */
    size_t published_unsafe;
    size_t slower; /* than a safe published schedule */
    double slowest;
} tally;

/* An access whose count nobody stated counts as one. */
static void state_accesses(program *p)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (size_t i = 0; i < program_phase(p, phase)->count; i++) {
            swp_op *op = &program_phase(p, phase)->items[i].op;
            if (op->role == SWP_FRAGMENT_LOAD && op->lgkm_cost == 0)
                op->lgkm_cost = 1;
        }
}

static bool unrolled_is_safe(const swp_schedule *schedule)
{
    program p = program_copy(schedule);
    state_accesses(&p);
    const bool safe = trial_is_safe_unrolled(&p.schedule);
    program_free(&p);
    return safe;
}

static void count_case(tally *t, const settings *s, const swp_schedule *derived)
{
    const swp_sync_result *sync = &derived->sync;
    const double gap = 1 - (double)sync->bound / (double)sync->cycles;
    t->derived++;
    t->by_builtin[s->builtin[0] == 'f' ? 0 : s->builtin[0] == 'p' ? 1 : 2]++;
    t->optimal += sync->optimal;
    t->gaps += sync->bound < sync->cycles;
    t->widest_gap = gap > t->widest_gap ? gap : t->widest_gap;
}

static const char *wrong_with(tally *t, const settings *s, const swp_schedule *published,
                              const swp_schedule *derived, bool sampled)
{
    const int before = swp_count_sync(&published->streams[0].kernel).barriers;
    const int after = swp_count_sync(&derived->streams[0].kernel).barriers;
    const int least = derived->sync.least_barriers;
    const bool was_safe = trial_is_safe(published);
    count_case(t, s, derived);
    t->published_unsafe += !was_safe;
    if (!trial_is_safe(derived))
        return "not safe";
    if (sampled && !unrolled_is_safe(derived))
        return "not safe, says the unrolled judge";
    t->judged += sampled;
    if (after != derived->sync.barriers || after > (before > least ? before : least))
        return "too many barriers";
    if (was_safe && before < least && !derived->schedule.sync_pace)
        return "safe with fewer barriers than the least";
    const double cycles = trial_cycles_a_pass(derived);
    const double slower = cycles / trial_cycles_a_pass(published);
    const double claimed = (double)derived->sync.cycles / derived->sync.passes;
    if (cycles < claimed - trial_hair || cycles > claimed + trial_hair)
        return "takes other cycles than it says";
    if (!was_safe || before < least || derived->schedule.sync_goal != SWP_SYNC_CYCLES ||
        derived->schedule.sync_pace || slower <= 1)
        return NULL;
    t->slower++;
    t->slowest = slower > t->slowest ? slower : t->slowest;
    return derived->machine.groups == 1 ? "slower than a safe published schedule" : NULL;
}

static const char *refused_with(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (diags[i].severity == SWP_ERROR)
            return diags[i].message;
    return "nothing";
}

static const char *check(tally *t, const settings *s, bool sampled)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_context *again = swp_context_new(NULL);
    swp_schedule *published = NULL;
    swp_schedule *derived = NULL;
    const char *wrong = NULL;
    if (compile(ctx, s, "template", &published) != SWP_OK)
        t->not_compiled++;
    else if (compile(again, s, "derived", &derived) == SWP_OK)
        wrong = wrong_with(t, s, published, derived, sampled);
    else if (t->refused++, !has_diag(again, "E0730", NULL) || order_can_be_right(published)) {
        print_message("refused: %s\n", refused_with(again));
        wrong = "refused for a reason that is not true";
    }
    swp_schedule_free(published);
    swp_schedule_free(derived);
    swp_context_free(ctx);
    swp_context_free(again);
    return wrong;
}

static void print_tally(const tally *t)
{
    print_message("%zu derived (fourwave %zu, pingpong %zu, single_buffer %zu), %zu judged twice\n",
                  t->derived, t->by_builtin[0], t->by_builtin[1], t->by_builtin[2], t->judged);
    print_message("  %zu refused, %zu not compiled with the template either\n", t->refused,
                  t->not_compiled);
    print_message("  %zu proven optimal; %zu with a gap in cycles, at most %.1f %%\n", t->optimal,
                  t->gaps, 100 * t->widest_gap);
    print_message("  %zu published ones unsafe; %zu safe ones of two groups are faster, by up to "
                  "%.1f %%\n",
                  t->published_unsafe, t->slower, t->slower ? 100 * (t->slowest - 1) : 0);
}

static void every_combination_is_safe_or_cannot_be(void **state)
{
    const uint64_t seed = random_seed(2);
    const size_t cases = random_sample(CASES);
    tally t = {0};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; t.derived < cases && wrong < 5; i++) {
        test_random random = random_for_case(seed, i);
        const settings s = random_settings(&random);
        const char *what = check(&t, &s, i % 10 == 0);
        if (!what)
            continue;
        wrong++;
        print_message("case %zu: %s\n", i, what);
        print_settings(&s);
    }
    print_tally(&t);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_is_safe_or_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
