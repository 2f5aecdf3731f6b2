/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches exactly (docs/scheduling.md, "The exact search"). It begins with a greedy seed and a
 * lower bound. Bisection then finds the least makespan, and after that the least register peak.
 * Last, it fixes one position after the other while a completion remains. That gives the
 * lexicographically first order of both.
 */
#include "base/diag.h"
#include "base/require.h"
#include "order/branch_and_bound.h"
#include "order/greedy.h"

#include <string.h>

typedef struct makespan_search {
    const swp_loop_body *body;
    const swp_search *search;
    swp_dag dag;
    swp_order_rules rules;
    swp_budget budget;
    swp_decider decider;
    swp_partial scratch; /* empty except while an order is measured */
    swp_order seed;
    swp_evaluation seed_value;
    bool has_seed;        /* greedy found an order */
    bool seed_counts;     /* it is legal and within the budget */
    int *best;            /* NULL until an order is known */
    swp_evaluation value; /* of best */
    int64_t bound;        /* no order takes fewer cycles */
    int *witness;
} makespan_search;

static swp_status find_seed(swp_context *ctx, makespan_search *s)
{
    if (s->search->halves)
        SWP_TRY(swp_order_greedy_seed(ctx, s->body, 2, s->search->blocks_per_half, &s->seed,
                                      &s->has_seed));
    else {
        SWP_TRY(swp_simple_greedy_schedule(ctx, s->body, &s->seed));
        s->has_seed = true;
    }
    if (!s->has_seed)
        return SWP_OK;
    return swp_evaluate_schedule(ctx, s->body, &s->seed, s->search->lds_contention_penalty,
                                 &s->seed_value);
}

static swp_status order_from(swp_context *ctx, const int *items, int count, swp_order *out)
{
    *out = (swp_order){.count = (size_t)count, .capacity = (size_t)count};
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &out->items));
    memcpy(out->items, items, (size_t)count * sizeof *items);
    return SWP_OK;
}

/* Runs an order through the resource model; returns whether it keeps to every rule of the search. */
static bool measure(makespan_search *s, const int *order, swp_evaluation *value)
{
    bool legal = true;
    for (int i = 0; i < s->dag.count; i++) {
        legal = legal && swp_order_partial_allows(&s->scratch, order[i], &s->rules);
        swp_order_partial_place(&s->scratch, order[i]);
    }
    *value = (swp_evaluation){s->scratch.makespan, s->scratch.peak};
    for (int i = 0; i < s->dag.count; i++)
        swp_order_partial_undo(&s->scratch);
    return legal;
}

static swp_status keep_best(swp_context *ctx, makespan_search *s, const int *order)
{
    if (!s->best)
        SWP_TRY(SWP_TAKE(ctx, s->body->count, &s->best));
    memcpy(s->best, order, s->body->count * sizeof *order);
    (void)measure(s, s->best, &s->value);
    s->budget.best = s->value.makespan;
    return SWP_OK;
}

static swp_status ask(swp_context *ctx, makespan_search *s, int64_t makespan, int64_t vgpr,
                      swp_decision *answer)
{
    SWP_TRY(swp_order_branch_and_bound(ctx, &s->decider, makespan, vgpr, s->witness, answer));
    return *answer == SWP_FOUND ? keep_best(ctx, s, s->witness) : SWP_OK;
}

/* No order takes longer than all ops in a row. */
static int64_t longest_makespan(const makespan_search *s)
{
    int64_t sum = 0;
    for (int i = 0; i < s->dag.count; i++)
        sum += s->dag.ops[i].latency + s->dag.ops[i].busy;
    return sum;
}

