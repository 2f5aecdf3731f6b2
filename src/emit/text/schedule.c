/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the schedule as a kernel engineer reads it: phases block by block, then counts and figures. */
#include "emit/text/schedule.h"

#include "base/require.h"
#include "base/text.h"
#include "emit/text/figures.h"
#include "emit/text/loop.h"
#include "emit/text/row.h"
#include "ir/implied_barriers.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "swp/fields.h"
#include "swp/phase.h"

typedef struct text_sheet {
    swp_text text;
    const swp_schedule *schedule;
    const swp_stream *stream; /* the stream that is shown */
    swp_row_style style;
} text_sheet;

void swp_emit_order_add(swp_text *text, const swp_schedule *s, const char *noun)
{
    char strategy[SWP_FIELD_TEXT_SIZE];
    swp_settings settings = swp_settings_default();
    settings.schedule = s->schedule;
    swp_field_format(swp_field_find("schedule.scheduling"), &settings, strategy);
    swp_text_format(text, "%s%s, depth %d", strategy, noun, s->config.depth);
    if (s->config.num_partitions > 1)
        swp_text_format(text, ", %d halves of %dx%d MMAs", s->config.num_partitions,
                        s->config.m_mmas, s->config.n_mmas);
    swp_text_add(text, "\n", 1);
}

/* Writes ops, blocks and edges. Edges to a later pass are counted apart, as they bound no order within one. */
static void add_body(text_sheet *sheet)
{
    const swp_schedule *s = sheet->schedule;
    size_t flow = 0;
    size_t anti = 0;
    for (size_t i = 0; i < s->edges.count; i++) {
        const swp_edge *edge = &s->edges.items[i];
        flow += edge->distance == 0 && edge->kind == SWP_FLOW;
        anti += edge->distance == 0 && edge->kind == SWP_ANTI;
    }
    swp_text_format(&sheet->text, "%zu ops", s->body.count);
    if (s->program.blocks.count > 0)
        swp_text_format(&sheet->text, " in %zu blocks", s->program.blocks.count);
    swp_text_format(&sheet->text, ", %zu edge%s: %zu flow and %zu anti in a pass, %zu across\n",
                    s->edges.count, s->edges.count == 1 ? "" : "s", flow, anti,
                    s->edges.count - flow - anti);
}

static void add_warps(text_sheet *sheet)
{
    const swp_schedule *s = sheet->schedule;
    int warps = 0;
    for (size_t i = 0; i < s->stream_count; i++)
        warps += s->streams[i].warps * s->streams[i].instances;
    swp_text_format(&sheet->text, "%zu role%s, %d warp%s\n", s->stream_count,
                    swp_plural((int64_t)s->stream_count), warps, swp_plural(warps));
}

static void add_machine(text_sheet *sheet)
{
    const swp_machine *machine = &sheet->schedule->machine;
    swp_text_format(&sheet->text, "%d warp group%s of %d waves%s; %s barriers, %s registers\n",
                    machine->groups, machine->groups == 1 ? "" : "s", machine->waves_per_group,
                    machine->lag ? ", group 1 one barrier behind" : "",
                    machine->barrier == SWP_BARRIER_FENCED ? "fenced" : "raw",
                    swp_register_mode_name(machine->registers));
}

void swp_emit_title_add(swp_text *text, const swp_schedule *s)
{
    swp_text_format(text, "%s%s%s\n", swp_schedule_title(s), s->target[0] ? " for " : "",
                    s->target);
}

void swp_emit_extent_add(swp_text *text, const swp_schedule *s)
{
    const swp_loop_shape *loop = &s->loop;
    const char *tile = swp_ir_tile_name(s);
    swp_text_format(text, "%d %s%s a pass; ", loop->tiles_per_pass, tile,
                    loop->tiles_per_pass == 1 ? "" : "s");
    if (swp_schedule_forms(s) > 1 || (loop->min_tiles == 0 && loop->multiple == 1)) {
        swp_text_format(text, "any number of %ss\n", s->dataflow ? tile : "tile");
        return;
    }
    swp_text_format(text, "at least %d tiles", loop->min_tiles);
    if (loop->multiple > 1)
        swp_text_format(text, ", a multiple of %d", loop->multiple);
    swp_text_add(text, "\n", 1);
}

