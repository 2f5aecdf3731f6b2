/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived synchronisation against all synchronisation there is, on small bodies: the fewest barriers
 * and the fewest cycles. SWP_CASES scales the runs.
 */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "orders.h"
#include "swp/debug.h"
#include "swp/describe.h"
#include "swp/simulate.h"
#include "swp/sync.h"
#include "unrolled.h"

/* With sanitizers everything takes ten times as long. */
#ifdef NDEBUG
enum { BARRIER_BODIES = 400, CYCLE_BODIES = 100, THINNED_BODIES = 100, EDITS = 2000 };
#else
enum { BARRIER_BODIES = 60, CYCLE_BODIES = 10, THINNED_BODIES = 10, EDITS = 200 };
#endif

enum { TILES = 12, MOST_PROOFS = 8000 };

typedef struct tally {
    size_t bodies;
    size_t refused;
    size_t placements;
    size_t optimal;
    size_t proofs;
    size_t unfinished;
    size_t by_ops[ORDER_MOST_OPS + 1];
    size_t by_least[8];
    size_t lagging;
    size_t raw;
} tally;

static bool is_safe(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    swp_context_free(ctx);
    return verdict.safe;
}

static bool unrolled_is_safe(const swp_schedule *schedule)
{
    judgement judged = unrolled_judge(schedule, TILES);
    const bool safe = judged.count == 0;
    judgement_free(&judged);
    return safe;
}

/* --- Placements --- */

typedef struct placement {
    const small_order *order;
    int gaps[ORDER_MOST_OPS];
    size_t tried;
} placement;

static bool placement_is_safe(placement *p)
{
    program synchronised = order_with_barriers(p->order, p->gaps);
    const bool safe = is_safe(&synchronised.schedule);
    program_free(&synchronised);
    p->tried++;
    return safe;
}

/* Whether some placement of exactly so many barriers from gap `first` on is safe. */
static bool some_is_safe(placement *p, int first, int barriers)
{
    if (first == p->order->count)
        return barriers == 0 && placement_is_safe(p);
    for (int here = 0; here <= 2 && here <= barriers; here++) {
        p->gaps[first] = here;
        if (some_is_safe(p, first + 1, barriers - here))
            return true;
    }
    p->gaps[first] = 0;
    return false;
}

/* -1 if even two barriers before every op are not enough. */
static int fewest_barriers(const small_order *order, size_t *tried)
{
    placement p = {.order = order};
    for (int i = 0; i < order->count; i++)
        p.gaps[i] = 2;
    if (!placement_is_safe(&p))
        return -1;
    memset(p.gaps, 0, sizeof(p.gaps));
    int barriers = 0;
    while (!some_is_safe(&p, 0, barriers))
        barriers++;
    *tried += p.tried;
    return barriers;
}

/* --- What is derived --- */

typedef struct derived {
    swp_context *ctx;
    program order;
    swp_schedule schedule; /* the context's */
    swp_sync_result result;
    swp_status status;
} derived;

static derived derive(const small_order *order, swp_sync_goal goal, int barriers)
{
    derived d = {.ctx = swp_context_new(NULL), .order = order_program(order, barriers)};
    assert_non_null(d.ctx);
    d.schedule = d.order.schedule;
    d.status = swp_derive_sync(d.ctx, &d.schedule, goal, false, &d.result);
    return d;
}

static void derived_free(derived *d)
{
    program_free(&d->order);
    swp_context_free(d->ctx);
}

static void show(const char *what, uint64_t seed, size_t index, const derived *d)
{
    print_message("%s: seed %llu case %zu\n", what, (unsigned long long)seed, index);
    print_message("%d barriers, least %d, %lld cycles in %d passes, bound %lld%s\n",
                  d->result.barriers, d->result.least_barriers, (long long)d->result.cycles,
                  d->result.passes, (long long)d->result.bound,
                  d->result.optimal ? ", optimal" : "");
    for (size_t i = 0; i < d->order.schedule.kernel.count; i++)
        print_message("%d ", d->order.schedule.kernel.items[i].op.latency);
    print_message("latencies, issue %d, barrier %d\n", d->schedule.machine.issue_cycles,
                  d->schedule.machine.barrier_cycles);
    program_print(stdout, &d->order.schedule);
    program_print(stdout, &d->schedule);
}

