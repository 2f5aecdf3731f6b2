/* SPDX-License-Identifier: Apache-2.0 */
/* Closes the gap between a bound and a schedule by asking a SAT solver for values between them. */
#include "solve/exact.h"

#include "solve/formula.h"
#include "solve/monotone.h"
#include "solve/placing.h"

#include <string.h>

/* Enough for what is easy from either side. */
enum { FIRST_CONFLICTS = 2000 };

typedef struct search {
    swp_context *ctx;
    swp_problem_graph graph;
    swp_budget *budget;
    swp_answer *answer;
    int64_t *times;          /* of the schedule found last */
    uint64_t most_conflicts; /* of one formula; 0: no limit */
} search;

/* Formulas are large, and none is needed after its answer: each has memory of its own. */
static swp_status enter_scope(const search *s, swp_context *scope)
{
    *scope = *s->ctx;
    scope->arena = swp_arena_new(&s->ctx->arena->allocator);
    return scope->arena ? SWP_OK : swp_out_of_memory(s->ctx);
}

static int64_t makespan_of(const swp_problem *p, const int64_t *times)
{
    int64_t value = 0;
    for (size_t i = 0; i < p->op_count; i++)
        if (times[i] + p->ops[i].latency > value)
            value = times[i] + p->ops[i].latency;
    return value;
}

static swp_status keep(search *s, int64_t value)
{
    const size_t count = s->graph.problem->op_count;
    int64_t *times = NULL;
    SWP_TRY(SWP_TAKE(s->ctx, count + 1, &times));
    memcpy(times, s->times, count * sizeof *times);
    s->answer->times = times;
    s->answer->time_count = count;
    s->answer->value = value;
    s->answer->status = SWP_ANSWER_FEASIBLE;
    s->budget->best = value;
    return SWP_OK;
}

/* "There is a schedule of value at most `value`" in a makespan problem, else "at this interval". */
static swp_status decide_value(const search *s, swp_context *scope, int64_t value, int64_t *found,
                               swp_sat_result *out)
{
    const bool modulo = s->graph.problem->kind == SWP_PROBLEM_MODULO;
    swp_encoding encoding;
    swp_encoding_state state;
    swp_formula formula;
    SWP_TRY((modulo ? swp_encode_modulo : swp_encode_makespan)(scope, &s->graph, value, &encoding,
                                                               &state));
    *out = state == SWP_ENCODING_EMPTY ? SWP_SAT_REFUTED : SWP_SAT_GAVE_UP;
    if (state != SWP_ENCODING_READY)
        return SWP_OK;
    /* With one value left there is no other side to turn to. */
    const uint64_t most = s->answer->value - s->answer->bound == 1 ? 0 : s->most_conflicts;
    SWP_TRY(swp_formula_decide(scope, &encoding, s->budget, most, NULL, s->times, &formula, out));
    if (*out != SWP_SAT_SATISFIED)
        return SWP_OK;
    *found = modulo ? value : makespan_of(s->graph.problem, s->times);
    return modulo ? swp_place_modulo(scope, &encoding, s->times) : SWP_OK;
}

static swp_status try_value(search *s, int64_t value, swp_sat_result *out)
{
    swp_context scope;
    int64_t found = 0;
    SWP_TRY(enter_scope(s, &scope));
    swp_status status = decide_value(s, &scope, value, &found, out);
    swp_arena_free(scope.arena);
    if (status == SWP_OK && *out == SWP_SAT_SATISFIED)
        status = keep(s, found);
    if (status == SWP_OK && *out == SWP_SAT_REFUTED) {
        s->answer->bound = value + 1;
        s->answer->bound_kind = SWP_BOUND_REFUTATION;
        s->answer->bound_edges = NULL;
        s->answer->bound_edge_count = 0;
        s->budget->bound = value + 1;
    }
    return status;
}

/* Upwards from the bound, in steps that grow: low values are refuted fast. Ends below the top value. */
static swp_status raise_bound(search *s, swp_sat_result *result)
{
    int64_t step = 0;
    do {
        const int64_t last = s->answer->value - 2;
        const int64_t next = s->answer->bound + step;
        if (s->answer->bound > last)
            return SWP_OK;
        SWP_TRY(try_value(s, next < last ? next : last, result));
        step = *result == SWP_SAT_REFUTED ? 2 * step + 1 : 0;
    } while (*result == SWP_SAT_REFUTED || *result == SWP_SAT_SATISFIED);
    return SWP_OK;
}

