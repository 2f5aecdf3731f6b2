/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is accepted of edited schedules with warp roles ends no judgement: behind each subset of the hazards of a schedule the
 * proof and the judge that writes runs out find the same, and in whatever order hazards are accepted, until none is
 * left, the same are told in the end. SWP_SEED replays a run, SWP_CASES is the number of schedules with hazards,
 * SWP_ONLY takes the tests of that name, which may have a *.
 */
#include "fixture.h"

#include "random.h"
#include "roles_agree.h"
#include "roles_clusters.h"
#include "roles_generator.h"
#include "roles_unrolled.h"

#include <stdlib.h>
#include <string.h>

/* Of so many hazards all subsets are taken, of more so many random ones; and so many random orders of each schedule. */
enum { ALL_SUBSETS_OF = 6, SUBSETS = 64, ORDERS = 4 };

/* Hazards of a schedule, as somebody accepts them. */
typedef struct acceptances {
    swp_acceptance *items;
    size_t count;
} acceptances;

/* What a test has seen. */
typedef struct tally {
    size_t safe;
    size_t schedules;           /* with hazards */
    size_t kinds[SWP_HAZARD_KINDS]; /* hazards */
    size_t behind[SWP_HAZARD_KINDS]; /* of these, those that are told only where others are accepted */
    size_t subsets;
    size_t orders;
    size_t open; /* subsets, and orders, behind which the proof comes to no end */
    size_t different;
} tally;

/* --- Sets --- */

static bool has(const acceptances *set, const swp_acceptance *one)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].kind == one->kind && set->items[i].at.phase == one->at.phase &&
            set->items[i].at.entry == one->at.entry && !strcmp(set->items[i].role, one->role))
            return true;
    return false;
}

static void add(acceptances *set, swp_acceptance one)
{
    if (has(set, &one))
        return;
    set->items = realloc(set->items, (set->count + 1) * sizeof *set->items);
    assert_non_null(set->items);
    set->items[set->count++] = one;
}

static bool is_within(const acceptances *some, const acceptances *all)
{
    for (size_t i = 0; i < some->count; i++)
        if (!has(all, &some->items[i]))
            return false;
    return true;
}

/* --- The two judges --- */

static acceptances told_by_judge(const swp_schedule *schedule, const role_judgement *judged)
{
    acceptances out = {0};
    for (size_t i = 0; i < judged->count; i++) {
        const role_hazard *h = &judged->items[i];
        add(&out, (swp_acceptance){.kind = h->kind,
                                   .at = {h->phase, h->entry},
                                   .role = schedule->streams[h->stream].name});
    }
    return out;
}

static acceptances told_by_proof(const swp_schedule *schedule, const swp_verdict *verdict)
{
    acceptances out = {0};
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        add(&out, (swp_acceptance){
                      .kind = h->kind, .at = h->at, .role = schedule->streams[h->stream].name});
    }
    return out;
}

/* Whether those and no others are marked that are accepted. */
static bool marks_what_is_accepted(const swp_schedule *schedule, const swp_verdict *verdict,
                                   const acceptances *accepted)
{
    int count = 0;
    bool right = true;
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        const swp_acceptance one = {
            .kind = h->kind, .at = h->at, .role = schedule->streams[h->stream].name};
        right = right && h->accepted == has(accepted, &one);
        count += h->accepted;
    }
    return right && count == verdict->accepted;
}

static void print_set(const char *what, const acceptances *set)
{
    print_message("%s", what);
    for (size_t i = 0; i < set->count; i++)
        print_message(" --accept %s:%s:%s:%d", swp_hazard_name(set->items[i].kind),
                      set->items[i].role, swp_phase_name(set->items[i].at.phase),
                      set->items[i].at.entry);
    print_message("\n");
}

/* What one of the two says behind a set. */
typedef struct answer {
    acceptances told;
    bool is_open; /* the proof came to no end */
    bool differs;
} answer;

/*
 * Asks both. Where the proof comes to no end, the judge must have found nothing either but what is accepted: what is
 * found besides is told.
 */
static answer ask(const random_roles *p, const acceptances *accepted)
{
    const role_accepted taken = {accepted->items, accepted->count};
    const int most_n = roles_most_n(&p->schedule);
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    role_judgement judged;
    answer out = {0};
    assert_non_null(ctx);
    const swp_status status =
        swp_verify(ctx, &p->schedule, accepted->items, accepted->count, &verdict);
    roles_unrolled_judge_behind(&p->schedule, most_n, &taken, &judged);
    out.is_open = status == SWP_INVALID;
    if (out.is_open) {
        out.told = told_by_judge(&p->schedule, &judged);
        out.differs = !is_within(&out.told, accepted);
    } else {
        assert_int_equal(status, SWP_OK);
        out.told = told_by_proof(&p->schedule, &verdict);
        out.differs = roles_differences(&verdict, &judged, most_n, stdout) > 0 ||
                      !marks_what_is_accepted(&p->schedule, &verdict, accepted) ||
                      verdict.safe != (verdict.hazards.count == 0);
    }
    if (out.differs && out.is_open)
        print_set("the proof comes to no end, and the judge finds", &out.told);
    if (out.differs)
        print_set("they differ behind", accepted);
    role_judgement_free(&judged);
    swp_context_free(ctx);
    return out;
}

