/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the cycles of the in-order model for people: figures, units, then stalls, the longest first. */
#include "swp/report.h"

#include "base/names.h"
#include "base/require.h"
#include "base/text.h"
#include "emit/text/row.h"
#include "ir/loop_resident.h"
#include "ir/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 32 };

typedef struct simulation_sheet {
    swp_text text;
    const swp_schedule *schedule;
    const swp_simulation *simulation;
} simulation_sheet;

/* Writes the cycles of a pass, with two decimals if they are not whole. */
static const char *per_pass(const simulation_sheet *s, int64_t cycles, char out[NUMBER_SIZE])
{
    const int64_t passes = s->simulation->passes;
    if (cycles % passes == 0)
        (void)snprintf(out, NUMBER_SIZE, "%" PRId64, cycles / passes);
    else
        (void)snprintf(out, NUMBER_SIZE, "%.2f", (double)cycles / (double)passes);
    return out;
}

/* Writes the tiles of a pass, and the cycles of one if it is an iteration of a loop. */
static void add_tiles(simulation_sheet *s)
{
    const swp_simulation *m = s->simulation;
    const int tiles = s->schedule->loop.tiles_per_pass;
    swp_text_format(&s->text, "; %d %s%s a pass", tiles, swp_ir_tile_name(s->schedule),
                    tiles == 1 ? "" : "s");
    if (s->schedule->dataflow && tiles > 1)
        swp_text_format(&s->text, ", %.2f cycles each",
                        (double)m->cycles / (double)m->passes / tiles);
    swp_text_format(&s->text, "\n              with its waits and barriers\n");
}

/* Where several work groups share the units, one of them ends an iteration so much more often. */
static void add_shared(simulation_sheet *s)
{
    const swp_simulation *m = s->simulation;
    const int resident =
        s->schedule->dataflow ? swp_ir_loop_resident(s->schedule->dataflow->loop) : 1;
    if (resident > 1)
        swp_text_format(
            &s->text, "work groups   %d share a multiprocessor: %.2f cycles an iteration of any\n",
            resident,
            (double)m->cycles / ((double)m->passes * s->schedule->loop.tiles_per_pass * resident));
}

/* Writes what an output tile takes in the steady state, beside as many iterations of an endless one. */
static void add_output_tile(simulation_sheet *s)
{
    const swp_simulation *m = s->simulation;
    const swp_loop_shape *loop = &s->schedule->loop;
    if (m->tiles == 0)
        return;
    const int n = loop->min_tiles + m->tile_passes * loop->tiles_per_pass;
    const double cycles = (double)m->tile_cycles / m->tiles;
    const double each = (double)m->cycles / m->passes / loop->tiles_per_pass;
    swp_text_format(&s->text, "output tile   %.10g cycles, of %d %s%s", cycles, n,
                    swp_ir_tile_name(s->schedule), swp_plural(n));
    if (m->tiles > 1)
        swp_text_format(&s->text, ": %" PRId64 " in %d tiles, over and over", m->tile_cycles,
                        m->tiles);
    swp_text_format(&s->text, "; %.10g beside %.10g for each\n", cycles - n * each, each);
}

static void add_figures(simulation_sheet *s)
{
    const swp_simulation *m = s->simulation;
    char number[NUMBER_SIZE];
    swp_text_format(&s->text, "%s%s%s\n", swp_schedule_title(s->schedule),
                    s->schedule->target[0] ? " for " : "", s->schedule->target);
    swp_text_format(&s->text, "steady state  %s cycles a pass", per_pass(s, m->cycles, number));
    if (m->passes > 1)
        swp_text_format(&s->text, ": %" PRId64 " in %d passes, over and over", m->cycles,
                        m->passes);
    add_tiles(s);
    add_shared(s);
    swp_text_format(&s->text, "prologue      %" PRId64 " cycles\n", m->prologue_cycles);
    swp_text_format(&s->text, "epilogue      %" PRId64 " cycles\n", m->epilogue_cycles);
    add_output_tile(s);
}

