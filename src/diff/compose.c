/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the schedule that takes a choice of differences from B, and all else from A. */
#include "diff/compose.h"

#include "base/diag.h"
#include "swp/fields.h"

#include <string.h>

size_t swp_diff_first_row(const swp_diff *diff, swp_phase phase)
{
    size_t first = diff->settings.count;
    for (swp_phase p = SWP_PROLOGUE; p < phase; p++)
        first += diff->phases[p].count;
    return first;
}

swp_status swp_diff_choice_new(swp_context *ctx, const swp_diff *diff,
                               const swp_diff_cost_list *costs, swp_diff_choice *out)
{
    const size_t count = swp_diff_first_row(diff, SWP_EPILOGUE) + diff->phases[SWP_EPILOGUE].count;
    *out = (swp_diff_choice){.diff = diff, .costs = costs, .count = count};
    return SWP_TAKE(ctx, count, &out->from_b);
}

static bool takes_b(const swp_diff_choice *choice, swp_phase phase, size_t row)
{
    return choice->from_b[swp_diff_first_row(choice->diff, phase) + row];
}

/* Whether the row's entry is there, and from which schedule. */
static bool stands(const swp_diff_choice *choice, swp_phase phase, size_t index, bool *from_b)
{
    const swp_diff_row *row = &choice->diff->phases[phase].items[index];
    *from_b = takes_b(choice, phase, index);
    switch (row->difference) {
    case SWP_DIFF_REMOVED:
        return !*from_b;
    case SWP_DIFF_ADDED:
    case SWP_DIFF_MOVED:
        return *from_b;
    case SWP_DIFF_LEFT:
        *from_b = false;
        return !takes_b(choice, phase, (size_t)row->other);
    case SWP_DIFF_ALIKE:
    case SWP_DIFF_CHANGED:
    case SWP_DIFFERENCE_COUNT:
        break;
    }
    return true;
}

/* Costs that are differences of their own are not the entry's to decide. */
static void set_costs(const swp_diff_choice *choice, const char *name, swp_op *op)
{
    for (size_t i = 0; i < choice->costs->count; i++) {
        const swp_diff_cost *cost = &choice->costs->items[i];
        if (!strcmp(cost->name, name))
            *swp_diff_cost_of(op, cost) = choice->from_b[cost->setting] ? cost->b : cost->a;
    }
}

static swp_entry take_entry(const swp_diff_choice *choice, swp_phase phase, size_t index,
                            bool from_b, size_t at)
{
    const swp_diff_row *row = &choice->diff->phases[phase].items[index];
    const swp_schedule *from = from_b ? choice->diff->b.schedule : choice->diff->a.schedule;
    swp_entry entry = swp_schedule_phase(from, phase)->items[from_b ? row->b : row->a];
    set_costs(choice, swp_schedule_op_name(from, entry.op.tag), &entry.op);
    entry.time_slot = (int)at;
    return entry;
}

static void set_phase(swp_schedule *schedule, swp_phase phase, swp_entry_list entries)
{
    swp_stream *stream = &schedule->streams[0];
    if (phase == SWP_PROLOGUE)
        stream->prologue = entries;
    else if (phase == SWP_KERNEL)
        stream->kernel = entries;
    else
        stream->epilogue = entries;
}

static swp_status compose_phase(swp_context *ctx, const swp_diff_choice *choice, swp_phase phase,
                                swp_diff_composed *out)
{
    const swp_diff_phase *rows = &choice->diff->phases[phase];
    swp_entry_list entries = {.capacity = rows->count};
    swp_diff_origin **origins = &out->origins[phase];
    SWP_TRY(SWP_TAKE(ctx, rows->count, &entries.items));
    SWP_TRY(SWP_TAKE(ctx, rows->count + 1, origins));
    for (size_t i = 0; i < rows->count; i++) {
        bool from_b = false;
        if (!stands(choice, phase, i, &from_b))
            continue;
        entries.items[entries.count] = take_entry(choice, phase, i, from_b, entries.count);
        (*origins)[entries.count++] = (swp_diff_origin){rows->items[i].a, rows->items[i].b};
    }
    (*origins)[entries.count] =
        (swp_diff_origin){(int)swp_schedule_phase(choice->diff->a.schedule, phase)->count,
                          (int)swp_schedule_phase(choice->diff->b.schedule, phase)->count};
    set_phase(&out->schedule, phase, entries);
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

/* Whether the machine takes this setting from B; where both have the same, whose it is at all. */
static bool machine_is_b(const swp_diff_choice *choice, const char *path)
{
    for (size_t i = 0; i < choice->diff->settings.count; i++)
        if (!strcmp(choice->diff->settings.items[i].path, path))
            return choice->from_b[i];
    return choice->varies_b;
}

/*
 * Where group 1 falls behind is told by the entries before that, not by their number, which changes
 * with each that comes or goes.
 */
static int lag_index(const swp_diff_choice *choice)
{
    const swp_diff_phase *rows = &choice->diff->phases[SWP_PROLOGUE];
    const swp_schedule *a = choice->diff->a.schedule;
    const swp_schedule *b = choice->diff->b.schedule;
    const bool by_b = machine_is_b(choice, "machine.lag_prologue_index");
    int before = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const swp_diff_row *row = &rows->items[i];
        const bool tell_by_b = row->a < 0 || (row->b >= 0 && by_b);
        bool from_b = false;
        if (stands(choice, SWP_PROLOGUE, i, &from_b))
            before += tell_by_b ? row->b < b->machine.lag_prologue_index
                                : row->a < a->machine.lag_prologue_index;
    }
    /* Beyond the end a schedule has no meaning, and shall have none. */
    const swp_schedule *of = by_b ? b : a;
    const int beyond =
        of->machine.lag_prologue_index - (int)swp_schedule_phase(of, SWP_PROLOGUE)->count;
    return beyond > 0 ? before + beyond : before;
}

swp_status swp_diff_compose(swp_context *ctx, const swp_diff_choice *choice, swp_diff_composed *out)
{
    out->schedule = *choice->diff->a.schedule;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(compose_phase(ctx, choice, phase, out));
    swp_machine *machine = &out->schedule.machine;
    SWP_TRY(set_machine(ctx, choice, machine));
    machine->lag_prologue_index = lag_index(choice);
    return SWP_OK;
}
