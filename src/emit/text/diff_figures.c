/* SPDX-License-Identifier: Apache-2.0 */
/* Writes two schedules in figures, with a row for each figure that either has. */
#include "emit/text/diff_effect.h"

#include "base/names.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "swp/loop.h"
#include "swp/phase.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CELL_SIZE = 32 };

typedef char cell[CELL_SIZE];

/* Writes a figure of one schedule; returns false if it has none. */
typedef bool figure(const swp_diff_side *side, int detail, cell out);

static bool is_safe(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    (void)snprintf(out, CELL_SIZE, "%s",
                   side->unjudged             ? "not judged"
                   : side->hazards.count == 0 ? "yes"
                                              : "no");
    return true;
}

static bool hazards(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    (void)snprintf(out, CELL_SIZE, "%zu", side->hazards.count);
    return !side->unjudged;
}

static bool tiles(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    (void)snprintf(out, CELL_SIZE, "%d", side->schedule->loop.tiles_per_pass);
    return true;
}

static void format_cycles(double cycles, cell out)
{
    const bool whole = cycles == (double)(int64_t)cycles;
    (void)snprintf(out, CELL_SIZE, "%.*f", whole ? 0 : 2, cycles);
}

static bool cycles_per_pass(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    if (side->unsimulated)
        return false;
    format_cycles((double)side->simulation.cycles / side->simulation.passes, out);
    return true;
}

static bool cycles_per_tile(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    if (side->unsimulated)
        return false;
    format_cycles((double)side->simulation.cycles /
                      ((double)side->simulation.passes * side->schedule->loop.tiles_per_pass),
                  out);
    return true;
}

static bool interval(const swp_diff_side *side, int detail, cell out)
{
    const swp_pipeline *p = side->schedule->pipeline;
    (void)detail;
    if (p)
        (void)snprintf(out, CELL_SIZE, "%" PRId64, p->answer.value);
    return p;
}

/* Says in a word what is proven to hold the interval; the details stand below the figures. */
static bool held_by(const swp_diff_side *side, int detail, cell out)
{
    const swp_pipeline *p = side->schedule->pipeline;
    (void)detail;
    if (!p)
        return false;
    const swp_answer *bound = &p->bound_answer;
    (void)snprintf(out, CELL_SIZE, "%s",
                   bound->bound_kind == SWP_BOUND_RESOURCE
                       ? p->bound_problem.problem.resources[bound->bound_resource].name
                       : swp_bound_kind_name(bound->bound_kind));
    return true;
}

static bool stages(const swp_diff_side *side, int detail, cell out)
{
    const swp_pipeline *p = side->schedule->pipeline;
    (void)detail;
    if (p)
        (void)snprintf(out, CELL_SIZE, "%d", p->stages);
    return p;
}

static bool bytes(const swp_diff_side *side, int space, cell out)
{
    const swp_pipeline *p = side->schedule->pipeline;
    if (p)
        (void)snprintf(out, CELL_SIZE, "%" PRId64, p->bytes[space]);
    return p;
}

static bool phase_cycles(const swp_diff_side *side, int phase, cell out)
{
    (void)snprintf(out, CELL_SIZE, "%" PRId64,
                   phase == SWP_PROLOGUE ? side->simulation.prologue_cycles
                                         : side->simulation.epilogue_cycles);
    return !side->unsimulated;
}

/* Counts the entries of all roles. */
static bool entries(const swp_diff_side *side, int phase, cell out)
{
    size_t count = 0;
    for (size_t i = 0; i < side->schedule->stream_count; i++)
        count += swp_stream_phase(&side->schedule->streams[i], (swp_phase)phase)->count;
    (void)snprintf(out, CELL_SIZE, "%zu", count);
    return true;
}

static bool counts_by_role(const swp_diff_side *side)
{
    return swp_ir_role_name(side->schedule, 0);
}

/* Writes a count of what instances of warp roles execute in a pass. */
static bool role_count(const swp_diff_side *side, int offset, cell out)
{
    const swp_role_counts counts = swp_count_role_sync(side->schedule);
    (void)snprintf(out, CELL_SIZE, "%d", *(const int *)((const char *)&counts + offset));
    return counts_by_role(side);
}

static bool barriers(const swp_diff_side *side, int phase, cell out)
{
    const swp_sync_counts counts =
        swp_count_sync(swp_schedule_phase(side->schedule, (swp_phase)phase));
    (void)snprintf(out, CELL_SIZE, "%d", counts.barriers);
    return !counts_by_role(side);
}

static bool waits(const swp_diff_side *side, int phase, cell out)
{
    const swp_sync_counts counts =
        swp_count_sync(swp_schedule_phase(side->schedule, (swp_phase)phase));
    (void)snprintf(out, CELL_SIZE, "%d", counts.vm_waits + counts.lgkm_waits);
    return !counts_by_role(side);
}

static const swp_unit_load *find_unit(const swp_diff_side *side, const char *name)
{
    const swp_simulation *simulation = &side->simulation;
    for (size_t i = 0; i < simulation->unit_count && !side->unsimulated; i++)
        if (strcmp(simulation->units[i].name, name) == 0)
            return &simulation->units[i];
    return NULL;
}

static const char *share(const swp_diff_side *side, const char *name, cell out)
{
    const swp_unit_load *unit = find_unit(side, name);
    (void)snprintf(out, CELL_SIZE, "-");
    if (unit && side->simulation.cycles > 0)
        (void)snprintf(out, CELL_SIZE, "%.1f %%", swp_unit_percent(&side->simulation, unit));
    return out;
}

