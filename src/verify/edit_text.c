/* SPDX-License-Identifier: Apache-2.0 */
/* An edit in words that somebody can carry out on the JSON. */
#include "base/text.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "ir/sync_objects.h"
#include "verify/edit.h"

#include <string.h>

static const char *object_name(const swp_schedule *schedule, const swp_op *op)
{
    return op->object < 0 ? "" : schedule->objects[op->object].name;
}

/* --- Ops --- */

/* The members of an entry of a warp role that are not as an entry without any of them has them. */
static void add_role_members(swp_text *text, const swp_schedule *schedule, const swp_op *op)
{
    swp_text_format(text, " (by %s", swp_threads_name(op->by));
    if (op->object >= 0)
        swp_text_format(text, ", object %s", object_name(schedule, op));
    if (swp_ir_is_work(op) ||
        (op->object >= 0 && schedule->objects[op->object].kind == SWP_OBJECT_MBARRIER))
        swp_text_format(text, ", iteration %d", op->iteration);
    if (op->slot != 0)
        swp_text_format(text, ", slot %d", op->slot);
    if (op->slot_step != 0)
        swp_text_format(text, ", slot_step %d", op->slot_step);
    if (op->bytes != 0)
        swp_text_format(text, ", bytes %d", op->bytes);
    if (op->instances != 0)
        swp_text_format(text, ", instances %d", op->instances);
    if (op->to != SWP_TO_OWN)
        swp_text_format(text, ", to %s", swp_arrival_target_name(op->to));
    swp_text_format(text, ")");
}

/* In an entry of a role's list the members are told by which it waits or arrives. */
static void add_name(swp_text *text, const swp_schedule *schedule, const swp_edit *edit,
                     const swp_op *op)
{
    swp_text_format(text, "%s", swp_schedule_op_name(schedule, op->tag));
    if (swp_ir_is_wait(op) || swp_ir_is_group_wait(op))
        swp_text_format(text, " %d", op->wait_value);
    if (swp_ir_role_name(schedule, edit->stream)) {
        add_role_members(text, schedule, op);
        return;
    }
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

/* --- Places --- */

static void add_list(swp_text *text, const swp_schedule *schedule, const swp_edit *edit)
{
    char name[SWP_LIST_NAME_SIZE];
    const char *role = swp_ir_role_name(schedule, edit->stream);
    if (role)
        swp_text_format(text, "%s ", role);
    swp_text_format(text, "%s", swp_ir_list_name(schedule, edit->form, edit->at.phase, name));
}

static void add_entry(swp_text *text, const swp_schedule *schedule, const swp_edit *edit, int entry)
{
    const swp_entry_list *entries =
        swp_verify_edit_list(schedule, edit->stream, edit->form, edit->at.phase);
    add_list(text, schedule, edit);
    swp_text_format(text, " entry %d (%s)", entry,
                    swp_schedule_op_name(schedule, entries->items[entry].op.tag));
}

static void add_position(swp_text *text, const swp_schedule *schedule, const swp_edit *edit,
                         int entry)
{
    const swp_entry_list *entries =
        swp_verify_edit_list(schedule, edit->stream, edit->form, edit->at.phase);
    if (entry >= (int)entries->count) {
        swp_text_format(text, " at the end of the ");
        add_list(text, schedule, edit);
        return;
    }
    swp_text_format(text, " before ");
    add_entry(text, schedule, edit, entry);
}

/* --- Members --- */

static int number_of(const swp_op *op, const char *member)
{
    return !strcmp(member, "wait")        ? op->wait_value
           : !strcmp(member, "iteration") ? op->iteration
           : !strcmp(member, "stage")     ? op->stage
           : !strcmp(member, "slot")      ? op->slot
           : !strcmp(member, "slot_step") ? op->slot_step
           : !strcmp(member, "bytes")     ? op->bytes
           : !strcmp(member, "instances") ? op->instances
                                          : op->subtile;
}

static void add_value(swp_text *text, const swp_schedule *schedule, const swp_edit *edit)
{
    const swp_op *op = &edit->ops[0];
    if (!strcmp(edit->member, "k_offset"))
        swp_text_format(text, "%s", swp_k_offset_name(op->k_offset));
    else if (!strcmp(edit->member, "object"))
        swp_text_format(text, "%s", object_name(schedule, op));
    else if (!strcmp(edit->member, "by"))
        swp_text_format(text, "%s", swp_threads_name(op->by));
    else if (!strcmp(edit->member, "to"))
        swp_text_format(text, "%s", swp_arrival_target_name(op->to));
    else
        swp_text_format(text, "%d", number_of(op, edit->member));
}

/* Another name is another operation, whose number the JSON states, too: so the whole entry is told. */
static void add_set(swp_text *text, const swp_schedule *schedule, const swp_edit *edit)
{
    const bool is_other = !strcmp(edit->member, "name");
    if (is_other)
        swp_text_format(text, "replace ");
    else
        swp_text_format(text, "set %s of ", edit->member);
    add_entry(text, schedule, edit, edit->at.entry);
    swp_text_format(text, is_other ? " by " : " to ");
    if (is_other)
        add_name(text, schedule, edit, &edit->ops[0]);
    else
        add_value(text, schedule, edit);
}

static void add_insertion(swp_text *text, const swp_schedule *schedule, const swp_edit *edit)
{
    for (int i = 0; i < edit->op_count; i++) {
        swp_text_format(text, "%s", i ? ", " : "insert ");
        add_name(text, schedule, edit, &edit->ops[i]);
    }
    add_position(text, schedule, edit, edit->at.entry);
}

swp_status swp_verify_edit_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_edit *edit, char **out)
{
    swp_text text = {.ctx = ctx};
    switch (edit->kind) {
    case SWP_EDIT_INSERT:
        add_insertion(&text, schedule, edit);
        break;
    case SWP_EDIT_SET:
        add_set(&text, schedule, edit);
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
    case SWP_EDIT_OBJECT:
        swp_text_format(&text, "set %s of sync object %s to %d", edit->member,
                        schedule->objects[edit->number].name, edit->to);
        break;
    case SWP_EDIT_SLOTS:
        swp_text_format(&text, "set slots of value %s to %d",
                        schedule->dataflow->loop->values[edit->number].name, edit->to);
        break;
    }
    return swp_text_end(&text, out, NULL);
}
