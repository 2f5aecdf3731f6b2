/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of loops without warp roles, each as one role, against the proof of bodies, which can judge them, too: both tell the
 * same hazards, at the same entries, with the same least N. SWP_SEED replays a run, SWP_CASES scales it.
 */
#include "fixture.h"

#include "agreeing_proofs.h"
#include "loop_programs.h"
#include "verify/roles.h"
#include "verify/bodies/bodies.h"

/* @return false: there is no answer */
static bool prove_as_role(const loop_program *p, swp_happens_rule without, swp_verdict *out)
{
    enum { ALL_FORMS = -1 };
    const swp_status status =
        swp_verify_loop(p->ctx, &p->schedule, ALL_FORMS, SWP_ALL_HAZARDS, without, out);
    if (status != SWP_OK)
        assert_diag(p->ctx, "E0702", "");
    return status == SWP_OK;
}

/* --- What they tell --- */

typedef struct tally {
    size_t loops;
    size_t lagging;
    size_t safe;
    size_t undecided;
    size_t late; /* counts that are too large only after many iterations */
    size_t wrong;
} tally;

static size_t count_late(const swp_hazard_list *list)
{
    enum { MANY = 1000 };
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].kind == SWP_COUNTER && list->items[i].smallest_n > MANY;
    return count;
}

static void print_all(const char *whose, const swp_hazard_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        print_message("  %s: %s, %s entry %d, N = %d; %s\n", whose,
                      swp_hazard_name(list->items[i].kind), swp_phase_name(list->items[i].at.phase),
                      list->items[i].at.entry, list->items[i].smallest_n, list->items[i].detail);
}

/* --- The loops --- */

/* Derived lags begin in front of the prologue. Behind its end no group comes to one. */
static void move_lag(swp_schedule *schedule, test_random *random)
{
    const int end = (int)schedule->streams[0].prologue.count;
    if (random_chance(random, 30))
        schedule->machine.lag_prologue_index = random_int(random, 0, end + 1);
}

/* Counts that grow for so many passes that nobody follows them one by one. */
static void count_far(swp_schedule *schedule, test_random *random)
{
    enum { FAR = 60000, NEAR = 6, CHANCE = 30 };
    swp_machine *m = &schedule->machine;
    const int percent = random_chance(random, 50) ? 100 : CHANCE;
    const int most = random_chance(random, 50) ? FAR : NEAR;
    if (!random_chance(random, CHANCE))
        return;
    m->vm_max = random_int(random, 1, most);
    m->lgkm_max = random_int(random, 1, most);
    if (m->registers != SWP_REGISTERS_SCOREBOARD) /* its counters do not wrap */
        m->counter_full = SWP_COUNTER_WRAPS;
    for (size_t i = 0; i < schedule->streams[0].kernel.count; i++) {
        swp_op *op = &schedule->streams[0].kernel.items[i].op;
        if ((op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM) &&
            random_chance(random, percent))
            op->wait_value += random_int(random, 1, FAR);
    }
}

static bool make_loop(loop_program *p, test_random *random)
{
    if (!loop_program_new(p, random))
        return false;
    move_lag(&p->schedule, random);
    count_far(&p->schedule, random);
    return true;
}

/* --- Both proofs --- */

static void ask(loop_program *p, size_t index, tally *t)
{
    swp_verdict flat = {0};
    swp_verdict role = {0};
    t->loops++;
    t->lagging += p->schedule.machine.groups > 1 && p->schedule.machine.lag;
    assert_ok(p->ctx, swp_bodies_verify(p->ctx, &p->schedule, SWP_NO_RULE, &flat));
    t->late += count_late(&flat.hazards);
    t->safe += flat.safe;
    if (!prove_as_role(p, SWP_HAPPENS_NO_RULE, &role)) {
        t->undecided++;
    } else if (!proofs_agree(&flat.hazards, &role.hazards)) {
        t->wrong++;
        print_message("case %zu\n", index);
        loop_program_print(&p->schedule);
        print_all("flat", &flat.hazards);
        print_all("role", &role.hazards);
    }
}

static void one_role_is_judged_as_the_loop(void **state)
{
    enum { CASES = 150, FEW = 100 };
    const uint64_t seed = random_seed(91);
    const size_t cases = random_sample(CASES);
    tally t = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        loop_program p;
        if (make_loop(&p, &random))
            ask(&p, i, &t);
        loop_program_free(&p);
    }
    print_message(
        "%zu loops, %zu with a lag, %zu safe, %zu without an answer, %zu counts too large "
        "after many iterations\n",
        t.loops, t.lagging, t.safe, t.undecided, t.late);
    assert_int_equal(t.wrong + t.undecided, 0);
    assert_true(cases < FEW || (t.late > 0 && t.safe > 0 && t.safe < t.loops));
}

/* --- The rules --- */

/* Loops of the standard seed that show a rule which none before them does. */
static const size_t known[] = {1,  2,  5,  6,   16,  22,  30,  35,  40,
                               58, 85, 95, 121, 157, 279, 442, 1827};

static bool differs(const loop_program *p, const swp_verdict *flat, swp_happens_rule without)
{
    swp_verdict role = {0};
    return !prove_as_role(p, without, &role) || !proofs_agree(&flat->hazards, &role.hazards);
}

/* @return how many rules it shows for the first time */
static int try_loop(loop_program *p, size_t number, bool shown[SWP_HAPPENS_ALL_RULES])
{
    swp_verdict flat = {0};
    int count = 0;
    assert_ok(p->ctx, swp_bodies_verify(p->ctx, &p->schedule, SWP_NO_RULE, &flat));
    for (int rule = SWP_HAPPENS_BEFORE_FLAT + 1; rule < SWP_HAPPENS_ALL_RULES; rule++) {
        if (shown[rule] || !differs(p, &flat, (swp_happens_rule)rule))
            continue;
        shown[rule] = true;
        count++;
        print_message("  loop %4zu, without \"%s\"\n", number,
                      swp_happens_rule_meaning((swp_happens_rule)rule));
    }
    return count;
}

static void every_rule_of_loops_is_needed(void **state)
{
    enum { MOST_LOOPS = 10000 };
    bool shown[SWP_HAPPENS_ALL_RULES] = {false};
    const uint64_t seed = random_seed(91);
    int missing = SWP_HAPPENS_ALL_RULES - SWP_HAPPENS_BEFORE_FLAT - 1;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(known) + MOST_LOOPS && missing > 0; i++) {
        const size_t number = i < COUNT_OF(known) ? known[i] : i - COUNT_OF(known);
        test_random random = random_for_case(seed, number);
        loop_program p;
        if (make_loop(&p, &random))
            missing -= try_loop(&p, number, shown);
        loop_program_free(&p);
    }
    for (int rule = SWP_HAPPENS_BEFORE_FLAT + 1; rule < SWP_HAPPENS_ALL_RULES; rule++)
        if (!shown[rule])
            print_message("  NO LOOP needs \"%s\"\n",
                          swp_happens_rule_meaning((swp_happens_rule)rule));
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_role_is_judged_as_the_loop),
        cmocka_unit_test(every_rule_of_loops_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