/* --- Orders --- */

/* Accepts one after the other of those that are told, each time a random one, until none is left. @return all that are told */
static acceptances accept_all(const random_roles *p, test_random *random, tally *t)
{
    acceptances accepted = {0};
    for (;;) {
        answer a = ask(p, &accepted);
        acceptances left = {0};
        for (size_t i = 0; i < a.told.count; i++)
            if (!has(&accepted, &a.told.items[i]))
                add(&left, a.told.items[i]);
        t->different += a.differs;
        t->open += a.is_open;
        if (left.count > 0)
            add(&accepted, left.items[random_int(random, 0, (int)left.count - 1)]);
        const bool is_end = left.count == 0 || a.differs;
        free(left.items);
        if (is_end) {
            free(accepted.items);
            return a.told;
        }
        free(a.told.items);
    }
}

static void try_orders(const random_roles *p, test_random *random, const acceptances *all, tally *t)
{
    for (int i = 0; i < ORDERS; i++) {
        acceptances told = accept_all(p, random, t);
        const bool same = is_within(&told, all) && is_within(all, &told);
        if (!same) {
            print_set("in one order", all);
            print_set("in another", &told);
        }
        t->different += !same;
        t->orders++;
        free(told.items);
    }
}

/* --- Subsets --- */

static void try_subset(const random_roles *p, const acceptances *accepted, tally *t)
{
    answer a = ask(p, accepted);
    t->subsets++;
    t->open += a.is_open;
    t->different += a.differs;
    free(a.told.items);
}

static void try_subsets(const random_roles *p, test_random *random, const acceptances *all,
                        tally *t)
{
    const bool takes_all = all->count <= ALL_SUBSETS_OF;
    const unsigned count = takes_all ? 1U << all->count : SUBSETS;
    acceptances some = {calloc(all->count, sizeof *some.items), 0};
    assert_non_null(some.items);
    for (unsigned s = 0; s < count; s++) {
        const int percent = random_int(random, 10, 95);
        some.count = 0;
        for (size_t i = 0; i < all->count; i++)
            if (takes_all ? (s >> i & 1) != 0 : random_chance(random, percent))
                some.items[some.count++] = all->items[i];
        try_subset(p, &some, t);
    }
    free(some.items);
}

/* --- Schedules --- */

static void note_kinds(const acceptances *first, const acceptances *all, tally *t)
{
    for (size_t i = 0; i < all->count; i++) {
        t->kinds[all->items[i].kind]++;
        t->behind[all->items[i].kind] += !has(first, &all->items[i]);
    }
}

/* @return whether both say the same of it behind whatever is accepted */
static bool try_schedule(const random_roles *p, test_random *random, tally *t)
{
    const size_t different = t->different;
    answer first = ask(p, &(acceptances){0});
    t->different += first.differs;
    if (first.told.count == 0) {
        t->safe++;
        free(first.told.items);
        return t->different == different;
    }
    t->schedules++;
    acceptances all = accept_all(p, random, t);
    note_kinds(&first.told, &all, t);
    try_orders(p, random, &all, t);
    try_subsets(p, random, &all, t);
    free(first.told.items);
    free(all.items);
    return t->different == different;
}

static void print_tally(const tally *t)
{
    print_message("%zu schedules with hazards, and %zu without; %zu subsets accepted, %zu orders; %zu "
                  "differences; the proof came to no end %zu times\n",
                  t->schedules, t->safe, t->subsets, t->orders, t->different, t->open);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        if (t->kinds[kind] > 0)
            print_message("  %-22s %6zu, %6zu of them behind others\n",
                          swp_hazard_name((swp_hazard_kind)kind), t->kinds[kind], t->behind[kind]);
}

static void try_schedules(uint64_t standard, size_t sample,
                          random_roles (*program)(test_random *random))
{
    const uint64_t seed = random_seed(standard);
    const size_t schedules = random_sample(sample);
    tally t = {0};
    for (size_t i = 0; t.schedules < schedules; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = program(&random);
        if (!try_schedule(&p, &random, &t)) {
            random_roles_print(&p);
            print_message("case %zu\n", i);
        }
        random_roles_free(&p);
    }
    print_tally(&t);
    assert_int_equal(t.different, 0);
}

static void what_is_accepted_ends_no_judgement(void **state)
{
    (void)state;
    try_schedules(61, 50, random_roles_new);
}

static void nor_in_clusters(void **state)
{
    (void)state;
    try_schedules(62, 10, random_roles_cluster_new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_accepted_ends_no_judgement),
        cmocka_unit_test(nor_in_clusters),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
