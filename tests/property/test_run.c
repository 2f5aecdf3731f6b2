/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the executor, on the built-ins and all that they become when one wait or
 * barrier is deleted: every hazard is shown by an execution at the number of tiles that the
 * verifier names, and what it calls safe goes right in 64 adversarial runs.
 */
#include "fixture.h"

#include "execute.h"
#include "swp/describe.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 64, MOST_TILES = 12, MOST_ENTRIES = 512 };

typedef struct setting {
    const char *path;
    const char *value;
} setting;

typedef struct program {
    const char *builtin;
    setting settings[2];
    int safe; /* of the mutants, the program itself included */
} program;

static const program programs[] = {
    {"single_buffer", {{NULL, NULL}}, 1},
    {"pingpong", {{NULL, NULL}}, 45},
    {"fourwave", {{"pipeline.lgkm_per_load_a", "4"}, {"pipeline.lgkm_per_load_b", "4"}}, 0},
};

typedef struct tally {
    int programs;
    int safe;
    int hazards;
    int by_kind[SWP_HAZARD_KINDS];
} tally;

static swp_schedule *compile(swp_context *ctx, const program *p)
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, p->builtin, &description));
    for (size_t i = 0; i < COUNT_OF(p->settings) && p->settings[i].path; i++)
        assert_ok(ctx, swp_description_set(ctx, description, p->settings[i].path,
                                           p->settings[i].value, nowhere));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

static void check(const swp_schedule *schedule, const char *what, tally *sum)
{
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    swp_verdict verdict;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *hazard = &verdict.hazards.items[i];
        if (execute_hazard(schedule, hazard) == NOT_SHOWN)
            fail_msg("%s: %s at %s entry %d is not shown at N = %d", what,
                     swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase),
                     hazard->at.entry, hazard->smallest_n);
        sum->by_kind[hazard->kind]++;
    }
    if (verdict.safe &&
        execute_adversarially(schedule, RUNS, schedule->loop.min_tiles, MOST_TILES) > 0)
        fail_msg("%s is called safe, but goes wrong", what);
    sum->programs++;
    sum->safe += verdict.safe;
    sum->hazards += (int)verdict.hazards.count;
    swp_context_free(ctx);
}

static swp_entry_list *phase_of(swp_schedule *schedule, swp_phase phase)
{
    return phase == SWP_PROLOGUE ? &schedule->prologue
           : phase == SWP_KERNEL ? &schedule->kernel
                                 : &schedule->epilogue;
}

static void check_without(const swp_schedule *schedule, swp_phase phase, size_t entry, tally *sum)
{
    swp_entry entries[MOST_ENTRIES];
    swp_schedule mutant = *schedule;
    swp_entry_list *list = phase_of(&mutant, phase);
    assert_in_range(list->count, 1, MOST_ENTRIES);
    const size_t after = list->count - entry - 1;
    memcpy(entries, list->items, entry * sizeof *entries);
    memcpy(entries + entry, list->items + entry + 1, after * sizeof *entries);
    *list = (swp_entry_list){entries, list->count - 1, MOST_ENTRIES};
    char what[128];
    (void)snprintf(what, sizeof what, "%s without %s entry %zu", schedule->name,
                   swp_phase_name(phase), entry);
    check(&mutant, what, sum);
}

static void hazards_are_shown_and_safe_programs_go_right(void **state)
{
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        tally sum = {0};
        swp_schedule *schedule = compile(ctx, &programs[i]);
        check(schedule, programs[i].builtin, &sum);
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
            const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
            for (size_t entry = 0; entry < entries->count; entry++)
                if (entries->items[entry].op.role == SWP_SYNC)
                    check_without(schedule, phase, entry, &sum);
        }
        print_message("%s: %d programs, %d safe, %d hazards shown:", programs[i].builtin,
                      sum.programs, sum.safe, sum.hazards);
        for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
            if (sum.by_kind[kind])
                print_message(" %s %d", swp_hazard_name((swp_hazard_kind)kind), sum.by_kind[kind]);
        print_message("\n");
        assert_int_equal(sum.safe, programs[i].safe);
        swp_schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(hazards_are_shown_and_safe_programs_go_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
