/* SPDX-License-Identifier: Apache-2.0 */
/* Writes out a few pipelines, of other orders and times, and takes the one with the fewest synchronised cycles. */
#include "pipeline/choose.h"

#include "base/budget.h"
#include "base/diag.h"
#include "ir/loop_instances.h"
#include "ir/roles.h"
#include "pipeline/ease.h"
#include "pipeline/least_interval.h"
#include "pipeline/make_room.h"
#include "pipeline/order_bound.h"
#include "pipeline/reshift.h"
#include "pipeline/shares.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"

#include "pipeline/tighten.h"
#include <string.h>

/* A schedule of the loop, and what is to be said of it if it is the one that is handed out. */
typedef struct candidate {
    const swp_loop_and_pipeline *of;
    swp_schedule *schedule;
    swp_diags diags;
    swp_status status;
    bool stopped;
} candidate;

enum { FIRST_DIAGS = 8, MOST_ROLES = 16 /* ways to give ops to roles that are written out */ };

/* A context in which a candidate says what it has to say, in this part of the time. */
static swp_status enter(swp_context *ctx, candidate *c, swp_loop_part part, swp_context *own)
{
    c->diags = (swp_diags){.arena = ctx->arena, .capacity = FIRST_DIAGS};
    SWP_TRY(SWP_TAKE(ctx, FIRST_DIAGS, &c->diags.items));
    *own = *ctx;
    own->diags = &c->diags;
    own->limits.seconds = swp_pipeline_seconds_of(&ctx->limits, part);
    return SWP_OK;
}

static swp_status write_candidate(swp_context *ctx, const swp_pipeline_choice *asked,
                                  swp_loop_part part, candidate *c)
{
    swp_context own;
    SWP_TRY(enter(ctx, c, part, &own));
    SWP_TRY(SWP_TAKE(ctx, 1, &c->schedule));
    *c->schedule = (swp_schedule){.stream_count = 1, .arena = ctx->arena};
    const swp_status status = asked->write(&own, asked->options, c->of, c->schedule);
    c->stopped = own.stopped;
    return status;
}

/* Synchronised cycles of an iteration. */
static double cycles_of(const candidate *c)
{
    const swp_sync_result *sync = &c->schedule->sync;
    return (double)sync->cycles / ((double)sync->passes * c->schedule->loop.tiles_per_pass);
}

/* What a model of the steps says of them. */
static double cycles_by_model(swp_ratio cycles)
{
    return (double)cycles.cycles / (double)cycles.passes;
}

/* What is looked for, and kept. */
typedef struct choice {
    swp_context *ctx;
    const swp_pipeline_choice *asked;
    const swp_loop_and_pipeline *given; /* as it was found, with the roles of the best one */
    candidate best;
    int64_t interval; /* the least of all pipelines */
    bool whole;       /* no limit cut it short */
} choice;

/* What an iteration takes beyond the interval, in parts of the interval. */
static double cost_of_waits(const choice *c, double cycles)
{
    return cycles / (double)c->interval - 1;
}

static double cost_of_best(const choice *c)
{
    return cost_of_waits(c, cycles_of(&c->best));
}

/* Whether the limits leave time for more than what has to be done. */
static bool has_time(choice *c)
{
    swp_budget budget = swp_budget_start(c->ctx, 0);
    c->whole = swp_budget_look(&budget) && c->whole;
    return !budget.stopped;
}

/* What was tried and did not do says so in a context of its own; what ends with an error is told. */
static swp_status told(choice *c, const candidate *said, swp_status status)
{
    for (size_t i = 0; status != SWP_OK && i < said->diags.count; i++)
        SWP_TRY(swp_context_report(c->ctx, &said->diags.items[i]));
    return status;
}

static swp_status tighten(choice *c, const swp_pipeline *given, bool in_order, swp_pipeline *out,
                          bool *found)
{
    candidate said;
    swp_context own;
    SWP_TRY(enter(c->ctx, &said, SWP_LOOP_REST, &own));
    SWP_TRY(
        told(c, &said,
             swp_pipeline_tighten(&own, &c->asked->options->machine, given, in_order, out, found)));
    if (*found && out->answer.value < c->interval)
        c->interval = out->answer.value;
    return SWP_OK;
}

/*
 * What is handed out takes the fewest synchronised cycles; of as many it has the least interval, and of equal ones it is
 * the one that was found first. `gain`: what a change has to save, in parts of the interval.
 */
static bool is_better(const choice *c, const candidate *other, double gain)
{
    const double least = cycles_of(&c->best) - gain * (double)c->interval;
    const int64_t interval = other->of->pipeline->answer.value;
    return cycles_of(other) < least ||
           (cycles_of(other) <= least && interval < c->best.of->pipeline->answer.value);
}

