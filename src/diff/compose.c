/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the schedule that takes a choice of differences from B, and all else from A. */
#include "diff/compose.h"

#include "base/diag.h"
#include "diff/settings.h"
#include "ir/roles.h"
#include "swp/fields.h"

#include <string.h>

size_t swp_diff_first_row(const swp_diff *diff, size_t role, swp_phase phase)
{
    size_t first = diff->settings.count;
    for (size_t r = 0; r <= role && r < diff->role_count; r++)
        for (swp_phase p = SWP_PROLOGUE; p <= SWP_DRAIN && (r < role || p < phase); p++)
            first += diff->roles[r].phases[p].count;
    return first;
}

swp_status swp_diff_choice_new(swp_context *ctx, const swp_diff *diff,
                               const swp_diff_cost_list *costs, const swp_diff_objects *objects,
                               swp_diff_choice *out)
{
    const size_t count = swp_diff_first_row(diff, diff->role_count, SWP_PROLOGUE);
    *out = (swp_diff_choice){.diff = diff, .costs = costs, .objects = objects, .count = count};
    return SWP_TAKE(ctx, count, &out->from_b);
}

/* One phase of one role. */
typedef struct part {
    size_t role;
    swp_phase phase;
} part;

static const swp_diff_phase *rows_of(const swp_diff_choice *choice, part of)
{
    return &choice->diff->roles[of.role].phases[of.phase];
}

static bool takes_b(const swp_diff_choice *choice, part of, size_t row)
{
    return choice->from_b[swp_diff_first_row(choice->diff, of.role, of.phase) + row];
}

/* Returns whether the row's entry is in the composed schedule, and sets which schedule it comes from. */
static bool stands(const swp_diff_choice *choice, part of, size_t index, bool *from_b)
{
    const swp_diff_row *row = &rows_of(choice, of)->items[index];
    *from_b = takes_b(choice, of, index);
    switch (row->difference) {
    case SWP_DIFF_REMOVED:
        return !*from_b;
    case SWP_DIFF_ADDED:
    case SWP_DIFF_MOVED:
        return *from_b;
    case SWP_DIFF_LEFT:
        *from_b = false;
        return !takes_b(choice, of, (size_t)row->other);
    case SWP_DIFF_ALIKE:
    case SWP_DIFF_CHANGED:
    case SWP_DIFFERENCE_COUNT:
        break;
    }
    return true;
}

/* A cost that is a difference of its own is chosen by that, not by the entry. */
static void set_costs(const swp_diff_choice *choice, const char *name, swp_op *op)
{
    for (size_t i = 0; i < choice->costs->count; i++) {
        const swp_diff_cost *cost = &choice->costs->items[i];
        if (!strcmp(cost->name, name))
            *swp_diff_cost_of(op, cost) = choice->from_b[cost->setting] ? cost->b : cost->a;
    }
}

static swp_entry take_entry(const swp_diff_choice *choice, part of, size_t index, bool from_b,
                            size_t at)
{
    const swp_diff_row *row = &rows_of(choice, of)->items[index];
    const swp_diff_role *role = &choice->diff->roles[of.role];
    const swp_schedule *from = from_b ? choice->diff->b.schedule : choice->diff->a.schedule;
    swp_entry entry =
        swp_diff_list(from, from_b ? role->b : role->a, of.phase)->items[from_b ? row->b : row->a];
    set_costs(choice, swp_schedule_op_name(from, entry.op.tag), &entry.op);
    if (from_b && from->object_count > 0 && entry.op.object >= 0)
        entry.op.object = choice->objects->of_b[entry.op.object];
    entry.time_slot = (int)at;
    return entry;
}

static void set_phase(swp_stream *stream, swp_phase phase, swp_entry_list entries)
{
    swp_entry_list *const lists[] = {
        [SWP_PROLOGUE] = &stream->prologue, [SWP_KERNEL] = &stream->kernel,
        [SWP_EPILOGUE] = &stream->epilogue, [SWP_BEGIN] = &stream->begin,
        [SWP_END] = &stream->end,           [SWP_DRAIN] = &stream->drain};
    *lists[phase] = entries;
}

/* Composes a phase of a role that both have, or of the only stream. */
static swp_status compose_phase(swp_context *ctx, const swp_diff_choice *choice, part of,
                                swp_diff_composed *out)
{
    const swp_diff_role *role = &choice->diff->roles[of.role];
    const swp_diff_phase *rows = rows_of(choice, of);
    swp_entry_list entries = {.capacity = rows->count};
    swp_diff_origin **origins = &out->origins[role->a].of[of.phase];
    SWP_TRY(SWP_TAKE(ctx, rows->count, &entries.items));
    SWP_TRY(SWP_TAKE(ctx, rows->count + 1, origins));
    for (size_t i = 0; i < rows->count; i++) {
        bool from_b = false;
        if (!stands(choice, of, i, &from_b))
            continue;
        entries.items[entries.count] = take_entry(choice, of, i, from_b, entries.count);
        (*origins)[entries.count++] = (swp_diff_origin){rows->items[i].a, rows->items[i].b};
    }
    (*origins)[entries.count] =
        (swp_diff_origin){(int)swp_diff_list(choice->diff->a.schedule, role->a, of.phase)->count,
                          (int)swp_diff_list(choice->diff->b.schedule, role->b, of.phase)->count};
    set_phase(&out->schedule.streams[role->a], of.phase, entries);
    return SWP_OK;
}

