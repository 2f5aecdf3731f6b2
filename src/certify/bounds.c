/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the lower bounds that a resource, a path and a cycle prove.
 *
 * Numbers fit 64 bits: swp_problem_check() has seen that amount * cycles of all uses, and distance
 * * interval of all edges, come to less than 2^61 each. The edges that a step lists may repeat, and
 * weights may be larger than amounts, so their sums are checked here.
 */
#include "certify/bounds.h"

#include "certify/arcs.h"
#include "certify/weights.h"
#include "problem/load.h"

static const int64_t most_sum = INT64_MAX >> 1;

static int64_t divide_up(int64_t number, int64_t by)
{
    return number > 0 ? (number - 1) / by + 1 : -(-number / by);
}

swp_status swp_certify_heads_and_tails(swp_context *ctx, swp_judgement *judgement,
                                       const swp_problem *problem, int64_t **heads, int64_t **tails)
{
    swp_arcs forwards;
    swp_arcs backwards;
    bool endless = false;
    SWP_TRY(swp_certify_arcs_new(ctx, problem, INT64_MAX, SWP_FORWARDS, &forwards));
    SWP_TRY(swp_certify_arcs_new(ctx, problem, INT64_MAX, SWP_BACKWARDS, &backwards));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, heads));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, tails));
    for (size_t o = 0; o < problem->op_count; o++)
        (*tails)[o] = problem->ops[o].latency;
    SWP_TRY(swp_certify_longest_paths(ctx, judgement, &forwards, NULL, 0, *heads, &endless));
    if (!endless)
        SWP_TRY(swp_certify_longest_paths(ctx, judgement, &backwards, NULL, 0, *tails, &endless));
    return endless
               ? swp_certify_refuse(judgement, problem->place, "the delays of a cycle are positive")
               : SWP_OK;
}

/* What a resource has to carry, and for how many cycles at both ends it carries none of that. */
typedef struct burden {
    int64_t load;
    int64_t before;
    int64_t after;
} burden;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns what a use of 1 cycle or more weighs in a step; 0 if it is of another resource. */
static int64_t weight_of(const swp_certificate_step *step, const swp_problem_use *use)
{
    const bool holds = use->resource == step->resource && use->cycles > 0;
    return holds ? swp_problem_weight(&step->weights, use->amount) : 0;
}

static swp_status add_load(swp_judgement *judgement, const swp_certificate_step *step,
                           int64_t weight, int64_t cycles, burden *out)
{
    int64_t load = 0;
    if (!__builtin_mul_overflow(weight, cycles, &load) && load <= most_sum - out->load) {
        out->load += load;
        return SWP_OK;
    }
    return swp_certify_refuse(judgement, step->place,
                              "the weights of all uses come to more than %lld",
                              (long long)most_sum);
}

/* Within one interval every use counts wholly, and no cycles at the ends are free. */
static swp_status burden_of_interval(swp_judgement *judgement, const swp_problem *problem,
                                     const swp_certificate_step *step, burden *out)
{
    *out = (burden){0};
    for (size_t o = 0; o < problem->op_count; o++)
        for (size_t u = 0; u < problem->ops[o].use_count; u++) {
            const swp_problem_use *use = &problem->ops[o].uses[u];
            SWP_TRY(add_load(judgement, step, weight_of(step, use), use->cycles, out));
        }
    return SWP_OK;
}

/*
 * A use begins at its op's head or later. Only its cycles up to the op's tail surely lie within the
 * makespan. Where the tail is longer than the use, they end earlier by the difference.
 */
static swp_status burden_of_makespan(swp_context *ctx, swp_judgement *judgement,
                                     const swp_problem *problem, const swp_certificate_step *step,
                                     burden *out)
{
    int64_t *heads = NULL;
    int64_t *tails = NULL;
    bool any = false;
    SWP_TRY(swp_certify_heads_and_tails(ctx, judgement, problem, &heads, &tails));
    *out = (burden){0, INT64_MAX, INT64_MAX};
    for (size_t o = 0; o < problem->op_count; o++) {
        for (size_t u = 0; u < problem->ops[o].use_count; u++) {
            const swp_problem_use *use = &problem->ops[o].uses[u];
            const int64_t weight = weight_of(step, use);
            if (weight == 0)
                continue;
            const int64_t within = least(use->cycles, tails[o]);
            SWP_TRY(add_load(judgement, step, weight, within, out));
            out->before = least(out->before, heads[o]);
            out->after = least(out->after, tails[o] - within);
            any = true;
        }
    }
    if (!any)
        *out = (burden){0};
    return SWP_OK;
}