/* The better one of a pipeline, written out, and the best so far. What cannot be completed is none. */
static swp_status try_pipeline(choice *c, swp_pipeline *pipeline, swp_loop_part part, double gain)
{
    swp_loop_and_pipeline *of = NULL;
    bool is_less = false;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of));
    *of = (swp_loop_and_pipeline){c->given->loop, pipeline};
    candidate other = {.of = of};
    if (!swp_ir_loop_has_roles(of->loop))
        SWP_TRY(tighten(c, pipeline, true, pipeline, &is_less));
    const swp_status status = write_candidate(c->ctx, c->asked, part, &other);
    if (status == SWP_OUT_OF_MEMORY)
        return status;
    c->whole = c->whole && !other.stopped;
    const bool has_best = c->best.status == SWP_OK && c->best.schedule;
    if (!has_best || (status == SWP_OK && is_better(c, &other, gain))) {
        c->best = other;
        c->best.status = status;
    }
    return SWP_OK;
}

static swp_status find_room(choice *c, swp_room *room)
{
    candidate said;
    swp_context own;
    SWP_TRY(enter(c->ctx, &said, SWP_LOOP_ROOM, &own));
    SWP_TRY(
        told(c, &said,
             swp_pipeline_make_room(&own, &c->asked->options->machine, c->given->pipeline, room)));
    if (room->pipeline->answer.value < c->interval)
        c->interval = room->pipeline->answer.value;
    c->whole = !room->stopped;
    return SWP_OK;
}

/* By how much waits may cost more than the model of a step says, and what is worth more than the pipeline that was found. */
static const double tolerance = 0.01;
static const double rounding = 1e-9;
static const double worth = 0.03;

/* Whether the best one takes what the model says, and another one that was found can only take more. */
static bool is_done(const choice *c, const swp_room *room)
{
    const double before = cost_of_waits(c, cycles_by_model(room->cycles_before));
    const bool polished = before <= swp_pipeline_extensions[0].cost;
    return room->exact && c->best.status == SWP_OK &&
           cost_of_best(c) <=
               cost_of_waits(c, cycles_by_model(room->cycles)) + (polished ? rounding : tolerance);
}

/* That with room first where it is worth it, so that there is time for it; else that which was found. */
static swp_status try_both(choice *c, const swp_room *room)
{
    swp_pipeline *given = c->given->pipeline;
    const double saved = cycles_by_model(room->cycles_before) - cycles_by_model(room->cycles);
    const bool room_first = saved > worth * (double)c->interval;
    SWP_TRY(try_pipeline(c, room_first ? room->pipeline : given, SWP_LOOP_WAITS, 0));
    if (room->pipeline == given || is_done(c, room) || !has_time(c))
        return SWP_OK;
    return try_pipeline(c, room_first ? given : room->pipeline, SWP_LOOP_REST, 0);
}

static swp_status try_eased(choice *c)
{
    for (int more = 0; more <= SWP_MOST_MORE_STAGES_EASED; more++) {
        const swp_extension *e = &swp_pipeline_extensions[more];
        candidate said;
        swp_context own;
        swp_pipeline *eased = NULL;
        bool found = false;
        if (c->best.status != SWP_OK || cost_of_best(c) <= e->cost || !has_time(c))
            return SWP_OK;
        const swp_pipeline *given = c->best.of->pipeline;
        SWP_TRY(SWP_TAKE(c->ctx, 1, &eased));
        SWP_TRY(enter(c->ctx, &said, SWP_LOOP_WAITS, &own));
        SWP_TRY(told(c, &said,
                     swp_pipeline_ease(&own, &c->asked->options->machine, given,
                                       given->stages + more, eased, &found)));
        if (found)
            SWP_TRY(try_pipeline(c, eased, SWP_LOOP_REST, e->gain));
    }
    return SWP_OK;
}

/* It was issued in less than its interval: what waited for a unit may issue when it has it. */
static swp_status try_units(choice *c)
{
    swp_pipeline *other = NULL;
    bool found = false;
    if (c->best.status != SWP_OK ||
        cycles_of(&c->best) > (double)(c->best.of->pipeline->answer.value - 1))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(tighten(c, c->best.of->pipeline, false, other, &found));
    return found && has_time(c) ? try_pipeline(c, other, SWP_LOOP_REST, 0) : SWP_OK;
}

/* With as many stages more, instances shifted in other ways, as long as waits cost much. */
static swp_status try_shifts(choice *c, int more)
{
    const swp_extension *e = &swp_pipeline_extensions[more];
    const swp_pipeline *given = c->given->pipeline;
    for (int part = 0; part < SWP_PIPELINE_SHIFT_PARTS; part++) {
        swp_pipeline *other = NULL;
        bool found = false;
        if (c->best.status != SWP_OK || c->best.schedule->sync.passes == 0 ||
            cost_of_best(c) <= e->cost || !has_time(c))
            return SWP_OK;
        SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
        SWP_TRY(swp_pipeline_reshift(c->ctx, given, given->stages + more, part, other, &found));
        if (found)
            SWP_TRY(try_pipeline(c, other, SWP_LOOP_REST, e->gain));
    }
    return SWP_OK;
}