static bool makespan(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    (void)snprintf(out, CELL_SIZE, "%" PRId64, side->schedule->metrics.makespan);
    return side->schedule->metrics.makespan >= 0;
}

static bool registers(const swp_diff_side *side, int detail, cell out)
{
    (void)detail;
    (void)snprintf(out, CELL_SIZE, "%" PRId64, side->schedule->metrics.vgpr_peak);
    return side->schedule->metrics.vgpr_peak >= 0;
}

static void add_row(swp_text *text, const swp_diff *diff, const char *title, figure *get,
                    int detail)
{
    cell a = "";
    cell b = "";
    const bool has_a = get(&diff->a, detail, a);
    const bool has_b = get(&diff->b, detail, b);
    if (has_a || has_b)
        swp_text_format(text, "%-24s%12s%12s\n", title, has_a ? a : "-", has_b ? b : "-");
}

static bool is_busy(const swp_diff_side *side, const char *name)
{
    const swp_unit_load *unit = find_unit(side, name);
    return unit && unit->busy > 0;
}

/* Adds the units of one side that either side uses, except those of `but`, which are already written. */
static void add_units_of(swp_text *text, const swp_diff *diff, const swp_diff_side *side,
                         const swp_diff_side *but)
{
    for (size_t i = 0; i < side->simulation.unit_count && !side->unsimulated; i++) {
        const char *name = side->simulation.units[i].name;
        char title[CELL_SIZE];
        cell a;
        cell b;
        if ((but && find_unit(but, name)) || (!is_busy(&diff->a, name) && !is_busy(&diff->b, name)))
            continue;
        (void)snprintf(title, sizeof title, "%s busy", name);
        swp_text_format(text, "%-24s%12s%12s\n", title, share(&diff->a, name, a),
                        share(&diff->b, name, b));
    }
}

static void add_units(swp_text *text, const swp_diff *diff)
{
    add_units_of(text, diff, &diff->a, NULL);
    add_units_of(text, diff, &diff->b, &diff->a);
}

/* The word is "tile" if one counts K tiles and the other iterations. */
const char *swp_emit_diff_tile_name(const swp_diff *diff)
{
    const char *a = swp_ir_tile_name(diff->a.schedule);
    return strcmp(a, swp_ir_tile_name(diff->b.schedule)) == 0 ? a : "tile";
}

static void add_steady_state(swp_text *text, const swp_diff *diff)
{
    const char *tile = swp_emit_diff_tile_name(diff);
    const bool other_tiles =
        diff->a.schedule->loop.tiles_per_pass != diff->b.schedule->loop.tiles_per_pass;
    cell title;
    add_row(text, diff, "cycles a pass", cycles_per_pass, 0);
    (void)snprintf(title, sizeof title, "%ss a pass", tile);
    add_row(text, diff, title, tiles, 0);
    (void)snprintf(title, sizeof title, "cycles %s %s", swp_emit_article(tile), tile);
    if (other_tiles || diff->a.schedule->dataflow || diff->b.schedule->dataflow)
        add_row(text, diff, title, cycles_per_tile, 0);
}

/* These figures of loops go by dependences and units, without waits and barriers. */
static void add_pipelines(swp_text *text, const swp_diff *diff)
{
    add_row(text, diff, "interval", interval, 0);
    add_row(text, diff, "held by", held_by, 0);
    add_row(text, diff, "stages", stages, 0);
    add_row(text, diff, "bytes of shared memory", bytes, SWP_SPACE_SHARED);
    add_row(text, diff, "bytes of registers", bytes, SWP_SPACE_REGISTERS);
}

static void add_role_counts(swp_text *text, const swp_diff *diff)
{
    static const struct {
        const char *title;
        size_t offset;
    } rows[] = {
        {"mbarriers", offsetof(swp_role_counts, mbarriers)},
        {"named barriers", offsetof(swp_role_counts, named_barriers)},
        {"waits of instances", offsetof(swp_role_counts, waits)},
        {"arrivals of threads", offsetof(swp_role_counts, arrivals)},
        {"waits for groups", offsetof(swp_role_counts, group_waits)},
        {"fences", offsetof(swp_role_counts, fences)},
    };
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
        add_row(text, diff, rows[i].title, role_count, (int)rows[i].offset);
}

void swp_emit_diff_figures_add(swp_text *text, const swp_diff *diff)
{
    swp_text_format(text, "%-24s%12s%12s\n", "", "A", "B");
    add_row(text, diff, "safe", is_safe, 0);
    add_row(text, diff, "hazards", hazards, 0);
    add_row(text, diff, "barriers a pass", barriers, SWP_KERNEL);
    add_row(text, diff, "waits a pass", waits, SWP_KERNEL);
    add_role_counts(text, diff);
    add_steady_state(text, diff);
    add_row(text, diff, "prologue cycles", phase_cycles, SWP_PROLOGUE);
    add_row(text, diff, "epilogue cycles", phase_cycles, SWP_EPILOGUE);
    add_units(text, diff);
    add_row(text, diff, "prologue entries", entries, SWP_PROLOGUE);
    add_row(text, diff, "kernel entries", entries, SWP_KERNEL);
    add_row(text, diff, "epilogue entries", entries, SWP_EPILOGUE);
    add_row(text, diff, "makespan", makespan, 0);
    add_row(text, diff, "registers at the peak", registers, 0);
    add_pipelines(text, diff);
}
