/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived synchronisation of random general loops: the proof and the judge that unrolls it take it,
 * nothing outside the kernel phase and no wait within can be left out, and its cycles are those
 * simulated.
 */
#include "fixture.h"

#include "editor.h"
#include "loop_programs.h"
#include "loop_unrolled.h"
#include "random_loop.h"

#include "swp/simulate.h"
#include "swp/verify.h"

#include <stdio.h>
#include <stdlib.h>

enum { PASSES = 5, MOST_PRINTED = 3, MOST_OPS = 5 };

typedef struct tally {
    size_t loops;
    size_t refused;
    size_t optimal;
    size_t stopped; /* by the limit, before all that can go was gone */
    size_t tried;   /* entries left out */
    size_t searched;
    size_t unsafe;
    size_t needless;
    size_t idle_waits;
    size_t more_barriers;
    size_t mischarged;
} tally;

static bool is_safe(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    swp_context_free(ctx);
    return verdict.safe;
}

static bool is_judged_safe(const swp_schedule *schedule)
{
    for (int form = 0; form < swp_schedule_forms(schedule); form++) {
        const swp_schedule one = swp_schedule_form(schedule, form);
        judgement judged = loop_judge(&one, PASSES);
        const bool safe = judged.count == 0;
        judgement_free(&judged);
        if (!safe)
            return false;
    }
    return true;
}

static void print_underived(const loop_program *p)
{
    const swp_machine *m = &p->machine;
    print_loop(&p->loop);
    for (size_t o = 0; o < p->loop.op_count; o++)
        printf("%s *%d ", p->loop.ops[o].name, p->loop.ops[o].accesses);
    printf("\n%d groups of %d, lag %d, %s, %s, vm_max %d, lgkm_max %d, %s\n", m->groups,
           m->waves_per_group, m->lag, m->barrier == SWP_BARRIER_FENCED ? "fenced" : "raw",
           m->registers == SWP_REGISTERS_RAW ? "raw registers" : "managed", m->vm_max, m->lgkm_max,
           m->counter_full == SWP_COUNTER_WRAPS ? "wraps" : "stall");
}

static void show(const loop_program *p, size_t index, const char *what, size_t *count)
{
    size_t diags = 0;
    if ((*count)++ >= MOST_PRINTED)
        return;
    printf("--- case %zu: %s\n", index, what);
    for (size_t i = 0; i < (swp_context_diags(p->ctx, &diags), diags); i++)
        printf("%s\n", swp_context_diags(p->ctx, &diags)[i].message);
    if (p->derived && p->derived->dataflow)
        loop_program_print(&p->schedule);
    else
        print_underived(p);
}

/* --- What is left is needed --- */

static bool is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

static bool is_needed(loop_program *p, tally *sum, int list, int at)
{
    editor e = {.ctx = p->ctx, .schedule = &p->schedule};
    editor_take_list(&e, &p->schedule.streams[0], list);
    swp_entry_list *entries = e.list;
    sum->tried++;
    const swp_op op = editor_remove_at(&e, at);
    bool safe = is_safe(&p->schedule);
    editor_insert(&e, at, op);
    if (safe || !is_wait(&op))
        return !safe;
    entries->items[at].op.wait_value++;
    safe = is_safe(&p->schedule);
    entries->items[at].op.wait_value--;
    return !safe;
}

/* Barriers of the kernel phase may be there for speed. */
static bool is_to_be_needed(int list, const swp_op *op)
{
    return op->tag >= SWP_FIRST_INFRASTRUCTURE_TAG && (list != SWP_KERNEL || is_wait(op));
}

/* A wait of the kernel phase may be for an access that a managed register waits for as well. */
static void check_needs(loop_program *p, size_t index, tally *sum)
{
    const bool managed = p->schedule.machine.registers == SWP_REGISTERS_MANAGED;
    for (int list = 0; list < stream_lists(&p->schedule.streams[0]); list++) {
        const swp_entry_list *entries = stream_list(&p->schedule.streams[0], list);
        for (int i = 0; i < (int)entries->count; i++) {
            if (!is_to_be_needed(list, &entries->items[i].op) || is_needed(p, sum, list, i))
                continue;
            if (managed && list == SWP_KERNEL) {
                sum->idle_waits++;
                continue;
            }
            show(p, index, "a wait or barrier that nothing needs", &sum->needless);
            printf("list %d, entry %d\n", list, i);
            return;
        }
    }
}

/* --- Cycles --- */

static void check_cycles(const loop_program *p, size_t index, tally *sum)
{
    const swp_sync_result *result = &p->derived->sync;
    swp_context *ctx = swp_context_new(NULL);
    swp_simulation simulation;
    if (swp_simulate(ctx, p->derived, NULL, &simulation) != SWP_OK ||
        simulation.cycles * result->passes != result->cycles * simulation.passes ||
        result->bound > result->cycles || (result->optimal && result->bound != result->cycles)) {
        show(p, index, "other cycles than those simulated", &sum->mischarged);
        printf("said: %lld in %d passes, bound %lld; simulated: %lld in %d\n",
               (long long)result->cycles, result->passes, (long long)result->bound,
               (long long)simulation.cycles, simulation.passes);
    }
    swp_context_free(ctx);
}

/* --- The fewest barriers --- */

static void push(swp_context *ctx, swp_entry_list *list, swp_op op)
{
    assert_ok(ctx, swp_entry_list_push(ctx, list, (swp_entry){.op = op, .phase = SWP_KERNEL}));
}

