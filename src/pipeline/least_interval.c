/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the pipeline of the least interval, and of several the one that the objectives prefer. */
#include "pipeline/least_interval.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "ir/loop_assignments.h"
#include "ir/loop_clocks.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/roles.h"
#include "pipeline/assignments.h"
#include "pipeline/objectives.h"
#include "pipeline/questions.h"
#include "pipeline/refutation_core.h"
#include "pipeline/room.h"
#include "pipeline/search.h"
#include "pipeline/shifts.h"
#include "pipeline/stages.h"

static swp_status report_none(swp_context *ctx, const swp_loop *loop, const swp_answer *answer)
{
    if (answer->status != SWP_ANSWER_UNKNOWN)
        return SWP_STOPPED;
    const swp_status status =
        swp_error(ctx, SWP_E0324, SWP_NOWHERE, "allow more time or work",
                  "the search was stopped before it found a pipeline of %s", loop->name);
    return status == SWP_INVALID ? SWP_STOPPED : status;
}

/*
 * What limits the interval: the slot counts with the lowest bound and, of several, those of the
 * best pipeline.
 */
typedef struct limiting_way {
    bool any;
    swp_loop_problem problem;
    swp_answer answer;
    const int *slots;
} limiting_way;

static void note_limit(limiting_way *h, const swp_loop_search *s, const int *slots,
                       const swp_answer *answer, bool best)
{
    if (h->any && (answer->bound > h->answer.bound || (answer->bound == h->answer.bound && !best)))
        return;
    *h = (limiting_way){true, s->problem, *answer, slots};
}

static swp_status keep_if_less(swp_loop_search *s, const swp_answer *answer)
{
    if (!answer->times || (s->best.found && answer->value >= s->interval))
        return SWP_OK;
    if (s->best.found)
        SWP_TRY(SWP_PUSH(s->ctx, &s->longer, s->best));
    s->interval = answer->value;
    return swp_pipeline_keep(s, answer);
}

enum { MOST_AT_ONCE = SWP_MOST_SOLVED / 4 };

/*
 * Heuristics try all slot counts first, so that one hard problem does not delay easy ones. For the
 * same reason, searching for free instances does not delay the times of tied ones.
 */
static swp_status find_at_once(swp_loop_search *s, const swp_slot_list *choices)
{
    const swp_solve_aim aim = {.at_once = true};
    const bool several = choices->count > 1 || swp_ir_loop_shifts(s->loop) > 0;
    swp_pipeline_allow(s, SWP_LOOP_WAYS);
    for (size_t i = 0; several && i < choices->count && i < MOST_AT_ONCE && swp_pipeline_may_ask(s);
         i++) {
        swp_answer answer = {0};
        SWP_TRY(swp_pipeline_solve(s, choices->items[i], 0, &aim, &answer));
        SWP_TRY(keep_if_less(s, &answer));
    }
    return SWP_OK;
}

/* Finds the least interval within the limits, which is the least of all slot counts. */
static swp_status least_interval(swp_loop_search *s, const swp_loop_limits *limits, bool *proven)
{
    swp_slot_list choices = {0};
    const swp_solve_aim aim = {0};
    swp_answer last = {.status = SWP_ANSWER_UNKNOWN};
    limiting_way h = {0};
    int64_t least = INT64_MAX;
    size_t i = 0;
    SWP_TRY(swp_pipeline_slot_choices(s->ctx, s->loop, s->least, limits, &choices, proven));
    s->best.found = false;
    s->longer.count = 0;
    s->is_constructed = false;
    SWP_TRY(find_at_once(s, &choices));
    swp_pipeline_allow(s, SWP_LOOP_INTERVAL);
    /* The first slot counts are always solved, and so give some pipeline at least. */
    for (; i < choices.count && (i == 0 || swp_pipeline_may_ask(s)); i++) {
        SWP_TRY(swp_pipeline_solve(s, choices.items[i], 0, &aim, &last));
        if (last.status == SWP_ANSWER_INFEASIBLE)
            continue;
        note_limit(&h, s, choices.items[i], &last, last.times && last.value < least);
        least = last.times && last.value < least ? last.value : least;
        SWP_TRY(keep_if_less(s, &last));
    }
    /*
     * A bound of only some slot counts proves nothing; the bound that was known without the limits
     * still holds.
     */
    if (*proven && i == choices.count && h.any && h.answer.bound >= s->bound_answer.bound) {
        s->bound_problem = h.problem;
        s->bound_answer = h.answer;
        s->bound_slots = h.slots;
    }
    *proven = s->best.found && s->bound_answer.bound >= s->interval;
    return s->best.found ? SWP_OK : report_none(s->ctx, s->loop, &last);
}

static swp_status find_interval(swp_loop_search *s, swp_pipeline *out)
{
    const swp_loop_limits any = swp_pipeline_no_limits();
    const swp_loop_limits within = swp_pipeline_within_room(s, &any);
    SWP_TRY(least_interval(s, &any, &out->interval_proven));
    out->any_interval = s->interval;
    bool exists = swp_pipeline_fits(s, &s->best);
    bool proven = true;
    if (!exists)
        SWP_TRY(swp_pipeline_better(s, &within, &exists, &proven));
    return exists ? SWP_OK : least_interval(s, &within, &out->interval_proven);
}

