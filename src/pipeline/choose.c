/* SPDX-License-Identifier: Apache-2.0 */
/* Writes out a few pipelines, of other orders and times, and takes the one with the fewest synchronised cycles. */
#include "pipeline/choice.h"

#include "base/budget.h"
#include "base/diag.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/roles.h"
#include "pipeline/ease.h"
#include "pipeline/least_interval.h"
#include "pipeline/make_room.h"
#include "pipeline/order_bound.h"
#include "pipeline/reshift.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"
#include "pipeline/stretch.h"
#include "pipeline/tighten.h"
#include "pipeline/unpipelined.h"

#include <limits.h>

enum { MOST_ROLES = 16 /* ways to give ops to roles that are written out */ };

/* What a model of the steps says of them. */
static double cycles_by_model(swp_ratio cycles)
{
    return (double)cycles.cycles / (double)cycles.passes;
}

/* What an iteration takes beyond the interval, in parts of the interval. */
static double cost_of_waits(const swp_choice *c, double cycles)
{
    return cycles / (double)c->interval - 1;
}

static double cost_of_best(const swp_choice *c)
{
    return cost_of_waits(c, swp_pipeline_cycles_of(&c->best));
}

bool swp_pipeline_has_time(swp_choice *c)
{
    swp_context own = *c->ctx;
    if (swp_ir_loop_has_roles(c->given->loop))
        own.limits.seconds = swp_pipeline_seconds_of(&c->ctx->limits, SWP_LOOP_WAITS);
    swp_budget budget = swp_budget_start(&own, 0);
    c->whole = swp_budget_look(&budget) && c->whole;
    return !budget.stopped;
}

bool swp_pipeline_may_be_less(swp_choice *c)
{
    const double bound = (double)c->given->pipeline->bound_answer.bound;
    const swp_schedule *best = c->best.schedule;
    return best && swp_pipeline_is_schedule(&c->best) && best->sync.passes > 0 &&
           swp_pipeline_cycles_of(&c->best) > bound * SWP_PIPELINE_HARDLY_MORE &&
           swp_pipeline_has_time(c);
}

bool swp_pipeline_may_be_less_late(swp_choice *c)
{
    const swp_schedule *best = c->best.schedule;
    return best && swp_pipeline_is_schedule(&c->best) && best->sync.passes > 0 &&
           swp_pipeline_late_cycles_of(&c->best) >
               swp_pipeline_cycles_of(&c->best) * SWP_PIPELINE_HARDLY_MORE &&
           swp_pipeline_has_time(c);
}

/* What was tried and did not do says so in a context of its own; what ends with an error is told. */
static swp_status tell(swp_choice *c, const swp_candidate *said, swp_status status)
{
    for (size_t i = 0; status != SWP_OK && i < said->diags.count; i++)
        SWP_TRY(swp_context_report(c->ctx, &said->diags.items[i]));
    return status;
}

static swp_status tighten(swp_choice *c, const swp_pipeline *given, bool in_order,
                          swp_pipeline *out, bool *found)
{
    swp_candidate said;
    swp_context own;
    SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_REST, &own));
    SWP_TRY(
        tell(c, &said,
             swp_pipeline_tighten(&own, &c->asked->options->machine, given, in_order, out, found)));
    if (*found && out->answer.value < c->interval)
        c->interval = out->answer.value;
    return SWP_OK;
}

/* The same was written out before, with all its waits. */
static const swp_candidate *find_tried(const swp_choice *c, const swp_loop_and_pipeline *of)
{
    for (size_t i = 0; i < c->tried.count; i++) {
        const swp_candidate *tried = &c->tried.items[i];
        if (!tried->stopped && swp_pipeline_is_same(tried->of, of))
            return tried;
    }
    return NULL;
}

static void take_if_better(swp_choice *c, const swp_candidate *other)
{
    if (!swp_pipeline_is_schedule(&c->best) ||
        (swp_pipeline_is_schedule(other) && swp_pipeline_is_better(other, &c->best)))
        c->best = *other;
}

static void note_cycles(swp_choice *c, const swp_candidate *written)
{
    if (!swp_pipeline_is_schedule(written) || written->schedule->sync.passes == 0)
        return;
    const double cycles = swp_pipeline_cycles_of(written);
    if (c->fewest <= 0 || cycles < c->fewest)
        c->fewest = cycles;
}

/* At the interval that was found, what was proven of room and stages holds of what has no more of them. */
static swp_status compare_with_found(const swp_choice *c, swp_pipeline *p)
{
    const swp_pipeline *found = c->asked->found->pipeline;
    return p->answer.value == found->answer.value
               ? swp_pipeline_retime(c->ctx, found, p->slots, p->answer.value, p->answer.times, p)
               : SWP_OK;
}

