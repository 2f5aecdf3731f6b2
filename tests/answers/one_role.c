/* SPDX-License-Identifier: Apache-2.0 */
#include "one_role.h"

#include "flat_role.h"
#include "verify/roles.h"

swp_status answers_one_role(swp_context *ctx, const swp_schedule *loop, swp_verdict *out)
{
    const swp_schedule role = flat_role(ctx, loop);
    const swp_status status = swp_verify_one_role(ctx, &role, SWP_HAPPENS_NO_RULE, out);
    flat_role_publish(&role, &out->hazards);
    return status;
}