static int64_t last_issue(const swp_loop_search *s)
{
    int64_t last = 0;
    for (size_t i = 0; i < s->loop->op_count; i++)
        last = s->best.answer.times[i] > last ? s->best.answer.times[i] : last;
    return last;
}

/* Each run of fewer iterations is a list of its own, and the prologue grows with the square of the stages. */
enum { MOST_STAGES = 1024 };

static swp_status check_stages(const swp_loop_search *s)
{
    if (s->best.stages <= MOST_STAGES)
        return SWP_OK;
    return swp_error(
        s->ctx, SWP_E0326, SWP_NOWHERE,
        "bound the slots of the values, or let the units take longer",
        "%s is a pipeline of more than %d stages: %lld cycles from its first op to its "
        "last, in intervals of %lld",
        s->loop->name, MOST_STAGES, (long long)last_issue(s), (long long)s->best.answer.value);
}

static swp_status fill_shifts(const swp_loop_search *s, swp_pipeline *out)
{
    int64_t *shifts = NULL;
    SWP_TRY(SWP_TAKE(s->ctx, (size_t)swp_ir_loop_shifts(s->loop), &shifts));
    swp_pipeline_shifts_of(s->loop, s->best.answer.times, shifts);
    out->shifts = shifts;
    return SWP_OK;
}

static swp_status fill(swp_loop_search *s, swp_pipeline *out)
{
    SWP_TRY(fill_shifts(s, out));
    SWP_TRY(swp_loop_dependences(s->ctx, s->loop, s->best.slots, &out->problem));
    SWP_TRY(swp_pipeline_list_stages(s->ctx, s->loop, s->best.answer.times, s->best.answer.value,
                                     &out->stage));
    out->loop = s->loop;
    out->answer = s->best.answer;
    /* Its own bound is that of its slots; the bound of any pipeline is kept apart. */
    out->answer.bound = s->bound_answer.bound;
    out->answer.bound_kind = SWP_BOUND_NONE;
    out->answer.bound_edge_count = 0;
    /* An open interval may have been proven by a question about something else. */
    out->interval_proven = out->interval_proven || out->answer.bound == out->answer.value;
    out->answer.status =
        out->answer.bound == out->answer.value ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE;
    out->bound_problem = s->bound_problem;
    out->bound_answer = s->bound_answer;
    out->bound_slots = s->bound_slots;
    out->refutations = s->refuted.items;
    out->refutation_count = s->refuted.count;
    out->stages = s->best.stages;
    out->slots = s->best.slots;
    out->bytes[0] = s->best.bytes[0];
    out->bytes[1] = s->best.bytes[1];
    out->work = s->work;
    out->solved = s->solved;
    return SWP_OK;
}

static bool is_found(const swp_loop_best *best, const swp_pipeline *found)
{
    bool same = best->answer.value == found->answer.value;
    for (size_t op = 0; op < found->answer.time_count && same; op++)
        same = best->answer.times[op] == found->answer.times[op];
    return same;
}

/* What a search with less work would have ended with, with what is known by now. */
static swp_status list_longer(swp_loop_search *s, const swp_pipeline *found, swp_pipeline_list *out)
{
    for (size_t i = s->longer.count; i-- > 0;) {
        const swp_loop_best *best = &s->longer.items[i];
        swp_pipeline longer;
        const bool is_less = best->answer.value < found->answer.value;
        if (is_less || is_found(best, found) || !swp_pipeline_fits(s, best))
            continue;
        SWP_TRY(swp_pipeline_retime(s->ctx, found, best->slots, best->answer.value,
                                    best->answer.times, &longer));
        longer.interval_proven =
            longer.interval_proven && best->answer.value == found->answer.value;
        SWP_TRY(swp_pipeline_fill_shifts(s->ctx, &longer));
        SWP_TRY(SWP_PUSH(s->ctx, out, longer));
    }
    return SWP_OK;
}

bool swp_pipeline_is_open(const swp_pipeline *p)
{
    bool open = !p->interval_proven;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        open = open || !p->proven[i];
    return open;
}

swp_status swp_pipeline_warn_of_stop(swp_context *ctx, const swp_pipeline *p)
{
    const swp_limits hundred = {.work = 100};
    char *hint = NULL;
    if (!swp_pipeline_is_open(p))
        return SWP_OK;
    const char *open = p->interval_proven ? "the room or the stages are not proven least"
                                          : "a shorter one, or less room, is not ruled out";
    SWP_TRY(swp_format(
        ctx, &hint, "allow more time or work for the optimum: this search has %llu %% of a limit",
        (unsigned long long)swp_pipeline_work_of(&hundred, SWP_LOOP_OBJECTIVES)));
    return swp_warn(
        ctx, SWP_W0401, SWP_NOWHERE, hint,
        "the search was stopped after %llu steps: the interval is %lld, and none is below %lld; %s",
        (unsigned long long)p->work, (long long)p->answer.value, (long long)p->answer.bound, open);
}

