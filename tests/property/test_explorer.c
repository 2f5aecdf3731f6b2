/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier and the unrolled judge against every execution of random programs, for every number
 * of tiles up to 6: verdict, hazards and smallest number of tiles. SWP_CASES scales the runs.
 */
#include "fixture.h"

#include "explorer.h"
#include "mix.h"
#include "small_programs.h"
#include "unrolled.h"

enum { TILES = 6, STATES = 400000, SHOWN = 5, BUILT_INS = 40 };

typedef enum difference {
    AGREE,
    UNROLLED_LISTS, /* the unrolled judge names other hazards than the explorer */
    VERIFIER_LISTS, /* the verifier does */
    OTHER_VERDICT,  /* of either, or another smallest number of tiles */
    TOO_BIG,        /* to be explored */
    DIFFERENCES
} difference;

/* What the three say of a program. */
typedef struct opinions {
    exploration explored;
    judgement unrolled;
    judgement verified;
} opinions;

static judgement verify(const swp_schedule *schedule)
{
    judgement out = {0};
    swp_verdict verdict = {0};
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        if (h->smallest_n <= TILES)
            judgement_add(&out, judged_hazard_of(h));
    }
    swp_context_free(ctx);
    return out;
}

static opinions ask(const swp_schedule *schedule)
{
    const explorer_options options = {.most_tiles = TILES, .most_states = STATES};
    return (opinions){.explored = explorer_judge(schedule, &options),
                      .unrolled = unrolled_judge(schedule, TILES),
                      .verified = verify(schedule)};
}

static void opinions_free(opinions *all)
{
    judgement_free(&all->explored.judged);
    judgement_free(&all->unrolled);
    judgement_free(&all->verified);
}

/* 0: safe */
static int smallest_n(const judgement *judged)
{
    int least = 0;
    for (size_t i = 0; i < judged->count; i++)
        if (least == 0 || judged->items[i].smallest_n < least)
            least = judged->items[i].smallest_n;
    return least;
}

static bool is_same(const judgement *a, const judgement *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->items[i].phase != b->items[i].phase || a->items[i].entry != b->items[i].entry ||
            a->items[i].kind != b->items[i].kind ||
            a->items[i].smallest_n != b->items[i].smallest_n)
            return false;
    return a->count == b->count;
}

static difference compare(const opinions *all)
{
    const int least = all->explored.smallest_n;
    if (all->explored.too_big)
        return TOO_BIG;
    if (smallest_n(&all->explored.judged) != least || smallest_n(&all->unrolled) != least ||
        smallest_n(&all->verified) != least)
        return OTHER_VERDICT;
    if (!is_same(&all->explored.judged, &all->unrolled))
        return UNROLLED_LISTS;
    return is_same(&all->explored.judged, &all->verified) ? AGREE : VERIFIER_LISTS;
}

static bool still_differs(const swp_schedule *schedule, void *user)
{
    opinions all = ask(schedule);
    const difference found = compare(&all);
    opinions_free(&all);
    return found == *(const difference *)user;
}

static void print_judgement(const char *judge, const judgement *judged)
{
    for (size_t i = 0; i < judged->count; i++)
        print_message("  %s: %s at %s entry %d from N = %d\n", judge,
                      swp_hazard_name(judged->items[i].kind),
                      swp_phase_name(judged->items[i].phase), judged->items[i].entry,
                      judged->items[i].smallest_n);
}

static void show_difference(const random_program *random, size_t index, difference kind)
{
    program smaller = program_copy(&random->program.schedule);
    if (kind != TOO_BIG)
        program_shrink(&smaller, still_differs, &kind);
    opinions all = ask(&smaller.schedule);
    print_message("case %zu, %d edits, the last: %s\n", index, random->edits, random->edit);
    program_print(stdout, &smaller.schedule);
    print_judgement("explorer", &all.explored.judged);
    print_judgement("unrolled", &all.unrolled);
    print_judgement("verifier", &all.verified);
    opinions_free(&all);
    program_free(&smaller);
}

typedef struct tally {
    program_mix mix;
    size_t differences[DIFFERENCES];
    size_t states;
    size_t most_states;
} tally;

static void run_case(tally *counts, const random_program *random, size_t index)
{
    opinions all = ask(&random->program.schedule);
    const difference found = compare(&all);
    counts->differences[found]++;
    if (found != TOO_BIG) {
        program_mix_add(&counts->mix, random->edits, &all.explored.judged);
        program_mix_add_mode(&counts->mix, &random->program.schedule.machine);
        counts->states += all.explored.states;
        if (counts->most_states < all.explored.states)
            counts->most_states = all.explored.states;
    }
    opinions_free(&all);
    if (found != AGREE && counts->differences[found] <= SHOWN)
        show_difference(random, index, found);
}

