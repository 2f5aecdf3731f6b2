/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances of a role have its list, shifted in time. With the shifts given, that is a modulo problem: the one in
 * which each instance is free, and for each op of a role edges that keep its instances as far apart as the shift
 * says. What bounds the free problem bounds all of these. A schedule is looked for at shifts that seem good, and where
 * they are few enough, at all of them.
 */
#include "pipeline/instances.h"

#include "base/budget.h"
#include "ir/loop_instances.h"
#include "pipeline/shifts.h"
#include "pipeline/unpipelined.h"
#include "solve/one_interval.h"

#include <string.h>

/*
 * How many shifts are asked about one by one, what a question about those may take, and one about shifts that seem
 * good; how many of these, and how many intervals, are looked at that nobody can decide.
 */
enum { MOST_SHIFTS = 256, EXACT_WORK = 20000, TRIAL_WORK = 2000, MOST_OPEN = 4 };

/*
 * What is constructed takes so many seconds twice, and so much work for a question. Where all work has an end, it takes no more than
 * this part of the limit, since a loop is searched for each number of work groups and each way to hold registers.
 */
static const double spare_seconds = 1.0;
static const double spare_part = 0.125;
enum { SPARE_QUESTION = 20000 };

typedef struct tying {
    swp_loop_search *search;
    const swp_problem *free; /* in which each instance is free… */
    const int64_t *hints;    /* …and its times; NULL: none */
    int64_t *shifts;
    uint64_t work; /* that a question may take; 0: heuristics only */
    bool limited;  /* a question took more */
    double
        spare; /* questions are asked until then, whatever is left of the limits; 0: within these */
    int64_t *found;   /* times; NULL: none */
    int64_t interval; /* of these */
} tying;

static swp_status keep(tying *t, const swp_answer *answer)
{
    const size_t ops = (size_t)swp_ir_loop_problem_ops(t->search->loop);
    SWP_TRY(SWP_TAKE(t->search->ctx, ops, &t->found));
    memcpy(t->found, answer->times, ops * sizeof *t->found);
    t->interval = answer->value;
    return SWP_OK;
}

/* Whether there is a schedule at these shifts. */
static swp_status decide(tying *t, swp_context *scratch, int64_t interval, uint64_t work,
                         swp_decision *out)
{
    const swp_solve_aim aim = {.most = interval, .at_once = work == 0};
    swp_problem tied = *t->free;
    swp_answer answer = {0};
    swp_budget budget = swp_budget_start(scratch, 0);
    *out = SWP_FOUND;
    SWP_TRY(swp_ir_loop_tie(scratch, t->search->loop, t->shifts, &tied));
    if (work > 0)
        SWP_TRY(swp_solve_one_interval(scratch, &tied, interval, &budget, out));
    t->search->work += budget.work;
    if (*out != SWP_FOUND)
        return SWP_OK;
    SWP_TRY(swp_solve_problem_for(scratch, &tied, &aim, &answer));
    t->search->work += answer.work;
    *out = answer.times && answer.value <= interval ? SWP_FOUND : SWP_UNDECIDED;
    return *out == SWP_FOUND ? keep(t, &answer) : SWP_OK;
}

/* What is left for a question, of the limits or behind them. */
static bool limit_question(const tying *t, uint64_t work, swp_context *scratch)
{
    swp_limits *limits = &scratch->limits;
    uint64_t left = limits->work > 0 ? limits->work - t->search->work : UINT64_MAX;
    if (t->spare > 0) {
        scratch->began = swp_search_clock(scratch);
        limits->seconds = t->spare - scratch->began;
        left = SPARE_QUESTION;
    }
    limits->progress = NULL;
    limits->work = left < work || work == 0 ? (left == UINT64_MAX ? 0 : left) : work;
    return t->spare == 0 || limits->seconds > 0;
}

/* Formulas are large: each question has memory of its own. */
static swp_status ask(tying *t, int64_t interval, uint64_t work, swp_decision *out)
{
    swp_status status = SWP_OK;
    swp_context scratch;
    *out = SWP_UNDECIDED;
    if (t->spare == 0 && !swp_pipeline_may_ask(t->search))
        return SWP_OK;
    SWP_TRY(swp_scope_open(t->search->ctx, &scratch));
    if (limit_question(t, work, &scratch))
        status = decide(t, &scratch, interval, work, out);
    swp_scope_close(&scratch);
    return status;
}

