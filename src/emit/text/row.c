/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the columns of a list of entries, and writes an entry in them. */
#include "emit/text/row.h"
#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"
#include "ir/sync_objects.h"

#include "emit/text/loop.h"

#include "base/names.h"
#include "swp/loop.h"

#include <stdio.h>
#include <string.h>

/* Waits and loads have their details in one column. A very long name shifts only its own line. */
enum { DETAILS_SIZE = 128, LEAST_NAME_WIDTH = 12, MOST_NAME_WIDTH = 32 };

size_t swp_emit_row_width(const char *name)
{
    size_t columns = 0;
    for (; *name; name++)
        columns += ((unsigned char)*name & 0xC0) != 0x80;
    return columns;
}

const char *swp_emit_row_k(swp_k_offset k_offset)
{
    static const char *const texts[] = {"K-8", "K-7", "K-6", "K-5", "K-4", "K-3",
                                        "K-2", "K-1", "K+0", "K+1", "K+2", "K+3",
                                        "K+4", "K+5", "K+6", "K+7", "K+8"};
    const int furthest = (int)(SWP_COUNT_OF(texts) / 2);
    return k_offset == SWP_K_NONE ? "" : texts[furthest + swp_k_multiple(k_offset)];
}

/* Writes what a kernel's op touches, and what it adds to a counter. */
static void describe_work(const swp_row_style *style, const swp_entry *entry, char *details)
{
    const swp_op *op = &entry->op;
    char place[48];
    const bool in_grid = style->grid && op->role == SWP_COMPUTE;
    (void)snprintf(place, sizeof place, in_grid ? "row %-4d col %-2d" : "slot %-3d sub %-2d",
                   op->stage, op->subtile);
    char channel[4] = "";
    if (style->channels)
        (void)snprintf(channel, sizeof channel, "%-3s",
                       op->channel < 0    ? ""
                       : op->channel == 0 ? "A"
                                          : "B");
    char cost[32] = "";
    if (op->vm_cost)
        (void)snprintf(cost, sizeof cost, "vmcnt +%d", op->vm_cost);
    else if (op->lgkm_cost)
        (void)snprintf(cost, sizeof cost, "lgkmcnt +%d", op->lgkm_cost);
    (void)snprintf(details, DETAILS_SIZE, "%s%-16s %-3s  %-11s  %s", channel, place,
                   swp_emit_row_k(op->k_offset), cost, entry->is_prefetch ? "prefetch" : "");
}

/* Writes what a wait waits for, and the number of a hint. */
static void describe_sync(const swp_op *op, char *details)
{
    static const char *const groups[] = {"ds_read", "ds_write", "vmem_read", "mfma"};
    const bool known = op->subtile >= 0 && (size_t)op->subtile < SWP_COUNT_OF(groups);
    details[0] = '\0';
    if (op->tag == SWP_TAG_WAIT_VM)
        (void)snprintf(details, DETAILS_SIZE, "vmcnt <= %d", op->wait_value);
    else if (op->tag == SWP_TAG_WAIT_LGKM)
        (void)snprintf(details, DETAILS_SIZE, "lgkmcnt <= %d", op->wait_value);
    else if (op->tag == SWP_TAG_SET_PRIO)
        (void)snprintf(details, DETAILS_SIZE, "%d", op->wait_value);
    else if (op->tag == SWP_TAG_SCHED_GROUP_BARRIER && known)
        (void)snprintf(details, DETAILS_SIZE, "%s x %d", groups[op->subtile], op->wait_value);
    else if (op->tag == SWP_TAG_SCHED_GROUP_BARRIER)
        (void)snprintf(details, DETAILS_SIZE, "mask %d x %d", op->subtile, op->wait_value);
}

static bool waits_for_groups(int tag)
{
    return swp_ir_sync_waits_for_groups(swp_ir_sync_operation(tag));
}

static bool is_multicast(const swp_row_style *style, const swp_op *op)
{
    return style->dataflow && swp_ir_is_work(op) &&
           style->dataflow->loop->ops[swp_loop_op_of_tag(op->tag)].multicast;
}

