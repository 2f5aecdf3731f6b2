/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Solves the loop for one choice of slots and stages, within the limits of the whole search, and
 * notes what is refuted.
 */
#include "pipeline/search.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"
#include "pipeline/instances.h"
#include "pipeline/stages.h"

#include <limits.h>

/*
 * Without a bound on slots, ops stay independent that edges of 64 slots would tie together. That is
 * far easier, and rarely needs more than 64 slots. If it does, those values get their bound.
 */
static bool bound_slots(const swp_loop *loop, const swp_answer *answer, int *slots)
{
    bool changed = false;
    for (int v = 0; v < (int)loop->value_count && answer->times; v++)
        if (slots[v] == 0 &&
            swp_ir_loop_needed_slots(loop, v, answer->times, answer->value) > SWP_MOST_SLOTS) {
            swp_ir_loop_set_slots(loop, slots, v, SWP_MOST_SLOTS);
            changed = true;
        }
    return changed;
}

static swp_status note_bound(swp_loop_search *s, const int *slots, int stages,
                             const swp_answer *answer)
{
    const bool by_shift = answer->bound_kind == SWP_BOUND_SHIFTS;
    int *copy = NULL;
    SWP_TRY(SWP_TAKE(s->ctx, s->loop->value_count, &copy));
    for (size_t v = 0; v < s->loop->value_count; v++)
        copy[v] = slots[v];
    const bool none = answer->status == SWP_ANSWER_INFEASIBLE;
    const swp_loop_refutation noted = {.slots = copy,
                                       .stages = stages,
                                       .bound = none ? INT64_MAX : answer->bound,
                                       .by_shift = by_shift};
    return SWP_PUSH(s->ctx, &s->refuted, noted);
}

/*
 * With warp roles what counts is found behind this search, among slots and shifts, each of which is proven. So half of
 * the time is left for that, unless objectives are stated, which count first.
 */
static double part_of_roles(const swp_loop *loop)
{
    static const double half = 0.5;
    return swp_ir_loop_has_roles(loop) && !loop->objectives_stated ? half : 1;
}

void swp_pipeline_allow(swp_loop_search *s, swp_loop_part part)
{
    s->ctx->limits.seconds = swp_pipeline_seconds_of(&s->limits, part) * part_of_roles(s->loop);
    s->ctx->limits.work = swp_pipeline_work_of(&s->limits, part);
    s->budget.stopped = false;
}

/* The clock is read each time, since solving takes longer. */
bool swp_pipeline_may_ask(swp_loop_search *s)
{
    const uint64_t most = s->ctx->limits.work;
    const bool ended = (most > 0 && s->work >= most) || !swp_budget_look(&s->budget);
    s->stopped = s->stopped || ended;
    return !ended && s->solved < SWP_MOST_SOLVED;
}

/* The progress shows the interval, which a reader wants to know, and not the value of a single question. */
static void report(void *user, const swp_progress *progress)
{
    const swp_loop_search *s = user;
    swp_progress all = *progress;
    all.work += s->work;
    if (s->best.found) {
        all.best = s->interval < INT_MAX ? (int)s->interval : INT_MAX;
        all.bound = s->bound_answer.bound < INT_MAX ? (int)s->bound_answer.bound : INT_MAX;
    }
    s->limits.progress(s->limits.user, &all);
}

/* Returns whether the answer leaves the question open. */
static bool is_open(const swp_solve_aim *aim, const swp_answer *answer)
{
    if (answer->status == SWP_ANSWER_FEASIBLE)
        return aim->most == 0 || (answer->value > aim->most && answer->bound <= aim->most);
    return answer->status == SWP_ANSWER_UNKNOWN;
}

/* Solves within what the context's limit leaves, and a question within its own limit. */
static swp_status solve_rest(swp_loop_search *s, const swp_problem *problem,
                             const swp_solve_aim *aim, swp_answer *answer)
{
    const uint64_t own = aim->most > 0 && !aim->at_once ? s->question_work : 0;
    swp_context rest = *s->ctx;
    uint64_t *work = &rest.limits.work;
    if (*work > 0)
        *work = s->work < *work ? *work - s->work : 1;
    const bool is_short = own > 0 && (*work == 0 || own < *work);
    if (is_short)
        *work = own;
    if (s->limits.progress) {
        rest.limits.progress = report;
        rest.limits.user = s;
    }
    SWP_TRY(swp_solve_problem_for(&rest, problem, aim, answer));
    s->work += answer->work;
    const bool is_cut = aim->at_once || (is_short && answer->work >= own);
    s->cut = s->cut || (is_open(aim, answer) && is_cut);
    s->stopped = s->stopped || (is_open(aim, answer) && !is_cut);
    return SWP_OK;
}

/* The bound of the problem with free instances holds even if tying them fails. */
static swp_status tie_instances(swp_loop_search *s, const int *slots, int stages,
                                const swp_solve_aim *aim, swp_answer *answer)
{
    if (swp_ir_loop_shifts(s->loop) == 0 || answer->status == SWP_ANSWER_INFEASIBLE)
        return SWP_OK;
    SWP_TRY(note_bound(s, slots, stages, answer));
    return swp_pipeline_tie_instances(s, aim, answer);
}

swp_status swp_pipeline_solve(swp_loop_search *s, int *slots, int stages, const swp_solve_aim *aim,
                              swp_answer *answer)
{
    do {
        SWP_TRY(swp_ir_loop_build_problem(s->ctx, s->loop, slots, stages, &s->problem));
        SWP_TRY(solve_rest(s, &s->problem.problem, aim, answer));
        SWP_TRY(tie_instances(s, slots, stages, aim, answer));
        s->solved++;
    } while (bound_slots(s->loop, answer, slots));
    return note_bound(s, slots, stages, answer);
}

swp_status swp_pipeline_describe_best(swp_loop_search *s, const swp_answer *answer,
                                      swp_loop_best *out)
{
    const swp_loop *loop = s->loop;
    *out = (swp_loop_best){.found = true, .answer = *answer};
    SWP_TRY(swp_pipeline_times_from_zero(s->ctx, loop, answer->times, &out->answer.times));
    out->answer.time_count = (size_t)swp_ir_loop_problem_ops(loop);
    SWP_TRY(SWP_TAKE(s->ctx, loop->value_count, &out->slots));
    swp_ir_loop_need_slots(loop, out->answer.times, answer->value, out->slots);
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        out->bytes[space] = swp_pipeline_bytes(loop, out->slots, (swp_space)space);
    out->stages = swp_pipeline_count_stages(loop, out->answer.times, answer->value);
    return SWP_OK;
}

swp_status swp_pipeline_keep(swp_loop_search *s, const swp_answer *answer)
{
    return swp_pipeline_describe_best(s, answer, &s->best);
}

bool swp_pipeline_fits(const swp_loop_search *s, const swp_loop_best *best)
{
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        if (s->room[space] >= 0 && best->bytes[space] > s->room[space])
            return false;
    return swp_pipeline_role_over(s->loop, best->slots) == SWP_NO_ROLE;
}

swp_loop_limits swp_pipeline_within_room(const swp_loop_search *s, const swp_loop_limits *limits)
{
    swp_loop_limits out = *limits;
    out.roles = true;
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        if (s->room[space] >= 0 && (out.bytes[space] < 0 || out.bytes[space] > s->room[space]))
            out.bytes[space] = s->room[space];
    return out;
}
