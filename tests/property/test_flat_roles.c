/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of loops without warp roles against the order of warp roles, on the same loops written as one role. SWP_SEED
 * replays a run, SWP_CASES scales it. Both find the same loops safe, and the same least N. They differ in what they tell
 * behind that:
 *
 * - Without roles an access that was told of counts as done, so that it is told once. With roles it is told wherever it matters.
 * - A register in flight has another name.
 * - Missing work is told once without roles, and of each op with them.
 * - With roles a write_race is told, too, where no read depends on which write is last; and where an update that is replaced
 *   has not read what it changes, which without roles is overwritten.
 * - Where a read stands behind the write that replaces what it wants, it is a wrong_tile without roles, and with them the write
 *   overwrites, or races. Where an op is done for an iteration out of range, or twice, roles ask less of what it touches.
 */
#include "fixture.h"

#include "flat_role.h"
#include "loop_programs.h"
#include "verify/roles.h"

#include <limits.h>
#include <stdlib.h>

enum { MOST_ACCEPTED = 1000 };

/* --- The two proofs --- */

typedef struct taken {
    swp_acceptance items[MOST_ACCEPTED];
    size_t count;
} taken;

/* @return whether a hazard was not accepted before */
static bool accept_all(const swp_hazard_list *hazards, taken *t)
{
    const size_t before = t->count;
    for (size_t i = 0; i < hazards->count; i++) {
        const swp_hazard *h = &hazards->items[i];
        const swp_acceptances known = {t->items, t->count};
        assert_true(t->count < MOST_ACCEPTED);
        if (!swp_verify_is_accepted(&known, h->kind, h->role, h->at))
            t->items[t->count++] = (swp_acceptance){h->kind, h->at, h->role};
    }
    return t->count > before;
}

/* Accepts what is told until nothing else is, as the first kind of a run hides others. @return false: there is no answer */
static bool prove_as_role(const loop_program *p, swp_verdict *out)
{
    const swp_schedule role = flat_role(p->ctx, &p->schedule);
    taken *t = swp_context_take(p->ctx, sizeof *t);
    swp_status status = SWP_OK;
    assert_non_null(t);
    t->count = 0;
    do
        status = swp_verify_one_role(p->ctx, &role, (swp_acceptances){t->items, t->count}, out);
    while (status == SWP_OK && accept_all(&out->hazards, t));
    if (status != SWP_OK)
        assert_diag(p->ctx, "E0702", "");
    flat_role_publish(&role, &out->hazards);
    return status == SWP_OK;
}

/* --- What they tell --- */

static swp_hazard_kind kind_of(const swp_hazard *h)
{
    return h->kind == SWP_ACCUMULATOR_IN_FLIGHT ? SWP_REGISTER_NOT_READY : h->kind;
}

static bool is_at(const swp_hazard *a, const swp_hazard *b)
{
    return a->at.phase == b->at.phase && a->at.entry == b->at.entry;
}

/* Whether two kinds at an entry are of one thing. */
static bool is_kind(swp_hazard_kind kind, swp_hazard_kind other)
{
    return kind == other || (kind == SWP_OVERWRITTEN && other == SWP_WRITE_RACE) ||
           other == SWP_OUT_OF_RANGE || other == SWP_DOUBLE_WORK;
}

/* Whether it is told elsewhere. */
static bool has_other_place(swp_hazard_kind kind, swp_hazard_kind other)
{
    return (kind == SWP_MISSING_WORK && other == SWP_MISSING_WORK) ||
           (kind == SWP_WRONG_TILE && (other == SWP_OVERWRITTEN || other == SWP_WRITE_RACE));
}

/* Whether another one tells of it, for no more iterations. */
static bool is_told(const swp_hazard_list *list, const swp_hazard *h)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_hazard *other = &list->items[i];
        if (other->smallest_n <= h->smallest_n &&
            ((is_kind(kind_of(h), kind_of(other)) && is_at(other, h)) ||
             has_other_place(h->kind, other->kind)))
            return true;
    }
    return false;
}

static bool is_of_one_proof(swp_hazard_kind kind)
{
    return kind == SWP_WRITE_RACE;
}