/* Uses heuristics and bounds alone; `*exceeds` says that no pipeline has an interval up to `most`. */
static swp_status look(swp_loop_search *s, int64_t most, bool *exceeds)
{
    const swp_solve_aim aim = {.most = most, .at_once = true};
    swp_answer answer = {0};
    int *slots = NULL;
    *exceeds = false;
    if (most == 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(s->ctx, s->loop->value_count, &slots));
    for (int v = 0; v < (int)s->loop->value_count; v++) {
        const int own = swp_ir_loop_most_slots(s->loop, v);
        slots[v] = own < SWP_MOST_SLOTS ? own : 0;
    }
    SWP_TRY(swp_pipeline_solve(s, slots, 0, &aim, &answer));
    s->cut = false;
    *exceeds = answer.bound > most;
    s->bound_answer = answer;
    s->bound_problem = s->problem;
    s->bound_slots = slots;
    return SWP_OK;
}

/* A pipeline that is no better than another one only needs its bounds. */
static void fill_bounds(const swp_loop_search *s, swp_pipeline *out)
{
    out->loop = s->loop;
    out->answer = (swp_answer){.status = SWP_ANSWER_UNKNOWN, .bound = s->bound_answer.bound};
    out->bound_answer = s->bound_answer;
    out->bound_problem = s->bound_problem;
    out->bound_slots = s->bound_slots;
    out->refutations = s->refuted.items;
    out->refutation_count = s->refuted.count;
    out->work = s->work;
    out->solved = s->solved;
}

static swp_status find_pipeline(swp_loop_search *s, int64_t most, swp_pipeline *out)
{
    bool exceeds = false;
    SWP_TRY(swp_check_loop(s->ctx, s->loop));
    SWP_TRY(swp_pipeline_set_room(s));
    SWP_TRY(look(s, most, &exceeds));
    if (!exceeds)
        SWP_TRY(find_interval(s, out));
    if (exceeds || (most > 0 && s->bound_answer.bound > most)) {
        fill_bounds(s, out);
        return SWP_OK;
    }
    /* With less room there may be more waits. */
    if (s->best.found && !swp_ir_loop_has_roles(s->loop))
        SWP_TRY(SWP_PUSH(s->ctx, &s->longer, s->best));
    SWP_TRY(swp_pipeline_find_core(s, &out->bound_core));
    SWP_TRY(swp_pipeline_minimise(s, out));
    SWP_TRY(check_stages(s));
    SWP_TRY(fill(s, out));
    /* The final answer is checked against the definition, with the slots that it states. */
    return swp_answer_check(s->ctx, &out->problem.problem, &out->answer);
}

swp_status swp_pipeline_of_roles(swp_context *ctx, const swp_loop *loop, int64_t most,
                                 swp_pipeline *out, swp_pipeline_list *longer, bool *cut)
{
    swp_context timed = *ctx;
    timed.began = swp_search_began(ctx);
    swp_loop_search s = {
        .ctx = &timed, .loop = loop, .limits = ctx->limits, .budget = swp_budget_start(&timed, 0)};
    *out = (swp_pipeline){0};
    swp_status status = find_pipeline(&s, most, out);
    if (status == SWP_OK && longer)
        status = list_longer(&s, out, longer);
    /* Another question may have settled what a limit left open. */
    *cut = status == SWP_OK && s.stopped && swp_pipeline_is_open(out);
    return status;
}

/* Ops that are done once a tile stand outside of the pipeline. */
static swp_status take_passes(swp_context *ctx, const swp_loop **loop)
{
    swp_loop *passes = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &passes));
    *passes = swp_ir_loop_of_passes(*loop);
    *loop = passes;
    return SWP_OK;
}

swp_status swp_pipeline_find(swp_context *ctx, const swp_loop *loop, swp_pipeline *out,
                             swp_pipeline_list *others, swp_pipeline_list *longer, bool *cut)
{
    SWP_TRY(swp_ir_check_loop_clocks(ctx, loop));
    if (loop->output_tiles)
        SWP_TRY(take_passes(ctx, &loop));
    SWP_TRY(swp_ir_loop_has_choice(loop) ? swp_pipeline_find_roles(ctx, loop, out, others, cut)
                                         : swp_pipeline_of_roles(ctx, loop, 0, out, longer, cut));
    ctx->stopped = ctx->stopped || *cut;
    return SWP_OK;
}

swp_status swp_pipeline_loop(swp_context *ctx, const swp_loop *loop, swp_pipeline *out)
{
    SWP_REQUIRE(ctx, ctx && loop && out);
    bool cut = false;
    SWP_TRY(swp_pipeline_find(ctx, loop, out, NULL, NULL, &cut));
    return cut ? swp_pipeline_warn_of_stop(ctx, out) : SWP_OK;
}
