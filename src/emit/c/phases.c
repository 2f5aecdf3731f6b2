/* SPDX-License-Identifier: Apache-2.0 */
/* The phases as macros of one call an entry. */
#include "emit/c/condition.h"
#include "emit/c/loop.h"
#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"

static int at_most(int value, int most)
{
    return most > 0 && value > most ? most : value;
}

/* A wait for more than the counter holds is one for as much as it holds (docs/verification.md, "The rules"). */
static int wait_of(const swp_c_header *header, const swp_op *op)
{
    const swp_machine *machine = &header->schedule->machine;
    const swp_wait_kind kind = swp_ir_wait_kind(op);
    return at_most(at_most(op->wait_value, swp_ir_most_in_flight(machine, kind)),
                   swp_c_counter_max(header, kind == SWP_WAIT_FOR_VM));
}

static void put_op(swp_c_header *header, const swp_entry *entry, size_t index,
                   const swp_c_base *base)
{
    const swp_op *op = &entry->op;
    const int tile = header->tiles[entry->phase][index];
    const bool is_conditional =
        swp_c_is_of_loop(header) && swp_c_put_loop_condition(header, entry, base);
    swp_text_format(&header->text, "%s_%s(ctx, ", header->prefix, header->op_macros[op->tag]);
    if (!swp_c_is_of_loop(header))
        swp_text_format(&header->text, "%d, %d, ", op->stage, op->subtile);
    swp_text_format(&header->text, "SWP_TILE(%s, %d)", base->kb, tile);
    if (swp_c_is_of_loop(header))
        swp_c_put_loop_slots(header, op, base->kb);
    swp_text_format(&header->text, is_conditional ? "); }" : ");");
}

static void put_infrastructure(swp_c_header *header, const swp_op *op)
{
    swp_text *text = &header->text;
    switch (op->tag) {
    case SWP_TAG_BARRIER:
        swp_text_format(text, "SWP_BARRIER();");
        break;
    case SWP_TAG_WAIT_VM:
        swp_text_format(text, "SWP_WAIT_VM(%d);", wait_of(header, op));
        break;
    case SWP_TAG_WAIT_LGKM:
        swp_text_format(text, "SWP_WAIT_LGKM(%d);", wait_of(header, op));
        break;
    case SWP_TAG_SET_PRIO:
        swp_text_format(text, "SWP_SET_PRIO(%d);", op->wait_value);
        break;
    case SWP_TAG_SCHEDULE_BARRIER:
        swp_text_format(text, "SWP_SCHED_BARRIER(0);");
        break;
    default:
        swp_text_format(text, "SWP_SCHED_GROUP_BARRIER(0x%x, %d, 0);",
                        swp_c_group_mask(op->subtile), op->wait_value);
        break;
    }
}

/* `name`_`part`(`parameters`): the entries from `first` to before `end`. */
static void put_entries(swp_c_header *header, const char *name, const char *parameters,
                        swp_phase phase, size_t first, size_t end)
{
    swp_text *text = &header->text;
    const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
    const swp_c_base base = swp_c_base_of(header, phase);
    swp_text_format(text, "\n#define %s_%s(%s) \\\n    do { \\\n", header->prefix, name,
                    parameters);
    for (size_t i = first; i < end; i++) {
        const swp_entry *entry = &entries->items[i];
        const bool is_work = swp_ir_is_work(&entry->op);
        if (is_work && swp_c_is_of_loop(header) && swp_c_loop_never_calls(header, entry, &base))
            continue;
        if (swp_ir_only_group(&entry->op) >= 0) /* of a lag: X_RUN knows the group */
            continue;
        swp_text_format(text, "        ");
        if (is_work)
            put_op(header, entry, i, &base);
        else
            put_infrastructure(header, &entry->op);
        swp_text_format(text, " \\\n");
    }
    swp_text_format(text, "    } while (0)\n");
}

static void put_list(swp_c_header *header, const char *name, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
    const bool told = phase == SWP_KERNEL && swp_c_loop_asks_for_last(header);
    put_entries(header, name, told ? "ctx, kb, n" : "ctx, kb", phase, 0, entries->count);
}

/* Where group 1 falls behind, the prologue is in two parts. */
static void put_prologue(swp_c_header *header)
{
    const swp_entry_list *entries = swp_schedule_phase(header->schedule, SWP_PROLOGUE);
    const char *parameters = swp_c_loop_asks_for_last(header) ? "ctx, n" : "ctx";
    const char *x = header->prefix;
    const int lag = swp_c_group_barrier(header, SWP_PROLOGUE, 1);
    if (!swp_ir_lags(&header->schedule->machine)) {
        put_entries(header, "PROLOGUE", parameters, SWP_PROLOGUE, 0, entries->count);
        return;
    }
    const size_t head = lag >= 0 ? (size_t)lag : (size_t)swp_ir_published_count(entries);
    put_entries(header, "PROLOGUE_HEAD", parameters, SWP_PROLOGUE, 0, head);
    put_entries(header, "PROLOGUE_TAIL", parameters, SWP_PROLOGUE, head, entries->count);
    swp_text_format(&header->text,
                    "\n#define %s_PROLOGUE(%s) \\\n    do { \\\n        %s_PROLOGUE_HEAD(%s); \\\n"
                    "        %s_PROLOGUE_TAIL(%s); \\\n    } while (0)\n",
                    x, parameters, x, parameters, x, parameters);
}

/* The end of a form for other numbers of tiles, whose tiles are counted for themselves. */
static swp_status put_form(swp_c_header *header, int form)
{
    swp_c_header one = *header;
    const swp_schedule schedule = swp_schedule_form(header->schedule, form);
    const int remainders = header->schedule->loop.tiles_per_pass;
    char *name = NULL;
    one.schedule = &schedule;
    SWP_TRY(swp_c_find_tiles(&one));
    SWP_TRY(form < remainders ? swp_format(header->ctx, &name, "EPILOGUE_%d", form)
                              : swp_format(header->ctx, &name, "STRAIGHT_%d", form - remainders));
    put_list(&one, name, SWP_EPILOGUE);
    header->text = one.text;
    return header->text.status;
}

swp_status swp_c_put_phases(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    put_prologue(header);
    put_list(header, "KERNEL", SWP_KERNEL);
    put_list(header, "EPILOGUE", SWP_EPILOGUE);
    for (int form = 1; form < swp_schedule_forms(s); form++)
        SWP_TRY(put_form(header, form));
    return SWP_OK;
}
