/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_accept.h"

#include "fixture.h"

#include "agree.h"
#include "roles_unrolled.h"

#include <stdlib.h>
#include <string.h>

/* Hazards of a schedule, as somebody accepts them. */
typedef struct acceptances {
    swp_acceptance *items;
    size_t count;
} acceptances;

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

static acceptances told_by_judge(const swp_schedule *schedule, const judgement *judged)
{
    acceptances out = {0};
    for (size_t i = 0; i < judged->count; i++) {
        const judged_hazard *h = &judged->items[i];
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

static void judge(const roles_accept_case *of, const role_accepted *taken, judgement *out)
{
    if (of->schedule->output_tiles)
        roles_unrolled_judge_tiles_behind(of->schedule, of->most_n, of->most_tiles, taken, out);
    else
        roles_unrolled_judge_behind(of->schedule, of->most_n, taken, out);
}

static bool agree(const roles_accept_case *of, const swp_verdict *verdict, const judgement *judged)
{
    if (!of->schedule->output_tiles)
        return roles_differences(verdict, judged, of->most_n, stdout) == 0;
    if (roles_tiles_agree(verdict, judged, of->most_tiles, of->most_n))
        return true;
    (void)roles_differences(verdict, judged, of->most_n, stdout);
    return false;
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
static answer ask(const roles_accept_case *of, const acceptances *accepted)
{
    const swp_schedule *schedule = of->schedule;
    const role_accepted taken = {accepted->items, accepted->count};
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    judgement judged = {0};
    answer out = {0};
    assert_non_null(ctx);
    const swp_status status = swp_verify(ctx, schedule, accepted->items, accepted->count, &verdict);
    judge(of, &taken, &judged);
    out.is_open = status == SWP_INVALID;
    if (out.is_open) {
        out.told = told_by_judge(schedule, &judged);
        out.differs = !is_within(&out.told, accepted);
    } else {
        assert_int_equal(status, SWP_OK);
        out.told = told_by_proof(schedule, &verdict);
        out.differs = !agree(of, &verdict, &judged) ||
                      !marks_what_is_accepted(schedule, &verdict, accepted) ||
                      verdict.safe != (verdict.hazards.count == 0);
    }
    if (out.differs && out.is_open)
        print_set("the proof comes to no end, and the judge finds", &out.told);
    if (out.differs)
        print_set("they differ behind", accepted);
    judgement_free(&judged);
    swp_context_free(ctx);
    return out;
}

/* --- Orders --- */

/* Accepts one after the other of those that are told, each time a random one, until none is left. @return all that are told */
static acceptances accept_all(const roles_accept_case *of, test_random *random,
                              roles_accept_tally *t)
{
    acceptances accepted = {0};
    for (;;) {
        answer a = ask(of, &accepted);
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

static void try_orders(const roles_accept_case *of, test_random *random, const acceptances *all,
                       roles_accept_tally *t)
{
    for (int i = 0; i < of->orders; i++) {
        acceptances told = accept_all(of, random, t);
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

static void try_subset(const roles_accept_case *of, const acceptances *accepted,
                       roles_accept_tally *t)
{
    answer a = ask(of, accepted);
    t->subsets++;
    t->open += a.is_open;
    t->different += a.differs;
    free(a.told.items);
}

static void try_subsets(const roles_accept_case *of, test_random *random, const acceptances *all,
                        roles_accept_tally *t)
{
    const bool takes_all = all->count <= (size_t)of->all_subsets_of;
    const unsigned count = takes_all ? 1U << all->count : (unsigned)of->subsets;
    acceptances some = {calloc(all->count, sizeof *some.items), 0};
    assert_non_null(some.items);
    for (unsigned s = 0; s < count; s++) {
        const int percent = random_int(random, 10, 95);
        some.count = 0;
        for (size_t i = 0; i < all->count; i++)
            if (takes_all ? (s >> i & 1) != 0 : random_chance(random, percent))
                some.items[some.count++] = all->items[i];
        try_subset(of, &some, t);
    }
    free(some.items);
}

/* --- Schedules --- */

static void note_kinds(const acceptances *first, const acceptances *all, roles_accept_tally *t)
{
    for (size_t i = 0; i < all->count; i++) {
        t->kinds[all->items[i].kind]++;
        t->behind[all->items[i].kind] += !has(first, &all->items[i]);
    }
}

bool roles_accept_all(const roles_accept_case *of, test_random *random, roles_accept_tally *t)
{
    const size_t different = t->different;
    answer first = ask(of, &(acceptances){0});
    t->different += first.differs;
    if (first.told.count == 0) {
        t->safe++;
        free(first.told.items);
        return t->different == different;
    }
    t->schedules++;
    acceptances all = accept_all(of, random, t);
    note_kinds(&first.told, &all, t);
    try_orders(of, random, &all, t);
    try_subsets(of, random, &all, t);
    free(first.told.items);
    free(all.items);
    return t->different == different;
}

/* --- What was seen --- */

void roles_accept_print(const roles_accept_tally *t)
{
    print_message(
        "%zu schedules with hazards, and %zu without; %zu subsets accepted, %zu orders; %zu "
        "differences; the proof came to no end %zu times\n",
        t->schedules, t->safe, t->subsets, t->orders, t->different, t->open);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        if (t->kinds[kind] > 0)
            print_message("  %-22s %6zu, %6zu of them behind others\n",
                          swp_hazard_name((swp_hazard_kind)kind), t->kinds[kind], t->behind[kind]);
}
