/* SPDX-License-Identifier: Apache-2.0 */
/* The K tile that an entry is about, relative to the base kb of its phase. */
#include "emit/c/header.h"

#include "base/diag.h"
#include "base/key_index.h"

#include <string.h>

/* The COMPUTEs of each accumulator so far. */
typedef struct products {
    swp_key_index index;
    int *items; /* room for each entry of the phase */
    int count;
} products;

/* The n-th COMPUTE of an accumulator in a phase adds the n-th tile that is due there. */
static swp_status count_product(swp_context *ctx, products *p, const swp_op *op, int *before)
{
    const int key[] = {op->stage, op->subtile};
    int *kept = NULL;
    int number = swp_key_index_find(&p->index, key, sizeof key);
    if (number < 0) {
        number = p->count++;
        SWP_TRY(SWP_TAKE(ctx, sizeof key / sizeof key[0], &kept));
        memcpy(kept, key, sizeof key);
        SWP_TRY(swp_key_index_add(ctx, &p->index, kept, sizeof key, number));
    }
    *before = p->items[number]++;
    return SWP_OK;
}

/* kb of a phase if no pass came before it. */
static int base_of(const swp_loop_shape *loop, swp_phase phase)
{
    if (phase == SWP_PROLOGUE)
        return 0;
    const bool is_n = phase == SWP_EPILOGUE && loop->placement == SWP_PLACE_K_OFFSET;
    return is_n ? loop->min_tiles : loop->first_base;
}

/* `loads`: staging loads so far, each of the tile after the last one's; a store has that of the last. */
static int tile_of(const swp_schedule *schedule, swp_phase phase, const swp_op *op, int before,
                   int *loads)
{
    const bool takes_next = schedule->loop.placement == SWP_PLACE_NEXT_TILE;
    const int base = base_of(&schedule->loop, phase);
    if (op->role == SWP_GLOBAL_LOAD)
        return takes_next ? (*loads)++ - base : swp_k_multiple(op->k_offset);
    if (op->role == SWP_SHARED_STORE && takes_next)
        return *loads - 1 - base;
    return op->role == SWP_COMPUTE ? before - base : 0;
}

static swp_status find_in_phase(swp_c_header *header, swp_phase phase, int *loads)
{
    const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
    products p = {0};
    int *tiles = NULL;
    SWP_TRY(SWP_TAKE(header->ctx, entries->count, &tiles));
    SWP_TRY(SWP_TAKE(header->ctx, entries->count, &p.items));
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        int before = 0;
        if (op->role == SWP_COMPUTE)
            SWP_TRY(count_product(header->ctx, &p, op, &before));
        tiles[i] = tile_of(header->schedule, phase, op, before, loads);
    }
    header->tiles[phase] = tiles;
    return SWP_OK;
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
    int loads = 0;
    SWP_TRY(find_in_phase(header, SWP_PROLOGUE, &loads));
    const int prologue = loads;
    SWP_TRY(find_in_phase(header, SWP_KERNEL, &loads));
    SWP_TRY(check_pace(header, loads - prologue));
    loads = prologue; /* passes advance kb by as many tiles as they load */
    return find_in_phase(header, SWP_EPILOGUE, &loads);
}
