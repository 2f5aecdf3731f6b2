/* SPDX-License-Identifier: Apache-2.0 */
/* Without warp roles: a model of the steps says what an order of ops takes before it is written out. */
#include "pipeline/choice.h"
#include "pipeline/ease.h"
#include "pipeline/make_room.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stretch.h"

/* What a model of the steps says of them. */
static double cycles_by_model(swp_ratio cycles)
{
    return (double)cycles.cycles / (double)cycles.passes;
}

static swp_status find_room(swp_choice *c, bool keeps_slots, swp_room *room)
{
    swp_candidate said;
    swp_context own;
    SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_ROOM, &own));
    SWP_TRY(swp_pipeline_tell(
        c, &said, swp_pipeline_make_room(&own, &c->models, c->given->pipeline, keeps_slots, room)));
    if (room->pipeline->answer.value < c->interval)
        c->interval = room->pipeline->answer.value;
    c->whole = c->whole && !room->stopped;
    return SWP_OK;
}

static const double rounding = 1e-9;

/* Whether the best one takes what the model says, and another one that was found can only take more. */
static bool is_done(const swp_choice *c, const swp_room *room)
{
    const double more = c->given->pipeline->loop->objectives_stated ? 1 : SWP_PIPELINE_HARDLY_MORE;
    return room->exact && swp_pipeline_is_schedule(&c->best) &&
           swp_pipeline_cycles_of(&c->best) <= cycles_by_model(room->cycles) * more + rounding;
}

static bool has_less(const swp_pipeline *p, const swp_candidate *other)
{
    const swp_pipeline *q = other->of->pipeline;
    const int pass = other->schedule->loop.tiles_per_pass;
    return p->bytes[SWP_SPACE_SHARED] < q->bytes[SWP_SPACE_SHARED] ||
           p->bytes[SWP_SPACE_REGISTERS] < q->bytes[SWP_SPACE_REGISTERS] ||
           swp_pipeline_unroll(p->loop, p->slots, pass) < pass || p->stages < q->stages;
}

/* Whether a pipeline of this price, below which its cycles are not, may be chosen before another one. */
static bool may_be_before(const swp_pipeline *p, double price, const swp_candidate *other)
{
    if (!swp_pipeline_is_schedule(other) || p->loop->objectives_stated)
        return true;
    const double cycles = swp_pipeline_cycles_of(other);
    return price * SWP_PIPELINE_HARDLY_MORE < cycles ||
           (price <= cycles * SWP_PIPELINE_HARDLY_MORE && has_less(p, other));
}

static swp_status try_priced(swp_choice *c, swp_pipeline *p, const swp_room *room, swp_ratio cycles,
                             swp_loop_part part)
{
    const double price = cycles_by_model(cycles);
    const bool may =
        !room->exact || (may_be_before(p, price, &c->rival) && may_be_before(p, price, &c->best));
    return may ? swp_pipeline_try_given(c, p, part) : SWP_OK;
}

/* The one of the lower price first, so that there is time for it. */
static swp_status try_both(swp_choice *c, const swp_room *room)
{
    swp_pipeline *given = c->given->pipeline;
    SWP_TRY(try_priced(c, room->pipeline, room, room->cycles, SWP_LOOP_WAITS));
    if (room->pipeline == given || is_done(c, room) || !swp_pipeline_has_time(c))
        return SWP_OK;
    return try_priced(c, given, room, room->cycles_before, SWP_LOOP_REST);
}

static swp_status try_eased(swp_choice *c)
{
    for (int more = 0; more <= SWP_MOST_MORE_STAGES_EASED; more++) {
        swp_candidate said;
        swp_context own;
        swp_pipeline *eased = NULL;
        bool found = false;
        if (!swp_pipeline_may_be_less(c))
            return SWP_OK;
        const swp_pipeline *given = c->best.of->pipeline;
        SWP_TRY(SWP_TAKE(c->ctx, 1, &eased));
        SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_WAITS, &own));
        SWP_TRY(swp_pipeline_tell(c, &said,
                                  swp_pipeline_ease(&own, &c->asked->options->machine, given,
                                                    given->stages + more, eased, &found)));
        if (found)
            SWP_TRY(swp_pipeline_try_given(c, eased, SWP_LOOP_REST));
    }
    return SWP_OK;
}

/* It was issued in less than its interval: what waited for a unit may issue when it has it. */
static swp_status try_units(swp_choice *c)
{
    swp_pipeline *other = NULL;
    bool found = false;
    if (!swp_pipeline_is_schedule(&c->best) ||
        swp_pipeline_cycles_of(&c->best) > (double)(c->best.of->pipeline->answer.value - 1))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(swp_pipeline_tighten_for(c, c->best.of->pipeline, false, other, &found));
    return found && swp_pipeline_has_time(c) ? swp_pipeline_try_given(c, other, SWP_LOOP_REST)
                                             : SWP_OK;
}

swp_status swp_pipeline_choose_alone(swp_choice *c)
{
    swp_room room = {.pipeline = c->given->pipeline,
                     .cycles = {c->interval, 1},
                     .cycles_before = {c->interval, 1},
                     .exact = true};
    if (c->given->pipeline->loop->objectives_stated) {
        SWP_TRY(find_room(c, true, &room));
        SWP_TRY(swp_pipeline_try_given(c, room.pipeline, SWP_LOOP_WAITS));
    }
    SWP_TRY(find_room(c, false, &room));
    SWP_TRY(try_both(c, &room));
    if (!is_done(c, &room))
        SWP_TRY(try_eased(c));
    return try_units(c);
}

swp_status swp_pipeline_choose_stretched(swp_choice *c)
{
    const swp_loop_and_pipeline *given = c->given;
    swp_loop_and_pipeline *of = NULL;
    swp_candidate said;
    swp_context own;
    bool found = false;
    if (!swp_pipeline_may_be_less(c) || swp_pipeline_cost_of_best(c) <= SWP_PIPELINE_WORTH)
        return SWP_OK;
    const swp_candidate best = c->best;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of));
    *of = *best.of;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of->pipeline));
    SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_REST, &own));
    SWP_TRY(swp_pipeline_tell(c, &said,
                              swp_pipeline_stretch(&own, &c->models, best.of->pipeline,
                                                   (int64_t)swp_pipeline_cycles_of(&best),
                                                   of->pipeline, &found)));
    if (!found)
        return SWP_OK;
    c->given = of;
    SWP_TRY(swp_pipeline_choose_alone(c));
    c->given = given;
    return SWP_OK;
}
