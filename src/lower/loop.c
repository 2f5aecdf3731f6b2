/* SPDX-License-Identifier: Apache-2.0 */
/* From a loop to a schedule: of a few pipelines of the least interval that whose waits cost least. */
#include "base/budget.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/loop_copy.h"
#include "ir/loop_warnings.h"
#include "ir/roles.h"
#include "lower/make_room.h"
#include "lower/roles.h"
#include "pipeline/ease.h"
#include "pipeline/shares.h"
#include "swp/target.h"

/* A schedule of the loop, and what is to be said of it if it is the one that is handed out. */
typedef struct candidate {
    swp_loop_writer writer;
    swp_diags diags;
    swp_status status;
    bool stopped;
} candidate;

enum { FIRST_DIAGS = 8 };

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

static swp_status write_candidate(swp_context *ctx, swp_loop_part part, candidate *c)
{
    swp_context own;
    SWP_TRY(enter(ctx, c, part, &own));
    SWP_TRY(SWP_TAKE(ctx, 1, &c->writer.out));
    *c->writer.out = (swp_schedule){.stream_count = 1, .arena = ctx->arena};
    c->writer.ctx = &own;
    const swp_status status = swp_lower_loop_schedule(&c->writer);
    c->writer.ctx = ctx;
    c->stopped = own.stopped;
    return status;
}

/* What an iteration takes beyond the interval, in parts of the interval. */
static double cost_of_waits(const candidate *c)
{
    const swp_sync_result *sync = &c->writer.out->sync;
    const double iterations = (double)sync->passes * c->writer.phases.unroll;
    return (double)sync->cycles / iterations / (double)c->writer.pipeline->answer.value - 1;
}

/* What is looked for, and kept. */
typedef struct choice {
    swp_context *ctx;
    const swp_loop_writer *writer; /* of the pipeline as it was found */
    candidate best;
    bool whole; /* no limit cut it short */
} choice;

/* Whether the limits leave time for more than what has to be done. */
static bool has_time(choice *c)
{
    swp_budget budget = swp_budget_start(c->ctx, 0);
    c->whole = swp_budget_look(&budget) && c->whole;
    return !budget.stopped;
}