/* What a simulation says of a group beside its number; those of one stream need not be listed. */
static const swp_group_load *group_at(const simulation_sheet *s, int number)
{
    static const swp_group_load unlisted = {0};
    return (size_t)number < s->simulation->group_count ? &s->simulation->groups[number] : &unlisted;
}

/* Instances of warp roles have names, warp groups only numbers. */
static bool names_instances(const simulation_sheet *s)
{
    return group_at(s, 0)->role;
}

static bool is_used(const simulation_sheet *s, swp_resource unit)
{
    const swp_entry_list *entries = swp_schedule_phase(s->schedule, SWP_KERNEL);
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].op.resource == unit)
            return true;
    return false;
}

/* Of a loop's units, only those that somebody used are shown. */
static bool is_shown(const simulation_sheet *s, const swp_unit_load *unit)
{
    return unit->unit == SWP_RESOURCE_NONE ? unit->busy > 0 : is_used(s, unit->unit);
}

static void add_units(simulation_sheet *s)
{
    const swp_simulation *m = s->simulation;
    char number[NUMBER_SIZE];
    swp_text_format(&s->text, "\n%-12s%15s%8s\n", "unit", "busy in a pass", "share");
    for (size_t i = 0; i < m->unit_count; i++) {
        const swp_unit_load *unit = &m->units[i];
        if (!is_shown(s, unit))
            continue;
        swp_text_format(&s->text, "%-12s%15s%6.1f %%\n", unit->name,
                        per_pass(s, unit->busy, number), swp_unit_percent(m, unit));
    }
}

/* An instance is written as "producer 0". */
static size_t instance_width(const swp_group_load *group)
{
    char number[NUMBER_SIZE];
    (void)snprintf(number, sizeof number, " %d", group->instance);
    return swp_emit_row_width(group->role) + strlen(number);
}

static int instances_width(const simulation_sheet *s)
{
    size_t width = strlen("instance");
    for (size_t i = 0; i < s->simulation->group_count; i++) {
        const size_t own = instance_width(&s->simulation->groups[i]);
        width = own > width ? own : width;
    }
    return (int)width;
}

static void add_instance(simulation_sheet *s, const swp_group_load *group, int width)
{
    swp_text_format(&s->text, "%s %d%*s", group->role, group->instance,
                    width - (int)instance_width(group), "");
}

/* Writes for how long each instance of a role keeps the units, and for how long something holds it. */
static void add_instances(simulation_sheet *s)
{
    const swp_simulation *m = s->simulation;
    const int width = instances_width(s);
    char number[NUMBER_SIZE];
    swp_text_format(&s->text, "\n%-*s", width, "instance");
    for (size_t i = 0; i < m->unit_count; i++)
        if (is_shown(s, &m->units[i]))
            swp_text_format(&s->text, "  %18s", m->units[i].name);
    swp_text_format(&s->text, "  %18s\n", "held");
    for (size_t g = 0; g < m->group_count; g++) {
        const swp_group_load *group = &m->groups[g];
        add_instance(s, group, width);
        for (size_t i = 0; i < m->unit_count; i++) {
            const swp_unit_load own = {.capacity = m->units[i].capacity, .busy = group->busy[i]};
            if (is_shown(s, &m->units[i]))
                swp_text_format(&s->text, "  %10s%6.1f %%", per_pass(s, own.busy, number),
                                swp_unit_percent(m, &own));
        }
        const swp_unit_load held = {.capacity = 1, .busy = group->held};
        swp_text_format(&s->text, "  %10s%6.1f %%\n", per_pass(s, held.busy, number),
                        swp_unit_percent(m, &held));
    }
}

static const char *name_at(const simulation_sheet *s, int group, swp_entry_ref ref)
{
    const swp_stream *stream = &s->schedule->streams[group_at(s, group)->stream];
    const swp_entry_list *entries = swp_stream_phase(stream, ref.phase);
    if (ref.entry < 0 || (size_t)ref.entry >= entries->count)
        return "barrier";
    return swp_schedule_op_name(s->schedule, entries->items[ref.entry].op.tag);
}