/* Writes what is special to an entry of a warp role: its object and turn or slot, and who executes it. */
static void add_role_members(swp_text *text, const swp_row_style *style, const swp_op *op)
{
    if (op->object >= 0) {
        const swp_role_object *object = &style->objects[op->object];
        swp_text_format(text, "  %s", object->name);
        if (object->kind == SWP_OBJECT_MBARRIER)
            swp_text_format(text, " turn %+d", op->iteration);
        else
            swp_text_format(text, " slot %d%+d i", op->slot, op->slot_step);
    }
    if (op->bytes > 0)
        swp_text_format(text, ", %d bytes", op->bytes);
    if (waits_for_groups(op->tag))
        swp_text_format(text, "  groups <= %d", op->wait_value);
    if (is_multicast(style, op))
        swp_text_format(text, ", to all work groups");
    if (op->to == SWP_TO_ALL)
        swp_text_format(text, ", to all");
    if (op->by == SWP_ONE_THREAD)
        swp_text_format(text, ", by one");
    if (op->instances != 0 && !swp_ir_is_implied(op))
        swp_text_format(text, ", instances 0x%x", (unsigned)op->instances);
}

/* Names tell A from B, unless one tag stands for ops of both channels. */
static bool needs_channels(const swp_stream *stream)
{
    int channel[SWP_SCHEDULE_TAGS];
    for (size_t tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        channel[tag] = -1;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_stream_phase(stream, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_op *op = &entries->items[i].op;
            if (!swp_ir_is_work(op) || op->channel < 0)
                continue;
            if (channel[op->tag] >= 0 && channel[op->tag] != op->channel)
                return true;
            channel[op->tag] = op->channel;
        }
    }
    return false;
}

static size_t name_width(const swp_schedule *schedule, const swp_stream *stream, size_t widest)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_stream_phase(stream, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const int tag = entries->items[i].op.tag;
            if (!swp_ir_is_work(&entries->items[i].op))
                continue;
            const size_t width = swp_emit_row_width(swp_schedule_op_name(schedule, tag));
            widest = width > widest && width <= MOST_NAME_WIDTH ? width : widest;
        }
    }
    return widest;
}

void swp_emit_row_suit(swp_row_style *style, const swp_schedule *schedule)
{
    style->dataflow = schedule->dataflow;
    style->objects = schedule->objects;
    style->grid = swp_ir_has_grid(schedule);
}

swp_row_style swp_emit_row_style_of(const swp_schedule *schedule)
{
    swp_row_style style = {.prefix = "", .name_width = LEAST_NAME_WIDTH};
    swp_emit_row_suit(&style, schedule);
    for (size_t i = 0; i < schedule->stream_count; i++) {
        const swp_stream *stream = &schedule->streams[i];
        style.name_width = name_width(schedule, stream, style.name_width);
        style.channels |= needs_channels(stream);
    }
    return style;
}

void swp_emit_row_add_op(swp_text *text, const swp_row_style *style, const swp_entry *entry,
                         const char *name)
{
    const bool is_work = swp_ir_is_work(&entry->op);
    /* Synchronisation stands two columns in, so that the eye finds the work between it. */
    const size_t width = swp_emit_row_width(name) + (is_work ? 0 : 2);
    const int gap = style->name_width > width ? (int)(style->name_width - width) + 2 : 2;
    char details[DETAILS_SIZE];
    swp_text_format(text, "%s%s", is_work ? "" : "  ", name);
    if (is_work && style->dataflow) {
        swp_text_format(text, "%*s", gap, "");
        swp_emit_loop_operands(text, style->dataflow, &entry->op);
        add_role_members(text, style, &entry->op);
        return;
    }
    if (is_work)
        describe_work(style, entry, details);
    else
        describe_sync(&entry->op, details);
    size_t length = strlen(details);
    while (length > 0 && details[length - 1] == ' ')
        details[--length] = '\0';
    if (length > 0)
        swp_text_format(text, "%*s%s", gap, "", details);
    add_role_members(text, style, &entry->op);
}

void swp_emit_row_add(swp_text *text, const swp_row_style *style, const swp_entry *entry,
                      const char *name)
{
    if (swp_ir_is_implied(&entry->op))
        swp_text_format(text, "%s%4s  ", style->prefix, "");
    else
        swp_text_format(text, "%s%4d  ", style->prefix, entry->time_slot);
    swp_emit_row_add_op(text, style, entry, name);
    swp_text_add(text, "\n", 1);
}