swp_status swp_pipeline_try(swp_choice *c, const swp_loop *loop, swp_pipeline *pipeline,
                            swp_loop_part part)
{
    swp_loop_and_pipeline *of = NULL;
    bool is_less = false;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of));
    *of = (swp_loop_and_pipeline){.loop = loop, .pipeline = pipeline, .waits = SWP_ALL_WAITS};
    swp_candidate other = {.of = of};
    if (!swp_ir_loop_has_roles(of->loop))
        SWP_TRY(tighten(c, pipeline, true, pipeline, &is_less));
    if (is_less)
        SWP_TRY(compare_with_found(c, pipeline));
    const swp_candidate *tried = find_tried(c, of);
    if (tried) {
        take_if_better(c, tried);
        return SWP_OK;
    }
    SWP_TRY(swp_pipeline_write_candidate(c->ctx, c->asked->options, c->asked->write, part, &other));
    c->whole = c->whole && !other.stopped;
    note_cycles(c, &other);
    take_if_better(c, &other);
    return SWP_PUSH(c->ctx, &c->tried, other);
}

static swp_status try_given(swp_choice *c, swp_pipeline *pipeline, swp_loop_part part)
{
    return swp_pipeline_try(c, c->given->loop, pipeline, part);
}

static swp_status find_room(swp_choice *c, bool keeps_slots, swp_room *room)
{
    swp_candidate said;
    swp_context own;
    SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_ROOM, &own));
    SWP_TRY(tell(c, &said,
                 swp_pipeline_make_room(&own, &c->models, c->given->pipeline,
                                        keeps_slots, room)));
    if (room->pipeline->answer.value < c->interval)
        c->interval = room->pipeline->answer.value;
    c->whole = !room->stopped;
    return SWP_OK;
}

static const double rounding = 1e-9;

/* What waits have to cost for other roles to be tried. */
static const double worth = 0.005;

/* Whether the best one takes what the model says, and another one that was found can only take more. */
static bool is_done(const swp_choice *c, const swp_room *room)
{
    const double more = c->given->pipeline->loop->objectives_stated ? 1 : SWP_PIPELINE_HARDLY_MORE;
    return room->exact && swp_pipeline_is_schedule(&c->best) &&
           swp_pipeline_cycles_of(&c->best) <= cycles_by_model(room->cycles) * more + rounding;
}

static bool has_less(const swp_pipeline *p, const swp_pipeline *q)
{
    const int passes = swp_pipeline_unroll(p->loop, p->slots, INT_MAX);
    return p->bytes[SWP_SPACE_SHARED] < q->bytes[SWP_SPACE_SHARED] ||
           p->bytes[SWP_SPACE_REGISTERS] < q->bytes[SWP_SPACE_REGISTERS] ||
           passes < swp_pipeline_unroll(q->loop, q->slots, INT_MAX) || p->stages < q->stages;
}

/* Whether a pipeline of this price, below which its cycles are not, may be chosen before another one. */
static bool may_be_before(const swp_pipeline *p, double price, const swp_candidate *other)
{
    if (!swp_pipeline_is_schedule(other) || p->loop->objectives_stated)
        return true;
    const double cycles = swp_pipeline_cycles_of(other);
    return price * SWP_PIPELINE_HARDLY_MORE < cycles ||
           (price <= cycles * SWP_PIPELINE_HARDLY_MORE && has_less(p, other->of->pipeline));
}

static swp_status try_priced(swp_choice *c, swp_pipeline *p, const swp_room *room, swp_ratio cycles,
                             swp_loop_part part)
{
    const double price = cycles_by_model(cycles);
    const bool may =
        !room->exact || (may_be_before(p, price, &c->rival) && may_be_before(p, price, &c->best));
    return may ? try_given(c, p, part) : SWP_OK;
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
        SWP_TRY(tell(c, &said,
                     swp_pipeline_ease(&own, &c->asked->options->machine, given,
                                       given->stages + more, eased, &found)));
        if (found)
            SWP_TRY(try_given(c, eased, SWP_LOOP_REST));
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
    SWP_TRY(tighten(c, c->best.of->pipeline, false, other, &found));
    return found && swp_pipeline_has_time(c) ? try_given(c, other, SWP_LOOP_REST) : SWP_OK;
}

