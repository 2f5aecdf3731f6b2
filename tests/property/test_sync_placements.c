/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fewest cycles against all placements of barriers, each with waits that the proof has weakened as
 * far as it can: larger bodies, and fourwave. SWP_CASES scales the runs.
 */
#include "fixture.h"

#include "swp/describe.h"
#include "trials.h"

#include <stdlib.h>

enum { BODIES = 20 };

/* The most barriers in fourwave: four are some ten thousand placements. */
enum { FEW = 3, MOST = 4 };

static bool is_element(const swp_op *op)
{
    return !trial_is_wait(op);
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
    for (int i = find_next(kernel, 0, trial_is_wait); i < (int)kernel->count;
         i = find_next(kernel, i + 1, trial_is_wait)) {
        swp_op *op = &kernel->items[i].op;
        if (op->wait_value > p->schedule.machine.vm_max)
            continue;
        op->wait_value += step;
        if (trial_is_safe(&p->schedule))
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
    if (trial_is_safe(&fewer.schedule)) {
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
        if (!trial_is_wait(&op))
            continue;
        program_delete(p, SWP_KERNEL, i);
        if (trial_is_safe(&p->schedule))
            i--;
        else
            program_insert(p, SWP_KERNEL, i, op);
    }
}

/* The cheapest of the placements from gap `first` on, each with the waits that the proof leaves. */
static void thin_placements(placement *p, int first, int barriers, int most, trial_cost *best)
{
    if (first == p->order->count) {
        if (!placement_is_safe(p))
            return;
        program thin = order_with_barriers(p->order, p->gaps);
        thin_waits(&thin);
        const trial_cost here = trial_cost_of(&thin.schedule);
        if (trial_is_less(here, *best))
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

static bool check_thinned(trial_tally *t, const small_order *order, int barriers, uint64_t seed,
                          size_t index)
{
    derivation d = derive(order, SWP_SYNC_CYCLES, barriers);
    if (d.status != SWP_OK) {
        derivation_free(&d);
        return true;
    }
    const int least = d.result.least_barriers;
    trial_cost best = {1e9, 0};
    placement p = {.order = order};
    thin_placements(&p, 0, 0, barriers > least ? barriers : least, &best);
    const bool right =
        !trial_is_less(best, d.result.optimal ? derivation_cost(&d) : derivation_bound(&d));
    trial_count(t, order);
    t->placements += p.tried;
    t->optimal += d.result.optimal;
    if (!right) {
        derivation_show("thinned", seed, index, &d);
        print_message("but %g cycles with %d barriers\n", best.cycles, best.barriers);
    }
    derivation_free(&d);
    return right;
}

static void no_placement_takes_fewer_cycles(void **state)
{
    (void)state;
    trial_run(&(trial){.least_ops = 6, .most_ops = 9, .most_barriers = 4, .holds = check_thinned},
              3, BODIES);
}

/* All placements of up to three barriers; SWP_FULL takes four too. */
static void fourwave_is_optimal_by_exhaustion(void **state)
{
    swp_context *ctx = *state;
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, "fourwave", &description));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    const small_order order = small_order_of(schedule);
    const int last = getenv("SWP_FULL") ? MOST : FEW;
    for (int most = FEW; most <= last; most++) {
        derivation d = derive(&order, SWP_SYNC_CYCLES, most);
        trial_cost best = {1e9, 0};
        placement p = {.order = &order};
        assert_int_equal(d.status, SWP_OK);
        assert_true(d.result.optimal);
        thin_placements(&p, 0, 0, most, &best);
        print_message("%d barriers: %zu placements, %g cycles a pass; derived %g\n", most, p.tried,
                      best.cycles, derivation_cost(&d).cycles);
        assert_false(trial_is_less(best, derivation_cost(&d)));
        derivation_free(&d);
    }
    swp_schedule_free(schedule);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_placement_takes_fewer_cycles),
        CONTEXT_TEST(fourwave_is_optimal_by_exhaustion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
