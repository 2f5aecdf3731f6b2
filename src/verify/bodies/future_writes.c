/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the passes after which the rest of a run can no longer change a judgement. */
#include "verify/bodies/future_writes.h"

/* Loops whose tiles lie further off lose exactness in what is told after a first hazard. */
enum { MOST_AHEAD = 16 };

/* The pass from `first` up to and without `end` in which a kernel entry writes the tile, or -1. */
static int pass_of_tile(const swp_tiles *written, int first, int end, int tile)
{
    int pass = first;
    if (written->step == 0) {
        if (written->first != tile)
            return -1;
    } else {
        pass = (tile - written->first) / written->step;
        if (written->first + pass * written->step != tile)
            return -1;
    }
    return first <= pass && pass < end ? pass : -1;
}

/* The first time after an event that the entry of a write writes the tile. */
static bool find_write(const swp_tiles *tiles, int passes, const swp_bodies_event *after, int tile,
                       swp_bodies_event *write)
{
    const bool stands_later = write->ref.entry > after->ref.entry;
    if (write->ref.phase == SWP_KERNEL && after->ref.phase <= SWP_KERNEL) {
        const int first = after->ref.phase == SWP_PROLOGUE ? 0 : after->pass + !stands_later;
        write->pass = pass_of_tile(tiles, first, passes, tile);
        return write->pass >= 0;
    }
    write->pass = write->ref.phase == SWP_PROLOGUE ? -1 : passes;
    return (write->ref.phase > after->ref.phase ||
            (write->ref.phase == after->ref.phase && stands_later)) &&
           swp_tile_in(tiles, write->pass) == tile;
}

bool swp_bodies_future_write(const swp_model *model, int passes, const swp_read *read, int tile,
                             swp_bodies_event *out)
{
    const swp_write_index *index = &model->writes;
    bool found = false;
    for (int i = index->first[read->place]; i < index->first[read->place + 1]; i++) {
        const swp_place_write *own = &index->items[i];
        swp_bodies_event write = {.ref = own->ref};
        if (!find_write(&own->tiles, passes, &read->event, tile, &write) ||
            (found && swp_bodies_event_after(&write, out)))
            continue;
        found = true;
        *out = write;
    }
    return found;
}

/*
 * With w the tile written first, c the one computed first, s and t their steps: pass p's tile is
 * written in kernel pass q where w + q s = c + p t. Where s >= t that is at most (c - w) / s passes
 * ahead of p, by the epilogue likewise; where s = 0 in every pass or in none; else ever further
 * ahead.
 */
static int passes_between(const swp_tiles *computed, const swp_tiles *written)
{
    if (written->step == 0)
        return 1;
    if (written->step < computed->step)
        return MOST_AHEAD;
    return (computed->first - written->first) / written->step;
}

/*
 * In the same terms it is written in no pass before p = (w - c) / t, and from then on in some pass
 * or in every s-th.
 */
static int passes_before(const swp_tiles *computed, const swp_tiles *written)
{
    const int first = (written->first - computed->first) / computed->step + 1;
    return first + (written->step > computed->step ? written->step : 0);
}

typedef int (*passes_of)(const swp_tiles *computed, const swp_tiles *written);

/*
 * Of all writes after the prologue. With one step the passes only grow with the tile
 * that is written first, or only shrink, so that the most are at an end of its range.
 */
static int most_of_writes(const swp_model *model, const swp_tiles *computed, passes_of passes)
{
    const swp_write_ranges *ranges = &model->writes.ranges;
    int most = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        const swp_write_range *range = &ranges->items[i];
        const int of_least = passes(computed, &(swp_tiles){range->least, range->step});
        const int of_most = passes(computed, &(swp_tiles){range->most, range->step});
        most = of_least > most ? of_least : most;
        most = of_most > most ? of_most : most;
    }
    return most < MOST_AHEAD ? most : MOST_AHEAD;
}

/* Of all COMPUTEs of a phase and all writes after the prologue. */
static int most_of(const swp_model *model, swp_phase phase, passes_of passes)
{
    int most = 0;
    for (int i = 0; i < model->effects.lengths[phase]; i++) {
        const swp_effect *effect = &model->effects.entries[phase][i];
        const int own =
            effect->accumulator >= 0 ? most_of_writes(model, &effect->tiles, passes) : 0;
        most = own > most ? own : most;
    }
    return most;
}

/* A group that waits for ever at a kernel barrier does so in the last pass. */
static bool deadlocks_in_last_pass(const swp_model *model)
{
    return model->deadlocks_at_end && swp_bodies_model_has_barrier(model, SWP_KERNEL, 0) &&
           !swp_bodies_model_has_barrier(model, SWP_EPILOGUE, 0);
}

int swp_bodies_future_passes(const swp_model *model)
{
    const int most = most_of(model, SWP_KERNEL, passes_between);
    return most == 0 && deadlocks_in_last_pass(model) ? 1 : most;
}

int swp_bodies_future_settled(const swp_model *model)
{
    const int kernel = most_of(model, SWP_KERNEL, passes_before);
    const int epilogue = most_of(model, SWP_EPILOGUE, passes_before);
    return kernel > epilogue ? kernel : epilogue;
}