/* With as many stages more, instances shifted in other ways, as long as waits cost anything. */
static swp_status try_shifts(swp_choice *c, int more)
{
    const swp_pipeline *given = c->given->pipeline;
    for (int part = 0; part < SWP_PIPELINE_SHIFT_PARTS; part++) {
        swp_pipeline *other = NULL;
        bool found = false;
        if (!swp_pipeline_may_be_less(c))
            return SWP_OK;
        SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
        SWP_TRY(swp_pipeline_reshift(c->ctx, given, given->answer.value, given->slots,
                                     given->stages + more, part, other, &found));
        if (found)
            SWP_TRY(try_given(c, other, SWP_LOOP_REST));
    }
    return SWP_OK;
}

/* Pipelines of the same interval with other roles, as long as waits cost much. */
static swp_status try_roles(swp_choice *c)
{
    const swp_pipeline_choice *asked = c->asked;
    const swp_loop_and_pipeline *best = c->given;
    for (size_t i = 0; i < asked->other_count && i < MOST_ROLES; i++) {
        const swp_schedule *before = c->best.schedule;
        if (swp_pipeline_is_schedule(&c->best) &&
            (!swp_pipeline_may_be_less(c) || cost_of_best(c) <= worth))
            break;
        if (!swp_pipeline_has_time(c))
            break;
        c->given = &asked->others[i];
        SWP_TRY(try_given(c, c->given->pipeline, SWP_LOOP_REST));
        if (c->best.schedule != before)
            best = c->given;
    }
    c->given = best;
    return SWP_OK;
}

/* From the pipeline that was given. What waits cost with roles nobody knows before it is simulated. */
static swp_status go_on_from_given(swp_choice *c)
{
    for (int more = 0; more <= SWP_MOST_MORE_STAGES_EASED; more++)
        if (swp_ir_loop_shifts(c->given->pipeline->loop) > 0)
            SWP_TRY(try_shifts(c, more));
    return swp_pipeline_choose_slots(c);
}

/* Without warp roles. */
static swp_status choose_alone(swp_choice *c)
{
    swp_room room = {.pipeline = c->given->pipeline,
                     .cycles = {c->interval, 1},
                     .cycles_before = {c->interval, 1},
                     .exact = true};
    if (c->given->pipeline->loop->objectives_stated) {
        SWP_TRY(find_room(c, true, &room));
        SWP_TRY(try_given(c, room.pipeline, SWP_LOOP_WAITS));
    }
    SWP_TRY(find_room(c, false, &room));
    SWP_TRY(try_both(c, &room));
    if (!is_done(c, &room))
        SWP_TRY(try_eased(c));
    return try_units(c);
}

static swp_status from_longer(swp_choice *c)
{
    if (!swp_ir_loop_has_roles(c->given->loop))
        return choose_alone(c);
    SWP_TRY(try_given(c, c->given->pipeline, SWP_LOOP_REST));
    return swp_pipeline_is_schedule(&c->best) ? go_on_from_given(c) : SWP_OK;
}

/*
 * What a search with less work would have gone on from, by itself: a longer interval may have less waits, and what is tried around it is
 * tried here, too. So more work is never worse.
 */
static swp_status choose_longer(swp_choice *c)
{
    const swp_loop_and_pipeline *given = c->given;
    for (size_t i = 0; i < c->asked->longer_count && swp_pipeline_may_be_less(c); i++) {
        const swp_candidate best = c->best;
        c->rival = best;
        c->best = (swp_candidate){.of = NULL};
        c->given = &c->asked->longer[i];
        SWP_TRY(from_longer(c));
        if (!swp_pipeline_is_schedule(&c->best) || !swp_pipeline_is_better(&c->best, &best))
            c->best = best;
        c->given = given;
    }
    return SWP_OK;
}

/* At an interval of as many cycles as the best one takes with its waits, there may be orders with less waits. */
static swp_status choose_stretched(swp_choice *c)
{
    const swp_loop_and_pipeline *given = c->given;
    swp_loop_and_pipeline *of = NULL;
    swp_candidate said;
    swp_context own;
    bool found = false;
    if (!swp_pipeline_may_be_less(c) || cost_of_best(c) <= worth)
        return SWP_OK;
    const swp_candidate best = c->best;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of));
    *of = *best.of;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of->pipeline));
    SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_REST, &own));
    SWP_TRY(tell(c, &said,
                 swp_pipeline_stretch(&own, &c->models, best.of->pipeline,
                                      (int64_t)swp_pipeline_cycles_of(&best), of->pipeline,
                                      &found)));
    if (!found)
        return SWP_OK;
    c->given = of;
    SWP_TRY(choose_alone(c));
    c->given = given;
    return SWP_OK;
}

