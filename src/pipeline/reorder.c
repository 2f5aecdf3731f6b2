/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves ops that decide the pace of a step, one at a time. It keeps an order that is not much
 * slower, and tolerates less and less as it goes on (threshold accepting, Dueck and Scheuer 1990).
 */
#include "pipeline/reorder.h"

#include "base/random.h"
#include "pipeline/issue_model.h"
#include "pipeline/stages.h"

#include <limits.h>

typedef struct search {
    swp_context *ctx;
    swp_issue_models *models;
    swp_issue_model *model;
    swp_budget *budget;
    const swp_pipeline *given;
    int stages; /* most */
    swp_issue_order order;
    swp_issue_order trial;
    swp_issue_order best;
    swp_ratio cycles;
    swp_ratio best_cycles;
    int64_t *times;
    uint64_t random;
    bool only_timed; /* orders without times at the interval are not kept */
    bool polishes;   /* goes on for a while where waits cost almost nothing */
} search;

static int op_count(const search *s)
{
    return (int)s->given->loop->op_count;
}

static int draw(search *s, int below)
{
    return (int)(swp_random(&s->random) % (uint64_t)below);
}

/* Moves an op of the trial over so many others; past the end of a step it is a stage later. */
static void move(search *s, int op, int by)
{
    const int others = op_count(s) - 1;
    swp_issue_order *o = &s->trial;
    int to = o->at[op] + by;
    if (to > others) {
        to -= others;
        o->stage[op]++;
    } else if (to < 0) {
        to += others;
        o->stage[op]--;
    }
    for (int at = o->at[op]; at < to; at++)
        o->at[o->ops[at] = o->ops[at + 1]] = at;
    for (int at = o->at[op]; at > to; at--)
        o->at[o->ops[at] = o->ops[at - 1]] = at;
    o->ops[to] = op;
    o->at[op] = to;
}

/* Finds out whether times exist that span no more stages than allowed. */
static swp_status can_keep(search *s, const swp_issue_order *order, bool *can)
{
    const int64_t interval = s->given->answer.value;
    int64_t first = INT64_MAX;
    int64_t last = INT64_MIN;
    SWP_TRY(swp_pipeline_issue_times(s->model, order, interval, s->times, can));
    for (int i = 0; i < op_count(s) && *can; i++) {
        first = s->times[i] < first ? s->times[i] : first;
        last = s->times[i] > last ? s->times[i] : last;
    }
    *can = *can && (last - first) / interval < s->stages;
    return SWP_OK;
}

/* Differences are counted in so many parts of the interval. */
enum { PARTS = 1024 };

/* If the parts would exceed 64 bits, whole cycles are used. */
static swp_ratio above(const search *s, swp_ratio ratio, int64_t parts)
{
    const int64_t more = s->given->answer.value * parts;
    swp_ratio out = {0, 0};
    int64_t added = 0;
    if (__builtin_mul_overflow(ratio.cycles, PARTS, &out.cycles) ||
        __builtin_mul_overflow(more, ratio.passes, &added) ||
        __builtin_add_overflow(out.cycles, added, &out.cycles) ||
        __builtin_mul_overflow(ratio.passes, PARTS, &out.passes))
        return (swp_ratio){ratio.cycles / ratio.passes + more / PARTS + 1, 1};
    return out;
}

