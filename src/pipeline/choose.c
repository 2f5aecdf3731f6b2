/* SPDX-License-Identifier: Apache-2.0 */
/* Writes out a few pipelines, of other orders and times, and takes the one with the fewest synchronised cycles. */
#include "pipeline/choice.h"

#include "base/budget.h"
#include "base/diag.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "pipeline/least_interval.h"
#include "pipeline/order_bound.h"
#include "pipeline/reshift.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"

/*
 * Times have as few slots as they need. One more than any value has leaves other shifts more times, and those that save no
 * cycles are given back. So a range of slots finds what one with fewer of them does.
 */
static swp_status with_more_slots(swp_choice *c, const swp_loop_and_pipeline *of,
                                  swp_loop_and_pipeline *out)
{
    const swp_pipeline *given = of->pipeline;
    int *slots = NULL;
    *out = *of;
    if (!swp_ir_loop_has_roles(of->loop))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &out->pipeline));
    SWP_TRY(SWP_TAKE(c->ctx, given->loop->value_count, &slots));
    for (size_t v = 0; v < given->loop->value_count; v++)
        slots[v] = given->slots[v];
    swp_pipeline_level_slots(c, 1, slots);
    return swp_pipeline_retime(c->ctx, given, slots, given->answer.value, given->answer.times,
                               out->pipeline);
}

static swp_status from_given(swp_choice *c)
{
    if (!swp_ir_loop_has_roles(c->given->loop))
        return swp_pipeline_choose_alone(c);
    SWP_TRY(swp_pipeline_try_given(c, c->given->pipeline, SWP_LOOP_REST));
    return swp_pipeline_is_schedule(&c->best) ? swp_pipeline_go_on_from_given(c) : SWP_OK;
}

/* The best so far stays the best where what is chosen from there is worse, or comes to no end. */
static swp_status choose_from(swp_choice *c, const swp_loop_and_pipeline *from)
{
    const swp_loop_and_pipeline *given = c->given;
    const swp_candidate best = c->best;
    c->rival = best;
    c->best = (swp_candidate){.of = NULL};
    c->given = from;
    const swp_status status = from_given(c);
    if (!swp_pipeline_is_schedule(&c->best) || !swp_pipeline_is_better(&c->best, &best))
        c->best = best;
    c->given = given;
    return status;
}

/*
 * What a search with less work would have gone on from, by itself: a longer interval may have less waits, and what is tried around it is
 * tried here, too. So more work is never worse.
 */
static swp_status choose_longer(swp_choice *c)
{
    for (size_t i = 0; i < c->asked->longer_count && swp_pipeline_may_be_less(c); i++) {
        swp_loop_and_pipeline longer;
        SWP_TRY(with_more_slots(c, &c->asked->longer[i], &longer));
        SWP_TRY(choose_from(c, &longer));
    }
    return SWP_OK;
}

/* Each value gets so many slots, as far as it may have them and there is room. */
static swp_status try_level(swp_choice *c, const swp_loop_and_pipeline *given, int level)
{
    const swp_pipeline *p = given->pipeline;
    const int64_t most = p->answer.value + p->answer.value / SWP_PIPELINE_LONGER;
    swp_loop_and_pipeline other = *given;
    int *slots = NULL;
    bool found = false;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other.pipeline));
    SWP_TRY(SWP_TAKE(c->ctx, p->loop->value_count, &slots));
    for (int v = 0; v < (int)p->loop->value_count; v++)
        swp_ir_loop_set_slots(p->loop, slots, v, swp_ir_loop_least_slots(p->loop, v));
    swp_pipeline_raise_slots_to(c, level, slots);
    SWP_TRY(swp_pipeline_reshift(c->ctx, p, most, slots, 0, SWP_PIPELINE_SAME_SHIFTS,
                                 other.pipeline, &found));
    if (!found)
        return SWP_OK;
    const swp_candidate before = c->best;
    const size_t tried = c->tried.count;
    SWP_TRY(choose_from(c, &other));
    swp_pipeline_keep_for_cycles(c, &before, tried);
    return SWP_OK;
}

/* A wider range of slots is no worse than a narrower one: a role that runs less far ahead may have others wait less. */
static swp_status choose_levels(swp_choice *c)
{
    const swp_pipeline *p = c->best.of ? c->best.of->pipeline : c->given->pipeline;
    const int most = swp_pipeline_most_of(p->slots, p->loop->value_count);
    const size_t longer = c->asked->longer_count;
    for (int level = most - 1; level > 0; level--)
        for (size_t i = 0; i <= longer; i++)
            if (swp_pipeline_may_be_less(c))
                SWP_TRY(try_level(c, i < longer ? &c->asked->longer[i] : c->given, level));
    return SWP_OK;
}

static void take_leanest(swp_choice *c)
{
    if (!swp_pipeline_is_schedule(&c->best) || c->given->pipeline->loop->objectives_stated)
        return;
    const swp_candidate *leanest = swp_pipeline_leanest(c->tried.items, c->tried.count);
    if (leanest)
        c->best = *leanest;
}

