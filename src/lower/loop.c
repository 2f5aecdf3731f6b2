/* SPDX-License-Identifier: Apache-2.0 */
/* From a loop to a schedule: of a few pipelines of the least interval that whose waits cost least. */
#include "base/budget.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/loop_copy.h"
#include "ir/loop_warnings.h"
#include "lower/loop_schedule.h"
#include "pipeline/ease.h"
#include "swp/target.h"

/* A schedule of the loop, and what is to be said of it if it is the one that is handed out. */
typedef struct candidate {
    swp_loop_writer writer;
    swp_diags diags;
    bool stopped;
} candidate;

enum { FIRST_DIAGS = 8 };

/* A context in which a candidate says what it has to say, in this share of the time. */
static swp_status enter(swp_context *ctx, candidate *c, double share, swp_context *own)
{
    c->diags = (swp_diags){.arena = ctx->arena, .capacity = FIRST_DIAGS};
    SWP_TRY(SWP_TAKE(ctx, FIRST_DIAGS, &c->diags.items));
    *own = *ctx;
    own->diags = &c->diags;
    own->limits.seconds *= share;
    return SWP_OK;
}

static swp_status write_candidate(swp_context *ctx, double share, candidate *c)
{
    swp_context own;
    SWP_TRY(enter(ctx, c, share, &own));
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

/*
 * Ways to look for other times, in this order, each where waits still cost too much (docs/loops.md, "Room for waits").
 * The search for the pipeline has ended before `until_first` (src/pipeline/objectives.c).
 */
typedef struct easing {
    int more_stages;
    double cost;  /* of waits beyond which it is worth to look */
    double gain;  /* by which it has to be better */
    double until; /* shares of the time: for the search, and for its synchronisation */
    double until_synchronised;
} easing;

static const double until_first = 0.85;
static const easing easings[] = {{0, 0.005, 0, 0.9, 0.95}, {1, 0.03, 0.03, 0.95, 1}};

/* Whether the limits leave time for more than what has to be done. */
static bool has_time(const swp_context *ctx)
{
    swp_budget budget = swp_budget_start(ctx, 0);
    return swp_budget_look(&budget);
}

/*
 * Another candidate in place of the best one, if there is one whose waits cost less. `*whole` is false where its share
 * of the time ended first.
 */
static swp_status ease(swp_context *ctx, const easing *e, candidate *best, bool *whole)
{
    const swp_pipeline *pipeline = best->writer.pipeline;
    candidate c = *best;
    swp_context own;
    bool eased = false;
    SWP_TRY(SWP_TAKE(ctx, 1, &c.writer.pipeline));
    SWP_TRY(enter(ctx, &c, e->until, &own));
    swp_status status =
        swp_pipeline_ease(&own, &best->writer.options->machine, pipeline,
                          pipeline->stages + e->more_stages, c.writer.pipeline, &eased);
    *whole = has_time(&own);
    if (status == SWP_OK && eased) {
        status = write_candidate(ctx, e->until_synchronised, &c);
        *whole = *whole && !c.stopped;
    }
    /* What cannot be completed is no reason not to hand out what there is. */
    if (status == SWP_OK && eased && cost_of_waits(&c) < cost_of_waits(best) - e->gain)
        *best = c;
    return status == SWP_OUT_OF_MEMORY ? swp_pass_on(ctx, status) : SWP_OK;
}

/* `*whole` is false where it ended before all was tried. */
static swp_status improve(swp_context *ctx, candidate *best, bool *whole)
{
    *whole = true;
    for (size_t i = 0; i < sizeof easings / sizeof *easings && has_time(ctx); i++) {
        bool tried = true;
        if (cost_of_waits(best) <= easings[i].cost)
            return SWP_OK;
        SWP_TRY(ease(ctx, &easings[i], best, &tried));
        *whole = *whole && tried;
    }
    *whole = *whole && has_time(ctx);
    return SWP_OK;
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
    candidate best = {.writer = *writer};
    bool whole = true;
    const swp_status status = write_candidate(ctx, until_first, &best);
    if (status == SWP_OUT_OF_MEMORY)
        return swp_pass_on(ctx, status);
    if (status == SWP_OK && !writer->pipeline->why_no_model)
        SWP_TRY(improve(ctx, &best, &whole));
    SWP_TRY(hand_out(ctx, &best, whole, out));
    return status;
}

static swp_status compile(swp_loop_writer *w, const swp_loop *loop, swp_schedule **out)
{
    const swp_target *target = w->options->target ? swp_target_find(w->options->target) : NULL;
    SWP_TRY(swp_ir_loop_copy(w->ctx, loop, &w->loop));
    if (w->loop->op_count > SWP_MOST_SCHEDULE_OPS)
        return swp_error(w->ctx, SWP_E0327, SWP_NOWHERE, "swp_pipeline_loop() takes more",
                         "%zu ops are more than the %d that a schedule takes", w->loop->op_count,
                         SWP_MOST_SCHEDULE_OPS);
    SWP_TRY(swp_check_loop(w->ctx, w->loop));
    if (target)
        SWP_TRY(swp_loop_limit(w->ctx, target, &w->options->machine, w->loop));
    SWP_TRY(swp_ir_warn_of_loop(w->ctx, w->loop, &w->options->machine));
    SWP_TRY(SWP_TAKE(w->ctx, 1, &w->pipeline));
    SWP_TRY(swp_pipeline_loop(w->ctx, w->loop, w->pipeline));
    if (w->loop->role_count > 1)
        w->pipeline->why_no_model = "its ops have several roles";
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
