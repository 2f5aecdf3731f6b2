/* SPDX-License-Identifier: Apache-2.0 */
/* What more than one of the JSON texts has: a sequence of output tiles, and names, all UTF-8. */
#include "emit/json/parts.h"

#include "base/diag.h"

static json_t *tile_value(const void *of, size_t index)
{
    return json_integer(((const int *)of)[index]);
}

json_t *swp_json_tiles(const int *tiles, int count)
{
    return swp_json_list((size_t)count, tile_value, tiles);
}

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