/* What was written with all waits has not said yet that a limit ended it. */
static void keep_all_waits(swp_choice *c, const swp_candidate *dropped)
{
    c->whole = c->whole && !c->best.stopped && swp_pipeline_is_schedule(dropped);
    c->best.stopped = false;
}

/*
 * Waits are dropped in what was chosen alone: each takes a proof, and few of them cost cycles. All of them stay where no
 * time is left for that, and where ops that wait no more take a unit from others that are in more of a hurry.
 */
static swp_status drop_waits(swp_choice *c)
{
    const swp_candidate all_waits = c->best;
    swp_loop_and_pipeline *of = NULL;
    if (!swp_pipeline_is_schedule(&c->best) || c->best.of->waits != SWP_ALL_WAITS)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of));
    *of = *c->best.of;
    of->waits = SWP_FEWEST_WAITS;
    of->all_waits = swp_ir_loop_has_roles(of->loop) ? NULL : &all_waits;
    swp_candidate other = {.of = of};
    SWP_TRY(swp_pipeline_write_candidate(c->ctx, c->asked->options, c->asked->write, SWP_LOOP_REST,
                                         &other));
    of->all_waits = NULL;
    if (swp_pipeline_is_schedule(&other) &&
        swp_pipeline_cycles_of(&other) <=
            swp_pipeline_cycles_of(&all_waits) * SWP_PIPELINE_HARDLY_MORE)
        c->best = other;
    else
        keep_all_waits(c, &other);
    return other.status == SWP_STOPPED ? SWP_STOPPED : SWP_OK;
}

/*
 * Where the time for all work ends, what was found before is handed out, and a moment is left to complete it: also where what
 * ended is a trial that it does not need.
 */
static swp_status hold(swp_choice *c, const swp_candidate *found, swp_status status)
{
    const bool is_over = status == SWP_STOPPED || swp_why_none(c->ctx) == SWP_STOPPED;
    if (!swp_pipeline_is_schedule(found) || (status != SWP_OK && status != SWP_STOPPED))
        return swp_pass_on(c->ctx, status);
    if (is_over)
        swp_pipeline_leave_moment(c);
    if (status == SWP_OK)
        return SWP_OK;
    c->best = *found;
    return SWP_OK;
}

static swp_status choose(swp_choice *c)
{
    const bool has_roles = swp_ir_loop_has_roles(c->given->loop);
    SWP_TRY(has_roles ? swp_pipeline_choose_roles(c) : swp_pipeline_choose_alone(c));
    if (!c->given->pipeline->loop->objectives_stated) {
        SWP_TRY(choose_longer(c));
        SWP_TRY(has_roles ? choose_levels(c) : swp_pipeline_choose_stretched(c));
    }
    return swp_pipeline_shorten_pass(c);
}

/* Says what the candidate said. */
static swp_status hand_out(swp_context *ctx, const swp_candidate *c, bool whole, swp_candidate *out)
{
    for (size_t i = 0; i < c->diags.count; i++)
        SWP_TRY(swp_context_report(ctx, &c->diags.items[i]));
    if (!whole && !c->stopped)
        SWP_TRY(swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "allow more time for fewer waits",
                         "the search for times at which waits cost less was stopped"));
    ctx->stopped = ctx->stopped || c->stopped || !whole;
    *out = *c;
    if (out->schedule)
        out->schedule->metrics.stopped = ctx->stopped;
    return SWP_OK;
}

swp_status swp_pipeline_choose(swp_context *ctx, const swp_pipeline_choice *asked,
                               swp_candidate *out)
{
    swp_choice c = {.ctx = ctx,
                    .asked = asked,
                    .given = asked->found,
                    .models = {.machine = &asked->options->machine},
                    .interval = asked->found->pipeline->answer.value,
                    .whole = true};
    swp_status status = choose(&c);
    if (status == SWP_OK || (status == SWP_STOPPED && !swp_pipeline_is_schedule(&c.best)))
        status = swp_pipeline_fall_back(&c, status);
    SWP_TRY(hold(&c, &c.best, status));
    take_leanest(&c);
    if (swp_pipeline_is_schedule(&c.best) && asked->found->pipeline->loop->objectives_stated &&
        c.fewest < swp_pipeline_cycles_of(&c.best))
        c.best.of->pipeline->fewest_cycles = c.fewest;
    const swp_candidate all_waits = c.best;
    SWP_TRY(hold(&c, &all_waits, drop_waits(&c)));
    if (c.best.status == SWP_OK)
        SWP_TRY(hold(
            &c, &c.best,
            swp_pipeline_bound_orders(ctx, &asked->options->machine, c.best.of, c.best.schedule)));
    if (asked->cut)
        SWP_TRY(swp_pipeline_warn_of_stop(ctx, c.best.of->pipeline));
    SWP_TRY(hand_out(ctx, &c.best, c.whole, out));
    return c.best.status;
}