/* A longer interval that is tried is no longer than this part of the given one more. */
enum { LONGER = 4 };

static swp_status try_one_fewer(swp_choice *c, int value)
{
    const swp_pipeline *given = c->given->pipeline;
    const int64_t most = given->answer.value + given->answer.value / LONGER;
    swp_pipeline *other = NULL;
    int *slots = NULL;
    bool found = false;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(SWP_TAKE(c->ctx, given->loop->value_count, &slots));
    for (int v = 0; v < (int)given->loop->value_count; v++)
        slots[v] = given->slots[v];
    swp_ir_loop_set_slots(given->loop, slots, value, slots[value] - 1);
    SWP_TRY(swp_pipeline_reshift(c->ctx, given, most, slots, 0, SWP_PIPELINE_SAME_SHIFTS, other,
                                 &found));
    if (!found)
        return SWP_OK;
    const swp_candidate before = c->best;
    const size_t tried = c->tried.count;
    SWP_TRY(try_given(c, other, SWP_LOOP_REST));
    if (swp_pipeline_cycles_of(&c->best) * SWP_PIPELINE_HARDLY_MORE <
        swp_pipeline_cycles_of(&before))
        return SWP_OK;
    c->best = before;
    c->tried.count = tried; /* less room alone is not worth an interval that is not the least */
    return SWP_OK;
}

enum { NO_VALUE = -1 };

/*
 * A slot less of a value makes a longer interval, at which its ops stand in another order: a role that runs ahead of it
 * may wait less. So may it at the times that heuristics have for the same slots. From what is better so, slots are chosen again.
 */
static swp_status try_fewer(swp_choice *c)
{
    const swp_pipeline *given = c->given->pipeline;
    const swp_schedule *before = c->best.schedule;
    for (int v = NO_VALUE; v < (int)given->loop->value_count; v++) {
        if (!swp_pipeline_may_be_less(c) || cost_of_best(c) <= worth)
            break;
        if (v == NO_VALUE || given->slots[v] > swp_ir_loop_least_slots(given->loop, v))
            SWP_TRY(try_one_fewer(c, v));
    }
    return c->best.schedule == before ? SWP_OK : swp_pipeline_choose_slots(c);
}

/* Rounds of swaps, each of which begins with what the one before has found. */
enum { MOST_SWAPS = 4 };

/* Two ops of a role, of which the second one comes next in the list, are issued the other way round. */
static swp_status try_swap(swp_choice *c, const swp_loop_and_pipeline *of, int first, int second)
{
    const swp_pipeline *given = of->pipeline;
    const int64_t interval = given->answer.value;
    const int64_t apart = given->answer.times[second] - given->answer.times[first];
    swp_pipeline *other = NULL;
    bool found = false;
    if (apart < 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(
        swp_pipeline_swap(c->ctx, given, second, first, (int)(apart / interval), other, &found));
    return found ? swp_pipeline_try(c, of->loop, other, SWP_LOOP_REST) : SWP_OK;
}

/* The list of a role is that of its ops by their cycles of the interval. */
static bool is_next(const swp_pipeline *p, int first, int second)
{
    const int64_t interval = p->answer.value;
    const int64_t *times = p->answer.times;
    const int64_t apart = ((times[second] - times[first]) % interval + interval) % interval;
    if (first == second || p->loop->ops[first].role != p->loop->ops[second].role)
        return false;
    for (int op = 0; op < (int)p->loop->op_count; op++) {
        const int64_t of = ((times[op] - times[first]) % interval + interval) % interval;
        if (op != first && op != second && p->loop->ops[op].role == p->loop->ops[first].role &&
            of < apart)
            return false;
    }
    return true;
}

/* As long as neighbours in another order save cycles. */
static swp_status try_swaps(swp_choice *c)
{
    for (int round = 0; round < MOST_SWAPS; round++) {
        const swp_loop_and_pipeline *of = c->best.of;
        const swp_schedule *before = c->best.schedule;
        const int count = (int)of->pipeline->loop->op_count;
        for (int first = 0; first < count; first++)
            for (int second = 0; second < count; second++) {
                if (!swp_pipeline_may_be_less(c) || cost_of_best(c) <= worth)
                    return SWP_OK;
                if (is_next(of->pipeline, first, second))
                    SWP_TRY(try_swap(c, of, first, second));
            }
        if (c->best.schedule == before)
            return SWP_OK;
    }
    return SWP_OK;
}

static swp_status choose_roles(swp_choice *c)
{
    SWP_TRY(try_given(c, c->given->pipeline, SWP_LOOP_REST));
    SWP_TRY(try_roles(c));
    SWP_TRY(go_on_from_given(c));
    if (c->given->pipeline->loop->objectives_stated)
        return SWP_OK;
    SWP_TRY(try_fewer(c));
    SWP_TRY(try_swaps(c));
    return choose_longer(c);
}

/* Where no proof came to an end, all waits are kept, and nobody says that it is safe. */
static swp_status go_without_proof(swp_choice *c, swp_pipeline *pipeline)
{
    const bool overlaps = pipeline == c->given->pipeline;
    swp_loop_and_pipeline *of = NULL;
    swp_candidate other;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &of));
    *of = (swp_loop_and_pipeline){
        .loop = c->given->loop, .pipeline = pipeline, .waits = SWP_ALL_WAITS_UNPROVEN};
    other = (swp_candidate){.of = of};
    SWP_TRY(swp_pipeline_write_candidate(c->ctx, c->asked->options, c->asked->write, SWP_LOOP_REST,
                                         &other));
    c->best = other;
    c->best.stopped = true;
    if (!swp_pipeline_is_schedule(&other))
        return SWP_OK; /* what no proof would mend */
    return swp_warn(c->ctx, SWP_W0401, SWP_NOWHERE,
                    "allow more time, or fewer slots; or write the schedule as JSON, and let `swp "
                    "verify` prove it or show what goes wrong",
                    "no proof came to an end in time: %sall waits are kept, and nobody has proven "
                    "that they are enough",
                    overlaps ? "" : "one iteration is issued after the other, ");
}

