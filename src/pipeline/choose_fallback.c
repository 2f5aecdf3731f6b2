/* SPDX-License-Identifier: Apache-2.0 */
/* Where the pipeline that was found is no schedule: one iteration after the other, or all waits without a proof. */
#include "pipeline/choice.h"

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

swp_status swp_pipeline_try_unpipelined(swp_choice *c)
{
    swp_pipeline *other = NULL;
    bool found = false;
    const swp_candidate before = c->best;
    if (swp_pipeline_is_schedule(&before))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(c->ctx, 1, &other));
    SWP_TRY(swp_pipeline_unpipelined(c->ctx, c->given->pipeline, other, &found));
    if (found)
        SWP_TRY(swp_pipeline_try_given(c, other, SWP_LOOP_REST));
    if (swp_pipeline_is_schedule(&c->best))
        return tell_long_proof(c, &before);
    if (found && swp_diags_end_with(&c->best.diags, SWP_E0702))
        return go_without_proof(c, other);
    if (swp_diags_end_with(&before.diags, SWP_E0702))
        return go_without_proof(c, c->given->pipeline);
    c->best = before; /* what it says is of the pipeline that was asked for */
    return SWP_OK;
}