/* --- The fewest barriers --- */

static void count_body(tally *t, const small_order *order)
{
    t->bodies++;
    t->by_ops[order->count]++;
    t->lagging += order->machine.lag == 1;
    t->raw += order->machine.registers == SWP_REGISTERS_RAW;
}

static void print_tally(const tally *t)
{
    print_message("%zu bodies, %zu placements; %zu other orders refused; %zu with a lag, %zu raw\n",
                  t->bodies, t->placements, t->refused, t->lagging, t->raw);
    for (int i = 0; i <= ORDER_MOST_OPS; i++)
        if (t->by_ops[i] > 0)
            print_message("  %d ops: %zu\n", i, t->by_ops[i]);
    for (int i = 0; i < 8; i++)
        if (t->by_least[i] > 0)
            print_message("  %d barriers: %zu\n", i, t->by_least[i]);
}

static bool check_barriers(tally *t, const small_order *order, uint64_t seed, size_t index)
{
    const int fewest = fewest_barriers(order, &t->placements);
    derived d = derive(order, SWP_SYNC_BARRIERS, 0);
    bool right = fewest < 0 ? d.status == SWP_INVALID
                            : d.status == SWP_OK && d.result.least_barriers == fewest &&
                                  d.result.barriers == fewest;
    if (fewest < 0)
        t->refused++;
    else if (right) {
        count_body(t, order);
        t->by_least[fewest < 8 ? fewest : 7]++;
        right = is_safe(&d.schedule) && unrolled_is_safe(&d.schedule);
    }
    if (!right) {
        print_message("fewest %d, status %d\n", fewest, d.status);
        for (size_t i = 0, n = 0; i < 10; i++) {
            const swp_diag *diags = swp_context_diags(d.ctx, &n);
            if (i < n)
                print_message("%s\n", diags[i].message);
        }
        show("barriers", seed, index, &d);
    }
    derived_free(&d);
    return right;
}

static void the_fewest_barriers_are_derived(void **state)
{
    const uint64_t seed = random_seed(1);
    const size_t bodies = random_cases(BARRIER_BODIES);
    tally t = {0};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; t.bodies < bodies && wrong < 3; i++) {
        test_random random = random_for_case(seed, i);
        const small_order order = small_order_random(&random, random_int(&random, 4, 9));
        wrong += !check_barriers(&t, &order, seed, i);
    }
    print_tally(&t);
    assert_int_equal(wrong, 0);
}

/* --- The fewest cycles --- */

typedef struct cost {
    double cycles; /* a pass */
    int barriers;
} cost;

static double cycles_a_pass(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_simulation simulation = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &simulation));
    swp_context_free(ctx);
    return (double)simulation.cycles / simulation.passes;
}

/* Fractions of few passes differ by more. */
static const double hair = 1e-6;

static bool is_less(cost a, cost b)
{
    if (a.cycles < b.cycles - hair)
        return true;
    return a.cycles < b.cycles + hair && a.barriers < b.barriers;
}

/* All waits of a placement, element by element, as long as the result can be safe and better. */
typedef struct waits_search {
    program program;
    cost best;
    bool prune; /* by cycles: one group is never faster for one more wait */
    int most_waits;
    int most_count[2]; /* of lgkm and vm waits: the accesses of a pass */
    size_t proofs;
    bool found;
    program better;
} waits_search;

static bool is_element(const swp_op *op)
{
    return op->tag != SWP_TAG_WAIT_VM && op->tag != SWP_TAG_WAIT_LGKM;
}

/* Before each element from `at` on, all waits there can be; the caller deletes as many again. */
static void add_strongest(program *p, int at)
{
    for (int i = (int)p->schedule.kernel.count - 1; i >= at; i--) {
        program_insert(p, SWP_KERNEL, i, swp_op_wait_lgkm(0));
        program_insert(p, SWP_KERNEL, i, swp_op_wait_vm(0));
    }
}

