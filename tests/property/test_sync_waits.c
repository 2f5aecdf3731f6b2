/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fewest cycles against all placements of barriers and all sets of waits, on the smallest bodies.
 * SWP_CASES scales the runs.
 */
#include "fixture.h"

#include "swp/phase.h"
#include "trials.h"

enum { BODIES = 20 };

/* A body that takes more proofs is left aside. */
enum { MOST_PROOFS = 8000 };

/* All waits of a placement, element by element, as long as the result can be safe and better. */
typedef struct waits_search {
    program program;
    trial_cost best;
    bool prune; /* by cycles: one group is never faster for one more wait */
    int most_waits;
    int most_count[2]; /* of lgkm and vm waits: the accesses of a pass */
    size_t proofs;
    bool found;
    program better;
} waits_search;

/* Before each element from `at` on, all waits there can be; the caller deletes as many again. */
static void add_strongest(program *p, int at)
{
    for (int i = (int)p->schedule.streams[0].kernel.count - 1; i >= at; i--) {
        program_insert(p, SWP_KERNEL, i, swp_op_wait_lgkm(0));
        program_insert(p, SWP_KERNEL, i, swp_op_wait_vm(0));
    }
}

static bool can_be_safe(waits_search *s, int at)
{
    program all = program_copy(&s->program.schedule);
    add_strongest(&all, at);
    const bool safe = trial_is_safe(&all.schedule);
    program_free(&all);
    s->proofs++;
    return safe;
}

static bool can_be_better(const waits_search *s)
{
    return !s->prune || trial_is_less(trial_cost_of(&s->program.schedule), s->best);
}

static void try_waits(waits_search *s, int at, int waits);

/* A wait before entry `at`, then whatever else. */
static void try_wait(waits_search *s, int at, int waits, bool vm)
{
    for (int count = 0; count <= s->most_count[vm] && !s->found; count++) {
        program_insert(&s->program, SWP_KERNEL, at,
                       vm ? swp_op_wait_vm(count) : swp_op_wait_lgkm(count));
        try_waits(s, at + 1, waits + 1);
        program_delete(&s->program, SWP_KERNEL, at);
    }
}

/* Waits before the element at `at`, of which those before `at` are there, and before later ones. */
static void try_waits(waits_search *s, int at, int waits)
{
    const swp_entry_list *kernel = program_phase(&s->program, SWP_KERNEL);
    if (s->found || s->proofs > MOST_PROOFS || !can_be_better(s))
        return;
    if (at == (int)kernel->count || waits == s->most_waits) {
        s->proofs++;
        s->found = trial_is_safe(&s->program.schedule) &&
                   trial_is_less(trial_cost_of(&s->program.schedule), s->best);
        if (s->found)
            s->better = program_copy(&s->program.schedule);
        return;
    }
    if (!can_be_safe(s, at))
        return;
    try_waits(s, at + 1, waits);
    const swp_op *before = at > 0 ? &kernel->items[at - 1].op : NULL;
    /* One of each kind before an element. */
    const bool vm = before && before->tag == SWP_TAG_WAIT_VM;
    const bool lgkm = before && before->tag == SWP_TAG_WAIT_LGKM;
    const bool both = at > 1 && (vm || lgkm) && trial_is_wait(&kernel->items[at - 2].op);
    if (!vm && !both)
        try_wait(s, at, waits, true);
    if (!lgkm && !both)
        try_wait(s, at, waits, false);
}

typedef struct cycle_search {
    placement place;
    trial_cost best; /* what was derived */
    int most_barriers;
    size_t proofs;
    bool found; /* something better */
    program better;
} cycle_search;

static int most_waits(const small_order *order)
{
    return order->machine.groups == 1 ? 3 : 2;
}

static void search_waits(cycle_search *s)
{
    /* Without the waits of the kernel phase. */
    waits_search w = {.program = order_with_barriers(s->place.order, s->place.gaps),
                      .best = s->best,
                      .prune = s->place.order->machine.groups == 1,
                      .most_waits = most_waits(s->place.order)};
    for (int i = 0; i < s->place.order->count; i++) {
        w.most_count[0] += s->place.order->ops[i].op.lgkm_cost;
        w.most_count[1] += s->place.order->ops[i].op.vm_cost;
    }
    const swp_entry_list *kernel = program_phase(&w.program, SWP_KERNEL);
    for (int i = (int)kernel->count; i-- > 0;)
        if (trial_is_wait(&kernel->items[i].op))
            program_delete(&w.program, SWP_KERNEL, i);
    try_waits(&w, 0, 0);
    s->proofs += w.proofs;
    s->found = w.found;
    s->better = w.better;
    program_free(&w.program);
}

static void search_placements(cycle_search *s, int first, int barriers)
{
    if (s->found || s->proofs > MOST_PROOFS)
        return;
    if (first == s->place.order->count) {
        if (placement_is_safe(&s->place))
            search_waits(s);
        return;
    }
    for (int here = 0; here <= 2 && barriers + here <= s->most_barriers; here++) {
        s->place.gaps[first] = here;
        search_placements(s, first + 1, barriers + here);
    }
    s->place.gaps[first] = 0;
}

static void show_better(const cycle_search *s)
{
    print_message("better: %g\n", trial_cycles_a_pass(&s->better.schedule));
    program_print(stdout, &s->better.schedule);
}

/* What is derived takes the cycles that it says, and nothing takes fewer. */
static bool check_derived(trial_tally *t, const small_order *order, const derivation *d,
                          int barriers)
{
    const int least = d->result.least_barriers;
    const double simulated = trial_cycles_a_pass(&d->schedule);
    const double claimed = derivation_cost(d).cycles;
    cycle_search s = {.place = {.order = order},
                      .best = d->result.optimal ? derivation_cost(d) : derivation_bound(d),
                      .most_barriers = barriers > least ? barriers : least};
    search_placements(&s, 0, 0);
    t->placements += s.place.tried;
    t->proofs += s.proofs;
    t->optimal += d->result.optimal;
    if (s.proofs <= MOST_PROOFS)
        trial_count(t, order);
    else
        t->unfinished++;
    if (s.found) {
        show_better(&s);
        program_free(&s.better);
    }
    return !s.found && simulated < claimed + trial_hair && simulated > claimed - trial_hair;
}

static bool check_cycles(trial_tally *t, const small_order *order, int barriers, uint64_t seed,
                         size_t index)
{
    derivation d = derive(order, SWP_SYNC_CYCLES, barriers);
    const swp_sync_counts counts = swp_count_sync(&d.schedule.streams[0].kernel);
    const bool small =
        d.status == SWP_OK && counts.vm_waits + counts.lgkm_waits <= most_waits(order);
    const bool right = !small || check_derived(t, order, &d, barriers);
    if (!right)
        derivation_show("cycles", seed, index, &d);
    derivation_free(&d);
    return right;
}

static void no_placement_and_no_waits_take_fewer_cycles(void **state)
{
    (void)state;
    trial_run(&(trial){.least_ops = 4, .most_ops = 5, .most_barriers = 3, .holds = check_cycles}, 2,
              BODIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_placement_and_no_waits_take_fewer_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
