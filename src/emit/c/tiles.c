/* SPDX-License-Identifier: Apache-2.0 */
/* The K tile that an entry is about, relative to the base kb of its phase. */
#include "emit/c/header.h"

#include "base/diag.h"

/* kb of a phase if no pass came before it. */
static int base_of(const swp_loop_shape *loop, swp_phase phase)
{
    if (phase == SWP_PROLOGUE)
        return 0;
    const bool is_n = phase == SWP_EPILOGUE && loop->placement == SWP_PLACE_K_OFFSET;
    return is_n ? loop->min_tiles : loop->first_base;
}

/* Fragment loads carry what they find: none of theirs is named. Iterations count from kb on. */
static int tile_of(const swp_effect *effect, int base)
{
    if (effect->op >= 0)
        return effect->tiles.first;
    const bool is_named = effect->fetches || effect->takes_next_tile || effect->accumulator >= 0;
    return is_named ? effect->tiles.first - base : 0;
}

static swp_status find_in_phase(swp_c_header *header, swp_phase phase)
{
    const int base = base_of(&header->schedule->loop, phase);
    int *tiles = NULL;
    SWP_TRY(SWP_TAKE(header->ctx, (size_t)header->effects.lengths[phase], &tiles));
    for (int i = 0; i < header->effects.lengths[phase]; i++)
        tiles[i] = tile_of(&header->effects.entries[phase][i], base);
    header->tiles[phase] = tiles;
    return SWP_OK;
}

static int loads_of_pass(const swp_effects *effects)
{
    int loads = 0;
    for (int i = 0; i < effects->lengths[SWP_KERNEL]; i++)
        loads += effects->entries[SWP_KERNEL][i].fetches;
    return loads;
}

/* Only with as many loads a pass as tiles has each the same offset from kb in every pass. */
static swp_status check_pace(const swp_c_header *header, int loads)
{
    const swp_loop_shape *loop = &header->schedule->loop;
    if (loop->placement != SWP_PLACE_NEXT_TILE || loads == loop->tiles_per_pass)
        return SWP_OK;
    return swp_error(
        header->ctx, SWP_E0801, SWP_NOWHERE,
        "the kernel phase needs as many as the loop has tiles a pass",
        "the kernel phase has %d load%s, each of the next tile, but a pass is %d tile%s", loads,
        loads == 1 ? "" : "s", loop->tiles_per_pass, loop->tiles_per_pass == 1 ? "" : "s");
}

swp_status swp_c_find_tiles(swp_c_header *header)
{
    SWP_TRY(swp_ir_effects(header->ctx, header->schedule, &header->effects));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(find_in_phase(header, phase));
    return check_pace(header, loads_of_pass(&header->effects));
}
