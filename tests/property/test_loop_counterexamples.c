/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the executor on random general loops with some synchronisation here and there:
 * every hazard is shown by an execution at the number of iterations that the verifier names, and what
 * it calls safe goes right in adversarial runs.
 */
#include "fixture.h"

#include "execute.h"
#include "random_loop.h"

#include "swp/loop_compile.h"

#include <stdio.h>

enum { MOST_N = 12, RUNS = 64, SHOWN_FAILURES = 4, SEARCH_WORK = 100000 };

typedef struct tally {
    size_t programs;
    size_t safe;
    size_t hazards[SWP_HAZARD_KINDS];
    size_t plain[SWP_HAZARD_KINDS]; /* shown with what went wrong at an entry of the hazard */
    size_t alone;                   /* hazards that are a program's only one */
    size_t failures;
    size_t wrong_runs;
} tally;

static bool is_read(const swp_loop *loop, int value)
{
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            if (loop->ops[o].reads[r].value == value)
                return true;
    return false;
}

/* One role. Of what nobody reads the executor sees the last version, which the verifier does not. */
static bool make_loop(swp_context *ctx, test_random *random, swp_loop *out)
{
    static const loop_shape shape = {
        .most_ops = 5, .most_values = 4, .most_cycles = 4, .most_slots = 3};
    *out = random_loop(ctx, random, &shape);
    out->role_count = 0;
    for (size_t o = 0; o < out->op_count; o++) {
        swp_loop_op *op = (swp_loop_op *)&out->ops[o];
        op->role = 0;
        op->accesses = random_int(random, 1, 2);
        for (size_t w = 0; w < op->write_count; w++)
            if (!is_read(out, op->writes[w]))
                return false;
    }
    return true;
}

static void push(swp_context *ctx, swp_entry_list *list, swp_phase phase, swp_op op)
{
    const swp_entry entry = {.op = op, .phase = phase};
    assert_ok(ctx, swp_entry_list_push(ctx, list, entry));
}

/* Each wait and barrier in so many of a hundred places. */
static swp_entry_list with_some(swp_context *ctx, test_random *random, const swp_entry_list *from,
                                int percent)
{
    swp_entry_list out = {0};
    for (size_t i = 0; i < from->count; i++) {
        const swp_entry *entry = &from->items[i];
        if (random_chance(random, percent))
            push(ctx, &out, entry->phase, swp_op_wait_vm(random_chance(random, 80) ? 0 : 1));
        if (random_chance(random, percent))
            push(ctx, &out, entry->phase, swp_op_wait_lgkm(random_chance(random, 80) ? 0 : 1));
        if (random_chance(random, percent))
            push(ctx, &out, entry->phase, swp_op_barrier());
        push(ctx, &out, entry->phase, entry->op);
    }
    return out;
}

static void synchronise(swp_context *ctx, test_random *random, swp_schedule *schedule)
{
    const int percents[] = {100, 99, 97, 90, 70};
    const int percent = percents[random_int(random, 0, COUNT_OF(percents) - 1)];
    swp_tails *tails = &schedule->streams[0].tails;
    schedule->streams[0].prologue = with_some(ctx, random, &schedule->streams[0].prologue, percent);
    schedule->streams[0].kernel = with_some(ctx, random, &schedule->streams[0].kernel, percent);
    schedule->streams[0].epilogue = with_some(ctx, random, &schedule->streams[0].epilogue, percent);
    for (size_t i = 0; i < tails->epilogue_count; i++)
        tails->epilogues[i] = with_some(ctx, random, &tails->epilogues[i], percent);
    for (size_t i = 0; i < tails->straight_count; i++)
        tails->straight[i] = with_some(ctx, random, &tails->straight[i], percent);
}

static swp_machine random_machine(test_random *random)
{
    swp_machine machine = swp_machine_default();
    machine.waves_per_group = 2;
    machine.groups = random_chance(random, 30) ? 2 : 1;
    machine.lag = machine.groups == 2 && random_chance(random, 50);
    machine.lag_prologue_index = 0;
    machine.lag_end_barrier = random_chance(random, 80);
    machine.counter_full = random_chance(random, 80) ? SWP_COUNTER_STALLS : SWP_COUNTER_WRAPS;
    machine.barrier = random_chance(random, 50) ? SWP_BARRIER_RAW : SWP_BARRIER_FENCED;
    machine.registers = random_chance(random, 50) ? SWP_REGISTERS_RAW : SWP_REGISTERS_MANAGED;
    machine.vm_max = random_int(random, 3, 8);
    machine.lgkm_max = random_int(random, 3, 8);
    return machine;
}