static swp_status least_makespan(swp_context *ctx, makespan_search *s, swp_decision *answer)
{
    const int64_t limit = s->rules.max_vgpr;
    *answer = SWP_FOUND;
    if (!s->best)
        SWP_TRY(ask(ctx, s, longest_makespan(s), limit, answer));
    while (*answer != SWP_UNDECIDED && s->best && s->bound < s->value.makespan) {
        const int64_t middle = s->bound + (s->value.makespan - s->bound) / 2;
        SWP_TRY(ask(ctx, s, middle, limit, answer));
        if (*answer == SWP_REFUTED)
            s->bound = middle + 1;
        s->budget.bound = s->bound;
    }
    return SWP_OK;
}

/* When the last op is issued, all that stays live at the end is live, and all that this op releases. */
static int64_t least_peak_bound(const swp_dag *dag)
{
    int64_t live = 0;
    int64_t least_kill = INT64_MAX;
    for (int i = 0; i < dag->count; i++) {
        live += dag->ops[i].vgpr_def - dag->ops[i].vgpr_kill;
        if (dag->ops[i].vgpr_kill < least_kill)
            least_kill = dag->ops[i].vgpr_kill;
    }
    return dag->count > 0 && live + least_kill > 0 ? live + least_kill : 0;
}

static swp_status least_peak(swp_context *ctx, makespan_search *s, swp_decision *answer)
{
    int64_t bound = least_peak_bound(&s->dag);
    *answer = SWP_FOUND;
    while (*answer != SWP_UNDECIDED && bound < s->value.vgpr_peak) {
        const int64_t middle = bound + (s->value.vgpr_peak - bound) / 2;
        SWP_TRY(ask(ctx, s, s->value.makespan, middle, answer));
        if (*answer == SWP_REFUTED)
            bound = middle + 1;
    }
    return SWP_OK;
}

/* Returns whether the prefix still keeps to both targets. */
static bool within(const swp_partial *partial, const swp_evaluation *target)
{
    return partial->makespan <= target->makespan && partial->peak <= target->vgpr_peak;
}

/* Fixes the next position: takes the first op from which the targets can still be met. */
static swp_status fix_position(swp_context *ctx, makespan_search *s, const swp_evaluation *target,
                               swp_decision *answer)
{
    swp_partial *partial = &s->decider.partial;
    const int position = partial->count;
    for (int op = 0; op < s->dag.count; op++) {
        if (!swp_order_partial_allows(partial, op, &s->rules))
            continue;
        swp_order_partial_place(partial, op);
        *answer = SWP_FOUND;
        if (op == s->best[position])
            return SWP_OK;
        *answer = SWP_REFUTED;
        if (within(partial, target))
            SWP_TRY(ask(ctx, s, target->makespan, target->vgpr_peak, answer));
        if (*answer == SWP_FOUND)
            return SWP_OK;
        swp_order_partial_undo(partial);
        if (*answer == SWP_UNDECIDED)
            return SWP_OK;
    }
    return SWP_OK;
}

static swp_status first_order(swp_context *ctx, makespan_search *s, swp_decision *answer)
{
    const swp_evaluation target = s->value;
    *answer = SWP_FOUND;
    while (s->decider.partial.count < s->dag.count && *answer == SWP_FOUND)
        SWP_TRY(fix_position(ctx, s, &target, answer));
    return SWP_OK;
}

static bool seed_ties(const makespan_search *s)
{
    return s->seed_counts && s->seed_value.makespan == s->value.makespan &&
           s->seed_value.vgpr_peak == s->value.vgpr_peak;
}

static swp_status run(swp_context *ctx, makespan_search *s, swp_decision *answer)
{
    SWP_TRY(least_makespan(ctx, s, answer));
    if (*answer == SWP_UNDECIDED || !s->best)
        return SWP_OK;
    SWP_TRY(least_peak(ctx, s, answer));
    if (*answer == SWP_UNDECIDED || seed_ties(s))
        return SWP_OK;
    return first_order(ctx, s, answer);
}

/* The range in which the least peak of any legal order lies. */
typedef struct peak_range {
    int64_t at_least;
    int64_t at_most; /* -1: no legal order at all */
} peak_range;