/* Returns whether an iteration, from its first op to its last, keeps within the stages. */
static bool is_within_stages(const search *s, const swp_issue_order *order)
{
    const int count = op_count(s);
    int first = INT_MAX;
    int last = INT_MIN;
    for (int i = 0; i < count; i++) {
        const int at = order->stage[i] * count + order->at[i];
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    return last - first < s->stages * count;
}

/*
 * Serving in order of issue does not guarantee a schedule if a unit has a capacity above 1, so the
 * times are checked.
 */
static swp_status are_answer(search *s, bool *are)
{
    swp_answer answer = s->given->answer;
    SWP_TRY(swp_pipeline_times_from_zero(s->ctx, s->given->loop, s->times, &answer.times));
    const swp_status status = swp_answer_check(s->ctx, &s->model->problem.problem, &answer);
    *are = status == SWP_OK;
    return swp_ends_work(status) ? status : SWP_OK;
}

/* Continues the search from the trial. */
static swp_status take_trial(search *s, swp_ratio cycles)
{
    const size_t count = s->given->loop->op_count;
    const bool is_best = swp_solve_ratio_compare(cycles, s->best_cycles) < 0;
    bool can = false;
    if (is_best || s->only_timed)
        SWP_TRY(can_keep(s, &s->trial, &can));
    if (is_best && can)
        SWP_TRY(are_answer(s, &can));
    if (s->only_timed && !can)
        return SWP_OK;
    s->cycles = cycles;
    swp_pipeline_issue_order_copy(&s->trial, count, &s->order);
    if (is_best && can) {
        s->best_cycles = cycles;
        swp_pipeline_issue_order_copy(&s->trial, count, &s->best);
    }
    return SWP_OK;
}

static swp_status try_move(search *s, int64_t threshold)
{
    const int op = s->model->critical[draw(s, s->model->critical_count)];
    const int reach = 1 + draw(s, op_count(s) - 1);
    const int by = 1 + draw(s, reach);
    bool within = false;
    swp_ratio cycles;
    swp_pipeline_issue_order_copy(&s->order, (size_t)op_count(s), &s->trial);
    move(s, op, draw(s, 2) ? by : -by);
    if (!swp_pipeline_issue_order_is_legal(&s->model->problem.problem, &s->trial, op) ||
        !is_within_stages(s, &s->trial))
        return SWP_OK;
    SWP_TRY(swp_pipeline_issue_price(s->model, &s->trial, above(s, s->cycles, threshold), &within,
                                     &cycles));
    return within ? take_trial(s, cycles) : SWP_OK;
}

static swp_status price(search *s, const swp_issue_order *order, swp_ratio *cycles)
{
    static const swp_ratio any = {
        1, 0}; /* This ratio is above all others, as each chain spans a pass. */
    bool within = false;
    return swp_pipeline_issue_price(s->model, order, any, &within, cycles);
}

static swp_status begin(swp_context *ctx, swp_issue_models *models, const swp_pipeline *given,
                        const int *slots, search *s)
{
    const size_t count = given->loop->op_count;
    *s = (search){.ctx = ctx, .models = models, .given = given, .random = 0x9E3779B97F4A7C15u};
    SWP_TRY(swp_pipeline_issue_model_of(ctx, models, given->loop, slots, &s->model));
    SWP_TRY(swp_pipeline_issue_order_new(ctx, count, &s->order));
    SWP_TRY(swp_pipeline_issue_order_new(ctx, count, &s->trial));
    SWP_TRY(swp_pipeline_issue_order_new(ctx, count, &s->best));
    SWP_TRY(SWP_TAKE(ctx, count, &s->times));
    swp_pipeline_issue_order_of(given, &s->best);
    return price(s, &s->best, &s->best_cycles);
}

/* The rounds, the moves of each, and by how many parts of the interval a move may be slower at first. */
enum { ROUNDS = 8, MOVES = 4000, THRESHOLD = 40 };

/*
 * With few ops, two rounds in succession that brought nothing, one of each kind, end the search. With many ops two rounds try
 * only a part of the moves.
 */
enum { IDLE_ROUNDS = 2, FEW_OPS = 12 };

/*
 * A cost below GOOD_ENOUGH counts as none, since each wait has to be issued. Slots that are given
 * up may cost TRIMMED.
 */
enum { GOOD_ENOUGH = 2, TRIMMED = 5 };

/* Large loops get fewer moves, since each takes longer. */
enum { CONSTRAINTS_FOR_ALL = 200, FEWEST_MOVES = 400, POLISHING = 8 };

/* Pricing a move looks at each constraint several times, for some nanoseconds each. */
enum { LOOKS = 8, CONSTRAINTS_A_STEP = 256 };

static bool spend(search *s)
{
    const uint64_t constraints = s->model->constraints.count;
    return swp_budget_work(s->budget, 1 + constraints / CONSTRAINTS_A_STEP) &&
           swp_budget_keep(s->budget, LOOKS * constraints);
}

static int moves_of(const search *s)
{
    const int64_t constraints = (int64_t)s->model->constraints.count;
    const int64_t moves = (int64_t)MOVES * CONSTRAINTS_FOR_ALL / (constraints + 1);
    const int all = moves > MOVES ? MOVES : moves < FEWEST_MOVES ? FEWEST_MOVES : (int)moves;
    return s->polishes ? all / POLISHING : all;
}

/* If the interval is open, an order that takes less shows a lesser interval. */
static bool is_good_enough(const search *s)
{
    const swp_pipeline *p = s->given;
    const swp_ratio least = {p->interval_proven ? p->answer.value : p->bound_answer.bound, 1};
    const int parts = s->polishes ? 0 : GOOD_ENOUGH;
    return swp_solve_ratio_compare(s->best_cycles, above(s, least, parts)) <= 0;
}

static swp_status search_round(search *s)
{
    const int moves = moves_of(s);
    swp_pipeline_issue_order_copy(&s->best, (size_t)op_count(s), &s->order);
    SWP_TRY(price(s, &s->order, &s->cycles));
    for (int m = 0; m < moves && !is_good_enough(s) && s->model->critical_count > 0; m++) {
        if (!spend(s))
            return SWP_OK;
        SWP_TRY(try_move(s, (int64_t)THRESHOLD * (moves - m) / moves));
    }
    return SWP_OK;
}

static swp_status search_rounds(search *s)
{
    const int most_idle = op_count(s) <= FEW_OPS ? IDLE_ROUNDS : ROUNDS;
    int idle = 0;
    for (int round = 0; round < ROUNDS && idle < most_idle && op_count(s) > 1; round++) {
        const swp_ratio before = s->best_cycles;
        s->only_timed = round % 2 == 0;
        SWP_TRY(search_round(s));
        idle = swp_solve_ratio_compare(s->best_cycles, before) < 0 ? 0 : idle + 1;
    }
    return SWP_OK;
}

/* With more slots, the ops that decide the pace could make their values earlier. */
static swp_status list_critical_values(search *s, const bool **out)
{
    const swp_loop *loop = s->given->loop;
    bool *critical = NULL;
    SWP_TRY(SWP_TAKE(s->ctx, loop->value_count, &critical));
    for (int i = 0; i < s->model->critical_count; i++)
        for (int v = 0; v < (int)loop->value_count; v++)
            critical[v] |= swp_ir_loop_makes(&loop->ops[s->model->critical[i]], v);
    *out = critical;
    return SWP_OK;
}

static swp_status retime(search *s, const int *slots, swp_pipeline *out)
{
    return swp_pipeline_retime(s->ctx, s->given, slots, s->given->answer.value, s->times, out);
}

static swp_status hand_out(search *s, swp_pipeline *pipeline, swp_priced *out)
{
    SWP_TRY(price(s, &s->best, &s->best_cycles));
    *out = (swp_priced){pipeline, s->best_cycles, NULL, !s->model->mixes_objects};
    return list_critical_values(s, &out->critical);
}

swp_status swp_pipeline_price(swp_context *ctx, swp_issue_models *models, swp_pipeline *pipeline,
                              swp_priced *out)
{
    search s;
    SWP_TRY(begin(ctx, models, pipeline, pipeline->slots, &s));
    return hand_out(&s, pipeline, out);
}

static swp_status reorder(swp_context *ctx, swp_issue_models *models, swp_budget *budget,
                          const swp_priced *given, const int *slots, int stages, bool polishes,
                          swp_priced *out)
{
    search s;
    bool exist = false;
    swp_pipeline *pipeline = NULL;
    *out = *given;
    SWP_TRY(begin(ctx, models, given->pipeline, slots, &s));
    s.stages = stages;
    s.budget = budget;
    s.polishes = polishes;
    SWP_TRY(search_rounds(&s));
    SWP_TRY(can_keep(&s, &s.best, &exist));
    if (exist)
        SWP_TRY(are_answer(&s, &exist));
    if (!exist)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &pipeline));
    SWP_TRY(retime(&s, slots, pipeline));
    return hand_out(&s, pipeline, out);
}

