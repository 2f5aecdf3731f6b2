/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel sizes itself by: figures of the generated header. */
#include "emit/c/loop.h"

#include <inttypes.h>

void swp_c_put_figure(swp_c_header *header, const char *name, int64_t value)
{
    swp_text_format(&header->text, "#define %s_%s %" PRId64 "\n", header->prefix, name, value);
}

/* The number of different values of a field from 0 on, in the entries of a kind and channel. */
typedef struct extent {
    int stages;
    int subtiles;
} extent;

static const int any_channel = -2;

static extent extent_of(const swp_schedule *schedule, swp_role role, int channel)
{
    extent found = {0, 0};
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_op *op = &entries->items[i].op;
            if (op->role != role || (channel != any_channel && op->channel != channel))
                continue;
            found.stages = op->stage + 1 > found.stages ? op->stage + 1 : found.stages;
            found.subtiles = op->subtile + 1 > found.subtiles ? op->subtile + 1 : found.subtiles;
        }
    }
    return found;
}

static int stages_of(const swp_schedule *schedule)
{
    const int read = extent_of(schedule, SWP_FRAGMENT_LOAD, any_channel).stages;
    const int loaded = extent_of(schedule, SWP_GLOBAL_LOAD, any_channel).stages;
    return read > loaded ? read : loaded;
}

static void put_tiles(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const extent grid = extent_of(s, SWP_COMPUTE, any_channel);
    swp_c_put_figure(header, "STAGES", stages_of(s));
    swp_c_put_figure(header, "SUBTILES_A", extent_of(s, SWP_GLOBAL_LOAD, 0).subtiles);
    swp_c_put_figure(header, "SUBTILES_B", extent_of(s, SWP_GLOBAL_LOAD, 1).subtiles);
    swp_c_put_figure(header, "FRAGMENTS_A", extent_of(s, SWP_FRAGMENT_LOAD, 0).subtiles);
    swp_c_put_figure(header, "FRAGMENTS_B", extent_of(s, SWP_FRAGMENT_LOAD, 1).subtiles);
    swp_c_put_figure(header, "ROWS", grid.stages);
    swp_c_put_figure(header, "COLUMNS", grid.subtiles);
}

void swp_c_put_shape(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    swp_c_put_figure(header, "MIN_TILES",
                     s->streams[0].tails.straight_count > 0 ? 0 : s->loop.min_tiles);
    swp_c_put_figure(header, "MAX_TILES", SWP_C_MAX_TILES);
    swp_c_put_figure(header, "TILE_MULTIPLE", s->loop.multiple);
    swp_c_put_figure(header, "TILES_PER_PASS", s->loop.tiles_per_pass);
    swp_c_put_figure(header, "FIRST_BASE", s->loop.first_base);
}

static void put_loop(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    swp_c_put_shape(header);
    if (swp_c_is_of_loop(header))
        swp_c_put_loop_figures(header);
    else
        put_tiles(header);
    swp_c_put_figure(header, "GROUPS", s->machine.groups);
    swp_c_put_figure(header, "WAVES_PER_GROUP", s->machine.waves_per_group);
    swp_c_put_figure(header, "WAVES", (int64_t)s->machine.groups * s->machine.waves_per_group);
}

static void put_geometry(swp_c_header *header)
{
    const swp_tile_shape *shape = &header->schedule->geometry;
    if (shape->elem_bytes == 0)
        return;
    static const char *const block_names[] = {"BLOCK_M", "BLOCK_N", "BLOCK_K"};
    static const char *const mma_names[] = {"MMA_M", "MMA_N", "MMA_K"};
    for (int i = 0; i < 3; i++)
        swp_c_put_figure(header, block_names[i], shape->block[i]);
    for (int i = 0; i < 3; i++)
        swp_c_put_figure(header, mma_names[i], shape->mma[i]);
    swp_c_put_figure(header, "ELEM_BYTES", shape->elem_bytes);
    swp_c_put_figure(header, "WARPS_M", header->schedule->layout.warps_m);
    swp_c_put_figure(header, "WARPS_N", header->schedule->layout.warps_n);
    swp_c_put_figure(header, "LDS_BYTES",
                     (int64_t)stages_of(header->schedule) * (shape->block[0] + shape->block[1]) *
                         shape->block[2] * shape->elem_bytes);
}

static void put_cost(swp_c_header *header, int tag, const char *counter, swp_c_cost cost)
{
    if (cost.most > 0 && cost.least == cost.most && !cost.unstated)
        swp_text_format(&header->text, "#define %s_%s_%s %d\n", header->prefix,
                        header->op_macros[tag], counter, cost.most);
}

/* A count that nobody stated counts all the same (docs/verification.md, "The machine"). */
static void add_cost(swp_c_cost *cost, const swp_effect *effect, bool counts, bool first)
{
    const int counted = counts ? effect->accesses : 0;
    cost->unstated = cost->unstated || (counts && effect->assumed);
    cost->least = first || counted < cost->least ? counted : cost->least;
    cost->most = counted > cost->most ? counted : cost->most;
}

/* A machine that counts no LDS operations has groups and mbarriers of a loop's, which it counts. */
static bool counts_in(const swp_c_header *header, const swp_effect *effect, swp_wait_kind wait)
{
    const bool is_lds = effect->op < 0 && effect->object == SWP_LGKMCNT;
    return effect->object != SWP_NO_OBJECT &&
           swp_ir_sync_object_row(effect->object)->wait == wait &&
           !(is_lds && header->machine->counts_no_lds);
}

swp_c_op swp_c_op_of(const swp_c_header *header, int tag)
{
    swp_c_op found = {.role = SWP_ROLE_NONE, .object = SWP_NO_OBJECT};
    bool first = true;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_effect *effect = &header->effects.entries[phase][i];
            if (entries->items[i].op.tag != tag)
                continue;
            found.role = entries->items[i].op.role;
            found.object = effect->object;
            add_cost(&found.vm, effect, counts_in(header, effect, SWP_WAIT_FOR_VM), first);
            add_cost(&found.lgkm, effect, counts_in(header, effect, SWP_WAIT_FOR_LGKM), first);
            first = false;
        }
    }
    return found;
}

void swp_c_put_figures(swp_c_header *header)
{
    swp_text_add(&header->text, "\n", 1);
    put_loop(header);
    put_geometry(header);
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        if (!header->op_macros[tag])
            continue;
        const swp_c_op op = swp_c_op_of(header, tag);
        put_cost(header, tag, "VM_COST", op.vm);
        put_cost(header, tag, "LGKM_COST", op.lgkm);
    }
}
