/* SPDX-License-Identifier: Apache-2.0 */
/* Closes the gap between a bound and a schedule by asking a SAT solver for values between them. */
#include "solve/exact.h"

#include "solve/bounds.h"
#include "solve/formula.h"
#include "solve/monotone.h"
#include "solve/placing.h"

#include <string.h>

/* So many conflicts decide a question that is easy from either side. */
enum { FIRST_CONFLICTS = 2000 };

/* The question that is open on one side of the gap. */
typedef struct one_side {
    swp_sat_hope hope;
    bool open;
    int64_t value;
    swp_context scope; /* formulas are large: each has memory of its own */
    swp_encoding encoding;
    int64_t ends_sooner; /* in cycles, relative to the windows of the encoding */
    swp_question question;
} one_side;

typedef struct search {
    swp_context *ctx;
    swp_problem_graph graph;
    swp_budget *budget;
    swp_answer *answer;
    int64_t most;   /* any value up to this is as good as another; 0: the least is wanted */
    int64_t *times; /* of the schedule found last */
    uint64_t most_conflicts; /* limit of one question */
    one_side high;
    one_side low;
} search;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Values from this one on are not asked for: they have a schedule, or exceed `most`. */
static int64_t ceiling(const search *s)
{
    return s->most > 0 ? least(s->answer->value, s->most + 1) : s->answer->value;
}

