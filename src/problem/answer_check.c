/* SPDX-License-Identifier: Apache-2.0 */
/* Checks an answer by the definition alone: it uses nothing that a solver computes. */
#include "base/diag.h"
#include "base/require.h"
#include "swp/problem.h"

#include <stdlib.h>

typedef struct judgement {
    swp_context *ctx;
    const swp_problem *problem;
    const swp_answer *answer;
    int64_t interval; /* 0 in a makespan problem */
} judgement;

#define REFUSE(j, ...) return swp_error((j)->ctx, SWP_E0826, (j)->problem->place, NULL, __VA_ARGS__)

/* From `time` on, `amount` more of a resource is taken, or less if it is negative. */
typedef struct change {
    int64_t time;
    int64_t amount;
} change;

static int compare_changes(const void *a, const void *b)
{
    const change *x = a;
    const change *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->amount > y->amount) - (x->amount < y->amount);
}

static swp_status check_edges(const judgement *j)
{
    const swp_problem *p = j->problem;
    for (size_t i = 0; i < p->edge_count; i++) {
        const swp_problem_edge *edge = &p->edges[i];
        const int64_t producer = j->answer->times[edge->producer];
        const int64_t consumer = j->answer->times[edge->consumer];
        int64_t across = 0;
        if (__builtin_mul_overflow(j->interval, edge->distance, &across))
            continue; /* no two times are so far apart */
        const int64_t least = producer + edge->delay - across;
        if (consumer < least)
            REFUSE(j,
                   "edge %zu is broken: op `%s` at %lld, but op `%s` at %lld allows %lld at the "
                   "earliest",
                   i, p->ops[edge->consumer].name, (long long)consumer, p->ops[edge->producer].name,
                   (long long)producer, (long long)least);
    }
    return SWP_OK;
}

/* Adds a use from `start`: what it takes all the time, and the changes where it begins and ends. */
static void add_use(const judgement *j, int64_t start, const swp_problem_use *use, change *changes,
                    size_t *count, int64_t *always)
{
    if (j->interval == 0) {
        changes[(*count)++] = (change){start, use->amount};
        changes[(*count)++] = (change){start + use->cycles, -use->amount};
        return;
    }
    const int64_t rest = use->cycles % j->interval;
    const int64_t slot = start % j->interval;
    const int64_t end = slot + rest;
    *always += use->cycles / j->interval * use->amount;
    if (rest == 0)
        return;
    if (end > j->interval) { /* it wraps round the end of the interval */
        *always += use->amount;
        changes[(*count)++] = (change){end - j->interval, -use->amount};
        changes[(*count)++] = (change){slot, use->amount};
        return;
    }
    changes[(*count)++] = (change){slot, use->amount};
    changes[(*count)++] = (change){end, -use->amount};
}

static swp_status check_changes(const judgement *j, int resource, change *changes, size_t count,
                                int64_t always)
{
    const swp_problem_resource *r = &j->problem->resources[resource];
    int64_t taken = always;
    int64_t time = 0;
    if (count > 0)
        qsort(changes, count, sizeof *changes, compare_changes);
    for (size_t i = 0; taken <= r->capacity && i < count; i++) {
        taken += changes[i].amount;
        time = changes[i].time;
    }
    if (taken > r->capacity)
        REFUSE(j, "at %s%lld, %lld of `%s` are taken, whose capacity is %lld",
               j->interval ? "cycle " : "", (long long)time, (long long)taken, r->name,
               (long long)r->capacity);
    return SWP_OK;
}

/* Sorts the uses by resource, so that each resource has one list of changes. */
static swp_status check_resources(const judgement *j)
{
    const swp_problem *p = j->problem;
    size_t *first = NULL;
    size_t *end = NULL;
    change *changes = NULL;
    int64_t *always = NULL;
    SWP_TRY(SWP_TAKE(j->ctx, p->resource_count + 1, &first));
    SWP_TRY(SWP_TAKE(j->ctx, p->resource_count + 1, &end));
    SWP_TRY(SWP_TAKE(j->ctx, p->resource_count + 1, &always));
    for (size_t i = 0; i < p->op_count; i++)
        for (size_t u = 0; u < p->ops[i].use_count; u++)
            first[p->ops[i].uses[u].resource + 1] += 2;
    for (size_t r = 0; r < p->resource_count; r++) {
        first[r + 1] += first[r];
        end[r] = first[r];
    }
    SWP_TRY(SWP_TAKE(j->ctx, first[p->resource_count], &changes));
    for (size_t i = 0; i < p->op_count; i++)
        for (size_t u = 0; u < p->ops[i].use_count; u++) {
            const swp_problem_use *use = &p->ops[i].uses[u];
            if (use->cycles > 0)
                add_use(j, j->answer->times[i], use, changes, &end[use->resource],
                        &always[use->resource]);
        }
    for (size_t r = 0; r < p->resource_count; r++)
        SWP_TRY(check_changes(j, (int)r, changes + first[r], end[r] - first[r], always[r]));
    return SWP_OK;
}

static swp_status check_times(const judgement *j)
{
    const swp_problem *p = j->problem;
    int64_t makespan = 0;
    for (size_t i = 0; i < p->op_count; i++) {
        const int64_t time = j->answer->times[i];
        if (time < 0 || time > INT64_MAX / 4)
            REFUSE(j, "op `%s` is issued at %lld, which is no time", p->ops[i].name,
                   (long long)time);
        if (time + p->ops[i].latency > makespan)
            makespan = time + p->ops[i].latency;
    }
    if (p->kind == SWP_PROBLEM_MAKESPAN && makespan != j->answer->value)
        REFUSE(j, "the value is %lld, but the last op ends at %lld", (long long)j->answer->value,
               (long long)makespan);
    if (p->kind == SWP_PROBLEM_MODULO &&
        (j->answer->value < 1 || j->answer->value > SWP_PROBLEM_MOST + 1))
        REFUSE(j, "%lld is no initiation interval", (long long)j->answer->value);
    return SWP_OK;
}

/* Checks that the status suits the value and the bound. */
static swp_status check_claim(const judgement *j)
{
    const swp_answer *a = j->answer;
    const bool claims_schedule =
        a->status == SWP_ANSWER_OPTIMAL || a->status == SWP_ANSWER_FEASIBLE;
    if (claims_schedule != (a->times != NULL))
        REFUSE(j, "the status is `%s`, but there %s times", swp_answer_status_name(a->status),
               a->times ? "are" : "are no");
    if (a->times && a->time_count != j->problem->op_count)
        REFUSE(j, "there are %zu times, but %zu ops", a->time_count, j->problem->op_count);
    if (claims_schedule && a->bound > a->value)
        REFUSE(j, "the bound is %lld, but the value is %lld", (long long)a->bound,
               (long long)a->value);
    if (a->status == SWP_ANSWER_OPTIMAL && a->bound != a->value)
        REFUSE(j, "the value is called optimal at %lld, but the bound is %lld", (long long)a->value,
               (long long)a->bound);
    return SWP_OK;
}

swp_status swp_answer_check(swp_context *ctx, const swp_problem *problem, const swp_answer *answer)
{
    SWP_REQUIRE(ctx, ctx && problem && answer);
    const judgement j = {.ctx = ctx,
                         .problem = problem,
                         .answer = answer,
                         .interval = problem->kind == SWP_PROBLEM_MODULO ? answer->value : 0};
    SWP_TRY(check_claim(&j));
    if (!answer->times)
        return SWP_OK;
    SWP_TRY(check_times(&j));
    SWP_TRY(check_edges(&j));
    return check_resources(&j);
}