/* Until so many were judged. */
static void run_cases(tally *counts, const program_library *library, uint64_t seed, size_t cases)
{
    for (size_t i = 0; counts->mix.programs < cases && i < 2 * cases; i++) {
        random_program random =
            library ? random_program_new(library, seed, i) : small_program_new(seed, i);
        run_case(counts, &random, i);
        program_free(&random.program);
    }
}

static void check(const tally *counts, size_t cases)
{
    const size_t *differ = counts->differences;
    program_mix_print(&counts->mix);
    print_message("states with a choice: %zu on average, %zu at most; too big: %zu\n",
                  counts->states / cases, counts->most_states, differ[TOO_BIG]);
    print_message("verdicts differ in %zu, hazards of the unrolled judge in %zu, of the verifier "
                  "in %zu\n",
                  differ[OTHER_VERDICT], differ[UNROLLED_LISTS], differ[VERIFIER_LISTS]);
    assert_int_equal(counts->mix.programs, cases);
    assert_true(counts->mix.safe * 100 >= cases * 30);
    assert_true(differ[TOO_BIG] * 200 <= cases);
    assert_int_equal(differ[OTHER_VERDICT], 0);
    assert_int_equal(differ[UNROLLED_LISTS], 0);
    assert_int_equal(differ[VERIFIER_LISTS], 0);
}

static void the_judges_agree_on_every_execution_of_small_programs(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(1);
    const size_t cases = random_sample(2000);
    tally counts = {0};
    run_cases(&counts, NULL, seed, cases);
    check(&counts, cases);
}

static void the_judges_agree_on_every_execution_of_any_programs(void **state)
{
    const uint64_t seed = random_seed(2);
    const size_t cases = random_sample(400);
    tally counts = {0};
    program_library library = program_library_new(*state, seed, BUILT_INS);
    run_cases(&counts, &library, seed, cases);
    program_library_free(&library);
    check(&counts, cases);
}

/* --- What the explorer leaves out --- */

enum { FEW_TILES = 4, FEW_STATES = 20000 };

typedef struct omissions {
    size_t compared;
    size_t unsafe;
    size_t states; /* of all orders */
    size_t needed;
} omissions;

static exploration explore(const swp_schedule *schedule, bool at_once, bool every_order)
{
    const explorer_options options = {.most_tiles = FEW_TILES,
                                      .most_states = FEW_STATES,
                                      .at_once = at_once,
                                      .every_order = every_order};
    return explorer_judge(schedule, &options);
}

static void expect_same(const exploration *a, const exploration *b, const program *p, size_t index)
{
    if (a->smallest_n == b->smallest_n && is_same(&a->judged, &b->judged))
        return;
    program_print(stdout, &p->schedule);
    print_judgement("with what is left out", &b->judged);
    print_judgement("without it", &a->judged);
    fail_msg("case %zu: the explorer leaves out what matters", index);
}

static void compare_explorations(omissions *sum, const program *p, size_t index)
{
    exploration all = explore(&p->schedule, true, true);
    exploration at_once = explore(&p->schedule, true, false);
    exploration each = explore(&p->schedule, false, false);
    if (!all.too_big) {
        expect_same(&at_once, &all, p, index);
        expect_same(&each, &all, p, index);
        sum->compared++;
        sum->unsafe += all.smallest_n > 0;
        sum->states += all.states;
        sum->needed += each.states;
    }
    judgement_free(&all.judged);
    judgement_free(&at_once.judged);
    judgement_free(&each.judged);
}

/* Two waves, of one group or of two: all orders of more are too many. */
static void make_two_waves(swp_machine *m)
{
    m->waves_per_group = m->groups == 2 ? 1 : 2;
}

/* Orders of steps that commute, and places and registers that are looked at one at a time. */
static void the_explorer_leaves_out_nothing_that_matters(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(3);
    const size_t cases = random_sample(200);
    omissions sum = {0};
    for (size_t i = 0; i < cases; i++) {
        random_program random = small_program_new(seed, i);
        make_two_waves(&random.program.schedule.machine);
        compare_explorations(&sum, &random.program, i);
        program_free(&random.program);
    }
    print_message("%zu of %zu programs compared, %zu unsafe; of %zu states %zu are needed\n",
                  sum.compared, cases, sum.unsafe, sum.states, sum.needed);
    assert_true(sum.compared * 2 >= cases);
    assert_true(sum.unsafe * 4 >= sum.compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_explorer_leaves_out_nothing_that_matters),
        CONTEXT_TEST(the_judges_agree_on_every_execution_of_small_programs),
        CONTEXT_TEST(the_judges_agree_on_every_execution_of_any_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
