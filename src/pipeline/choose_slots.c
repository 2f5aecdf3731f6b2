/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With warp roles: slots are added as long as that saves cycles, with loads as they are stated or late, since a role then
 * runs further ahead of those that wait for it than its times say; then those that save none are given back
 * (docs/loops-proof.md, "Room for waits").
 */
#include "base/budget.h"
#include "base/diag.h"
#include "ir/loop_dataflow.h"
#include "pipeline/choice.h"
#include "pipeline/reshift.h"
#include "pipeline/short_pass.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"

#include <string.h>

/* How often all values are raised. */
enum { MOST_RAISES = 4 };

static swp_status copy_slots(const swp_choice *c, int **slots)
{
    const swp_pipeline *best = c->best.of->pipeline;
    SWP_TRY(SWP_TAKE(c->ctx, best->loop->value_count, slots));
    memcpy(*slots, best->slots, best->loop->value_count * sizeof **slots);
    return SWP_OK;
}

/* At the times of the best one, where they need no more slots than these. */
static swp_status try_same_times(swp_choice *c, const swp_candidate *from, const int *slots)
{
    const swp_pipeline *given = from->of->pipeline;
    const swp_loop *loop = given->loop;
    swp_pipeline *other = NULL;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (slots[v] < swp_ir_loop_needed_slots(loop, v, given->answer.times, given->answer.value))
            return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(
        swp_pipeline_retime(c->ctx, given, slots, given->answer.value, given->answer.times, other));
    return swp_pipeline_try(c, from->of->loop, other, SWP_LOOP_REST);
}

/* At other times, that these slots leave. */
static swp_status try_other_times(swp_choice *c, const swp_candidate *from, const int *slots)
{
    swp_pipeline *other = NULL;
    bool found = false;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(swp_pipeline_reshift(c->ctx, from->of->pipeline, from->of->pipeline->answer.value,
                                 slots, 0, SWP_PIPELINE_SAME_SHIFTS, other, &found));
    return found ? swp_pipeline_try(c, from->of->loop, other, SWP_LOOP_REST) : SWP_OK;
}

/* `*is_better`: the best one now has these slots. */
static swp_status try_slots(swp_choice *c, const int *slots, bool *is_better)
{
    const swp_candidate from = c->best;
    const swp_pipeline *given = from.of->pipeline;
    *is_better = false;
    if (swp_pipeline_role_over(given->loop, slots) >= 0 ||
        memcmp(slots, given->slots, given->loop->value_count * sizeof *slots) == 0)
        return SWP_OK;
    SWP_TRY(try_same_times(c, &from, slots));
    if (c->best.schedule == from.schedule && swp_pipeline_has_time(c))
        SWP_TRY(try_other_times(c, &from, slots));
    *is_better = c->best.schedule != from.schedule;
    return SWP_OK;
}

/* Where iterations are counted on from tile to tile, no literal names the slot of registers that take turns. */
static bool keeps_slots(const swp_choice *c, int value)
{
    const swp_loop *loop = c->given->pipeline->loop;
    return c->given->loop->output_tiles && loop->values[value].space == SWP_SPACE_REGISTERS &&
           swp_ir_loop_stated_most(loop, value) == 0;
}

/* Whose slots are raised together: all values, or the registers alone, in which a role works ahead of itself. */
typedef enum raised { ALL_VALUES, REGISTERS } raised;

/* They get so many, as far as there is room. */
static void raise_to(const swp_choice *c, raised which, int level, int *slots)
{
    const swp_loop *loop = c->given->pipeline->loop;
    for (int v = 0; v < (int)loop->value_count; v++)
        while ((which == ALL_VALUES || loop->values[v].space == SWP_SPACE_REGISTERS) &&
               slots[v] < level && !keeps_slots(c, v) && swp_pipeline_raise_slots(loop, slots, v))
            ;
}

void swp_pipeline_raise_slots_to(const swp_choice *c, int level, int *slots)
{
    raise_to(c, ALL_VALUES, level, slots);
}

void swp_pipeline_level_slots(const swp_choice *c, int more, int *slots)
{
    const int most = swp_pipeline_most_of(slots, c->given->pipeline->loop->value_count);
    raise_to(c, ALL_VALUES, most + more, slots);
}

/* They get as many as one has, or else one more than that. */
static swp_status raise_all(swp_choice *c, raised which, int more, bool *is_better)
{
    const swp_loop *loop = c->best.of->pipeline->loop;
    int *slots = NULL;
    SWP_TRY(copy_slots(c, &slots));
    raise_to(c, which, swp_pipeline_most_of(slots, loop->value_count) + more, slots);
    return try_slots(c, slots, is_better);
}

