/* SPDX-License-Identifier: Apache-2.0 */
/* Follows one function, a second time where it turns out that waves are apart in barriers. */
#include "audit/flow/judge.h"

swp_status swp_flow_judge(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_function *function, swp_judged *out)
{
    SWP_TRY(swp_flow_build(ctx, file, code, function, &out->flow));
    if (!out->flow.block_count)
        return SWP_OK;
    SWP_TRY(swp_flow_fixpoint_build(ctx, &out->flow, false, &out->fixpoint));
    SWP_TRY(swp_flow_lags_find(&out->fixpoint, &out->lags));
    if (!out->lags.any)
        return SWP_OK;
    SWP_TRY(swp_flow_fixpoint_build(ctx, &out->flow, true, &out->fixpoint));
    return swp_flow_lags_find(&out->fixpoint, &out->lags);
}
