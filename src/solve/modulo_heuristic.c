/* SPDX-License-Identifier: Apache-2.0 */
/* Tries intervals from the bound upward: by Rau's method, then by packing, then by a short search. */
#include "solve/bounds.h"
#include "solve/heuristic.h"
#include "solve/modulo_around.h"
#include "solve/modulo_place.h"
#include "solve/one_iteration.h"

/* A search has so many nodes before a schedule is known, and so many later, when only the bound is tried. */
enum { NODES_AT_FIRST = 2000, NODES_AT_THE_BOUND = 50000, STEPS_OF_ONE = 32 };

/* The first step above the bound is about this fraction of the bound. */
enum { FIRST_STEP_SHARE = 128 };

typedef struct attempt {
    const swp_problem_graph *graph;
    swp_modulo_core core;
    swp_modulo_placer placer;
    swp_modulo_around around;
    bool has_unit; /* `around` has a unit whose ops it can order */
    int64_t most;  /* longest interval of interest */
    swp_answer *answer;
} attempt;

/*
 * Sets the times of all ops. A node that is bound to no other takes the first slot with room after
 * all that it waits for is settled. That keeps the schedule short.
 */
static swp_status settle(swp_context *ctx, attempt *a, int64_t *times)
{
    const swp_problem_graph *graph = a->graph;
    swp_profile *profile = &a->placer.profile;
    for (int c = 0; c < graph->component_count; c++) {
        const int op = graph->members[graph->member_first[c]];
        const int node = a->core.nodes[op];
        if (node >= 0 && graph->member_first[c + 1] - graph->member_first[c] == 1) {
            int64_t *time = &a->placer.times[node];
            SWP_TRY(swp_solve_profile_remove(ctx, profile, op, *time));
            (void)swp_solve_profile_first_fit(profile, op, times[op],
                                              times[op] + a->core.interval - 1, time);
            SWP_TRY(swp_solve_profile_add(ctx, profile, op, *time));
        }
        swp_solve_modulo_core_settle(&a->core, c, a->placer.times, times);
    }
    return SWP_OK;
}

/* Prepares an interval. Returns false if the limits end that, or if an op does not even fit alone. */
static bool set_interval(attempt *a, int64_t interval, swp_decision *decision)
{
    *decision = SWP_UNDECIDED;
    if (!swp_solve_modulo_core_set(&a->core, interval)) {
        a->placer.budget->stopped = true;
        return false;
    }
    *decision = SWP_REFUTED;
    return swp_solve_modulo_placer_set(&a->placer);
}

static swp_status keep(swp_context *ctx, attempt *a)
{
    int64_t *times = NULL;
    SWP_TRY(SWP_TAKE(ctx, a->graph->problem->op_count, &times));
    SWP_TRY(settle(ctx, a, times));
    a->answer->value = a->core.interval;
    a->answer->times = times;
    a->answer->time_count = a->graph->problem->op_count;
    a->placer.budget->best = a->core.interval;
    return SWP_OK;
}

/* Rau's method gives up after so many placements for each op, in each of the orders. */
static const int tries_first[SWP_MODULO_ORDERS] = {0, 1, 1};
static const int tries_at_once[SWP_MODULO_ORDERS] = {3, 3, 3};
static const int tries_each[SWP_MODULO_ORDERS] = {12, 4, 4};

/* Tries Rau's method with each order of the ops until one succeeds. */
static swp_status place_in_orders(swp_context *ctx, attempt *a, const int *tries, bool *found)
{
    for (int order = 0; order < SWP_MODULO_ORDERS && !*found && !a->placer.budget->stopped;
         order++) {
        if (tries[order] == 0)
            continue;
        swp_solve_modulo_placer_rank(&a->placer, (swp_modulo_order)order);
        SWP_TRY(swp_solve_modulo_place(ctx, &a->placer, tries[order], found));
    }
    swp_solve_modulo_placer_rank(&a->placer, SWP_TIGHTEST_FIRST);
    return SWP_OK;
}

static swp_status try_interval(swp_context *ctx, attempt *a, int64_t interval, uint64_t nodes,
                               swp_decision *decision)
{
    bool found = false;
    if (!set_interval(a, interval, decision))
        return SWP_OK;
    SWP_TRY(place_in_orders(ctx, a, tries_each, &found));
    *decision = SWP_FOUND;
    if (!found)
        SWP_TRY(swp_solve_modulo_pack(ctx, &a->placer, &found));
    if (!found)
        SWP_TRY(swp_solve_modulo_branch(ctx, &a->placer, nodes, decision));
    return *decision == SWP_FOUND ? keep(ctx, a) : SWP_OK;
}