static void add_title(text_sheet *sheet)
{
    const swp_schedule *s = sheet->schedule;
    swp_emit_title_add(&sheet->text, s);
    if (s->pipeline) {
        swp_emit_loop_figures(&sheet->text, s->pipeline);
        swp_text_add(&sheet->text, "\n", 1);
    } else if (s->dataflow) {
        swp_emit_read_loop_figures(&sheet->text, s);
        swp_text_add(&sheet->text, "\n", 1);
    } else {
        swp_emit_order_add(&sheet->text, s, " order");
    }
    if (s->body.count > 0 && !s->pipeline && !s->dataflow)
        add_body(sheet);
    if (swp_ir_role_name(s, 0))
        add_warps(sheet);
    else
        add_machine(sheet);
    if (s->dataflow)
        swp_emit_loop_counters(&sheet->text, s);
    swp_emit_extent_add(&sheet->text, s);
}

/* A barrier that only one group runs has no name of its own. */
static void add_entry(text_sheet *sheet, const swp_entry *entry)
{
    static const char *const marks[] = {
        "group 0 runs one more barrier",
        "group 1 runs one more barrier: from here on it is one behind",
    };
    const int group = swp_ir_only_group(&entry->op);
    if (group >= 0)
        swp_text_format(&sheet->text, "   -- %s --\n", marks[group]);
    else
        swp_emit_row_add(&sheet->text, &sheet->style, entry,
                         swp_schedule_op_name(sheet->schedule, entry->op.tag));
}

static void add_entries(text_sheet *sheet, const swp_entry_list *entries, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        add_entry(sheet, &entries->items[i]);
}

static void add_prologue(text_sheet *sheet)
{
    const swp_entry_list *entries = &sheet->stream->prologue;
    add_entries(sheet, entries, 0, entries->count);
}

/* Counts the explicit ops of a block, or those of the template. */
static size_t block_entries(const swp_program *program, size_t block)
{
    const swp_op_lists *lists = &program->explicit_blocks;
    if (block < lists->count && lists->items[block].count > 0)
        return lists->items[block].count;
    return (size_t)swp_mma_block_entry_count(&program->blocks.items[block]);
}

static void add_kernel(text_sheet *sheet)
{
    const swp_schedule *s = sheet->schedule;
    const swp_entry_list *entries = &sheet->stream->kernel;
    const size_t blocks = s->program.blocks.count;
    if (blocks == 0) {
        add_entries(sheet, entries, 0, entries->count);
        return;
    }
    const size_t halves = (size_t)s->config.num_partitions;
    size_t first = 0;
    for (size_t block = 0; block < blocks; block++) {
        const size_t end =
            block + 1 < blocks ? first + block_entries(&s->program, block) : entries->count;
        if (block > 0)
            swp_text_add(&sheet->text, "\n", 1);
        swp_text_format(&sheet->text, "  half %zu, block %zu\n", block * halves / blocks, block);
        add_entries(sheet, entries, first, end);
        first = end;
    }
}

static void add_epilogue(text_sheet *sheet)
{
    const swp_entry_list *entries = &sheet->stream->epilogue;
    add_entries(sheet, entries, 0, entries->count);
}

static void add_heading(text_sheet *sheet, swp_phase phase)
{
    const int count = swp_ir_published_count(swp_stream_phase(sheet->stream, phase));
    swp_text_format(&sheet->text, "\n%s, %d %s\n", swp_phase_name(phase), count,
                    count == 1 ? "entry" : "entries");
}

static void add_phases(text_sheet *sheet)
{
    static void (*const add[])(text_sheet *) = {add_prologue, add_kernel, add_epilogue};
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        add_heading(sheet, phase);
        add[phase](sheet);
    }
}

/* Writes a list of output tiles. */
static void add_tile_list(text_sheet *sheet, swp_phase phase)
{
    const swp_entry_list *entries = swp_stream_phase(sheet->stream, phase);
    if (!sheet->schedule->output_tiles)
        return;
    add_heading(sheet, phase);
    add_entries(sheet, entries, 0, entries->count);
}

static void add_tail(text_sheet *sheet, const swp_entry_list *entries)
{
    const int count = swp_ir_published_count(entries);
    swp_text_format(&sheet->text, ", %d %s\n", count, count == 1 ? "entry" : "entries");
    add_entries(sheet, entries, 0, entries->count);
}

static void add_tails(text_sheet *sheet)
{
    const swp_loop_shape *loop = &sheet->schedule->loop;
    const swp_tails *tails = &sheet->stream->tails;
    for (size_t i = 0; i < tails->epilogue_count; i++) {
        swp_text_format(&sheet->text, "\nepilogue where (N - %d) %% %d is %zu", loop->min_tiles,
                        loop->tiles_per_pass, i + 1);
        add_tail(sheet, &tails->epilogues[i]);
    }
    for (size_t n = 0; n < tails->straight_count; n++) {
        swp_text_format(&sheet->text, "\nall of a run with N = %zu", n);
        add_tail(sheet, &tails->straight[n]);
    }
}