static swp_status raise_one(swp_choice *c, int value, bool *is_better)
{
    int *slots = NULL;
    SWP_TRY(copy_slots(c, &slots));
    if (!keeps_slots(c, value) &&
        swp_pipeline_raise_slots(c->best.of->pipeline->loop, slots, value))
        SWP_TRY(try_slots(c, slots, is_better));
    return SWP_OK;
}

static bool may_be_less(swp_choice *c)
{
    return swp_pipeline_may_be_less(c) || swp_pipeline_may_be_less_late(c);
}

static swp_status add_slots(swp_choice *c)
{
    const int count = (int)c->best.of->pipeline->loop->value_count;
    bool any = true;
    for (int i = 0; i < MOST_RAISES && any; i++) {
        any = false;
        for (int more = 0; more <= 1 && !any && may_be_less(c); more++)
            SWP_TRY(raise_all(c, ALL_VALUES, more, &any));
        for (int v = 0; v < count && !any && may_be_less(c); v++)
            SWP_TRY(raise_one(c, v, &any));
        for (int more = 0; more <= 1 && !any && may_be_less(c); more++)
            SWP_TRY(raise_all(c, REGISTERS, more, &any));
    }
    return SWP_OK;
}

/* Fewer slots save no cycles: a part of the time is enough for them. */
static bool has_time_for_less(const swp_choice *c)
{
    swp_context own = *c->ctx;
    own.limits.seconds = swp_pipeline_seconds_of(&c->ctx->limits, SWP_LOOP_OBJECTIVES);
    swp_budget budget = swp_budget_start(&own, 0);
    return swp_budget_look(&budget);
}

/* To the next number below that leaves the pass short: fewer slots save no cycles, and a long pass is worse than the room. */
static swp_status lower_one(swp_choice *c, int value, bool *is_better)
{
    const swp_loop *loop = c->best.of->pipeline->loop;
    const int least = swp_ir_loop_least_slots(loop, value);
    int *slots = NULL;
    *is_better = false;
    SWP_TRY(copy_slots(c, &slots));
    if (slots[value] <= least || !has_time_for_less(c))
        return SWP_OK;
    do
        swp_ir_loop_set_slots(loop, slots, value, slots[value] - 1);
    while (slots[value] > least && !swp_pipeline_is_short(loop, slots));
    return swp_pipeline_is_short(loop, slots) ? try_slots(c, slots, is_better) : SWP_OK;
}

static swp_status lower(swp_choice *c)
{
    const int count = (int)c->best.of->pipeline->loop->value_count;
    bool any = true;
    while (any) {
        any = false;
        for (int v = 0; v < count; v++) {
            bool is_better = true;
            while (is_better) {
                SWP_TRY(lower_one(c, v, &is_better));
                any = any || is_better;
            }
        }
    }
    return SWP_OK;
}

static bool has_least_room(const swp_candidate *best)
{
    const bool *proven = best->of->pipeline->proven;
    return proven[SWP_LEAST_SHARED] && proven[SWP_LEAST_REGISTERS];
}

swp_status swp_pipeline_choose_slots(swp_choice *c)
{
    if (!swp_pipeline_is_schedule(&c->best) || c->best.schedule->sync.passes == 0)
        return SWP_OK;
    SWP_TRY(add_slots(c));
    return has_least_room(&c->best) ? SWP_OK : lower(c);
}

swp_status swp_pipeline_shorten_pass(swp_choice *c)
{
    const swp_candidate from = c->best;
    int *slots = NULL;
    bool *kept = NULL;
    if (!swp_pipeline_is_schedule(&from) || from.of->pipeline->loop->objectives_stated ||
        swp_pipeline_long_pass_of(&from) == 0 || !swp_pipeline_has_time(c))
        return SWP_OK;
    const swp_loop *loop = from.of->pipeline->loop;
    SWP_TRY(copy_slots(c, &slots));
    SWP_TRY(SWP_TAKE(c->ctx, loop->value_count, &kept));
    for (int v = 0; v < (int)loop->value_count; v++)
        kept[v] = keeps_slots(c, v);
    SWP_TRY(
        swp_pipeline_shorten_slots(c->ctx, loop, kept, from.schedule->loop.tiles_per_pass, slots));
    return try_same_times(c, &from, slots);
}