/* Ways to try an interval: Rau's method, or an order of the fullest unit, each with little effort or more. */
typedef enum fast_way { IN_PASSES, IN_ORDERS, AROUND_ONE, AROUND, AROUND_MORE } fast_way;

/* How long orders of the fullest unit are tried, by way. A look takes some nanoseconds. */
static const swp_around_effort efforts[] = {
    [AROUND_ONE] = {.first = 0, .orders = 1, .looks = 100000000},
    [AROUND] = {.first = 0, .orders = 6, .looks = 100000000},
    [AROUND_MORE] = {.first = 6, .orders = 60, .looks = 400000000},
};

static swp_status try_fast(swp_context *ctx, attempt *a, int64_t interval, fast_way way,
                           bool *found)
{
    swp_decision decision;
    *found = false;
    if (!set_interval(a, interval, &decision))
        return SWP_OK;
    if (way == IN_PASSES || way == IN_ORDERS)
        SWP_TRY(place_in_orders(ctx, a, way == IN_PASSES ? tries_first : tries_at_once, found));
    else
        SWP_TRY(swp_solve_modulo_around_try(ctx, &a->around, efforts[way], found));
    return *found ? keep(ctx, a) : SWP_OK;
}

/*
 * Doubles the distance above the bound until an interval has a schedule, then goes back to the
 * bound by halves. `*failed_bound` says that the bound itself failed.
 */
static swp_status approach(swp_context *ctx, attempt *a, fast_way way, const swp_budget *budget,
                           bool *failed_bound)
{
    const int64_t bound = a->answer->bound;
    const int64_t longest =
        a->answer->times && a->answer->value <= a->most ? a->answer->value - 1 : a->most;
    int64_t failed = bound - 1;
    int64_t above = bound / FIRST_STEP_SHARE + 1;
    bool found = false;
    for (int64_t next = bound; !found && failed < longest && !budget->stopped;
         next = next + above < longest ? next + above : longest, above *= 2) {
        SWP_TRY(try_fast(ctx, a, next, way, &found));
        failed = found ? failed : next;
    }
    while (found && failed + 1 < a->answer->value && !budget->stopped) {
        bool better = false;
        const int64_t middle = failed + (a->answer->value - failed) / 2;
        SWP_TRY(try_fast(ctx, a, middle, way, &better));
        failed = better ? failed : middle;
    }
    *failed_bound = failed >= bound;
    return SWP_OK;
}

/* Tries orders of the fullest unit, if there is one. If that fails at the bound, it tries more orders there. */
static swp_status come_near_around(swp_context *ctx, attempt *a, const swp_budget *budget)
{
    bool failed = false;
    bool found = false;
    if (!a->has_unit)
        return SWP_OK;
    SWP_TRY(approach(ctx, a, AROUND, budget, &failed));
    return failed && !budget->stopped ? try_fast(ctx, a, a->answer->bound, AROUND_MORE, &found)
                                      : SWP_OK;
}

static bool is_open(const attempt *a, const swp_budget *budget)
{
    return !budget->stopped && !(a->answer->times && a->answer->value <= a->answer->bound);
}

/*
 * Orders of the fullest unit mostly reach the bound. Where they do not, many of them at each
 * interval above it would use up a small limit on work. So at first they get only this fraction of
 * the work.
 */
enum { PART_OF_WORK = 8 };

/* Runs come_near_around() within that fraction; `*cut` says that the fraction ended it. */
static swp_status come_near_within(swp_context *ctx, attempt *a, swp_budget *budget, bool *cut)
{
    const swp_limits *all = budget->limits;
    swp_limits part = *all;
    if (all->work > budget->work)
        part.work = budget->work + (all->work - budget->work) / PART_OF_WORK;
    budget->limits = &part;
    const swp_status status = come_near_around(ctx, a, budget);
    budget->limits = all;
    *cut = budget->stopped && part.work < all->work && budget->work >= part.work;
    budget->stopped = budget->stopped && !*cut;
    return status;
}

/*
 * Comes near the bound with hardly more than a pass over the ops, so that a later stop leaves a
 * usable schedule. Then it tries what takes longer.
 */
static swp_status come_near(swp_context *ctx, attempt *a, swp_budget *budget)
{
    bool failed = false;
    bool cut = false;
    SWP_TRY(approach(ctx, a, IN_PASSES, budget, &failed));
    if (is_open(a, budget))
        SWP_TRY(come_near_within(ctx, a, budget, &cut));
    if (cut && is_open(a, budget))
        SWP_TRY(approach(ctx, a, AROUND_ONE, budget, &failed));
    if (is_open(a, budget))
        SWP_TRY(approach(ctx, a, IN_ORDERS, budget, &failed));
    return cut && is_open(a, budget) ? come_near_around(ctx, a, budget) : SWP_OK;
}

