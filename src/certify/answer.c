/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges the times of an answer: it checks every edge, and sweeps every resource over the begins
 * and ends of its uses.
 */
#include "certify/answer.h"

#include <stdlib.h>

/* With this limit a difference of times fits 64 bits, also with a delay. */
static const int64_t most_time = INT64_MAX >> 2;

static const swp_place nowhere = {NULL, 0, 0};

/* Returns interval * distance, or if that does not fit, more than any difference of times. */
static int64_t back(int64_t interval, int64_t distance)
{
    return distance > 0 && interval > most_time / distance ? 2 * most_time : interval * distance;
}

static swp_status judge_times(swp_judgement *judgement, const swp_problem *problem,
                              const int64_t *times)
{
    for (size_t o = 0; o < problem->op_count; o++)
        if (times[o] < 0 || times[o] > most_time)
            return swp_certify_refuse(judgement, nowhere,
                                      "op %zu (`%s`) starts at %lld, which is out of range", o,
                                      problem->ops[o].name, (long long)times[o]);
    return SWP_OK;
}

static swp_status judge_edges(swp_judgement *judgement, const swp_problem *problem,
                              const int64_t *times, int64_t interval)
{
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        const int64_t least = edge->delay - back(interval, edge->distance);
        if (times[edge->consumer] - times[edge->producer] < least)
            return swp_certify_refuse(
                judgement, nowhere,
                "edge %zu: op %d (`%s`) starts at %lld, but has to start %lld after "
                "op %d (`%s`), which starts at %lld",
                i, edge->consumer, problem->ops[edge->consumer].name,
                (long long)times[edge->consumer], (long long)least, edge->producer,
                problem->ops[edge->producer].name, (long long)times[edge->producer]);
    }
    return SWP_OK;
}

/* From `time` on, `amount` more of a resource is held, or less if it is negative. */
typedef struct change {
    int64_t time;
    int64_t amount;
} change;

typedef struct change_list {
    change *items;
    size_t count;
    size_t capacity;
} change_list;