static bool can_be_safe(waits_search *s, int at)
{
    program all = program_copy(&s->program.schedule);
    add_strongest(&all, at);
    const bool safe = is_safe(&all.schedule);
    program_free(&all);
    s->proofs++;
    return safe;
}

static cost cost_of(const swp_schedule *schedule)
{
    return (cost){cycles_a_pass(schedule), swp_count_sync(&schedule->kernel).barriers};
}

static bool can_be_better(const waits_search *s)
{
    return !s->prune || is_less(cost_of(&s->program.schedule), s->best);
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
        s->found = is_safe(&s->program.schedule) && is_less(cost_of(&s->program.schedule), s->best);
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
    const bool both = at > 1 && (vm || lgkm) && !is_element(&kernel->items[at - 2].op);
    if (!vm && !both)
        try_wait(s, at, waits, true);
    if (!lgkm && !both)
        try_wait(s, at, waits, false);
}

typedef struct cycle_search {
    placement place;
    cost best; /* what was derived */
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
        if (!is_element(&kernel->items[i].op))
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

static bool check_cycles(tally *t, const small_order *order, int barriers, uint64_t seed,
                         size_t index)
{
    derived d = derive(order, SWP_SYNC_CYCLES, barriers);
    const swp_sync_counts counts = swp_count_sync(&d.schedule.kernel);
    if (d.status != SWP_OK || counts.vm_waits + counts.lgkm_waits > most_waits(order)) {
        derived_free(&d);
        return true;
    }
    const double cycles = (double)d.result.cycles / d.result.passes;
    const double bound = (double)d.result.bound / d.result.passes;
    cycle_search s = {.place = {.order = order},
                      .best = {cycles, d.result.barriers},
                      .most_barriers =
                          barriers > d.result.least_barriers ? barriers : d.result.least_barriers};
    const double simulated = cycles_a_pass(&d.schedule);
    bool right = simulated < cycles + hair && simulated > cycles - hair;
    if (!d.result.optimal)
        s.best = (cost){bound, 0};
    search_placements(&s, 0, 0);
    right &= !s.found;
    if (s.proofs <= MOST_PROOFS)
        count_body(t, order);
    else
        t->unfinished++;
    t->optimal += d.result.optimal;
    t->placements += s.place.tried;
    t->proofs += s.proofs;
    if (!right) {
        show("cycles", seed, index, &d);
        print_message("simulated %g\n", simulated);
    }
    if (s.found) {
        print_message("better: %g\n", cycles_a_pass(&s.better.schedule));
        program_print(stdout, &s.better.schedule);
        program_free(&s.better);
    }
    derived_free(&d);
    return right;
}

static void no_placement_and_no_waits_take_fewer_cycles(void **state)
{
    const uint64_t seed = random_seed(2);
    const size_t bodies = random_cases(CYCLE_BODIES);
    tally t = {0};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; t.bodies < bodies && wrong < 3; i++) {
        test_random random = random_for_case(seed, i);
        const small_order order = small_order_random(&random, random_int(&random, 4, 5));
        wrong += !check_cycles(&t, &order, random_int(&random, 0, 3), seed, i);
    }
    print_tally(&t);
    print_message("  %zu proven optimal; %zu proofs; %zu other bodies have too many waits to try\n",
                  t.optimal, t.proofs, t.unfinished);
    assert_int_equal(wrong, 0);
}

/* --- Larger bodies, where the proof takes the waits away one at a time --- */

static bool is_wait(const swp_op *op)
{
    return !is_element(op);
}

static int find_next(const swp_entry_list *kernel, int at, bool (*is)(const swp_op *op))
{
    while (at < (int)kernel->count && !is(&kernel->items[at].op))
        at++;
    return at;
}

/* Waits that stand before ops, not before barriers. */
static program without_op_waits(const program *p)
{
    program out = program_copy(&p->schedule);
    const swp_entry_list *kernel = program_phase(&out, SWP_KERNEL);
    for (int i = (int)kernel->count; i-- > 0;) {
        const int element = find_next(kernel, i, is_element);
        if (element > i && element < (int)kernel->count &&
            kernel->items[element].op.tag != SWP_TAG_BARRIER)
            program_delete(&out, SWP_KERNEL, i);
    }
    return out;
}

