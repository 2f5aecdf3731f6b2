/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the writes of a schedule by place (a counting sort). */
#include "verify/bodies/write_index.h"

/* Calls `take` for each write to a shared place, in the order of the entries. */
typedef swp_status taking(swp_context *ctx, swp_model *model, swp_entry_ref ref,
                          const swp_access *write);

static swp_status each_write(swp_context *ctx, swp_model *model, taking *take)
{
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            const swp_accesses *writes = &model->effects.entries[phase][i].writes;
            for (size_t w = 0; w < writes->count; w++)
                if (writes->items[w].is_shared)
                    SWP_TRY(
                        take(ctx, model, (swp_entry_ref){(swp_phase)phase, i}, &writes->items[w]));
        }
    return SWP_OK;
}

/* Of place p in `first[p + 1]`, which then become the beginnings of the places after it. */
static swp_status count_write(swp_context *ctx, swp_model *model, swp_entry_ref ref,
                              const swp_access *write)
{
    (void)ctx;
    (void)ref;
    model->writes.first[write->where + 1]++;
    return SWP_OK;
}

/* Widens the range of the write's step. There are few steps. */
static swp_status widen(swp_context *ctx, swp_write_ranges *ranges, const swp_tiles *tiles)
{
    const swp_write_range own = {tiles->step, tiles->first, tiles->first};
    for (size_t i = 0; i < ranges->count; i++) {
        swp_write_range *range = &ranges->items[i];
        if (range->step != tiles->step)
            continue;
        range->least = tiles->first < range->least ? tiles->first : range->least;
        range->most = tiles->first > range->most ? tiles->first : range->most;
        return SWP_OK;
    }
    return SWP_PUSH(ctx, ranges, own);
}

static swp_status note_write(swp_context *ctx, swp_model *model, swp_entry_ref ref,
                             const swp_access *write)
{
    swp_write_index *index = &model->writes;
    index->items[index->taken[write->where]++] = (swp_place_write){ref, write->tiles};
    if (ref.phase == SWP_PROLOGUE)
        return SWP_OK;
    return widen(ctx, &index->ranges, &write->tiles);
}

swp_status swp_bodies_write_index_build(swp_context *ctx, swp_model *model)
{
    swp_write_index *index = &model->writes;
    const size_t places = (size_t)model->effects.place_count;
    SWP_TRY(SWP_TAKE(ctx, places + 1, &index->first));
    SWP_TRY(SWP_TAKE(ctx, places, &index->taken));
    SWP_TRY(each_write(ctx, model, count_write));
    for (size_t p = 0; p < places; p++) {
        index->first[p + 1] += index->first[p];
        index->taken[p] = index->first[p];
    }
    SWP_TRY(SWP_TAKE(ctx, (size_t)index->first[places], &index->items));
    return each_write(ctx, model, note_write);
}