/* Lists the objects of both. A count in which they differ comes from the schedule that is chosen. */
static swp_status set_objects(swp_context *ctx, const swp_diff_choice *choice,
                              swp_schedule *schedule)
{
    const swp_diff_objects *objects = choice->objects;
    swp_role_object *items = NULL;
    if (objects->count == 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, objects->count, &items));
    memcpy(items, objects->items, objects->count * sizeof *items);
    for (size_t i = 0; i < objects->counts.count; i++) {
        const swp_diff_count *count = &objects->counts.items[i];
        if (choice->from_b[count->setting])
            *(int *)((char *)&items[count->object] + count->offset) = count->b;
    }
    schedule->objects = items;
    schedule->object_count = objects->count;
    return SWP_OK;
}

static swp_status set_machine(swp_context *ctx, const swp_diff_choice *choice, swp_machine *machine)
{
    swp_settings settings = swp_settings_default();
    settings.machine = *machine;
    for (size_t i = 0; i < choice->diff->settings.count; i++) {
        const swp_diff_setting *setting = &choice->diff->settings.items[i];
        const swp_field *field = swp_field_find(setting->path);
        if (choice->from_b[i] && field && field->section == SWP_SECTION_MACHINE)
            SWP_TRY(swp_field_parse(ctx, field, setting->b, SWP_NOWHERE, &settings));
    }
    *machine = settings.machine;
    return SWP_OK;
}

/*
 * Returns whether the machine takes this setting from B. If both have the same, the schedule that
 * is varied decides.
 */
static bool machine_is_b(const swp_diff_choice *choice, const char *path)
{
    for (size_t i = 0; i < choice->diff->settings.count; i++)
        if (!strcmp(choice->diff->settings.items[i].path, path))
            return choice->from_b[i];
    return choice->varies_b;
}

static void set_loop_barrier(const swp_diff_choice *choice, swp_schedule *schedule)
{
    for (size_t i = 0; i < choice->diff->settings.count; i++)
        if (!strcmp(choice->diff->settings.items[i].path, SWP_DIFF_LOOP_BARRIER) &&
            choice->from_b[i])
            schedule->drops_loop_barrier = choice->diff->b.schedule->drops_loop_barrier;
}

/*
 * Finds where group 1 falls behind by the entries before that, since their number changes with each
 * that is added or removed.
 */
static int lag_index(const swp_diff_choice *choice)
{
    const part of = {0, SWP_PROLOGUE};
    const swp_diff_phase *rows = rows_of(choice, of);
    const swp_schedule *a = choice->diff->a.schedule;
    const swp_schedule *b = choice->diff->b.schedule;
    const bool by_b = machine_is_b(choice, "machine.lag_prologue_index");
    int before = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const swp_diff_row *row = &rows->items[i];
        const bool tell_by_b = row->a < 0 || (row->b >= 0 && by_b);
        bool from_b = false;
        if (stands(choice, of, i, &from_b))
            before += tell_by_b ? row->b < b->machine.lag_prologue_index
                                : row->a < a->machine.lag_prologue_index;
    }
    /* An index beyond the end has no meaning, and must stay beyond the end. */
    const swp_schedule *whose = by_b ? b : a;
    const int beyond =
        whose->machine.lag_prologue_index - (int)swp_schedule_phase(whose, SWP_PROLOGUE)->count;
    return beyond > 0 ? before + beyond : before;
}

swp_status swp_diff_compose(swp_context *ctx, const swp_diff_choice *choice, swp_diff_composed *out)
{
    out->schedule = *choice->diff->a.schedule;
    SWP_TRY(SWP_TAKE(ctx, out->schedule.stream_count, &out->origins));
    for (size_t role = 0; role < choice->diff->role_count; role++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            SWP_TRY(compose_phase(ctx, choice, (part){role, phase}, out));
    SWP_TRY(set_objects(ctx, choice, &out->schedule));
    set_loop_barrier(choice, &out->schedule);
    swp_machine *machine = &out->schedule.machine;
    SWP_TRY(set_machine(ctx, choice, machine));
    machine->lag_prologue_index = lag_index(choice);
    return SWP_OK;
}
