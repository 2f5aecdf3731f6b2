/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/ahead.h"

/* Loops whose tiles lie further off lose exactness in what is told after a first hazard. */
enum { MOST_AHEAD = 16 };

static bool writes_lds(const swp_step *step)
{
    return step->does == SWP_DOES_LOAD || step->does == SWP_DOES_STORE;
}

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

/* The first time after an event that the entry writes the tile. */
static bool find_write(const swp_model *model, int passes, const swp_event *after, int tile,
                       swp_event *write)
{
    const swp_step *step = &model->steps[write->ref.phase][write->ref.entry];
    const bool stands_later = write->ref.entry > after->ref.entry;
    if (write->ref.phase == SWP_KERNEL && after->ref.phase <= SWP_KERNEL) {
        const int first = after->ref.phase == SWP_PROLOGUE ? 0 : after->pass + !stands_later;
        write->pass = pass_of_tile(&step->tiles, first, passes, tile);
        return write->pass >= 0;
    }
    write->pass = write->ref.phase == SWP_PROLOGUE ? -1 : passes;
    return (write->ref.phase > after->ref.phase ||
            (write->ref.phase == after->ref.phase && stands_later)) &&
           swp_step_tile(step, write->pass) == tile;
}

bool swp_ahead_write(const swp_model *model, int passes, const swp_read *read, int tile,
                     swp_event *out)
{
    bool found = false;
    for (int phase = (int)read->event.ref.phase; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->lengths[phase]; i++) {
            const swp_step *step = &model->steps[phase][i];
            swp_event write = {.ref = {(swp_phase)phase, i}};
            if (!writes_lds(step) || step->place != read->place ||
                !find_write(model, passes, &read->event, tile, &write) ||
                (found && swp_event_after(&write, out)))
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

static int most_of_writes(const swp_model *model, const swp_tiles *computed, passes_of passes)
{
    int most = 0;
    for (int phase = SWP_KERNEL; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->lengths[phase]; i++) {
            const swp_step *step = &model->steps[phase][i];
            const int own = writes_lds(step) ? passes(computed, &step->tiles) : 0;
            most = own > most ? own : most;
        }
    return most < MOST_AHEAD ? most : MOST_AHEAD;
}

/* Of all COMPUTEs of a phase and all writes after the prologue. */
static int most_of(const swp_model *model, swp_phase phase, passes_of passes)
{
    int most = 0;
    for (int i = 0; i < model->lengths[phase]; i++) {
        const swp_step *step = &model->steps[phase][i];
        const int own =
            step->does == SWP_DOES_COMPUTE ? most_of_writes(model, &step->tiles, passes) : 0;
        most = own > most ? own : most;
    }
    return most;
}

/* A group that waits for ever at a kernel barrier does so in the last pass. */
static bool strands_in_last_pass(const swp_model *model)
{
    return model->strands && swp_model_has_barrier(model, SWP_KERNEL, 0) &&
           !swp_model_has_barrier(model, SWP_EPILOGUE, 0);
}

int swp_ahead_passes(const swp_model *model)
{
    const int most = most_of(model, SWP_KERNEL, passes_between);
    return most == 0 && strands_in_last_pass(model) ? 1 : most;
}

int swp_ahead_settled(const swp_model *model)
{
    const int kernel = most_of(model, SWP_KERNEL, passes_before);
    const int epilogue = most_of(model, SWP_EPILOGUE, passes_before);
    return kernel > epilogue ? kernel : epilogue;
}