static swp_status find_peaks(swp_context *ctx, makespan_search *s, peak_range *out,
                             swp_decision *answer)
{
    *out = (peak_range){s->rules.max_vgpr + 1, -1};
    SWP_TRY(ask(ctx, s, longest_makespan(s), INT64_MAX, answer));
    while (*answer != SWP_UNDECIDED && s->best && out->at_least < s->value.vgpr_peak) {
        const int64_t middle = out->at_least + (s->value.vgpr_peak - out->at_least) / 2;
        SWP_TRY(ask(ctx, s, longest_makespan(s), middle, answer));
        if (*answer == SWP_REFUTED)
            out->at_least = middle + 1;
    }
    if (s->best)
        out->at_most = s->value.vgpr_peak;
    return SWP_OK;
}

static swp_status infeasible(swp_status status)
{
    return status == SWP_INVALID ? SWP_INFEASIBLE : status;
}

static swp_status report_no_legal_order(swp_context *ctx, const makespan_search *s)
{
    const int loads = s->search->max_globals_per_block;
    const char *hint = "each half must hold its own COMPUTEs and be able to end with one";
    if (loads > 0)
        return infeasible(swp_error(ctx, SWP_E0404, SWP_NOWHERE, hint,
                                    "no order of the %d ops respects their edges, their halves "
                                    "and %d global loads a block",
                                    s->dag.count, loads));
    return infeasible(swp_error(ctx, SWP_E0404, SWP_NOWHERE, hint,
                                "no order of the %d ops respects their edges and halves",
                                s->dag.count));
}

/* The search was refuted: either `max_vgpr` is too small, or no order is legal with any. */
static swp_status report_no_order(swp_context *ctx, makespan_search *s)
{
    peak_range peaks = {0, -1};
    swp_decision answer = SWP_REFUTED;
    const long long budget = s->search->max_vgpr;
    if (s->rules.max_vgpr < INT64_MAX)
        SWP_TRY(find_peaks(ctx, s, &peaks, &answer));
    if (peaks.at_most < 0 && answer == SWP_REFUTED)
        return report_no_legal_order(ctx, s);
    if (peaks.at_most < 0)
        return infeasible(swp_error(ctx, SWP_E0401, SWP_NOWHERE, "raise schedule.max_vgpr",
                                    "no legal order fits in max_vgpr = %lld registers", budget));
    return infeasible(swp_error(ctx, SWP_E0401, SWP_NOWHERE, "raise schedule.max_vgpr",
                                "no legal order fits in max_vgpr = %lld registers; the least peak "
                                "is %s%lld",
                                budget, answer == SWP_UNDECIDED ? "at most " : "",
                                (long long)peaks.at_most));
}

static swp_status report_stopped(swp_context *ctx, const makespan_search *s)
{
    const swp_status status =
        swp_error(ctx, SWP_E0403, SWP_NOWHERE, "allow more time or work",
                  "the search was stopped after %llu nodes, before it found a legal order",
                  (unsigned long long)s->budget.work);
    return status == SWP_INVALID ? SWP_STOPPED : status;
}

static swp_status warn_of_stop(swp_context *ctx, const makespan_search *s)
{
    return swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "allow more time or work for the optimum",
                    "the search was stopped after %llu nodes: makespan %lld, no order is below "
                    "%lld",
                    (unsigned long long)s->budget.work, (long long)s->value.makespan,
                    (long long)s->bound);
}

static swp_status conclude(swp_context *ctx, makespan_search *s, swp_decision answer,
                           swp_solution *solution)
{
    if (!s->best && answer == SWP_UNDECIDED)
        return report_stopped(ctx, s);
    if (!s->best)
        return report_no_order(ctx, s);
    if (answer == SWP_UNDECIDED) {
        ctx->stopped = true;
        SWP_TRY(warn_of_stop(ctx, s));
    }
    solution->is_seed = seed_ties(s);
    solution->outcome = answer == SWP_UNDECIDED ? SWP_FEASIBLE : SWP_OPTIMAL;
    solution->lower_bound = s->bound;
    solution->work = s->budget.work;
    solution->evaluation = s->value;
    return order_from(ctx, solution->is_seed ? s->seed.items : s->best, s->dag.count,
                      &solution->order);
}

