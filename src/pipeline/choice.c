/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a pipeline out, and keeps the best one so far. */
#include "pipeline/choice.h"

#include "base/budget.h"
#include "ir/roles.h"
#include "pipeline/stages.h"
#include "pipeline/tighten.h"

/* What an iteration takes beyond the interval, in parts of the interval. */
static double cost_of_waits(const swp_choice *c, double cycles)
{
    return cycles / (double)c->interval - 1;
}

double swp_pipeline_cost_of_best(const swp_choice *c)
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

swp_status swp_pipeline_tell(swp_choice *c, const swp_candidate *said, swp_status status)
{
    for (size_t i = 0; status != SWP_OK && i < said->diags.count; i++)
        SWP_TRY(swp_context_report(c->ctx, &said->diags.items[i]));
    return status;
}

swp_status swp_pipeline_tighten_for(swp_choice *c, const swp_pipeline *given, bool in_order,
                                    swp_pipeline *out, bool *found)
{
    swp_candidate said;
    swp_context own;
    SWP_TRY(swp_pipeline_enter(c->ctx, &said, SWP_LOOP_REST, &own));
    SWP_TRY(swp_pipeline_tell(
        c, &said,
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
        SWP_TRY(swp_pipeline_tighten_for(c, pipeline, true, pipeline, &is_less));
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

swp_status swp_pipeline_try_given(swp_choice *c, swp_pipeline *pipeline, swp_loop_part part)
{
    return swp_pipeline_try(c, c->given->loop, pipeline, part);
}

void swp_pipeline_keep_for_cycles(swp_choice *c, const swp_candidate *before, size_t tried)
{
    if (swp_pipeline_cycles_of(&c->best) * SWP_PIPELINE_HARDLY_MORE <
        swp_pipeline_cycles_of(before))
        return;
    c->best = *before;
    c->tried.count = tried;
}
