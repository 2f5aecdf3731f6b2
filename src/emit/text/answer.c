/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an answer for people. */
#include "base/require.h"
#include "base/text.h"
#include "emit/text/weights.h"
#include "problem/load.h"
#include "swp/problem.h"

#include <string.h>

/* Longer lists of ops are left to programs, which read JSON. */
enum { MOST_SHOWN = 40, NAME_COLUMN = 24 };

static const char *value_of(const swp_problem *problem)
{
    return problem->kind == SWP_PROBLEM_MODULO ? "initiation interval" : "makespan";
}

static void put_verdict(swp_text *out, const swp_problem *problem, const swp_answer *answer)
{
    const long long value = answer->value;
    const long long bound = answer->bound;
    switch (answer->status) {
    case SWP_ANSWER_OPTIMAL:
        swp_text_format(out, "%s %lld, optimal", value_of(problem), value);
        break;
    case SWP_ANSWER_FEASIBLE:
        swp_text_format(out, "%s %lld, stopped; the least is %lld to %lld", value_of(problem),
                        value, bound, value);
        break;
    case SWP_ANSWER_INFEASIBLE:
        swp_text_format(out, "infeasible: no %s has a schedule", value_of(problem));
        break;
    case SWP_ANSWER_UNKNOWN:
        swp_text_format(out, "stopped before any schedule was found; the least %s is %lld or more",
                        value_of(problem), bound);
        break;
    }
}

static void put_edges(swp_text *out, const swp_problem *problem, const swp_answer *answer)
{
    int64_t delay = 0;
    int64_t distance = 0;
    for (size_t i = 0; i < answer->bound_edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[answer->bound_edges[i]];
        delay += edge->delay;
        distance += edge->distance;
        if (i < MOST_SHOWN)
            swp_text_format(out, "%s`%s`", i ? " -> " : "", problem->ops[edge->producer].name);
        if (i + 1 == answer->bound_edge_count) /* a cycle ends where it began */
            swp_text_format(out, "%s -> `%s`", i < MOST_SHOWN ? "" : " -> ...",
                            problem->ops[edge->consumer].name);
    }
    swp_text_format(out, ", %lld cycles", (long long)delay);
    if (distance > 0)
        swp_text_format(out, " in %lld iteration%s", (long long)distance, distance == 1 ? "" : "s");
}

static void put_resource(swp_text *out, const swp_problem *problem, const swp_answer *answer)
{
    const swp_problem_resource *resource = &problem->resources[answer->bound_resource];
    const swp_amount_weights *weights = &answer->bound_weights;
    int64_t load = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++) {
            const swp_problem_use *use = &problem->ops[i].uses[u];
            if (use->resource == answer->bound_resource)
                load += swp_problem_weight(weights, use->amount) *
                        swp_problem_use_cycles(problem, &problem->ops[i], use);
        }
    swp_text_format(out, "resource `%s` carries %lld, %lld a cycle at most", resource->name,
                    (long long)load,
                    (long long)(weights->count > 0 ? weights->most : resource->capacity));
    if (weights->count > 0)
        swp_text_format(out, "; ");
    swp_emit_weights(out, weights, resource->capacity);
}

static void put_bound(swp_text *out, const swp_problem *problem, const swp_answer *answer)
{
    if (answer->bound_kind == SWP_BOUND_NONE || answer->status == SWP_ANSWER_INFEASIBLE)
        return;
    swp_text_format(out, "  bound %lld: ", (long long)answer->bound);
    if (answer->bound_kind == SWP_BOUND_RESOURCE)
        put_resource(out, problem, answer);
    else if (answer->bound_kind == SWP_BOUND_REFUTATION)
        swp_text_format(out, "the search refuted less");
    else if (answer->bound_edge_count == 0)
        swp_text_format(out, "the latency of one op");
    else
        put_edges(out, problem, answer);
    swp_text_add(out, "\n", 1);
}

static void put_times(swp_text *out, const swp_problem *problem, const swp_answer *answer)
{
    for (size_t i = 0; i < problem->op_count && i < MOST_SHOWN; i++) {
        const long long time = answer->times[i];
        swp_text_format(out, "  %-*s %10lld", NAME_COLUMN, problem->ops[i].name, time);
        if (problem->kind == SWP_PROBLEM_MODULO)
            swp_text_format(out, "   cycle %lld of iteration %lld", time % answer->value,
                            time / answer->value);
        swp_text_add(out, "\n", 1);
    }
    if (problem->op_count > MOST_SHOWN)
        swp_text_format(out, "  and %zu more; --format json lists them all\n",
                        problem->op_count - MOST_SHOWN);
}

swp_status swp_answer_text(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                           char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && problem && answer && text);
    swp_text out = {.ctx = ctx};
    swp_text_format(&out, "%s: ", problem->name);
    put_verdict(&out, problem, answer);
    swp_text_format(&out, " (%.2f s)\n", answer->seconds);
    put_bound(&out, problem, answer);
    if (answer->times)
        put_times(&out, problem, answer);
    return swp_text_end(&out, text, length);
}