static bool is_open(const search *s)
{
    return s->answer->bound < ceiling(s) && (s->most == 0 || s->answer->value > s->most);
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

static void close_side(one_side *side)
{
    if (!side->open)
        return;
    swp_solve_question_close(&side->question);
    swp_scope_close(&side->scope);
    side->open = false;
}

static swp_status open_side(const search *s, one_side *side, int64_t value,
                            swp_encoding_state *state)
{
    SWP_TRY(swp_scope_open(s->ctx, &side->scope));
    side->open = true;
    side->value = value;
    side->ends_sooner = 0;
    side->question = (swp_question){0};
    SWP_TRY(swp_solve_encode_value(&side->scope, &s->graph, value, &side->encoding, state));
    if (*state != SWP_ENCODING_READY)
        return SWP_OK;
    return swp_solve_question_open(&side->scope, &side->encoding, s->budget, side->hope, NULL,
                                   &side->question);
}

/* A question about a smaller makespan goes on from the present one, since what was learned still holds. */
static bool can_go_on(const search *s, const one_side *side, int64_t value)
{
    return side->open && (value == side->value ||
                          (s->graph.problem->kind == SWP_PROBLEM_MAKESPAN && value < side->value));
}

/* Asks whether the makespan can be at most `value`, or whether this interval has a schedule. */
static swp_status set_value(const search *s, one_side *side, int64_t value,
                            swp_encoding_state *state)
{
    *state = SWP_ENCODING_READY;
    if (!can_go_on(s, side, value)) {
        close_side(side);
        return open_side(s, side, value, state);
    }
    side->ends_sooner += side->value - value;
    side->value = value;
    if (!swp_solve_question_end_sooner(&side->question, side->ends_sooner))
        *state = SWP_ENCODING_EMPTY;
    return SWP_OK;
}

static swp_status take_schedule(search *s, one_side *side)
{
    int64_t value = side->value;
    if (s->graph.problem->kind == SWP_PROBLEM_MODULO)
        SWP_TRY(swp_solve_place_modulo(&side->scope, &side->encoding, s->times));
    else
        value = makespan_of(s->graph.problem, s->times);
    return keep(s, value);
}

static void refute(search *s, int64_t value)
{
    swp_solve_refute_to(s->answer, value + 1);
    s->budget->bound = value + 1;
}

/*
 * The high side always makes the last refutation. The low side mainly raises the bound that is
 * reported, so in makespan problems it gets a smaller share of the conflicts.
 */
enum { LOW_SHARE = 4 };

static uint64_t conflicts_of(const search *s, const one_side *side)
{
    /* With one value left there is no other side to turn to. */
    if (ceiling(s) - s->answer->bound == 1)
        return 0;
    const bool makespan = s->graph.problem->kind == SWP_PROBLEM_MAKESPAN;
    return makespan && side == &s->low ? s->most_conflicts / LOW_SHARE : s->most_conflicts;
}

static swp_status try_value(search *s, one_side *side, int64_t value, swp_sat_result *out)
{
    swp_encoding_state state;
    SWP_TRY(set_value(s, side, value, &state));
    *out = state == SWP_ENCODING_EMPTY ? SWP_SAT_REFUTED : SWP_SAT_GAVE_UP;
    if (state == SWP_ENCODING_READY)
        *out = swp_solve_question_ask(&side->question, conflicts_of(s, side), s->times);
    if (*out == SWP_SAT_SATISFIED)
        SWP_TRY(take_schedule(s, side));
    if (*out == SWP_SAT_REFUTED)
        refute(s, value);
    if (*out == SWP_SAT_REFUTED || *out == SWP_SAT_GAVE_UP)
        close_side(side);
    return SWP_OK;
}

/* A question that a limit ended is asked again rather than another one. */
static int64_t next_value(const one_side *side, int64_t wanted, int64_t low, int64_t high)
{
    if (side->open && side->value >= low && side->value <= high)
        return side->value;
    return wanted < low ? low : least(wanted, high);
}

/*
 * Tries values upwards from the bound, since low values are refuted fast. The highest open value is
 * left to lower_value().
 */
static swp_status raise_bound(search *s, swp_sat_result *result)
{
    int64_t step = 0;
    do {
        const int64_t low = s->answer->bound;
        const int64_t high = ceiling(s) - 2;
        if (low > high || !is_open(s))
            return SWP_OK;
        SWP_TRY(try_value(s, &s->low, next_value(&s->low, low + step, low, high), result));
        step = *result == SWP_SAT_REFUTED ? 2 * step + 1 : 0;
    } while (*result == SWP_SAT_REFUTED || *result == SWP_SAT_SATISFIED);
    return SWP_OK;
}

/*
 * Tries values downwards from the schedule. A step is at most a quarter of the gap, since a value
 * that is too low takes long.
 */
static swp_status lower_value(search *s, swp_sat_result *result)
{
    int64_t step = 0;
    do {
        const int64_t low = s->answer->bound;
        const int64_t high = ceiling(s) - 1;
        if (low > high || !is_open(s))
            return SWP_OK;
        SWP_TRY(try_value(s, &s->high, next_value(&s->high, high - step, low, high), result));
        step = least(2 * step + 1, (ceiling(s) - s->answer->bound) / 4);
    } while (*result == SWP_SAT_REFUTED || *result == SWP_SAT_SATISFIED);
    return SWP_OK;
}

/*
 * It is not known which side is harder. So both get the same number of conflicts in turn, then
 * twice as many, and go on where they stopped. Together they cost at most a constant multiple of
 * the cheaper side.
 */
static swp_status close_from_both_sides(search *s)
{
    for (s->most_conflicts = FIRST_CONFLICTS; is_open(s); s->most_conflicts *= 2) {
        swp_sat_result high = SWP_SAT_GAVE_UP;
        swp_sat_result low = SWP_SAT_GAVE_UP;
        SWP_TRY(lower_value(s, &high));
        if (is_open(s))
            SWP_TRY(raise_bound(s, &low));
        if (s->budget->stopped || (high != SWP_SAT_LIMITED && low != SWP_SAT_LIMITED))
            return SWP_OK;
    }
    return SWP_OK;
}

/* Tries each interval by itself, since an interval without a schedule may follow one that has a schedule. */
static swp_status close_upwards(search *s)
{
    swp_sat_result result = SWP_SAT_REFUTED;
    while (result == SWP_SAT_REFUTED && is_open(s))
        SWP_TRY(try_value(s, &s->low, s->answer->bound, &result));
    return SWP_OK;
}

static swp_status close_gap(search *s)
{
    const bool monotone = swp_solve_values_are_monotone(&s->graph);
    const swp_status status = (monotone ? close_from_both_sides : close_upwards)(s);
    close_side(&s->high);
    close_side(&s->low);
    if (s->answer->bound == s->answer->value)
        s->answer->status = SWP_ANSWER_OPTIMAL;
    return status;
}

static swp_status decide_component(const search *s, const swp_problem_graph *graph, int component,
                                   swp_sat_result *out)
{
    swp_context scope;
    swp_encoding encoding;
    swp_encoding_state state = SWP_ENCODING_LARGE;
    swp_formula formula;
    SWP_TRY(swp_scope_open(s->ctx, &scope));
    *out = SWP_SAT_GAVE_UP;
    swp_status status = swp_solve_encode_component(&scope, graph, component, &encoding, &state);
    if (status == SWP_OK && state == SWP_ENCODING_READY)
        status =
            swp_solve_formula_decide(&scope, &encoding, s->budget, NULL, s->times, &formula, out);
    swp_scope_close(&scope);
    return status;
}

/*
 * Finds a first schedule where no heuristic did. The ops that cycles of negative delays tie
 * together are a problem of their own. If each such problem has a schedule, these can follow one
 * another.
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
    SWP_TRY(swp_solve_place_in_sequence(s->ctx, &graph, s->times, &value));
    return keep(s, value);
}

swp_status swp_solve_exact(swp_context *ctx, const swp_problem *problem, int64_t most,
                           swp_budget *budget, swp_answer *answer)
{
    search s = {.ctx = ctx,
                .most = most,
                .budget = budget,
                .answer = answer,
                .high = {.hope = SWP_SAT_HOPES_FOR_MODEL},
                .low = {.hope = SWP_SAT_HOPES_FOR_REFUTATION}};
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 1, &s.times));
    SWP_TRY(swp_problem_graph_new(ctx, problem, INT64_MAX, &s.graph));
    if (!answer->times)
        SWP_TRY(find_any(&s));
    return answer->times ? close_gap(&s) : SWP_OK;
}
