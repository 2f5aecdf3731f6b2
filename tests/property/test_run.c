/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the executor, on the built-ins and all that they become when one wait or
 * barrier is deleted: every hazard is shown by an execution at the number of tiles that the
 * verifier names, and what it calls safe goes right in 64 adversarial runs.
 */
#include "fixture.h"

#include "builtins.h"
#include "executed.h"
#include "mutants.h"

#include <stdio.h>

enum { RUNS = 64 };

typedef struct base {
    const char *words;
    int safe; /* of the mutants, the program itself included */
} base;

static const base bases[] = {
    {"single_buffer", 1},
    {"pingpong", 45},
    {"fourwave pipeline.lgkm_per_load_a=4 pipeline.lgkm_per_load_b=4", 0},
};

typedef struct tally {
    int programs;
    int safe;
    int hazards;
    int by_kind[SWP_HAZARD_KINDS];
} tally;

static void check(const swp_schedule *schedule, const char *what, tally *sum)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    expect_shown(schedule, &verdict.hazards, what);
    if (verdict.safe)
        expect_right(schedule, RUNS, what);
    for (size_t i = 0; i < verdict.hazards.count; i++)
        sum->by_kind[verdict.hazards.items[i].kind]++;
    sum->programs++;
    sum->safe += verdict.safe;
    sum->hazards += (int)verdict.hazards.count;
    swp_context_free(ctx);
}

static void check_mutant(const mutant *m, void *user)
{
    char what[128];
    if (m->kind != MUTANT_DELETE_WAIT && m->kind != MUTANT_DELETE_BARRIER)
        return;
    (void)snprintf(what, sizeof what, "%s without %s entry %d", m->program.schedule.name,
                   swp_phase_name(m->phase), m->entry);
    check(&m->program.schedule, what, user);
}

static void print_tally(const char *name, const tally *sum)
{
    print_message("%s: %d programs, %d safe, %d hazards shown:", name, sum->programs, sum->safe,
                  sum->hazards);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        if (sum->by_kind[kind])
            print_message(" %s %d", swp_hazard_name((swp_hazard_kind)kind), sum->by_kind[kind]);
    print_message("\n");
}

static void hazards_are_shown_and_safe_programs_go_right(void **state)
{
    for (size_t i = 0; i < COUNT_OF(bases); i++) {
        tally sum = {0};
        swp_schedule *schedule = compile_builtin(*state, bases[i].words);
        check(schedule, bases[i].words, &sum);
        mutants_visit(schedule, check_mutant, &sum);
        print_tally(schedule->name, &sum);
        assert_int_equal(sum.safe, bases[i].safe);
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
