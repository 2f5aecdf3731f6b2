/* SPDX-License-Identifier: Apache-2.0 */
/* Follows one entry, by what it does. */
#include "verify/bodies/step.h"

#include "verify/bodies/access.h"
#include "verify/bodies/barriers.h"
#include "verify/bodies/op.h"
#include "verify/bodies/retire.h"

static const swp_model *model_of(const swp_followed_run *run)
{
    return run->state->model;
}

/* What fetches a tile needs one that the run has. */
static swp_status check_range(swp_followed_run *run, const swp_bodies_event *event,
                              const swp_effect *effect)
{
    const int tile = swp_tile_in(&effect->tiles, event->pass);
    const swp_rule rule = tile < 0 ? SWP_RULE_TILE_BEFORE_0 : SWP_RULE_TILE_FROM_N;
    const swp_access *write = &effect->writes.items[0];
    if ((tile >= 0 && tile < run->findings->n) || !swp_rule_holds(model_of(run), rule))
        return SWP_OK;
    return swp_bodies_follow_report(run, SWP_OUT_OF_RANGE, event, NULL,
                                    write->is_shared ? SWP_SITE_LDS : SWP_SITE_NONE, write->where);
}

static swp_status follow_work(swp_followed_run *run, const swp_bodies_event *event,
                              const swp_effect *effect)
{
    if (effect->surplus && !swp_rule_holds(model_of(run), SWP_RULE_SURPLUS_USE))
        return SWP_OK;
    if (effect->fetches)
        SWP_TRY(check_range(run, event, effect));
    return swp_bodies_follow_op(run, event, effect);
}

static void follow_wait(swp_followed_run *run, const swp_effect *effect)
{
    const bool counts = swp_rule_holds(model_of(run), SWP_RULE_WAIT_COUNT);
    if (swp_rule_holds(model_of(run), SWP_RULE_WAIT))
        swp_bodies_state_wait(run->state, effect->waits, counts ? effect->wait : 0);
}

swp_status swp_bodies_follow_entry(swp_followed_run *run, swp_entry_ref ref)
{
    const swp_effect *effect = &model_of(run)->effects.entries[ref.phase][ref.entry];
    const swp_bodies_event event = {ref, run->pass};
    if (run->state->stuck)
        return SWP_OK;
    switch (effect->kind) {
    case SWP_EFFECT_WORK:
        return follow_work(run, &event, effect);
    case SWP_EFFECT_BARRIER:
        return swp_bodies_follow_barrier(run, ref);
    case SWP_EFFECT_WAIT:
        follow_wait(run, effect);
        break;
    case SWP_EFFECT_NONE:
        break;
    }
    return SWP_OK;
}
