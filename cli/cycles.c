/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers what swp_simulate() is to count by, for `swp simulate` and for what `swp compile` says of cycles. */
#include "cycles.h"

#include "swp/describe.h"
#include "swp/target.h"

swp_status cycles_options(const cli_invocation *invocation, swp_context *ctx,
                          swp_simulate_options *out)
{
    const cli_source *file = &invocation->target_file;
    *out = invocation->simulation;
    if (!file->text)
        return SWP_OK;
    return swp_target_read_yaml(ctx, file->text, file->length, file->name, &out->target);
}