static void add_counts(text_sheet *sheet)
{
    swp_text_format(&sheet->text, "\n%-10s%9s%10s%12s%8s%10s%20s\n", "", "entries", "vm waits",
                    "lgkm waits", "merged", "barriers", "schedule_barriers");
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_stream_phase(sheet->stream, phase);
        const swp_sync_counts counts = swp_count_sync(entries);
        swp_text_format(&sheet->text, "%-10s%9d%10d%12d%8d%10d%20d\n", swp_phase_name(phase),
                        swp_ir_published_count(entries), counts.vm_waits, counts.lgkm_waits,
                        counts.merged_waits, counts.barriers, counts.schedule_barriers);
    }
}

/* Warp roles wait at objects and not for counters, so their waits are not counted here. */
static void add_instances(text_sheet *sheet)
{
    const swp_stream *stream = sheet->stream;
    swp_text_format(&sheet->text, "%d instance%s of %d warp%s", stream->instances,
                    swp_plural(stream->instances), stream->warps, swp_plural(stream->warps));
    if (stream->registers > 0)
        swp_text_format(&sheet->text, ", %d registers a thread", stream->registers);
    swp_text_add(&sheet->text, "\n", 1);
}

static void add_objects(text_sheet *sheet)
{
    const swp_schedule *s = sheet->schedule;
    if (swp_ir_ranks(s) > 1)
        swp_text_format(&sheet->text, "\ncluster of %d work groups\n", s->cluster);
    for (size_t i = 0; i < s->object_count; i++) {
        const swp_role_object *object = &s->objects[i];
        const bool is_mbarrier = object->kind == SWP_OBJECT_MBARRIER;
        const int meeting = is_mbarrier ? object->arrivals : object->threads;
        if (i == 0)
            swp_text_add(&sheet->text, "\n", 1);
        swp_text_format(&sheet->text, "%s %s, %d slot%s, %d %s%s%s\n",
                        swp_role_object_kind_name(object->kind), object->name, object->slots,
                        swp_plural(object->slots), meeting, is_mbarrier ? "arrival" : "thread",
                        swp_plural(meeting),
                        object->clock == SWP_TILE_CLOCK ? ", turning once a tile" : "");
    }
}

static void add_role_counts(text_sheet *sheet)
{
    const swp_role_counts c = swp_count_role_sync(sheet->schedule);
    if (!swp_ir_role_name(sheet->schedule, 0))
        return;
    swp_text_format(&sheet->text,
                    "%s%d wait%s and %d arrival%s of threads a pass, %d wait%s for groups, "
                    "%d fence%s\n           %d mbarrier%s, %d named barrier%s\n",
                    sheet->schedule->sync.passes > 0 ? "           " : "\nsync       ", c.waits,
                    swp_plural(c.waits), c.arrivals, swp_plural(c.arrivals), c.group_waits,
                    swp_plural(c.group_waits), c.fences, swp_plural(c.fences), c.mbarriers,
                    swp_plural(c.mbarriers), c.named_barriers, swp_plural(c.named_barriers));
}

static void add_stream(text_sheet *sheet, const swp_stream *stream)
{
    sheet->stream = stream;
    if (stream->name && stream->name[0])
        swp_text_format(&sheet->text, "\nrole %s\n", stream->name);
    if (stream->warps > 0)
        add_instances(sheet);
    add_tile_list(sheet, SWP_BEGIN);
    add_phases(sheet);
    add_tails(sheet);
    add_tile_list(sheet, SWP_END);
    add_tile_list(sheet, SWP_DRAIN);
    if (stream->warps == 0)
        add_counts(sheet);
}

swp_status swp_emit_text(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    text_sheet sheet = {.text = {.ctx = ctx}, .style = swp_emit_row_style_of(schedule)};
    SWP_TRY(swp_ir_list_barriers(ctx, schedule, &sheet.schedule));
    add_title(&sheet);
    add_objects(&sheet);
    for (size_t i = 0; i < schedule->stream_count; i++)
        add_stream(&sheet, &sheet.schedule->streams[i]);
    swp_emit_figures_add(&sheet.text, schedule);
    add_role_counts(&sheet);
    return swp_text_end(&sheet.text, text, length);
}
