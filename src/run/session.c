/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the scratch memory of runs. */
#include "run/session.h"

#include "base/diag.h"
#include "ir/implied_barriers.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "run/outcome.h"

#include <limits.h>

/* Of output tiles each has a form of its own. */
static swp_status choose_form(swp_context *ctx, const swp_schedule *schedule,
                              swp_run_extent *extent, swp_schedule *out)
{
    *out = *schedule;
    if (schedule->output_tiles) {
        extent->tile_count = extent->tiles ? extent->tile_count : 1;
        extent->tiles = extent->tiles ? extent->tiles : &extent->n;
        extent->n = swp_run_iterations(extent->tiles, extent->tile_count);
        return swp_run_check_tiles(ctx, schedule, extent);
    }
    if (extent->tiles)
        return swp_error(ctx, SWP_E0711, SWP_NOWHERE, "give a number of iterations",
                         "the schedule has no output tiles, and %d are asked for",
                         extent->tile_count);
    const int form = swp_schedule_form_of(schedule, extent->n);
    if (form >= 0)
        *out = swp_schedule_form(schedule, form);
    return swp_run_check(ctx, out, extent->n);
}

int swp_run_iterations(const int *tiles, int count)
{
    int64_t sum = 0;
    for (int tile = 0; tile < count; tile++)
        sum += tiles[tile];
    return sum > INT_MAX ? INT_MAX : (int)sum;
}

swp_status swp_run_open(swp_context *ctx, const swp_schedule *schedule, swp_run_extent extent,
                        int waves_per_group, uint64_t seed, swp_run_session *out)
{
    *out = (swp_run_session){.extent = extent};
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    SWP_TRY(choose_form(ctx, schedule, &out->extent, &out->form));
    const swp_schedule *listed = NULL;
    SWP_TRY(swp_scope_open(ctx, &out->scratch));
    SWP_TRY(swp_ir_list_barriers(&out->scratch, &out->form, &listed));
    SWP_TRY(swp_run_unroll(&out->scratch, schedule, listed, &out->extent, waves_per_group,
                           &out->program));
    return swp_run_machine_new(&out->scratch, &out->program, seed, &out->outcome, &out->machine);
}

void swp_run_close(swp_run_session *session)
{
    swp_scope_close(&session->scratch);
}