static int by_time(const void *a, const void *b)
{
    const change *x = a;
    const change *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

static swp_status occupy_slots(swp_context *ctx, change_list *changes, int64_t from, int64_t to,
                               int64_t amount)
{
    SWP_TRY(SWP_PUSH(ctx, changes, ((change){from, amount})));
    return SWP_PUSH(ctx, changes, ((change){to, -amount}));
}

/* The whole periods of a use hold its amount in every slot; the rest may wrap round. */
static swp_status occupy(swp_context *ctx, change_list *changes, const swp_problem_use *use,
                         int64_t time, int64_t period, int64_t *always)
{
    if (period == 0)
        return occupy_slots(ctx, changes, time, time + use->cycles, use->amount);
    const int64_t rounds = use->cycles / period;
    const int64_t rest = use->cycles % period;
    const int64_t slot = time % period;
    *always += use->amount * rounds;
    if (slot + rest <= period)
        return occupy_slots(ctx, changes, slot, slot + rest, use->amount);
    SWP_TRY(occupy_slots(ctx, changes, slot, period, use->amount));
    return occupy_slots(ctx, changes, 0, slot + rest - period, use->amount);
}

/* What is held of one resource: all the time, and by slot or time. */
typedef struct occupancy {
    int64_t always;
    change_list changes;
} occupancy;

static swp_status judge_occupancy(swp_judgement *judgement, const swp_problem_resource *r,
                                  const occupancy *of, int64_t period)
{
    int64_t held = of->always;
    const change_list *changes = &of->changes;
    if (changes->count > 0)
        qsort(changes->items, changes->count, sizeof *changes->items, by_time);
    for (size_t i = 0; i < changes->count; i++) {
        held += changes->items[i].amount;
        const bool last =
            i + 1 == changes->count || changes->items[i + 1].time > changes->items[i].time;
        if (last && held > r->capacity)
            return swp_certify_refuse(
                judgement, nowhere, "%lld of resource `%s` are held at %s %lld, but there are %lld",
                (long long)held, r->name, period ? "cycle" : "time",
                (long long)changes->items[i].time, (long long)r->capacity);
    }
    return SWP_OK;
}

static swp_status judge_resources(swp_context *ctx, swp_judgement *judgement,
                                  const swp_problem *problem, const int64_t *times, int64_t period)
{
    occupancy *occupancies = NULL;
    SWP_TRY(SWP_TAKE(ctx, problem->resource_count, &occupancies));
    for (size_t o = 0; o < problem->op_count; o++) {
        SWP_TRY(swp_certify_spend(judgement, 1 + problem->ops[o].use_count));
        for (size_t u = 0; u < problem->ops[o].use_count; u++) {
            const swp_problem_use *use = &problem->ops[o].uses[u];
            occupancy *of = &occupancies[use->resource];
            SWP_TRY(occupy(ctx, &of->changes, use, times[o], period, &of->always));
        }
    }
    for (size_t r = 0; r < problem->resource_count; r++)
        SWP_TRY(judge_occupancy(judgement, &problem->resources[r], &occupancies[r], period));
    return SWP_OK;
}

static swp_status judge_value(swp_judgement *judgement, const swp_problem *problem,
                              const swp_answer *answer)
{
    int64_t last = 0;
    if (problem->kind == SWP_PROBLEM_MODULO)
        return answer->value >= 1
                   ? SWP_OK
                   : swp_certify_refuse(judgement, nowhere,
                                        "the interval is %lld, but must be 1 or more",
                                        (long long)answer->value);
    for (size_t o = 0; o < problem->op_count; o++) {
        const int64_t end = answer->times[o] + problem->ops[o].latency;
        last = end > last ? end : last;
    }
    return answer->value == last
               ? SWP_OK
               : swp_certify_refuse(judgement, nowhere,
                                    "the value is %lld, but the last op ends at %lld",
                                    (long long)answer->value, (long long)last);
}

static swp_status judge_schedule(swp_context *ctx, swp_judgement *judgement,
                                 const swp_problem *problem, const swp_answer *answer)
{
    if (answer->time_count != problem->op_count || (problem->op_count > 0 && !answer->times))
        return swp_certify_refuse(judgement, nowhere, "there are %zu times, but %zu ops",
                                  answer->time_count, problem->op_count);
    SWP_TRY(judge_times(judgement, problem, answer->times));
    SWP_TRY(judge_value(judgement, problem, answer));
    const int64_t interval = problem->kind == SWP_PROBLEM_MODULO ? answer->value : 0;
    SWP_TRY(judge_edges(judgement, problem, answer->times, interval));
    return judge_resources(ctx, judgement, problem, answer->times, interval);
}

swp_status swp_certify_judge_answer(swp_context *ctx, swp_judgement *judgement,
                                    const swp_problem *problem, const swp_answer *answer)
{
    const bool has_schedule =
        answer->status == SWP_ANSWER_OPTIMAL || answer->status == SWP_ANSWER_FEASIBLE;
    if (!has_schedule)
        return answer->time_count == 0
                   ? SWP_OK
                   : swp_certify_refuse(judgement, nowhere,
                                        "the answer has times, but no schedule by its status");
    SWP_TRY(judge_schedule(ctx, judgement, problem, answer));
    if (answer->bound > answer->value)
        return swp_certify_refuse(judgement, nowhere,
                                  "the bound is %lld, which is above the value %lld",
                                  (long long)answer->bound, (long long)answer->value);
    if (answer->status == SWP_ANSWER_OPTIMAL && answer->bound != answer->value)
        return swp_certify_refuse(judgement, nowhere,
                                  "the answer is called optimal at %lld, but the bound is %lld",
                                  (long long)answer->value, (long long)answer->bound);
    return SWP_OK;
}