static bool raise_all_by(program *p, int step)
{
    const swp_entry_list *kernel = program_phase(p, SWP_KERNEL);
    bool raised = false;
    for (int i = find_next(kernel, 0, is_wait); i < (int)kernel->count;
         i = find_next(kernel, i + 1, is_wait)) {
        swp_op *op = &kernel->items[i].op;
        if (op->wait_value > p->schedule.machine.vm_max)
            continue;
        op->wait_value += step;
        if (is_safe(&p->schedule))
            raised = true;
        else
            op->wait_value -= step;
    }
    return raised;
}

/* Waits grow weaker in turns, so that none has to be strong for the others. */
static void thin_waits(program *p)
{
    const swp_entry_list *kernel = program_phase(p, SWP_KERNEL);
    program fewer = without_op_waits(p);
    if (is_safe(&fewer.schedule)) {
        const program more = *p;
        *p = fewer;
        fewer = more;
    }
    program_free(&fewer);
    kernel = program_phase(p, SWP_KERNEL);
    for (int step = 4; step > 0; step /= 4)
        while (raise_all_by(p, step))
            continue;
    for (int i = 0; i < (int)kernel->count; i++) {
        const swp_op op = kernel->items[i].op;
        if (!is_wait(&op))
            continue;
        program_delete(p, SWP_KERNEL, i);
        if (is_safe(&p->schedule))
            i--;
        else
            program_insert(p, SWP_KERNEL, i, op);
    }
}

/* The cheapest of the placements from gap `first` on, each with the waits that the proof leaves. */
static void thin_placements(placement *p, int first, int barriers, int most, cost *best)
{
    if (first == p->order->count) {
        if (!placement_is_safe(p))
            return;
        program thin = order_with_barriers(p->order, p->gaps);
        thin_waits(&thin);
        const cost here = cost_of(&thin.schedule);
        if (is_less(here, *best))
            *best = here;
        program_free(&thin);
        return;
    }
    for (int here = 0; here <= 2 && barriers + here <= most; here++) {
        p->gaps[first] = here;
        thin_placements(p, first + 1, barriers + here, most, best);
    }
    p->gaps[first] = 0;
}

static bool check_thinned(tally *t, const small_order *order, int barriers, uint64_t seed,
                          size_t index)
{
    derived d = derive(order, SWP_SYNC_CYCLES, barriers);
    if (d.status != SWP_OK) {
        derived_free(&d);
        return true;
    }
    const int least = d.result.least_barriers;
    const cost claimed = {(double)d.result.cycles / d.result.passes, d.result.barriers};
    const cost bound = {(double)d.result.bound / d.result.passes, 0};
    cost best = {1e9, 0};
    placement p = {.order = order};
    thin_placements(&p, 0, 0, barriers > least ? barriers : least, &best);
    const bool right = !is_less(best, d.result.optimal ? claimed : bound);
    count_body(t, order);
    t->placements += p.tried;
    t->optimal += d.result.optimal;
    if (!right) {
        show("thinned", seed, index, &d);
        print_message("but %g cycles with %d barriers\n", best.cycles, best.barriers);
    }
    derived_free(&d);
    return right;
}

static void no_placement_takes_fewer_cycles(void **state)
{
    const uint64_t seed = random_seed(3);
    const size_t bodies = random_cases(THINNED_BODIES);
    tally t = {0};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; t.bodies < bodies && wrong < 3; i++) {
        test_random random = random_for_case(seed, i);
        const small_order order = small_order_random(&random, random_int(&random, 6, 9));
        wrong += !check_thinned(&t, &order, random_int(&random, 0, 4), seed, i);
    }
    print_tally(&t);
    print_message("  %zu proven optimal\n", t.optimal);
    assert_int_equal(wrong, 0);
}