/* Says that its proof took too long, where that is why the pipeline that was found is none. */
static swp_status tell_long_proof(const swp_choice *c, const swp_candidate *found)
{
    if (!swp_diags_end_with(&found->diags, SWP_E0702))
        return SWP_OK;
    return swp_warn(
        c->ctx, SWP_W0401, SWP_NOWHERE, "allow more time, or fewer slots",
        "the proof of the pipeline that was found came to no end in time: one iteration "
        "is issued after the other");
}

/* One iteration after the other, each value in as few slots as it may have: where nothing else can be completed. */
static swp_status try_unpipelined(swp_choice *c)
{
    swp_pipeline *other = NULL;
    bool found = false;
    const swp_candidate before = c->best;
    if (swp_pipeline_is_schedule(&before))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(swp_pipeline_unpipelined(c->ctx, c->given->pipeline, other, &found));
    if (found)
        SWP_TRY(try_given(c, other, SWP_LOOP_REST));
    if (swp_pipeline_is_schedule(&c->best))
        return tell_long_proof(c, &before);
    if (found && swp_diags_end_with(&c->best.diags, SWP_E0702))
        return go_without_proof(c, other);
    if (swp_diags_end_with(&before.diags, SWP_E0702))
        return go_without_proof(c, c->given->pipeline);
    c->best = before; /* what it says is of the pipeline that was asked for */
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
    if (!swp_pipeline_is_schedule(&other))
        c->best.stopped = true;
    else if (swp_pipeline_cycles_of(&other) <=
             swp_pipeline_cycles_of(&all_waits) * SWP_PIPELINE_HARDLY_MORE)
        c->best = other;
    return SWP_OK;
}

static swp_status choose(swp_choice *c)
{
    const bool with_roles = swp_ir_loop_has_roles(c->given->loop);
    SWP_TRY(with_roles ? choose_roles(c) : choose_alone(c));
    if (!with_roles && !c->given->pipeline->loop->objectives_stated) {
        SWP_TRY(choose_longer(c));
        SWP_TRY(choose_stretched(c));
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
    if (status == SWP_OK)
        status = try_unpipelined(&c);
    if (status != SWP_OK)
        return swp_pass_on(ctx, status);
    take_leanest(&c);
    if (swp_pipeline_is_schedule(&c.best) && asked->found->pipeline->loop->objectives_stated &&
        c.fewest < swp_pipeline_cycles_of(&c.best))
        c.best.of->pipeline->fewest_cycles = c.fewest;
    SWP_TRY(drop_waits(&c));
    if (c.best.status == SWP_OK)
        SWP_TRY(
            swp_pipeline_bound_orders(ctx, &asked->options->machine, c.best.of, c.best.schedule));
    if (asked->cut)
        SWP_TRY(swp_pipeline_warn_of_stop(ctx, c.best.of->pipeline));
    SWP_TRY(hand_out(ctx, &c.best, c.whole, out));
    return c.best.status;
}