/* Pipelines of the same interval with other roles, as long as waits cost much. */
static swp_status try_roles(choice *c)
{
    const swp_pipeline_choice *asked = c->asked;
    const swp_loop_and_pipeline *best = c->given;
    for (size_t i = 0; i < asked->other_count && i < MOST_ROLES; i++) {
        const swp_schedule *before = c->best.schedule;
        if (c->best.status == SWP_OK && (before->sync.passes == 0 || cost_of_best(c) <= worth))
            break;
        if (!has_time(c))
            break;
        c->given = &asked->others[i];
        SWP_TRY(try_pipeline(c, c->given->pipeline, SWP_LOOP_REST, worth));
        if (c->best.schedule != before)
            best = c->given;
    }
    c->given = best;
    return SWP_OK;
}

/* The best pipeline with more slots of a value. */
static swp_status try_raised(choice *c, int value)
{
    const swp_pipeline *given = c->best.of->pipeline;
    const swp_loop *loop = given->loop;
    swp_pipeline *other = NULL;
    int *slots = NULL;
    SWP_TRY(SWP_TAKE(c->ctx, loop->value_count, &slots));
    memcpy(slots, given->slots, loop->value_count * sizeof *slots);
    if (!swp_pipeline_raise_slots(loop, slots, value) || swp_pipeline_role_over(loop, slots) >= 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(
        swp_pipeline_retime(c->ctx, given, slots, given->answer.value, given->answer.times, other));
    return try_pipeline(c, other, SWP_LOOP_REST, swp_pipeline_more_slots.gain);
}

/* Slots are added at the same times: a role then runs further ahead of those that wait for it than the times say. */
static swp_status try_slots(choice *c)
{
    const swp_schedule *before = NULL;
    while (c->best.schedule != before) {
        before = c->best.schedule;
        for (int v = 0; v < (int)c->best.of->loop->value_count; v++) {
            if (c->best.status != SWP_OK || before->sync.passes == 0 ||
                cost_of_best(c) <= swp_pipeline_more_slots.cost || !has_time(c))
                return SWP_OK;
            SWP_TRY(try_raised(c, v));
        }
    }
    return SWP_OK;
}

/* What waits cost with roles nobody knows before it is simulated. */
static swp_status choose_shifts(choice *c)
{
    SWP_TRY(try_pipeline(c, c->given->pipeline, SWP_LOOP_REST, 0));
    SWP_TRY(try_roles(c));
    for (int more = 0; more <= SWP_MOST_MORE_STAGES_EASED; more++)
        if (swp_ir_loop_shifts(c->given->pipeline->loop) > 0)
            SWP_TRY(try_shifts(c, more));
    return try_slots(c);
}

static swp_status choose(choice *c)
{
    swp_room room = {.pipeline = c->given->pipeline,
                     .cycles = {c->interval, 1},
                     .cycles_before = {c->interval, 1},
                     .exact = true};
    if (swp_ir_loop_has_roles(c->given->loop))
        return choose_shifts(c);
    SWP_TRY(find_room(c, &room));
    SWP_TRY(try_both(c, &room));
    if (!is_done(c, &room))
        SWP_TRY(try_eased(c));
    return try_units(c);
}

/* Says what the candidate said. */
static swp_status hand_out(swp_context *ctx, const candidate *c, bool whole, swp_schedule **out)
{
    for (size_t i = 0; i < c->diags.count; i++)
        SWP_TRY(swp_context_report(ctx, &c->diags.items[i]));
    if (!whole && !c->stopped)
        SWP_TRY(swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "allow more time for fewer waits",
                         "the search for times at which waits cost less was stopped"));
    ctx->stopped = ctx->stopped || c->stopped || !whole;
    *out = c->schedule;
    if (*out)
        (*out)->metrics.stopped = ctx->stopped;
    return SWP_OK;
}

swp_status swp_pipeline_choose(swp_context *ctx, const swp_pipeline_choice *asked,
                               swp_schedule **out)
{
    choice c = {.ctx = ctx,
                .asked = asked,
                .given = asked->found,
                .interval = asked->found->pipeline->answer.value,
                .whole = true};
    const swp_status status = choose(&c);
    if (status != SWP_OK)
        return swp_pass_on(ctx, status);
    if (c.best.status == SWP_OK)
        SWP_TRY(
            swp_pipeline_bound_orders(ctx, &asked->options->machine, c.best.of, c.best.schedule));
    if (asked->cut)
        SWP_TRY(swp_pipeline_warn_of_stop(ctx, c.best.of->pipeline));
    SWP_TRY(hand_out(ctx, &c.best, c.whole, out));
    return c.best.status;
}