#ifdef NDEBUG
/* All placements of up to four barriers: some ten thousand. */
static void fourwave_is_optimal_by_exhaustion(void **state)
{
    swp_context *ctx = *state;
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, "fourwave", &description));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    const small_order order = small_order_of(schedule);
    for (int most = 3; most <= 4; most++) {
        derived d = derive(&order, SWP_SYNC_CYCLES, most);
        cost best = {1e9, 0};
        placement p = {.order = &order};
        assert_int_equal(d.status, SWP_OK);
        assert_true(d.result.optimal);
        thin_placements(&p, 0, 0, most, &best);
        print_message("%d barriers: %zu placements, %g cycles a pass; derived %g\n", most, p.tried,
                      best.cycles, (double)d.result.cycles / d.result.passes);
        assert_false(
            is_less(best, (cost){(double)d.result.cycles / d.result.passes, d.result.barriers}));
        derived_free(&d);
    }
    swp_schedule_free(schedule);
}
#endif

/* --- What the search builds on --- */

/* Any wait of the kernel phase less, or any count one higher, and the proof is gone. */
static bool every_wait_is_needed(const derived *d)
{
    program p = program_copy(&d->schedule);
    const swp_entry_list *kernel = program_phase(&p, SWP_KERNEL);
    bool needed = true;
    for (size_t i = 0; i < kernel->count && needed; i++) {
        const swp_op op = kernel->items[i].op;
        if (!is_wait(&op))
            continue;
        kernel->items[i].op.wait_value++;
        needed &= !is_safe(&p.schedule);
        kernel->items[i].op = swp_op_set_prio(0);
        needed &= !is_safe(&p.schedule);
        kernel->items[i].op = op;
    }
    program_free(&p);
    return needed;
}

static void every_wait_of_the_kernel_phase_is_needed(void **state)
{
    const uint64_t seed = random_seed(4);
    const size_t bodies = random_cases(BARRIER_BODIES);
    tally t = {0};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; t.bodies < bodies && wrong < 3; i++) {
        test_random random = random_for_case(seed, i);
        const small_order order = small_order_random(&random, random_int(&random, 4, 12));
        derived d = derive(&order, SWP_SYNC_CYCLES, random_int(&random, 0, 6));
        if (d.status == SWP_OK) {
            count_body(&t, &order);
            if (!is_safe(&d.schedule) || !every_wait_is_needed(&d)) {
                show("needed", seed, i, &d);
                wrong++;
            }
        }
        derived_free(&d);
    }
    print_tally(&t);
    assert_int_equal(wrong, 0);
}

static swp_op random_sync(test_random *random)
{
    switch (random_int(random, 0, 2)) {
    case 0:
        return swp_op_wait_vm(random_int(random, 0, 3));
    case 1:
        return swp_op_wait_lgkm(random_int(random, 0, 3));
    default:
        return swp_op_barrier();
    }
}

static void one_group_is_never_faster_for_more_synchronisation(void **state)
{
    const uint64_t seed = random_seed(5);
    const size_t edits = random_cases(EDITS);
    size_t slower = 0;
    (void)state;
    for (size_t i = 0; i < edits; i++) {
        test_random random = random_for_case(seed, i);
        small_order order = small_order_random(&random, random_int(&random, 4, 12));
        order.machine.groups = 1;
        order.machine.lag = 0;
        program p = order_program(&order, 0);
        for (int more = random_int(&random, 0, 6); more > 0; more--)
            program_insert(&p, SWP_KERNEL, random_int(&random, 0, (int)p.schedule.kernel.count),
                           random_sync(&random));
        const double before = cycles_a_pass(&p.schedule);
        program_insert(&p, SWP_KERNEL, random_int(&random, 0, (int)p.schedule.kernel.count),
                       random_sync(&random));
        const double after = cycles_a_pass(&p.schedule);
        slower += after > before + hair;
        if (after < before - hair)
            fail_msg("case %zu: %g cycles, with one more wait or barrier %g", i, before, after);
        program_free(&p);
    }
    print_message("%zu edits, %zu of them slow the pass down\n", edits, slower);
    assert_true(slower > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fewest_barriers_are_derived),
        cmocka_unit_test(no_placement_and_no_waits_take_fewer_cycles),
        cmocka_unit_test(no_placement_takes_fewer_cycles),
#ifdef NDEBUG
        CONTEXT_TEST(fourwave_is_optimal_by_exhaustion),
#endif
        cmocka_unit_test(every_wait_of_the_kernel_phase_is_needed),
        cmocka_unit_test(one_group_is_never_faster_for_more_synchronisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