/* The less costly one of a pipeline, written out, and the best so far. What cannot be completed is none. */
static swp_status try_pipeline(choice *c, swp_pipeline *pipeline, swp_loop_part part, double gain)
{
    candidate other = {.writer = *c->writer};
    other.writer.pipeline = pipeline;
    const swp_status status = write_candidate(c->ctx, part, &other);
    if (status == SWP_OUT_OF_MEMORY)
        return status;
    c->whole = c->whole && !other.stopped;
    const bool has_best = c->best.status == SWP_OK && c->best.writer.out;
    if (!has_best || (status == SWP_OK && cost_of_waits(&other) < cost_of_waits(&c->best) - gain)) {
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
    const swp_room none = *room;
    const swp_status status =
        swp_lower_make_room(&own, &c->writer->options->machine, c->writer->pipeline, room);
    if (status != SWP_OK)
        *room = none;
    c->whole = !room->stopped;
    return status == SWP_OUT_OF_MEMORY ? status : SWP_OK;
}

/* By how much waits may cost more than the model of a step says, and what is worth more than the pipeline that was found. */
static const double tolerance = 0.01;
static const double worth = 0.03;

/* Whether the best one takes what the model says, and another one that was found can only take more. */
static bool is_done(const choice *c, const swp_room *room)
{
    return room->exact && c->best.status == SWP_OK &&
           cost_of_waits(&c->best) <= room->cost + tolerance;
}

/* That with room first where it is worth it, so that there is time for it; else that which was found. */
static swp_status try_both(choice *c, const swp_room *room)
{
    swp_pipeline *given = c->writer->pipeline;
    const bool room_first = room->cost < room->cost_before - worth;
    SWP_TRY(try_pipeline(c, room_first ? room->pipeline : given, SWP_LOOP_WAITS, 0));
    if (room->pipeline == given || is_done(c, room) || !has_time(c))
        return SWP_OK;
    return try_pipeline(c, room_first ? given : room->pipeline, SWP_LOOP_REST, 0);
}

static swp_status try_eased(choice *c)
{
    for (int more = 0; more <= SWP_MOST_MORE_STAGES_EASED; more++) {
        const swp_extension *e = &swp_lower_extensions[more];
        candidate said;
        swp_context own;
        swp_pipeline *eased = NULL;
        bool found = false;
        if (c->best.status != SWP_OK || cost_of_waits(&c->best) <= e->cost || !has_time(c))
            return SWP_OK;
        const swp_pipeline *given = c->best.writer.pipeline;
        SWP_TRY(SWP_TAKE(c->ctx, 1, &eased));
        SWP_TRY(enter(c->ctx, &said, SWP_LOOP_WAITS, &own));
        const swp_status status = swp_pipeline_ease(&own, &c->writer->options->machine, given,
                                                    given->stages + more, eased, &found);
        if (status == SWP_OUT_OF_MEMORY)
            return status;
        if (status == SWP_OK && found)
            SWP_TRY(try_pipeline(c, eased, SWP_LOOP_REST, e->gain));
    }
    return SWP_OK;
}

static swp_status choose(choice *c)
{
    swp_room room = {.pipeline = c->writer->pipeline, .exact = true};
    if (swp_ir_loop_has_roles(c->writer->loop)) /* what waits cost there nobody knows yet */
        return try_pipeline(c, room.pipeline, SWP_LOOP_REST, 0);
    SWP_TRY(find_room(c, &room));
    SWP_TRY(try_both(c, &room));
    return is_done(c, &room) ? SWP_OK : try_eased(c);
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
    *out = c->writer.out;
    if (*out)
        (*out)->metrics.stopped = ctx->stopped;
    return SWP_OK;
}

static swp_status synchronise(swp_loop_writer *writer, swp_schedule **out)
{
    swp_context *ctx = writer->ctx;
    choice c = {.ctx = ctx, .writer = writer, .whole = true};
    const swp_status status = choose(&c);
    if (status != SWP_OK)
        return swp_pass_on(ctx, status);
    SWP_TRY(hand_out(ctx, &c.best, c.whole, out));
    return c.best.status;
}

static swp_status compile(swp_loop_writer *w, const swp_loop *given, swp_schedule **out)
{
    const swp_target *target = w->options->target ? swp_target_find(w->options->target) : NULL;
    swp_loop *loop = NULL;
    SWP_TRY(swp_ir_loop_copy(w->ctx, given, &loop));
    if (loop->op_count > SWP_MOST_SCHEDULE_OPS)
        return swp_error(w->ctx, SWP_E0327, SWP_NOWHERE, "swp_pipeline_loop() takes more",
                         "%zu ops are more than the %d that a schedule takes", loop->op_count,
                         SWP_MOST_SCHEDULE_OPS);
    SWP_TRY(swp_check_loop(w->ctx, loop));
    if (swp_ir_loop_has_roles(loop))
        SWP_TRY(swp_lower_role_completions(w->ctx, loop));
    if (target)
        SWP_TRY(swp_loop_limit(w->ctx, target, &w->options->machine, loop));
    SWP_TRY(swp_ir_warn_of_loop(w->ctx, loop, &w->options->machine));
    SWP_TRY(SWP_TAKE(w->ctx, 1, &w->pipeline));
    SWP_TRY(swp_pipeline_loop(w->ctx, loop, w->pipeline));
    w->loop = w->pipeline->loop;
    return synchronise(w, out);
}

swp_status swp_compile_loop(swp_context *ctx, const swp_loop *loop, const swp_loop_options *options,
                            swp_schedule **out)
{
    if (out)
        *out = NULL;
    SWP_REQUIRE(ctx, ctx && loop && out);
    static const swp_loop_options none = {0};
    swp_loop_options chosen = options ? *options : none;
    swp_context inner = *ctx;
    if (!options)
        chosen.machine = swp_machine_default();
    inner.arena = swp_arena_new(&ctx->arena->allocator);
    if (!inner.arena)
        return swp_out_of_memory(ctx);
    inner.stopped = false;
    inner.began = swp_clock();
    swp_schedule *schedule = NULL;
    swp_loop_writer writer = {.ctx = &inner, .options = &chosen};
    const swp_status status = compile(&writer, loop, &schedule);
    if (status == SWP_OK)
        *out = schedule;
    else
        swp_arena_free(inner.arena);
    return status;
}
