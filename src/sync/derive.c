/* SPDX-License-Identifier: Apache-2.0 */
/* derive_sync: barriers by their exact minimum, waits and the other phases by the proof. */
#include "base/context.h"
#include "base/diag.h"
#include "swp/verify.h"
#include "sync/barriers.h"
#include "sync/cycles.h"
#include "sync/phases.h"
#include "sync/relax.h"

static bool lags(const swp_schedule *schedule)
{
    return schedule->machine.groups == 2 && schedule->machine.lag == 1;
}

static swp_status check_start(swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict = {0};
    SWP_TRY(swp_verify(ctx, schedule, NULL, 0, &verdict));
    if (verdict.safe)
        return SWP_OK;
    const swp_hazard *first = &verdict.hazards.items[0];
    return swp_error(ctx, SWP_E0730, SWP_NOWHERE, "change the order of the data operations",
                     "no synchronisation makes this order right: %s at %s entry %d (%s), %s",
                     swp_hazard_name(first->kind), swp_phase_name(first->at.phase), first->at.entry,
                     first->name, first->detail);
}

static swp_status warn_of_stop(swp_context *ctx, const swp_budget *budget)
{
    ctx->stopped = true;
    return swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "allow more time or work for fewer waits",
                    "derived synchronisation was stopped after %llu proofs: it is safe, but waits "
                    "more than it need",
                    (unsigned long long)budget->work);
}

/* As many as the kernel phase has now, or as any placement needs. */
static int most_barriers(const swp_schedule *schedule, int least)
{
    int barriers = 0;
    for (size_t i = 0; i < schedule->kernel.count; i++)
        barriers += schedule->kernel.items[i].op.tag == SWP_TAG_BARRIER;
    return barriers > least ? barriers : least;
}

swp_status swp_derive_sync(swp_context *ctx, swp_schedule *schedule, swp_sync_goal goal, bool pace,
                           swp_sync_result *result)
{
    swp_dataflow flow = {0};
    int *gaps = NULL;
    SWP_TRY(swp_dataflow_build(ctx, schedule, &flow));
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow.count, &gaps));
    SWP_TRY(swp_place_barriers(ctx, &flow, pace, gaps, &result->least_barriers));
    result->barriers = result->least_barriers;
    swp_budget budget = swp_budget_start(ctx, 0);
    if (goal == SWP_SYNC_CYCLES)
        SWP_TRY(swp_save_cycles(ctx, &flow, pace, most_barriers(schedule, result->least_barriers),
                                &budget, gaps, &result->barriers));
    SWP_TRY(swp_write_phases(ctx, &flow, gaps, schedule));
    /* Group 1 falls behind before anything else, so that all of the prologue is lagged alike. */
    if (lags(schedule))
        schedule->machine.lag_prologue_index = 0;
    SWP_TRY(check_start(ctx, schedule));
    SWP_TRY(swp_relax_sync(ctx, schedule, &budget));
    schedule->kernel_deps = (swp_edge_list){0};
    schedule->warp_stagger_index = lags(schedule) ? 0 : (int)schedule->prologue.count + 1;
    return budget.stopped ? warn_of_stop(ctx, &budget) : SWP_OK;
}