static swp_status prepare(swp_context *ctx, makespan_search *s)
{
    SWP_TRY(swp_loop_body_validate(ctx, s->body));
    SWP_TRY(find_seed(ctx, s));
    return swp_makespan_lower_bound(ctx, s->body, s->search->lds_contention_penalty, &s->bound);
}

/*
 * A seed that meets the bound is the answer, even if it breaks a rule (docs/scheduling.md, "The
 * answer of csp").
 */
static bool seed_is_enough(const makespan_search *s)
{
    return s->has_seed && s->seed_value.makespan == s->bound &&
           s->seed_value.vgpr_peak <= s->rules.max_vgpr;
}

static swp_status search_beyond_seed(swp_context *ctx, makespan_search *s, swp_solution *solution)
{
    swp_decision answer = SWP_UNDECIDED;
    SWP_TRY(swp_order_dag_build(ctx, s->body, s->search, &s->dag));
    SWP_TRY(SWP_TAKE(ctx, s->body->count, &s->witness));
    SWP_TRY(swp_order_partial_new(ctx, &s->dag, &s->scratch));
    if (s->has_seed)
        s->seed_counts = measure(s, s->seed.items, &s->seed_value);
    s->budget = swp_budget_start(ctx, s->dag.count);
    s->budget.bound = s->bound;
    swp_status status = swp_order_decider_new(ctx, &s->dag, s->search, &s->budget, &s->decider);
    if (status == SWP_OK && s->seed_counts)
        status = keep_best(ctx, s, s->seed.items);
    if (status == SWP_OK)
        status = run(ctx, s, &answer);
    if (status == SWP_OK)
        status = conclude(ctx, s, answer, solution);
    swp_order_decider_free(&s->decider);
    return status;
}

swp_status swp_solve(swp_context *ctx, const swp_loop_body *body, const swp_search *search,
                     swp_solution *solution)
{
    SWP_REQUIRE(ctx, ctx && body && search && solution);
    makespan_search s = {.body = body, .search = search, .rules = swp_order_rules_of(search)};
    *solution = (swp_solution){.outcome = SWP_OPTIMAL};
    SWP_TRY(prepare(ctx, &s));
    if (!seed_is_enough(&s))
        return search_beyond_seed(ctx, &s, solution);
    solution->order = s.seed;
    solution->evaluation = s.seed_value;
    solution->lower_bound = s.bound;
    solution->is_seed = true;
    return SWP_OK;
}

swp_search swp_search_default(void)
{
    return (swp_search){.max_vgpr = SWP_NO_VGPR_LIMIT};
}

swp_status swp_optimal_schedule(swp_context *ctx, const swp_loop_body *body, int max_vgpr,
                                swp_solution *solution)
{
    SWP_REQUIRE(ctx, ctx && body && solution);
    swp_search search = swp_search_default();
    search.max_vgpr = max_vgpr;
    return swp_solve(ctx, body, &search, solution);
}

swp_status swp_optimal_schedule_with_halves(swp_context *ctx, const swp_loop_body *body,
                                            int max_globals_per_block, int lds_contention_penalty,
                                            int max_vgpr, int blocks_per_half,
                                            swp_solution *solution)
{
    SWP_REQUIRE(ctx, ctx && body && solution);
    const swp_search search = {.lds_contention_penalty = lds_contention_penalty,
                               .max_vgpr = max_vgpr,
                               .halves = true,
                               .max_globals_per_block = max_globals_per_block,
                               .blocks_per_half = blocks_per_half};
    return swp_solve(ctx, body, &search, solution);
}
