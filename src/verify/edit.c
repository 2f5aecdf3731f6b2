/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a schedule with one entry inserted, removed, moved or changed, and says which. */
#include "verify/edit.h"

#include "base/text.h"
#include "ir/entry.h"

#include <string.h>

typedef struct copy {
    swp_context *ctx;
    swp_phase phase;
    swp_entry_list entries;
    int *origins;
} copy;

static swp_status push(copy *to, swp_entry entry, int origin)
{
    to->origins[to->entries.count] = origin;
    entry.time_slot = (int)to->entries.count;
    return SWP_PUSH(to->ctx, &to->entries, entry);
}

static swp_status insert(copy *to, const swp_edit *edit)
{
    for (int i = 0; i < edit->op_count; i++)
        SWP_TRY(push(to, (swp_entry){.op = edit->ops[i], .phase = to->phase}, -1));
    return SWP_OK;
}

/* Lists the phase anew, with the edit where it stands. */
static swp_status copy_phase(copy *to, const swp_entry_list *from, const swp_edit *edit)
{
    const bool here = edit->at.phase == to->phase;
    SWP_TRY(SWP_TAKE(to->ctx, from->count + SWP_MOST_INSERTED, &to->origins));
    for (int i = 0; i <= (int)from->count; i++) {
        const bool there = here && edit->at.entry == i;
        if (there && edit->kind == SWP_EDIT_INSERT)
            SWP_TRY(insert(to, edit));
        if (here && edit->kind == SWP_EDIT_MOVE && edit->to == i)
            SWP_TRY(push(to, from->items[edit->at.entry], edit->at.entry));
        const bool leaves = edit->kind == SWP_EDIT_MOVE || edit->kind == SWP_EDIT_REMOVE;
        if (i == (int)from->count || (there && leaves))
            continue;
        swp_entry entry = from->items[i];
        if (there && edit->kind == SWP_EDIT_SET)
            entry.op = edit->ops[0];
        SWP_TRY(push(to, entry, i));
    }
    return SWP_OK;
}

swp_status swp_verify_edit_apply(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_edit *edit, swp_edited *out)
{
    swp_schedule *edited = &out->schedule;
    *edited = *schedule;
    swp_stream *stream = &edited->streams[0];
    swp_entry_list *phases[] = {&stream->prologue, &stream->kernel, &stream->epilogue};
    if (edit->kind == SWP_EDIT_LAG_INDEX)
        edited->machine.lag_prologue_index = edit->to;
    if (edit->kind == SWP_EDIT_LAG_END)
        edited->machine.lag_end_barrier = true;
    const bool of_entries = edit->kind < SWP_EDIT_LAG_INDEX;
    for (int p = 0; p < 3; p++) {
        const swp_edit none = {.kind = SWP_EDIT_INSERT};
        copy to = {.ctx = ctx, .phase = (swp_phase)p};
        SWP_TRY(copy_phase(&to, phases[p], of_entries ? edit : &none));
        *phases[p] = to.entries;
        out->origins[p] = to.origins;
    }
    return SWP_OK;
}

static const swp_entry_list *entries_of(const swp_schedule *schedule, const swp_edit *edit)
{
    return swp_schedule_phase(schedule, edit->at.phase);
}

static void add_name(swp_text *text, const swp_schedule *schedule, const swp_op *op)
{
    swp_text_format(text, "%s", swp_schedule_op_name(schedule, op->tag));
    if (swp_ir_is_wait(op))
        swp_text_format(text, " %d", op->wait_value);
    if (!swp_ir_is_work(op))
        return;
    if (swp_ir_loop_op(schedule, op)) {
        swp_text_format(text, " (iteration %d)", op->iteration);
        return;
    }
    swp_text_format(text, " (stage %d, subtile %d", op->stage, op->subtile);
    if (op->k_offset != SWP_K_NONE)
        swp_text_format(text, ", k_offset %s", swp_k_offset_name(op->k_offset));
    swp_text_format(text, ")");
}

static void add_entry(swp_text *text, const swp_schedule *schedule, const swp_edit *edit, int entry)
{
    const swp_entry_list *entries = entries_of(schedule, edit);
    swp_text_format(text, "%s entry %d (%s)", swp_phase_name(edit->at.phase), entry,
                    swp_schedule_op_name(schedule, entries->items[entry].op.tag));
}

static void add_position(swp_text *text, const swp_schedule *schedule, const swp_edit *edit,
                         int entry)
{
    if (entry >= (int)entries_of(schedule, edit)->count) {
        swp_text_format(text, " at the end of the %s", swp_phase_name(edit->at.phase));
        return;
    }
    swp_text_format(text, " before ");
    add_entry(text, schedule, edit, entry);
}

static void add_value(swp_text *text, const swp_edit *edit)
{
    const swp_op *op = &edit->ops[0];
    if (!strcmp(edit->member, "k_offset"))
        swp_text_format(text, "%s", swp_k_offset_name(op->k_offset));
    else
        swp_text_format(text, "%d",
                        !strcmp(edit->member, "wait")        ? op->wait_value
                        : !strcmp(edit->member, "iteration") ? op->iteration
                        : !strcmp(edit->member, "stage")     ? op->stage
                                                             : op->subtile);
}

swp_status swp_verify_edit_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_edit *edit, char **out)
{
    swp_text text = {.ctx = ctx};
    switch (edit->kind) {
    case SWP_EDIT_INSERT:
        for (int i = 0; i < edit->op_count; i++) {
            swp_text_format(&text, "%s", i ? ", " : "insert ");
            add_name(&text, schedule, &edit->ops[i]);
        }
        add_position(&text, schedule, edit, edit->at.entry);
        break;
    case SWP_EDIT_SET:
        swp_text_format(&text, "set %s of ", edit->member);
        add_entry(&text, schedule, edit, edit->at.entry);
        swp_text_format(&text, " to ");
        add_value(&text, edit);
        break;
    case SWP_EDIT_REMOVE:
        swp_text_format(&text, "remove ");
        add_entry(&text, schedule, edit, edit->at.entry);
        break;
    case SWP_EDIT_MOVE:
        swp_text_format(&text, "move ");
        add_entry(&text, schedule, edit, edit->at.entry);
        add_position(&text, schedule, edit, edit->to);
        break;
    case SWP_EDIT_LAG_INDEX:
        swp_text_format(&text, "set machine.lag_prologue_index to %d", edit->to);
        break;
    case SWP_EDIT_LAG_END:
        swp_text_format(&text, "set machine.lag_end_barrier to true");
        break;
    }
    return swp_text_end(&text, out, NULL);
}