/* So many barriers before each op, with all waits before each barrier and each op. */
static swp_entry_list synchronised(swp_context *ctx, const swp_op *ops, const int *gaps, int count)
{
    swp_entry_list out = {0};
    for (int i = 0; i < count; i++) {
        for (int b = 0; b <= gaps[i]; b++) {
            push(ctx, &out, swp_op_wait_vm(0));
            push(ctx, &out, swp_op_wait_lgkm(0));
            if (b < gaps[i])
                push(ctx, &out, swp_op_barrier());
        }
        push(ctx, &out, ops[i]);
    }
    return out;
}

static bool is_sync(const swp_op *op)
{
    return op->tag >= SWP_FIRST_INFRASTRUCTURE_TAG;
}

/* As much as there can be. */
static void synchronise_all(swp_context *ctx, swp_entry_list *entries)
{
    swp_entry_list out = {0};
    for (size_t i = 0; i < entries->count; i++) {
        if (is_sync(&entries->items[i].op))
            continue;
        static const int gap = 2;
        const swp_entry_list one = synchronised(ctx, &entries->items[i].op, &gap, 1);
        for (size_t e = 0; e < one.count; e++)
            push(ctx, &out, one.items[e].op);
    }
    *entries = out;
}

typedef struct placement {
    swp_schedule schedule; /* all but the kernel phase as synchronised as can be */
    swp_op ops[MOST_OPS];
    int gaps[MOST_OPS];
    int count;
} placement;

/* Whether exactly so many barriers from gap `first` on can be enough. */
static bool are_enough(placement *p, int first, int barriers)
{
    if (first == p->count) {
        swp_context *ctx = swp_context_new(NULL);
        swp_schedule trial = p->schedule;
        bool safe = false;
        if (barriers == 0) {
            trial.streams[0].kernel = synchronised(ctx, p->ops, p->gaps, p->count);
            safe = is_safe(&trial);
        }
        swp_context_free(ctx);
        return safe;
    }
    for (int here = 0; here <= 2 && here <= barriers; here++) {
        p->gaps[first] = here;
        if (are_enough(p, first + 1, barriers - here))
            return true;
    }
    return false;
}

static bool take_ops(placement *all, const swp_entry_list *kernel)
{
    for (size_t i = 0; i < kernel->count; i++) {
        if (is_sync(&kernel->items[i].op))
            continue;
        if (all->count == MOST_OPS)
            return false;
        all->ops[all->count++] = kernel->items[i].op;
    }
    return true;
}

/* Outside the kernel phase there may be as much as can be. */
static void check_barriers(const loop_program *p, size_t index, tally *sum)
{
    swp_context *ctx = swp_context_new(NULL);
    placement all = {.schedule = loop_program_copy(ctx, &p->schedule)};
    int barriers = 0;
    for (int list = 0; list < stream_lists(&all.schedule.streams[0]); list++)
        if (list != SWP_KERNEL)
            synchronise_all(ctx, stream_list(&all.schedule.streams[0], list));
    if (take_ops(&all, &p->schedule.streams[0].kernel)) {
        while (!are_enough(&all, 0, barriers) && barriers <= 2 * MOST_OPS)
            barriers++;
        sum->searched++;
        if (barriers != p->derived->sync.least_barriers) {
            show(p, index, "another least number of barriers", &sum->more_barriers);
            printf("said: %d, by enumeration: %d\n", p->derived->sync.least_barriers, barriers);
        }
    }
    swp_context_free(ctx);
}

static void check_derived(loop_program *p, size_t index, tally *sum)
{
    sum->loops++;
    sum->optimal += p->derived->sync.optimal;
    if (!is_safe(&p->schedule) || !is_judged_safe(&p->schedule)) {
        show(p, index, "derived, but not safe", &sum->unsafe);
        return;
    }
    check_cycles(p, index, sum);
    if (has_diag(p->ctx, "W0401", NULL))
        sum->stopped++;
    else
        check_needs(p, index, sum);
    check_barriers(p, index, sum);
}

static void derived_synchronisation_is_safe_and_needed(void **state)
{
    const uint64_t seed = random_seed(2);
    const size_t cases = random_sample(60);
    const char *only = getenv("SWP_ONLY");
    tally sum = {0};
    (void)state;
    for (size_t i = only ? strtoull(only, NULL, 0) : 0; i < cases || only; i++) {
        test_random random = random_for_case(seed, i);
        loop_program p;
        if (loop_program_derive(&p, &random))
            check_derived(&p, i, &sum);
        else if (has_diag(p.ctx, "E0731", NULL) || has_diag(p.ctx, "E0720", NULL))
            show(&p, i, "not derived", &sum.refused);
        loop_program_free(&p);
        if (only)
            break;
    }
    printf("%zu loops, %zu proven optimal, %zu stopped, %zu refused; %zu entries left out, %zu "
           "placements "
           "enumerated\n",
           sum.loops, sum.optimal, sum.stopped, sum.refused, sum.tried, sum.searched);
    printf(
        "%zu unsafe, %zu with a needless entry, %zu with other cycles, %zu with other barriers\n",
        sum.unsafe, sum.needless, sum.mischarged, sum.more_barriers);
    assert_true(sum.loops > 0);
    assert_int_equal(sum.refused, 0);
    assert_int_equal(sum.unsafe, 0);
    assert_int_equal(sum.needless, 0);
    assert_int_equal(sum.mischarged, 0);
    assert_int_equal(sum.more_barriers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derived_synchronisation_is_safe_and_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
