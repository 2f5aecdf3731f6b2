/* SPDX-License-Identifier: Apache-2.0 */
/* Where the pipeline that was found is no schedule: a longer interval, one iteration after the other, or all waits without a proof. */
#include "pipeline/choice.h"

#include "base/budget.h"
#include "base/diag.h"
#include "pipeline/unpipelined.h"

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

void swp_pipeline_leave_moment(swp_choice *c)
{
    swp_give_grace(c->ctx);
    if (swp_diags_end_with(c->ctx->diags, SWP_E0002))
        c->ctx->diags->count--;
    c->whole = false;
}

static bool is_late(const swp_choice *c)
{
    return swp_why_none(c->ctx) == SWP_STOPPED;
}

static bool lacks_time(const swp_candidate *c)
{
    return !swp_pipeline_is_schedule(c) && c->status == SWP_STOPPED;
}

static bool lacks_proof(const swp_candidate *c)
{
    return lacks_time(c) ||
           (!swp_pipeline_is_schedule(c) && swp_diags_end_with(&c->diags, SWP_E0702));
}

/* Of longer intervals fewer iterations overlap, and a proof has less to look at. They come from the least on. */
static swp_status try_longer(swp_choice *c)
{
    const swp_loop_and_pipeline *given = c->given;
    const swp_candidate before = c->best;
    for (size_t i = 0; i < c->asked->longer_count && lacks_proof(&c->best); i++) {
        c->given = &c->asked->longer[i];
        SWP_TRY(swp_pipeline_try_given(c, c->given->pipeline, SWP_LOOP_REST));
    }
    if (!swp_pipeline_is_schedule(&c->best)) {
        c->given = given;
        c->best = before; /* what goes on from here is about the pipeline that was asked for */
        return SWP_OK;
    }
    SWP_TRY(swp_warn(c->ctx, SWP_W0401, SWP_NOWHERE, "allow more time, or fewer slots",
                     "the proof of the pipeline that was found came to no end in time: one of a "
                     "longer interval is handed out"));
    return swp_pipeline_go_on_from_given(c);
}

/* Says that its proof took too long, where that is why the pipeline that was found is none. */
static swp_status tell_long_proof(const swp_choice *c, const swp_candidate *found)
{
    if (!lacks_proof(found))
        return SWP_OK;
    return swp_warn(
        c->ctx, SWP_W0401, SWP_NOWHERE, "allow more time, or fewer slots",
        "the proof of the pipeline that was found came to no end in time: one iteration "
        "is issued after the other");
}

static swp_status try_in_turn(swp_choice *c)
{
    swp_pipeline *other = NULL;
    bool found = false;
    swp_status status = SWP_OK;
    const swp_candidate before = c->best;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(swp_pipeline_unpipelined(c->ctx, c->given->pipeline, other, &found));
    if (found)
        status = swp_pipeline_try_given(c, other, SWP_LOOP_REST);
    const bool late = status == SWP_STOPPED || is_late(c);
    if (late)
        swp_pipeline_leave_moment(c);
    else
        SWP_TRY(status);
    if (swp_pipeline_is_schedule(&c->best))
        return tell_long_proof(c, &before);
    if (found && (late || lacks_proof(&c->best)))
        return go_without_proof(c, other);
    if (lacks_proof(&before))
        return go_without_proof(c, c->given->pipeline);
    c->best = before; /* what it says is of the pipeline that was asked for */
    return before.of ? SWP_OK : swp_pass_on(c->ctx, SWP_STOPPED);
}

/* `status` is what the search ended with: where that is its time, one iteration after the other has a moment of its own. */
swp_status swp_pipeline_fall_back(swp_choice *c, swp_status status)
{
    if (status == SWP_OK && !lacks_time(&c->best) && lacks_proof(&c->best))
        status = try_longer(c);
    if (status != SWP_OK && status != SWP_STOPPED)
        return status;
    if (swp_pipeline_is_schedule(&c->best))
        return status;
    if (status == SWP_STOPPED || is_late(c))
        swp_pipeline_leave_moment(c);
    return try_in_turn(c);
}