/* That some have none says nothing of the others. */
static swp_status try_good_shifts(tying *t, int64_t interval, uint64_t work, swp_decision *out)
{
    const swp_loop *loop = t->search->loop;
    const size_t length = (size_t)swp_ir_loop_shifts(loop);
    swp_context scratch;
    swp_shift_list list;
    *out = SWP_UNDECIDED;
    SWP_TRY(swp_scope_open(t->search->ctx, &scratch));
    swp_status status = swp_pipeline_good_shifts(&scratch, loop, t->hints, interval, &list);
    for (size_t i = 0; status == SWP_OK && *out != SWP_FOUND && i < list.count; i++) {
        memcpy(t->shifts, list.items + i * length, length * sizeof *t->shifts);
        status = ask(t, interval, work, out);
    }
    swp_scope_close(&scratch);
    SWP_TRY(status);
    *out = *out == SWP_FOUND ? SWP_FOUND : SWP_UNDECIDED;
    return SWP_OK;
}

static swp_status try_all_shifts(tying *t, int64_t interval, swp_decision *out)
{
    const swp_loop *loop = t->search->loop;
    int open = 0;
    if (swp_pipeline_count_shifts(loop, interval, MOST_SHIFTS) > MOST_SHIFTS)
        return SWP_OK;
    memset(t->shifts, 0, (size_t)swp_ir_loop_shifts(loop) * sizeof *t->shifts);
    do {
        SWP_TRY(ask(t, interval, t->work, out));
        open += *out == SWP_UNDECIDED;
    } while (*out != SWP_FOUND && open < MOST_OPEN &&
             swp_pipeline_next_shifts(loop, interval, t->shifts));
    t->limited = t->limited || open > 0;
    if (*out != SWP_FOUND)
        *out = open == 0 ? SWP_REFUTED : SWP_UNDECIDED;
    return SWP_OK;
}

static swp_status try_interval(tying *t, int64_t interval, swp_decision *out)
{
    SWP_TRY(try_good_shifts(t, interval, 0, out));
    if (*out != SWP_FOUND && t->work > 0)
        SWP_TRY(try_good_shifts(t, interval, TRIAL_WORK, out));
    return *out != SWP_FOUND && t->work > 0 ? try_all_shifts(t, interval, out) : SWP_OK;
}

/* Longer and longer intervals, until there is a schedule at once: instances that never overlap have one. */
static swp_status lengthen(tying *t, int64_t least)
{
    swp_decision decision = SWP_UNDECIDED;
    const int64_t most = 2 * swp_problem_reach(t->free) * (1 + swp_ir_loop_shifts(t->search->loop));
    for (int64_t step = 0; decision != SWP_FOUND && step <= most; step = 2 * step + 1)
        SWP_TRY(try_good_shifts(t, least + step, 0, &decision));
    return SWP_OK;
}

static swp_status place_in_turn(tying *t)
{
    const swp_loop *loop = t->search->loop;
    swp_context own = *t->search->ctx;
    swp_diags unsaid = {.arena = own.arena};
    int64_t *times = NULL;
    swp_answer answer = {.status = SWP_ANSWER_FEASIBLE,
                         .time_count = (size_t)swp_ir_loop_problem_ops(loop)};
    own.diags = &unsaid;
    SWP_TRY(swp_pipeline_place_in_turn(t->search->ctx, loop, &times, &answer.value));
    answer.times = times;
    const swp_status status = swp_answer_check(&own, t->free, &answer);
    if (status == SWP_OK)
        return keep(t, &answer);
    return swp_ends_work(status) ? swp_pass_on(t->search->ctx, status) : SWP_OK;
}

/* From the bound up to `most`, as long as there is hope. An interval that is refuted raises the bound. */
static swp_status close_gap(tying *t, int64_t most, int64_t *bound)
{
    swp_decision decision = SWP_UNDECIDED;
    int open = 0;
    for (int64_t i = *bound; i <= most && decision != SWP_FOUND && open < MOST_OPEN; i++) {
        SWP_TRY(try_interval(t, i, &decision));
        open += decision == SWP_UNDECIDED;
        *bound += decision == SWP_REFUTED && *bound == i;
    }
    return SWP_OK;
}

/* What was found so far: a longer interval may have less waits. */
static swp_status note_found(const tying *t)
{
    swp_loop_search *s = t->search;
    const swp_answer first = {.times = t->found, .value = t->interval};
    swp_loop_best best;
    if (!t->found)
        return SWP_OK;
    SWP_TRY(swp_pipeline_describe_best(s, &first, &best));
    return SWP_PUSH(s->ctx, &s->longer, best);
}