swp_status swp_pipeline_reorder(swp_context *ctx, swp_issue_models *models, swp_budget *budget,
                                const swp_priced *given, const int *slots, int stages,
                                swp_priced *out)
{
    return reorder(ctx, models, budget, given, slots, stages, false, out);
}

swp_status swp_pipeline_polish(swp_context *ctx, swp_issue_models *models, swp_budget *budget,
                               const swp_priced *given, swp_priced *out)
{
    const swp_pipeline *p = given->pipeline;
    return reorder(ctx, models, budget, given, p->slots, p->stages, true, out);
}

/* Finds out whether the best order is as good with so many slots, and has times. */
static swp_status is_enough(search *s, const int *slots, swp_ratio most, bool *enough)
{
    swp_ratio cycles;
    SWP_TRY(swp_pipeline_issue_model_of(s->ctx, s->models, s->given->loop, slots, &s->model));
    *enough = swp_pipeline_issue_order_is_all_legal(&s->model->problem.problem, &s->best);
    if (*enough)
        SWP_TRY(swp_pipeline_issue_price(s->model, &s->best, most, enough, &cycles));
    if (*enough)
        SWP_TRY(can_keep(s, &s->best, enough));
    return *enough ? are_answer(s, enough) : SWP_OK;
}

swp_status swp_pipeline_with_slots(swp_context *ctx, swp_issue_models *models,
                                   const swp_priced *given, const int *slots, bool *enough,
                                   swp_priced *out)
{
    search s;
    swp_pipeline *pipeline = NULL;
    SWP_TRY(begin(ctx, models, given->pipeline, given->pipeline->slots, &s));
    s.stages = given->pipeline->stages;
    SWP_TRY(is_enough(&s, slots, above(&s, given->cycles, TRIMMED), enough));
    if (!*enough)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &pipeline));
    SWP_TRY(retime(&s, slots, pipeline));
    return hand_out(&s, pipeline, out);
}