static void add_other_group(simulation_sheet *s, const swp_stall *stall)
{
    if (stall->other_group == stall->group)
        return;
    const swp_group_load *other = group_at(s, stall->other_group);
    swp_text_format(&s->text, " of %s %d", other->role ? other->role : "group",
                    other->role ? other->instance : stall->other_group);
}

/* Writes which entry it waits for, with its number if it has one. */
static void add_other(simulation_sheet *s, const swp_stall *stall)
{
    const int passes = abs(stall->passes_before);
    swp_text_format(&s->text, ": %s", swp_phase_name(stall->other.phase));
    if (stall->other.entry >= 0)
        swp_text_format(&s->text, " entry %d", stall->other.entry);
    swp_text_format(&s->text, " (%s)", name_at(s, stall->other_group, stall->other));
    add_other_group(s, stall);
    if (passes > 0)
        swp_text_format(&s->text, ", %d pass%s %s", passes, passes == 1 ? "" : "es",
                        stall->passes_before > 0 ? "before" : "after");
}

static void add_stall(simulation_sheet *s, const swp_stall *stall, int instances)
{
    char number[NUMBER_SIZE];
    const swp_entry_ref at = {SWP_KERNEL, stall->entry};
    const char *name = name_at(s, stall->group, at);
    const size_t width = swp_emit_row_width(name);
    swp_text_format(&s->text, "%8s", per_pass(s, stall->cycles, number));
    if (instances > 0) {
        swp_text_format(&s->text, "  ");
        add_instance(s, &s->simulation->groups[stall->group], instances);
    } else {
        swp_text_format(&s->text, "%7d", stall->group);
    }
    swp_text_format(&s->text, "%7d  %s%*s%s", stall->entry, name,
                    width < 12 ? (int)(14 - width) : 2, "", swp_stall_name(stall->cause));
    if (stall->object)
        swp_text_format(&s->text, " of %s", stall->object);
    if (stall->has_other)
        add_other(s, stall);
    swp_text_format(&s->text, "\n");
}

static void add_stalls(simulation_sheet *s)
{
    const swp_stall_list *stalls = &s->simulation->stalls;
    if (stalls->count == 0) {
        swp_text_format(&s->text, "\nno stalls\n");
        return;
    }
    const int instances = names_instances(s) ? instances_width(s) : 0;
    swp_text_format(&s->text, "\nstalls, in cycles a pass\n%8s  %*s%7s  %-14s%s\n", "cycles",
                    instances > 0 ? -instances : 5, instances > 0 ? "instance" : "group", "entry",
                    "op", "waits for");
    for (size_t i = 0; i < stalls->count; i++)
        add_stall(s, &stalls->items[i], instances);
}

/* Explains each word of the last column. */
static void add_legend(simulation_sheet *s)
{
    bool named[SWP_STALL_CAUSES] = {false};
    for (size_t i = 0; i < s->simulation->stalls.count; i++)
        named[s->simulation->stalls.items[i].cause] = true;
    for (int cause = 0; cause < SWP_STALL_CAUSES; cause++)
        if (named[cause])
            swp_text_format(&s->text, "  %-9s %s\n", swp_stall_name((swp_stall_cause)cause),
                            swp_stall_meaning((swp_stall_cause)cause));
}

swp_status swp_simulation_text(swp_context *ctx, const swp_schedule *schedule,
                               const swp_simulation *simulation, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && simulation && text);
    simulation_sheet s = {.text = {.ctx = ctx}, .schedule = schedule, .simulation = simulation};
    add_figures(&s);
    add_units(&s);
    if (names_instances(&s))
        add_instances(&s);
    add_stalls(&s);
    add_legend(&s);
    return swp_text_end(&s.text, text, length);
}