/* Down from the value, likewise. */
static swp_status lower_value(search *s, swp_sat_result *result)
{
    int64_t step = 0;
    do {
        const int64_t next = s->answer->value - 1 - step;
        if (s->answer->bound == s->answer->value)
            return SWP_OK;
        SWP_TRY(try_value(s, next > s->answer->bound ? next : s->answer->bound, result));
        step = *result == SWP_SAT_SATISFIED ? 2 * step + 1 : 0;
    } while (*result == SWP_SAT_REFUTED || *result == SWP_SAT_SATISFIED);
    return SWP_OK;
}

/*
 * Which side is the hard one is not known: both get so many conflicts in turn, then four times as many.
 * What they cost together is then at most some multiple of the cheaper one.
 */
static swp_status close_from_both_sides(search *s)
{
    for (s->most_conflicts = FIRST_CONFLICTS; s->answer->bound < s->answer->value;
         s->most_conflicts *= 4) {
        swp_sat_result high = SWP_SAT_GAVE_UP;
        swp_sat_result low = SWP_SAT_GAVE_UP;
        SWP_TRY(lower_value(s, &high));
        if (s->answer->bound < s->answer->value)
            SWP_TRY(raise_bound(s, &low));
        if (s->budget->stopped || (high != SWP_SAT_LIMITED && low != SWP_SAT_LIMITED))
            return SWP_OK;
    }
    return SWP_OK;
}

/* Each interval counts for itself where one with a schedule may have a larger one without. */
static swp_status close_upwards(search *s)
{
    swp_sat_result result = SWP_SAT_REFUTED;
    while (result == SWP_SAT_REFUTED && s->answer->bound < s->answer->value)
        SWP_TRY(try_value(s, s->answer->bound, &result));
    return SWP_OK;
}

static swp_status close_gap(search *s)
{
    const bool monotone = swp_values_are_monotone(&s->graph);
    SWP_TRY((monotone ? close_from_both_sides : close_upwards)(s));
    if (s->answer->bound == s->answer->value)
        s->answer->status = SWP_ANSWER_OPTIMAL;
    return SWP_OK;
}

static swp_status decide_component(const search *s, const swp_problem_graph *graph, int component,
                                   swp_sat_result *out)
{
    swp_context scope;
    swp_encoding encoding;
    swp_encoding_state state = SWP_ENCODING_LARGE;
    swp_formula formula;
    SWP_TRY(enter_scope(s, &scope));
    *out = SWP_SAT_GAVE_UP;
    swp_status status = swp_encode_component(&scope, graph, component, &encoding, &state);
    if (status == SWP_OK && state == SWP_ENCODING_READY)
        status = swp_formula_decide(&scope, &encoding, s->budget, s->most_conflicts, NULL, s->times,
                                    &formula, out);
    swp_arena_free(scope.arena);
    return status;
}

/*
 * A first schedule where no heuristic found one: ops that cycles of negative delays tie together are a
 * problem each; if all of them have schedules, those can follow one another.
 */
static swp_status find_any(search *s)
{
    swp_problem_graph graph;
    SWP_TRY(swp_problem_graph_new(s->ctx, s->graph.problem, 0, &graph));
    for (int c = 0; c < graph.component_count; c++) {
        swp_sat_result result;
        if (graph.member_first[c + 1] - graph.member_first[c] == 1)
            continue;
        SWP_TRY(decide_component(s, &graph, c, &result));
        if (result == SWP_SAT_REFUTED)
            s->answer->status = SWP_ANSWER_INFEASIBLE;
        if (result != SWP_SAT_SATISFIED)
            return SWP_OK;
    }
    int64_t value = 0;
    SWP_TRY(swp_place_in_sequence(s->ctx, &graph, s->times, &value));
    return keep(s, value);
}

swp_status swp_exact_search(swp_context *ctx, const swp_problem *problem, swp_budget *budget,
                            swp_answer *answer)
{
    search s = {.ctx = ctx, .budget = budget, .answer = answer};
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 1, &s.times));
    SWP_TRY(swp_problem_graph_new(ctx, problem, INT64_MAX, &s.graph));
    if (!answer->times)
        SWP_TRY(find_any(&s));
    return answer->times ? close_gap(&s) : SWP_OK;
}
