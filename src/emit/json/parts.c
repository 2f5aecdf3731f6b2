/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that all names are UTF-8 before any is written. */
#include "emit/json/parts.h"

#include "base/diag.h"

swp_status swp_json_check_names(swp_context *ctx, const swp_schedule *schedule)
{
    static const char hint[] = "JSON is UTF-8; choose a name in it";
    if (!swp_is_utf8(schedule->name) || !swp_is_utf8(schedule->target))
        return swp_error(ctx, SWP_E0104, SWP_NOWHERE, hint,
                         "the name of the schedule or of its target is not UTF-8");
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (!swp_is_utf8(swp_schedule_op_name(schedule, tag)))
            return swp_error(ctx, SWP_E0104, SWP_NOWHERE, hint,
                             "the name of the op with tag %d is not UTF-8", tag);
    return SWP_OK;
}