/* Of hazards that are told in both proofs: of races those that the other one calls something else. */
static int least_n(const swp_hazard_list *list, const swp_hazard_list *other)
{
    int least = INT_MAX;
    for (size_t i = 0; i < list->count; i++) {
        swp_hazard h = list->items[i];
        const bool is_race = h.kind == SWP_WRITE_RACE;
        h.kind = is_race ? SWP_OVERWRITTEN : h.kind;
        if ((!is_of_one_proof(list->items[i].kind) || (is_race && is_told(other, &h))) &&
            h.smallest_n < least)
            least = h.smallest_n;
    }
    return least;
}

/* What is told with roles alone follows one that is told in both. */
static bool follows(const swp_hazard_list *flat, const swp_hazard *h)
{
    return is_of_one_proof(h->kind) || is_told(flat, h) || least_n(flat, flat) <= h->smallest_n;
}

typedef struct tally {
    size_t loops;
    size_t lagging;
    size_t safe;
    size_t undecided;
    size_t late; /* counts that are too large only after many iterations */
    size_t same; /* sets of hazards, whatever is missing */
    size_t wrong;
} tally;

static bool agree(const swp_hazard_list *flat, const swp_hazard_list *role, tally *t)
{
    bool same = true;
    bool right = least_n(flat, role) == least_n(role, flat);
    for (size_t i = 0; i < flat->count; i++) {
        right &= is_of_one_proof(flat->items[i].kind) || is_told(role, &flat->items[i]);
        same &= is_told(role, &flat->items[i]);
    }
    for (size_t i = 0; i < role->count; i++) {
        right &= follows(flat, &role->items[i]);
        same &= is_told(flat, &role->items[i]);
    }
    t->safe += flat->count == 0;
    t->same += same;
    return right;
}

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
                      swp_hazard_name(kind_of(&list->items[i])),
                      swp_phase_name(list->items[i].at.phase), list->items[i].at.entry,
                      list->items[i].smallest_n, list->items[i].detail);
}

static void ask(loop_program *p, size_t index, tally *t)
{
    swp_verdict flat = {0};
    swp_verdict role = {0};
    t->loops++;
    t->lagging += p->schedule.machine.groups > 1 && p->schedule.machine.lag;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &flat));
    t->late += count_late(&flat.hazards);
    if (!prove_as_role(p, &role)) {
        t->undecided++;
    } else if (!agree(&flat.hazards, &role.hazards, t)) {
        t->wrong++;
        print_message("case %zu\n", index);
        loop_program_print(&p->schedule);
        print_all("flat", &flat.hazards);
        print_all("role", &role.hazards);
    }
}

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
    enum { FAR = 60000, CHANCE = 30 };
    swp_machine *m = &schedule->machine;
    const int percent = random_chance(random, 50) ? 100 : CHANCE;
    if (!random_chance(random, CHANCE))
        return;
    m->vm_max = random_int(random, 1, FAR);
    m->lgkm_max = random_int(random, 1, FAR);
    if (m->registers != SWP_REGISTERS_SCOREBOARD) /* its counters do not wrap */
        m->counter_full = SWP_COUNTER_WRAPS;
    for (size_t i = 0; i < schedule->streams[0].kernel.count; i++) {
        swp_op *op = &schedule->streams[0].kernel.items[i].op;
        if ((op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM) &&
            random_chance(random, percent))
            op->wait_value += random_int(random, 1, FAR);
    }
}

static void one_role_is_judged_as_the_loop(void **state)
{
    enum { CASES = 150, FEW = 60 };
    const uint64_t seed = random_seed(91);
    const size_t cases = random_sample(CASES);
    tally t = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        loop_program p;
        if (loop_program_new(&p, &random)) {
            move_lag(&p.schedule, &random);
            count_far(&p.schedule, &random);
            ask(&p, i, &t);
        }
        loop_program_free(&p);
    }
    print_message("%zu loops, %zu with a lag, %zu safe, %zu with the same hazards, %zu without an "
                  "answer, %zu counts too large after many iterations\n",
                  t.loops, t.lagging, t.safe, t.same, t.undecided, t.late);
    assert_int_equal(t.wrong, 0);
    assert_true(cases < FEW || (t.safe > 0 && t.safe < t.loops && t.undecided * 10 < t.loops));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_role_is_judged_as_the_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
