/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived synchronisation against all placements of barriers on small bodies, and what the search for
 * the fewest cycles builds on. SWP_CASES scales the runs.
 */
#include "fixture.h"

#include <string.h>

#include "trials.h"

/* With sanitizers everything takes ten times as long. */
enum { BODIES = 1000, EDITS = 4000 };

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

static bool check_barriers(trial_tally *t, const small_order *order, int barriers, uint64_t seed,
                           size_t index)
{
    (void)barriers;
    const int fewest = fewest_barriers(order, &t->placements);
    derivation d = derive(order, SWP_SYNC_BARRIERS, 0);
    bool right = fewest < 0 ? d.status == SWP_INVALID
                            : d.status == SWP_OK && d.result.least_barriers == fewest &&
                                  d.result.barriers == fewest;
    if (fewest < 0)
        t->refused++;
    else if (right) {
        trial_count(t, order);
        right = trial_is_safe(&d.schedule) && trial_is_safe_unrolled(&d.schedule);
    }
    if (!right) {
        print_message("fewest %d, status %d\n", fewest, d.status);
        for (size_t i = 0, n = 0; i < 10; i++) {
            const swp_diag *diags = swp_context_diags(d.ctx, &n);
            if (i < n)
                print_message("%s\n", diags[i].message);
        }
        derivation_show("barriers", seed, index, &d);
    }
    derivation_free(&d);
    return right;
}

static void the_fewest_barriers_are_derived(void **state)
{
    (void)state;
    trial_run(&(trial){.least_ops = 4, .most_ops = 9, .holds = check_barriers}, 1, BODIES);
}

/* --- What the search builds on --- */

/* Any wait of the kernel phase less, or any count one higher, and the proof is gone. */
static bool every_wait_is_needed(const derivation *d)
{
    program p = program_copy(&d->schedule);
    const swp_entry_list *kernel = program_phase(&p, SWP_KERNEL);
    bool needed = true;
    for (size_t i = 0; i < kernel->count && needed; i++) {
        const swp_op op = kernel->items[i].op;
        if (!trial_is_wait(&op))
            continue;
        kernel->items[i].op.wait_value++;
        needed &= !trial_is_safe(&p.schedule);
        kernel->items[i].op = swp_op_set_prio(0);
        needed &= !trial_is_safe(&p.schedule);
        kernel->items[i].op = op;
    }
    program_free(&p);
    return needed;
}

static bool check_waits(trial_tally *t, const small_order *order, int barriers, uint64_t seed,
                        size_t index)
{
    derivation d = derive(order, SWP_SYNC_CYCLES, barriers);
    bool right = true;
    if (d.status == SWP_OK) {
        trial_count(t, order);
        right = trial_is_safe(&d.schedule) && every_wait_is_needed(&d);
    }
    if (!right)
        derivation_show("needed", seed, index, &d);
    derivation_free(&d);
    return right;
}

static void every_wait_of_the_kernel_phase_is_needed(void **state)
{
    (void)state;
    trial_run(&(trial){.least_ops = 4, .most_ops = 12, .most_barriers = 6, .holds = check_waits}, 4,
              BODIES);
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
    const size_t edits = random_sample(EDITS);
    size_t slower = 0;
    (void)state;
    for (size_t i = 0; i < edits; i++) {
        test_random random = random_for_case(seed, i);
        small_order order = small_order_random(&random, random_int(&random, 4, 12));
        order.machine.groups = 1;
        order.machine.lag = 0;
        program p = order_program(&order, 0);
        for (int more = random_int(&random, 0, 6); more > 0; more--)
            program_insert(&p, SWP_KERNEL,
                           random_int(&random, 0, (int)p.schedule.streams[0].kernel.count),
                           random_sync(&random));
        const double before = trial_cycles_a_pass(&p.schedule);
        program_insert(&p, SWP_KERNEL,
                       random_int(&random, 0, (int)p.schedule.streams[0].kernel.count),
                       random_sync(&random));
        const double after = trial_cycles_a_pass(&p.schedule);
        slower += after > before + trial_hair;
        if (after < before - trial_hair)
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
        cmocka_unit_test(every_wait_of_the_kernel_phase_is_needed),
        cmocka_unit_test(one_group_is_never_faster_for_more_synchronisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