static swp_status resource_bound(swp_context *ctx, swp_judgement *judgement,
                                 const swp_problem *problem, const swp_certificate_step *step,
                                 int64_t *bound)
{
    if (step->resource < 0 || (size_t)step->resource >= problem->resource_count)
        return swp_certify_refuse(judgement, step->place, "there is no resource %d: there are %zu",
                                  step->resource, problem->resource_count);
    burden b;
    const int64_t capacity = problem->resources[step->resource].capacity;
    SWP_TRY(swp_certify_judge_weights(ctx, judgement, step, capacity));
    if (problem->kind == SWP_PROBLEM_MAKESPAN)
        SWP_TRY(burden_of_makespan(ctx, judgement, problem, step, &b));
    else
        SWP_TRY(burden_of_interval(judgement, problem, step, &b));
    const int64_t most = step->weights.count > 0 ? step->weights.most : capacity;
    *bound = b.before + divide_up(b.load, most) + b.after;
    return SWP_OK;
}

static swp_status refuse_kind(swp_judgement *judgement, const swp_certificate_step *step,
                              const char *what)
{
    return swp_certify_refuse(judgement, step->place, "%s, but this is %s problem", what,
                              step->kind == SWP_CERTIFICATE_PATH ? "a modulo" : "a makespan");
}

/*
 * Sums delays and distances along the edges, each of which has to begin where the one before ends;
 * `*op` moves on.
 */
static swp_status follow(swp_judgement *judgement, const swp_problem *problem,
                         const swp_certificate_step *step, int *op, int64_t *delays,
                         int64_t *distances)
{
    for (size_t i = 0; i < step->edges.count; i++) {
        const int index = step->edges.items[i];
        if (index < 0 || (size_t)index >= problem->edge_count)
            return swp_certify_refuse(judgement, step->place, "there is no edge %d: there are %zu",
                                      index, problem->edge_count);
        const swp_problem_edge *edge = &problem->edges[index];
        if (edge->producer != *op)
            return swp_certify_refuse(
                judgement, step->place,
                "edge %d begins at op %d (`%s`), but the path has come to op %d "
                "(`%s`)",
                index, edge->producer, problem->ops[edge->producer].name, *op,
                problem->ops[*op].name);
        *op = edge->consumer;
        *delays += edge->delay;
        *distances += edge->distance;
        if (*delays > most_sum || *delays < -most_sum || *distances > most_sum)
            return swp_certify_refuse(judgement, step->place,
                                      "the delays or distances of its edges come to more than %lld",
                                      (long long)most_sum);
    }
    return SWP_OK;
}

static swp_status path_bound(swp_judgement *judgement, const swp_problem *problem,
                             const swp_certificate_step *step, int64_t *bound)
{
    int64_t distances = 0;
    int op = step->op;
    if (problem->kind != SWP_PROBLEM_MAKESPAN)
        return refuse_kind(judgement, step, "a path bounds a makespan");
    if (op < 0 || (size_t)op >= problem->op_count)
        return swp_certify_refuse(judgement, step->place, "there is no op %d: there are %zu", op,
                                  problem->op_count);
    *bound = 0;
    SWP_TRY(follow(judgement, problem, step, &op, bound, &distances));
    *bound += problem->ops[op].latency;
    return SWP_OK;
}

static swp_status cycle_bound(swp_judgement *judgement, const swp_problem *problem,
                              const swp_certificate_step *step, int64_t *bound)
{
    int64_t delays = 0;
    int64_t distances = 0;
    if (problem->kind != SWP_PROBLEM_MODULO)
        return refuse_kind(judgement, step, "a cycle bounds an initiation interval");
    if (step->edges.count == 0)
        return swp_certify_refuse(judgement, step->place, "a cycle has at least one edge");
    const int first = step->edges.items[0];
    int op = first >= 0 && (size_t)first < problem->edge_count ? problem->edges[first].producer : 0;
    const int start = op;
    SWP_TRY(follow(judgement, problem, step, &op, &delays, &distances));
    if (op != start)
        return swp_certify_refuse(
            judgement, step->place,
            "the edges lead from op %d (`%s`) to op %d (`%s`), which is no cycle", start,
            problem->ops[start].name, op, problem->ops[op].name);
    if (distances < 1)
        return swp_certify_refuse(judgement, step->place,
                                  "the distances of the cycle come to 0, which bounds no interval");
    *bound = divide_up(delays, distances);
    return SWP_OK;
}

swp_status swp_certify_step_bound(swp_context *ctx, swp_judgement *judgement,
                                  const swp_problem *problem, const swp_certificate_step *step,
                                  int64_t *bound)
{
    switch (step->kind) {
    case SWP_CERTIFICATE_RESOURCE:
        return resource_bound(ctx, judgement, problem, step, bound);
    case SWP_CERTIFICATE_PATH:
        return path_bound(judgement, problem, step, bound);
    case SWP_CERTIFICATE_CYCLE:
        return cycle_bound(judgement, problem, step, bound);
    case SWP_CERTIFICATE_REFUTATION:
        break;
    }
    return swp_certify_refuse(judgement, step->place, "the step is of an unknown kind");
}
