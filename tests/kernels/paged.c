/* SPDX-License-Identifier: Apache-2.0 */
/* Paged attention on MI355X: where a tile of keys and values lies is loaded to a register first. */
#include "kernel.h"

#include "paged_schedule.h"

enum { CAUSAL = false };
#include "attention.h"

REGISTERS(page, int);

/* Each of the pages has one tile. */
static int page_of(int tile)
{
    return (tile * 7 + 3) % MOST_TILES;
}

static int tile_of(int number)
{
    int tile = 0;
    while (tile < MOST_TILES && page_of(tile) != number)
        tile++;
    return tile; /* behind all for what is no page */
}

static void load_page(const task *t)
{
    int *number = t->made[0];
    *number = page_of(t->iteration);
}

static void load_k(const task *t)
{
    load(t, tile_of(*(const int *)t->read[0]), key);
}

static void load_v(const task *t)
{
    load(t, tile_of(*(const int *)t->read[0]), content);
}

static const op LOAD_PAGE = {"LOAD_PAGE", VMCNT, LOOP_LOAD_PAGE_VM_COST, .writes = {&page},
                             .work = load_page};
static const op LOAD_K = {"LOAD_K",         VMCNT,         LOOP_LOAD_K_VM_COST, .writes = {&K},
                          .reads = {&page}, .work = load_k};
static const op LOAD_V = {"LOAD_V",         VMCNT,         LOOP_LOAD_V_VM_COST, .writes = {&V},
                          .reads = {&page}, .work = load_v};
#define LOOP_LOAD_PAGE(ctx, i, ...) TELL(LOAD_PAGE, i, __VA_ARGS__)

#include "attention_on_amd.h"