/* Longer ones are easier, if not always: what heuristics find halfway leaves half the gap. */
static swp_status narrow_gap(tying *t, int64_t bound)
{
    int64_t low = bound;
    while (t->found && low < t->interval) {
        swp_decision decision = SWP_UNDECIDED;
        const int64_t middle = low + (t->interval - low) / 2;
        SWP_TRY(try_good_shifts(t, middle, 0, &decision));
        if (decision != SWP_FOUND)
            SWP_TRY(try_good_shifts(t, middle, TRIAL_WORK, &decision));
        if (decision == SWP_FOUND)
            SWP_TRY(note_found(t));
        else
            low = middle + 1;
    }
    return SWP_OK;
}

static double end_of_spare(const tying *t)
{
    const swp_limits *limits = &t->search->limits;
    const double part =
        spare_part * (limits->seconds > 0 ? limits->seconds : limits->total_seconds);
    const bool is_short = limits->total_seconds > 0 && part < spare_seconds;
    return swp_search_clock(t->search->ctx) + (is_short ? part : spare_seconds);
}

/*
 * Equal shifts are looked at for a moment, whatever the limits are. If that was too short, ops are placed one after the
 * other, which takes no search; then half of the interval, and half of that, is looked for. It depends on no limit but that of
 * all work, and each search weighs it: so what a search with less work ends with is among what one with more weighs.
 */
static swp_status construct(tying *t, int64_t least)
{
    tying equal = *t;
    equal.hints = NULL;
    equal.spare = end_of_spare(t);
    SWP_TRY(lengthen(&equal, least));
    if (!equal.found) {
        SWP_TRY(place_in_turn(&equal));
        equal.spare = end_of_spare(t);
        SWP_TRY(narrow_gap(&equal, least));
    }
    t->found = equal.found;
    t->interval = equal.interval;
    return note_found(t);
}

/* The first question of a search ends with what is constructed, where the limits leave nothing better. */
static swp_status find_any(tying *t, int64_t least)
{
    tying constructed = *t;
    const bool is_first = !t->search->is_constructed;
    t->search->is_constructed = true;
    if (is_first)
        SWP_TRY(construct(&constructed, least));
    SWP_TRY(lengthen(t, least));
    if (!t->found && !t->search->best.found) {
        t->found = constructed.found;
        t->interval = constructed.interval;
    }
    return SWP_OK;
}

/* The times that were found, if any, and the bound that was raised. */
static void hand_out(const tying *t, int64_t bound, swp_answer *answer)
{
    answer->times = t->found;
    answer->time_count = t->found ? (size_t)swp_ir_loop_problem_ops(t->search->loop) : 0;
    answer->value = t->interval;
    answer->status = SWP_ANSWER_UNKNOWN;
    if (t->found)
        answer->status = t->interval == bound ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE;
    if (bound == answer->bound)
        return;
    answer->bound = bound;
    answer->bound_kind = SWP_BOUND_SHIFTS;
    answer->bound_edges = NULL;
    answer->bound_edge_count = 0;
}

swp_status swp_pipeline_tie_instances(swp_loop_search *s, const swp_solve_aim *aim,
                                      swp_answer *answer)
{
    const bool is_question = aim->most > 0;
    const uint64_t work = is_question ? s->question_work : EXACT_WORK;
    tying t = {.search = s,
               .free = &s->problem.problem,
               .hints = answer->times,
               .work = aim->at_once ? 0 : work};
    int64_t bound = answer->bound;
    SWP_TRY(SWP_TAKE(s->ctx, (size_t)swp_ir_loop_shifts(s->loop), &t.shifts));
    if (!is_question) {
        SWP_TRY(find_any(&t, bound));
        SWP_TRY(note_found(&t));
    }
    if (is_question || (t.found && !aim->at_once))
        SWP_TRY(close_gap(&t, is_question ? aim->most : t.interval - 1, &bound));
    if (!is_question && t.found && !aim->at_once)
        SWP_TRY(narrow_gap(&t, bound));
    /* With more work a question may have another answer. */
    s->cut =
        s->cut || (is_question && !t.found && bound <= aim->most && (t.work == 0 || t.limited));
    hand_out(&t, bound, answer);
    return SWP_OK;
}
