/* SPDX-License-Identifier: Apache-2.0 */
#include "trials.h"

#include "fixture.h"

#include "swp/simulate.h"
#include "unrolled.h"

enum { TILES = 12 };

bool trial_is_safe(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    swp_context_free(ctx);
    return verdict.safe;
}

bool trial_is_safe_unrolled(const swp_schedule *schedule)
{
    judgement judged = unrolled_judge(schedule, TILES);
    const bool safe = judged.count == 0;
    judgement_free(&judged);
    return safe;
}

double trial_cycles_a_pass(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_simulation simulation = {0};
    assert_non_null(ctx);
    const swp_status status = swp_simulate(ctx, schedule, NULL, &simulation);
    swp_context_free(ctx);
    return status == SWP_OK ? (double)simulation.cycles / simulation.passes : -1;
}

bool trial_is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

const double trial_hair = 1e-6;

trial_cost trial_cost_of(const swp_schedule *schedule)
{
    return (trial_cost){trial_cycles_a_pass(schedule),
                        swp_count_sync(&schedule->streams[0].kernel).barriers};
}

bool trial_is_less(trial_cost a, trial_cost b)
{
    if (a.cycles < b.cycles - trial_hair)
        return true;
    return a.cycles < b.cycles + trial_hair && a.barriers < b.barriers;
}

bool placement_is_safe(placement *p)
{
    program synchronised = order_with_barriers(p->order, p->gaps);
    const bool safe = trial_is_safe(&synchronised.schedule);
    program_free(&synchronised);
    p->tried++;
    return safe;
}

derivation derive(const small_order *order, swp_sync_goal goal, int barriers)
{
    derivation d = {.ctx = swp_context_new(NULL), .order = order_program(order, barriers)};
    assert_non_null(d.ctx);
    d.schedule = d.order.schedule;
    d.status = swp_derive_sync(d.ctx, &d.schedule, goal, false, &d.result);
    return d;
}

void derivation_free(derivation *d)
{
    program_free(&d->order);
    swp_context_free(d->ctx);
}

void derivation_show(const char *what, uint64_t seed, size_t index, const derivation *d)
{
    print_message("%s: seed %llu case %zu\n", what, (unsigned long long)seed, index);
    print_message("%d barriers, least %d, %lld cycles in %d passes, bound %lld%s\n",
                  d->result.barriers, d->result.least_barriers, (long long)d->result.cycles,
                  d->result.passes, (long long)d->result.bound,
                  d->result.optimal ? ", optimal" : "");
    for (size_t i = 0; i < d->order.schedule.streams[0].kernel.count; i++)
        print_message("%d ", d->order.schedule.streams[0].kernel.items[i].op.latency);
    print_message("latencies, issue %d, barrier %d\n", d->schedule.machine.issue_cycles,
                  d->schedule.machine.barrier_cycles);
    program_print(stdout, &d->order.schedule);
    program_print(stdout, &d->schedule);
}

trial_cost derivation_cost(const derivation *d)
{
    return (trial_cost){(double)d->result.cycles / d->result.passes, d->result.barriers};
}

trial_cost derivation_bound(const derivation *d)
{
    return (trial_cost){(double)d->result.bound / d->result.passes, 0};
}

void trial_count(trial_tally *t, const small_order *order)
{
    t->bodies++;
    t->by_ops[order->count]++;
    t->lagging += order->machine.lag == 1;
    t->raw += order->machine.registers == SWP_REGISTERS_RAW;
}

static void print_tally(const trial_tally *t)
{
    print_message("%zu bodies, %zu placements; %zu other orders refused; %zu with a lag, %zu raw\n",
                  t->bodies, t->placements, t->refused, t->lagging, t->raw);
    for (int i = 0; i <= ORDER_MOST_OPS; i++)
        if (t->by_ops[i] > 0)
            print_message("  %d ops: %zu\n", i, t->by_ops[i]);
    if (t->optimal > 0)
        print_message("  %zu proven optimal; %zu proofs, too many for %zu other bodies\n",
                      t->optimal, t->proofs, t->unfinished);
}

void trial_run(const trial *claim, uint64_t seed, size_t bodies)
{
    const uint64_t used = random_seed(seed);
    const size_t wanted = random_sample(bodies);
    trial_tally t = {0};
    size_t wrong = 0;
    for (size_t i = 0; t.bodies < wanted && wrong < 3; i++) {
        test_random random = random_for_case(used, i);
        const int ops = random_int(&random, claim->least_ops, claim->most_ops);
        const small_order order = small_order_random(&random, ops);
        const int barriers = random_int(&random, 0, claim->most_barriers);
        wrong += !claim->holds(&t, &order, barriers, used, i);
    }
    print_tally(&t);
    assert_int_equal(wrong, 0);
}