/*
 * An op overlaps itself less in a longer interval, so that the first interval which it fits can be
 * found by halves.
 */
static void raise_to_fit(const swp_problem *problem, swp_answer *answer)
{
    int64_t low = answer->bound;
    int64_t high = swp_problem_reach(problem) + 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (swp_solve_each_fits_alone(problem, middle))
            high = middle;
        else
            low = middle + 1;
    }
    if (low > answer->bound)
        swp_solve_refute_to(answer, low);
}

static swp_status climb(swp_context *ctx, attempt *a, swp_budget *budget)
{
    const int64_t surely = a->answer->times ? a->answer->value : INT64_MAX;
    int64_t step = 1;
    int64_t steps = 0;
    for (int64_t interval = a->answer->bound; interval < surely && interval <= a->most;
         interval += step) {
        swp_decision decision = SWP_UNDECIDED;
        SWP_TRY(try_interval(ctx, a, interval, NODES_AT_FIRST, &decision));
        if (decision == SWP_FOUND || budget->stopped)
            return SWP_OK;
        if (decision == SWP_REFUTED && interval == a->answer->bound)
            swp_solve_refute_to(a->answer, interval + 1);
        if (++steps % STEPS_OF_ONE == 0)
            step *= 2;
    }
    return SWP_OK;
}

/* Decides the intervals that the climb passed by: each has a schedule after all, or raises the bound. */
static swp_status look_again(swp_context *ctx, attempt *a, swp_budget *budget)
{
    while (a->answer->times && a->answer->bound < a->answer->value && a->answer->bound <= a->most &&
           !budget->stopped) {
        swp_decision decision = SWP_UNDECIDED;
        const int64_t interval = a->answer->bound;
        SWP_TRY(try_interval(ctx, a, interval, NODES_AT_THE_BOUND, &decision));
        if (decision == SWP_UNDECIDED || decision == SWP_FOUND)
            return SWP_OK;
        swp_solve_refute_to(a->answer, interval + 1);
    }
    return SWP_OK;
}

/* If any interval has a schedule, so has the reach plus one: refuting that one refutes the problem. */
static swp_status try_for_all(swp_context *ctx, attempt *a, const swp_budget *budget)
{
    swp_decision decision = SWP_UNDECIDED;
    if (a->answer->times || budget->stopped)
        return SWP_OK;
    SWP_TRY(try_interval(ctx, a, swp_problem_reach(a->graph->problem) + 1, NODES_AT_THE_BOUND,
                         &decision));
    if (decision == SWP_REFUTED)
        a->answer->status = SWP_ANSWER_INFEASIBLE;
    return SWP_OK;
}

swp_status swp_solve_modulo_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                      int64_t most, swp_budget *budget, swp_answer *answer)
{
    const int64_t longest = swp_problem_reach(graph->problem) + 1;
    attempt a = {
        .graph = graph, .answer = answer, .most = most > 0 && most < longest ? most : longest};
    bool fits = false;
    SWP_TRY(swp_solve_modulo_core_new(ctx, graph, &a.core, &fits));
    SWP_TRY(swp_solve_one_iteration(ctx, graph, answer));
    /* If the bound was cut short, a cycle may be positive at it, and paths would grow for ever. */
    if (!fits || budget->stopped)
        return SWP_OK;
    raise_to_fit(graph->problem, answer);
    SWP_TRY(swp_solve_modulo_placer_new(ctx, &a.core, budget, &a.placer));
    SWP_TRY(swp_solve_modulo_around_new(ctx, &a.placer, &a.around, &a.has_unit));
    SWP_TRY(come_near(ctx, &a, budget));
    SWP_TRY(climb(ctx, &a, budget));
    SWP_TRY(try_for_all(ctx, &a, budget));
    return look_again(ctx, &a, budget);
}

swp_status swp_solve_modulo_try(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                                swp_budget *budget, swp_decision *out)
{
    swp_answer answer = {.status = SWP_ANSWER_UNKNOWN};
    attempt a = {.graph = graph, .answer = &answer};
    bool fits = false;
    *out = SWP_UNDECIDED;
    SWP_TRY(swp_solve_modulo_core_new(ctx, graph, &a.core, &fits));
    if (!fits)
        return SWP_OK;
    SWP_TRY(swp_solve_modulo_placer_new(ctx, &a.core, budget, &a.placer));
    return try_interval(ctx, &a, interval, NODES_AT_FIRST, out);
}
