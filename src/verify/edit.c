/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a schedule with one entry inserted, removed, moved or changed, or with another count. */
#include "verify/edit.h"

#include "swp/loop.h"

#include <string.h>

/* --- Lists --- */

static swp_status copy_lists(swp_context *ctx, size_t count, swp_entry_list **lists)
{
    swp_entry_list *copies = NULL;
    SWP_TRY(SWP_TAKE(ctx, count, &copies));
    for (size_t i = 0; i < count; i++)
        copies[i] = (*lists)[i];
    *lists = copies;
    return SWP_OK;
}

/* The list of an epilogue's form. The stream gets copies of the lists that stand beside it. */
static swp_status find_tail(swp_context *ctx, swp_stream *stream, int form, swp_entry_list **out)
{
    swp_tails *tails = &stream->tails;
    const int with_passes = 1 + (int)tails->epilogue_count;
    *out = &stream->epilogue;
    if (form == 0)
        return SWP_OK;
    if (form < with_passes) {
        SWP_TRY(copy_lists(ctx, tails->epilogue_count, &tails->epilogues));
        *out = &tails->epilogues[form - 1];
        return SWP_OK;
    }
    SWP_TRY(copy_lists(ctx, tails->straight_count, &tails->straight));
    *out = &tails->straight[form - with_passes];
    return SWP_OK;
}

const swp_entry_list *swp_verify_edit_list(const swp_schedule *schedule, int stream, int form,
                                           swp_phase phase)
{
    const swp_stream *from = &schedule->streams[stream];
    const int with_passes = 1 + (int)from->tails.epilogue_count;
    if (phase != SWP_EPILOGUE || form == 0)
        return swp_stream_phase(from, phase);
    return form < with_passes ? &from->tails.epilogues[form - 1]
                              : &from->tails.straight[form - with_passes];
}

static swp_status find_list(swp_context *ctx, swp_stream *stream, const swp_edit *edit,
                            swp_entry_list **out)
{
    swp_entry_list *lists[] = {[SWP_PROLOGUE] = &stream->prologue,
                               [SWP_KERNEL] = &stream->kernel,
                               [SWP_EPILOGUE] = NULL,
                               [SWP_BEGIN] = &stream->begin,
                               [SWP_END] = &stream->end,
                               [SWP_DRAIN] = &stream->drain};
    if (edit->at.phase == SWP_EPILOGUE)
        return find_tail(ctx, stream, edit->form, out);
    *out = lists[edit->at.phase];
    return SWP_OK;
}

/* --- Entries --- */

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

/* Lists the entries anew, with the edit where it stands. */
static swp_status copy_list(copy *to, const swp_entry_list *from, const swp_edit *edit)
{
    const bool leaves = edit->kind == SWP_EDIT_MOVE || edit->kind == SWP_EDIT_REMOVE;
    SWP_TRY(SWP_TAKE(to->ctx, from->count + SWP_MOST_INSERTED, &to->origins));
    for (int i = 0; i <= (int)from->count; i++) {
        const bool there = edit->at.entry == i;
        if (there && edit->kind == SWP_EDIT_INSERT)
            SWP_TRY(insert(to, edit));
        if (edit->kind == SWP_EDIT_MOVE && edit->to == i)
            SWP_TRY(push(to, from->items[edit->at.entry], edit->at.entry));
        if (i == (int)from->count || (there && leaves))
            continue;
        swp_entry entry = from->items[i];
        if (there && edit->kind == SWP_EDIT_SET)
            entry.op = edit->ops[0];
        SWP_TRY(push(to, entry, i));
    }
    return SWP_OK;
}

static swp_status edit_list(swp_context *ctx, const swp_edit *edit, swp_edited *out)
{
    swp_entry_list *list = NULL;
    copy to = {.ctx = ctx, .phase = edit->at.phase};
    SWP_TRY(find_list(ctx, &out->schedule.streams[edit->stream], edit, &list));
    SWP_TRY(copy_list(&to, list, edit));
    out->old_count = list->count;
    out->origins = to.origins;
    *list = to.entries;
    return SWP_OK;
}

/* --- Counts --- */

static swp_status edit_object(swp_context *ctx, const swp_edit *edit, swp_schedule *out)
{
    swp_role_object *copies = NULL;
    SWP_TRY(SWP_TAKE(ctx, out->object_count, &copies));
    memcpy(copies, out->objects, out->object_count * sizeof *copies);
    swp_role_object *object = &copies[edit->number];
    *(!strcmp(edit->member, "arrivals")  ? &object->arrivals
      : !strcmp(edit->member, "threads") ? &object->threads
                                         : &object->slots) = edit->to;
    out->objects = copies;
    return SWP_OK;
}

static swp_status edit_slots(swp_context *ctx, const swp_edit *edit, swp_schedule *out)
{
    const size_t count = out->dataflow->loop->value_count;
    swp_loop_dataflow *other = NULL;
    int *slots = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &other));
    SWP_TRY(SWP_TAKE(ctx, count, &slots));
    memcpy(slots, out->dataflow->slots, count * sizeof *slots);
    slots[edit->number] = edit->to;
    *other = (swp_loop_dataflow){out->dataflow->loop, slots};
    out->dataflow = other;
    return SWP_OK;
}

swp_status swp_verify_edit_apply(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_edit *edit, swp_edited *out)
{
    *out = (swp_edited){.schedule = *schedule};
    switch (edit->kind) {
    case SWP_EDIT_LAG_INDEX:
        out->schedule.machine.lag_prologue_index = edit->to;
        return SWP_OK;
    case SWP_EDIT_LAG_END:
        out->schedule.machine.lag_end_barrier = true;
        return SWP_OK;
    case SWP_EDIT_OBJECT:
        return edit_object(ctx, edit, &out->schedule);
    case SWP_EDIT_SLOTS:
        return edit_slots(ctx, edit, &out->schedule);
    case SWP_EDIT_INSERT:
    case SWP_EDIT_SET:
    case SWP_EDIT_REMOVE:
    case SWP_EDIT_MOVE:
        break;
    }
    return edit_list(ctx, edit, out);
}
