/* SPDX-License-Identifier: Apache-2.0 */
/* Where warp group 1 falls behind (docs/schedules.md, "Stagger"). */
#include "base/require.h"
#include "swp/phase.h"

int swp_warp_stagger_index(const swp_op *body, size_t count, const swp_pipeline_config *config,
                           size_t prologue_length)
{
    SWP_REQUIRE_OR(0, (body || count == 0) && config);
    if (config->warp_stagger.rule == SWP_STAGGER_FIXED)
        return config->warp_stagger.amount;
    if (config->warp_stagger.rule == SWP_STAGGER_NONE)
        return (int)prologue_length + 1;
    int loads = 0;
    for (size_t i = 0; i < count; i++)
        loads +=
            body[i].role == SWP_GLOBAL_LOAD && body[i].stage == 0 && swp_op_is_prefetch(&body[i]);
    return loads;
}