/* Two neighbours, or an iteration, or an op, are others than they were. */
static void edit(test_random *random, swp_schedule *schedule)
{
    swp_entry_list *list = &schedule->streams[0].kernel;
    if (list->count < 2 || !random_chance(random, 30))
        return;
    const int at = random_int(random, 0, (int)list->count - 2);
    swp_entry *entry = &list->items[at];
    const int what = random_int(random, 0, 3);
    if (what > 0 || entry->op.tag >= SWP_FIRST_INFRASTRUCTURE_TAG) {
        const swp_op op = entry->op;
        entry->op = entry[1].op;
        entry[1].op = op;
    } else {
        entry->op.iteration += random_chance(random, 50) ? 1 : -1;
    }
}

/* A wrong number may be another hazard's, unless there is none; only reads are told to be at an entry. */
static bool is_shown(const swp_verdict *verdict, const swp_hazard *hazard, showing how)
{
    const bool has_operand = hazard->kind == SWP_STALE_READ || hazard->kind == SWP_OVERWRITTEN ||
                             hazard->kind == SWP_WRONG_TILE ||
                             hazard->kind == SWP_REGISTER_NOT_READY;
    return how == SHOWN_PLAINLY || how == SHOWN_RIGHT ||
           (how == SHOWN && (verdict->hazards.count > 1 || !has_operand));
}

static void check_hazard(tally *counts, const swp_schedule *schedule, const swp_verdict *verdict,
                         const swp_hazard *hazard, size_t index)
{
    const showing how = execute_hazard(schedule, hazard);
    counts->hazards[hazard->kind]++;
    counts->plain[hazard->kind] += how == SHOWN_PLAINLY || how == SHOWN_RIGHT;
    counts->alone += verdict->hazards.count == 1;
    if (is_shown(verdict, hazard, how) || ++counts->failures > SHOWN_FAILURES)
        return;
    print_message("case %zu: %s at %s entry %d (%s) is not shown at N = %d: %s\n", index,
                  swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase), hazard->at.entry,
                  hazard->name, hazard->smallest_n, hazard->detail);
    print_loop(schedule->dataflow->loop);
}

static void check(tally *counts, const swp_schedule *schedule, size_t index)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    counts->programs++;
    for (size_t i = 0; i < verdict.hazards.count; i++)
        check_hazard(counts, schedule, &verdict, &verdict.hazards.items[i], index);
    if (verdict.safe) {
        counts->safe++;
        for (int n = 0; n <= MOST_N; n++) {
            const int wrong = execute_adversarially(schedule, RUNS / 4, n, n);
            counts->wrong_runs += (size_t)wrong;
            if (wrong > 0) {
                print_message("case %zu is called safe, but %d runs go wrong with N = %d\n", index,
                              wrong, n);
                print_loop(schedule->dataflow->loop);
            }
        }
    }
    swp_context_free(ctx);
}

static void hazards_of_general_loops_are_shown(void **state)
{
    const uint64_t seed = random_seed(31);
    const size_t cases = random_sample(75);
    tally counts = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.work = SEARCH_WORK};
        swp_schedule *schedule = NULL;
        swp_loop loop;
        swp_context_set_limits(ctx, &limits);
        if (make_loop(ctx, &random, &loop) &&
            swp_compile_loop(ctx, &loop, NULL, &schedule) == SWP_OK && schedule->dataflow) {
            swp_schedule changed = *schedule;
            changed.machine = random_machine(&random);
            synchronise(ctx, &random, &changed);
            edit(&random, &changed);
            check(&counts, &changed, i);
        }
        swp_schedule_free(schedule);
        swp_context_free(ctx);
    }
    print_message("%zu programs, %zu safe\n", counts.programs, counts.safe);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        print_message("  %-18s %5zu hazards, %5zu shown at their entries\n",
                      swp_hazard_name((swp_hazard_kind)kind), counts.hazards[kind],
                      counts.plain[kind]);
    print_message("%zu are alone; %zu are not shown; %zu runs of safe programs go wrong\n",
                  counts.alone, counts.failures, counts.wrong_runs);
    assert_int_equal(counts.failures, 0);
    assert_int_equal(counts.wrong_runs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hazards_of_general_loops_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
