/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of warp roles against the hardware, on random edits of small programs: a run without a hazard goes
 * wrong in no execution of a machine that has parities and counts only. SWP_CASES scales the run.
 */
#include "fixture.h"

#include "roles_edits.h"
#include "roles_explorer.h"
#include "roles_programs.h"

enum { ITERATIONS = 4, STATES = 60000, MOST_EDITS = 3 };

typedef struct tally {
    size_t runs;
    size_t undecided;
    size_t safe;
    size_t kinds[SWP_HAZARD_KINDS];    /* that were the first */
    size_t harmless[SWP_HAZARD_KINDS]; /* of these: no execution of the hardware goes wrong */
} tally;

static swp_hazard_kind first_kind(const roles_exploration *x)
{
    return x->items[0].kind;
}

static bool has(const roles_exploration *x, swp_hazard_kind kind)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->items[i].kind == kind)
            return true;
    return false;
}

static bool has_all(const roles_exploration *x, const roles_exploration *of)
{
    for (size_t i = 0; i < of->count; i++) {
        bool there = false;
        for (size_t k = 0; k < x->count; k++)
            there |= x->items[k].kind == of->items[i].kind &&
                     x->items[k].stream == of->items[i].stream &&
                     x->items[k].phase == of->items[i].phase &&
                     x->items[k].entry == of->items[i].entry;
        if (!there)
            return false;
    }
    return true;
}

/* From here on phases and meetings are what they are meant to be. */
static bool is_behind_phases(const roles_exploration *x)
{
    return x->count == 0 || (first_kind(x) != SWP_ARRIVALS && first_kind(x) != SWP_NAMED_BARRIER &&
                             first_kind(x) != SWP_PHASE_ALIAS);
}

/* NULL: all is as it should be. */
static const char *what_is_wrong(const roles_exploration *x, const roles_exploration *every,
                                 const roles_outcome *o)
{
    const bool goes_wrong = o->wrong || o->stuck || o->undefined || o->parted;
    if (x->count == 0 && goes_wrong)
        return "the hardware goes wrong, and no rule is broken";
    if (is_behind_phases(x) && (o->parted || o->undefined))
        return "the hardware parts from what is meant";
    if (is_behind_phases(x) && o->stuck && !has(x, SWP_DEADLOCK))
        return "the hardware gets stuck alone";
    if (has(x, SWP_DEADLOCK) && !o->stuck && !o->wrong)
        return "the hardware does not get stuck";
    /* What is written twice is the same tile. */
    if ((has(x, SWP_STALE_READ) || has(x, SWP_OVERWRITTEN)) && !has(x, SWP_DOUBLE_WORK) &&
        !o->wrong)
        return "the hardware reads what it should";
    if (x->count > 0 && first_kind(x) == SWP_UNOBSERVED_PHASE)
        return "an arrival comes after the phase before, but after no wait for it";
    if (!has_all(x, every) || !has_all(every, x))
        return "with every moment by itself there are other hazards";
    return NULL;
}

static void print_hazards(const char *who, const roles_exploration *x)
{
    for (size_t i = 0; i < x->count; i++)
        print_message("  %s: %s: role %d, %s entry %d\n", who, swp_hazard_name(x->items[i].kind),
                      x->items[i].stream, swp_phase_name(x->items[i].phase), x->items[i].entry);
}

/* What two threads of an instance show, three show too. */
static bool is_safe_with_three(const role_program *p, int n)
{
    roles_exploration x = roles_explore(&p->schedule, n, NULL);
    const bool safe = x.count == 0 && !x.undecided;
    roles_exploration_free(&x);
    return safe;
}

static bool check_run(const role_program *p, int n, tally *t)
{
    const roles_explorer_options options = {.others = 1, .most_states = STATES};
    const roles_explorer_options slow = {.others = 1, .most_states = STATES, .every_moment = true};
    roles_exploration x = roles_explore(&p->schedule, n, &options);
    roles_exploration every = roles_explore(&p->schedule, n, &slow);
    const roles_outcome o = roles_explore_hardware(&p->schedule, n, &options);
    const bool undecided = x.undecided || every.undecided || o.undecided;
    const char *wrong = undecided ? NULL : what_is_wrong(&x, &every, &o);
    if (!undecided && x.count > 0 && is_safe_with_three(p, n))
        wrong = "a third thread hides what two show";
    if (wrong) {
        print_message("N = %d, fence_reads %d: %s\n", n, p->schedule.machine.fence_reads, wrong);
        print_hazards("explorer", &x);
        print_hazards("every moment", &every);
        role_program_print(p);
    }
    t->runs++;
    t->undecided += undecided;
    t->safe += x.count == 0 && !undecided;
    if (x.count > 0 && !undecided) {
        t->kinds[first_kind(&x)]++;
        t->harmless[first_kind(&x)] += !o.wrong && !o.stuck && !o.undefined;
    }
    roles_exploration_free(&x);
    roles_exploration_free(&every);
    return !wrong;
}

static bool check_case(test_random *random, tally *t)
{
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    const int program = random_int(random, 0, (int)roles_safe_program_count - 1);
    role_program *p = role_program_read(ctx, roles_safe_programs[program]);
    bool legal = true;
    bool right = true;
    for (int edits = random_int(random, 1, MOST_EDITS); edits > 0 && legal; edits--)
        legal = role_program_edit(ctx, p, random);
    const int n = random_int(random, 1, ITERATIONS);
    p->schedule.machine.fence_reads = random_chance(random, 75);
    if (legal)
        right = check_run(p, n, t);
    role_program_free(p);
    swp_context_free(ctx);
    return right;
}

static void what_breaks_no_rule_goes_right(void **state)
{
    (void)state;
    tally t = {0};
    size_t failures = 0;
    const uint64_t seed = random_seed(20261122);
    const size_t cases = random_sample(1000);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        if (!check_case(&random, &t)) {
            print_message("case %zu\n", i);
            failures++;
        }
    }
    print_message("%zu runs, %zu safe, %zu undecided\n", t.runs, t.safe, t.undecided);
    for (int k = 0; k < SWP_HAZARD_KINDS; k++)
        if (t.kinds[k] > 0)
            print_message("%8zu first %s, %zu of them harmless\n", t.kinds[k],
                          swp_hazard_name((swp_hazard_kind)k), t.harmless[k]);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_breaks_no_rule_goes_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
