/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of a run's state, which can go on apart from it. */
#include "audit/ptx/contents.h"
#include "audit/ptx/lane_accesses.h"

#include <string.h>

static swp_status copy_bytes(swp_context *ctx, const void *from, size_t count, size_t size,
                             void **out)
{
    SWP_TRY(swp_take(ctx, count, size, out));
    if (count)
        memcpy(*out, from, count * size);
    return SWP_OK;
}

/* The copy of a list has no room for more. */
#define COPY_LIST(ctx, from, to)                                                                   \
    ((to)->count = (to)->capacity = (from)->count,                                                 \
     copy_bytes((ctx), (from)->items, (from)->count, sizeof *(from)->items,                        \
                (void **)&(to)->items))

static swp_status copy_registers(swp_context *ctx, size_t count, const swp_ptx_warp *from,
                                 swp_ptx_warp *to)
{
    SWP_TRY(
        copy_bytes(ctx, from->registers, count, sizeof *to->registers, (void **)&to->registers));
    for (size_t i = 0; i < count; i++) {
        swp_ptx_value *value = &to->registers[i].value;
        if (value->state == SWP_PTX_VARYING)
            SWP_TRY(copy_bytes(ctx, value->lanes, SWP_PTX_LANES, sizeof *value->lanes,
                               (void **)&value->lanes));
    }
    return SWP_OK;
}

swp_status swp_ptx_copy_run(swp_context *ctx, const swp_ptx_run *run, swp_ptx_run **out)
{
    SWP_TRY(SWP_TAKE(ctx, 1, out));
    swp_ptx_run *to = *out;
    *to = *run;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ptx_shelves(run), &to->buckets));
    for (int s = 0; s < swp_ptx_shelves(run); s++)
        SWP_TRY(COPY_LIST(ctx, &run->buckets[s], &to->buckets[s]));
    SWP_TRY(copy_bytes(ctx, run->written, swp_ptx_written_words(run), sizeof *run->written,
                       (void **)&to->written));
    SWP_TRY(copy_bytes(ctx, run->mbarriers, SWP_PTX_MOST_MBARRIERS, sizeof *run->mbarriers,
                       (void **)&to->mbarriers));
    for (int m = 0; m < run->mbarrier_count; m++)
        SWP_TRY(COPY_LIST(ctx, &run->mbarriers[m].copies, &to->mbarriers[m].copies));
    SWP_TRY(COPY_LIST(ctx, &run->signals, &to->signals));
    for (int g = 0; g < SWP_PTX_MOST_WARPS / SWP_PTX_GROUP_WARPS; g++)
        SWP_TRY(COPY_LIST(ctx, &run->groups[g], &to->groups[g]));
    for (int w = 0; w < run->warp_count; w++)
        SWP_TRY(
            copy_registers(ctx, (size_t)run->kernel->registers + 1, &run->warps[w], &to->warps[w]));
    SWP_TRY(swp_ptx_copy_words(ctx, run, to));
    return swp_ptx_copy_bytes(ctx, run, to);
}
