/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, ops and figures of a header whose entries are ops of a loop. */
#include "emit/c/loop.h"

#include "emit/c/condition.h"
#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"

#include <inttypes.h>
#include <string.h>

/* A value of an op, in a version of so many iterations before. */
typedef struct operand {
    int value;
    int before;
} operand;

static const swp_loop_dataflow *dataflow_of(const swp_c_header *header)
{
    return header->schedule->dataflow;
}

/* An update that begins a version reads the one before, which another slot may hold. */
static bool has_own_source(const swp_c_header *header, int op, int value)
{
    const swp_loop_dataflow *dataflow = dataflow_of(header);
    return dataflow->slots[value] > 1 && swp_ir_loop_first_maker(dataflow->loop, value) == op;
}

typedef void put_operand(swp_c_header *header, const swp_op *entry, const char *kb, operand o);

/* Calls `put` for each operand of an op: what it writes, updates and reads, in this order. */
static void for_operands(swp_c_header *header, const swp_op *entry, const char *kb,
                         put_operand *put)
{
    const int index = swp_loop_op_of_tag(entry->tag);
    const swp_loop_op *op = &dataflow_of(header)->loop->ops[index];
    for (size_t i = 0; i < op->write_count; i++)
        put(header, entry, kb, (operand){op->writes[i], 0});
    for (size_t i = 0; i < op->update_count; i++) {
        put(header, entry, kb, (operand){op->updates[i], 0});
        if (has_own_source(header, index, op->updates[i]))
            put(header, entry, kb, (operand){op->updates[i], 1});
    }
    for (size_t i = 0; i < op->read_count; i++)
        put(header, entry, kb, (operand){op->reads[i].value, op->reads[i].distance});
}

/* As floor division has it. */
static int modulo(int a, int b)
{
    return (a % b + b) % b;
}

static bool is_zero(const char *kb)
{
    return strcmp(kb, "0") == 0;
}

/* Whether all bases of a list are the same modulo the period. */
static bool is_fixed(const swp_c_header *header, const char *kb, int period)
{
    if (header->schedule->output_tiles)
        return period == 1;
    return is_zero(kb) || header->schedule->loop.tiles_per_pass % period == 0;
}

/*
 * SWP_SLOT(turn, slots), or the parity. What turns count lives on from one output tile to the next; turns are counted without a
 * sign, as the last ones of all lie beyond what an int holds.
 */
static void put_function(swp_c_header *header, const char *function, const char *kb,
                         swp_c_turn turn, int slots)
{
    swp_text *text = &header->text;
    swp_text_format(text, "%s(", function);
    if (!header->schedule->output_tiles)
        swp_text_format(text, "(%s)", kb);
    else if (turn.clock == SWP_TILE_CLOCK)
        swp_text_format(text, "(unsigned)(state).tile");
    else if (is_zero(kb))
        swp_text_format(text, "(unsigned)(state).pass");
    else
        swp_text_format(text, "(unsigned)(state).pass + (unsigned)(%s)", kb);
    swp_text_format(text, " + %d, %d)", turn.offset, slots);
}

void swp_c_put_turn_slot(swp_c_header *header, const char *kb, swp_c_turn turn, int slots)
{
    turn.offset = modulo(turn.offset, slots);
    if (is_fixed(header, kb, slots))
        swp_text_format(&header->text, "%d", turn.offset);
    else
        put_function(header, "SWP_SLOT", kb, turn, slots);
}

/* The turns of two phases are a period of slots and parities. */
void swp_c_put_turn_parity(swp_c_header *header, const char *kb, swp_c_turn turn, int slots)
{
    turn.offset = modulo(turn.offset, 2 * slots);
    if (is_fixed(header, kb, 2 * slots))
        swp_text_format(&header->text, "%d", turn.offset / slots);
    else
        put_function(header, "SWP_PARITY", kb, turn, slots);
}

/* docs/roles-reference.md, "Output tiles": of what passes make, an op of the tile clock finds the last version, or makes what is before the first. */
static swp_c_turn turn_of_operand(const swp_c_header *header, const swp_op *entry, operand o)
{
    const swp_loop *loop = dataflow_of(header)->loop;
    const swp_role_clock clock = swp_ir_loop_op(header->schedule, entry)->clock;
    if (clock == SWP_TILE_CLOCK && swp_ir_is_of_passes(loop, o.value))
        return (swp_c_turn){SWP_PASS_CLOCK, -1};
    if (clock == SWP_PASS_CLOCK && swp_ir_is_of_tiles(loop, o.value))
        return (swp_c_turn){SWP_TILE_CLOCK, 0};
    return (swp_c_turn){clock, entry->iteration - o.before};
}

static void put_slot(swp_c_header *header, const swp_op *entry, const char *kb, operand o)
{
    swp_text_format(&header->text, ", ");
    swp_c_put_turn_slot(header, kb, turn_of_operand(header, entry, o),
                        dataflow_of(header)->slots[o.value]);
}

void swp_c_put_loop_slots(swp_c_header *header, const swp_op *entry, const char *kb)
{
    for_operands(header, entry, kb, put_slot);
}

static void put_name(swp_c_header *header, const swp_op *entry, const char *kb, operand o)
{
    (void)entry;
    (void)kb;
    swp_text_format(&header->text, ", %s", header->value_macros[o.value]);
    if (o.before > 0)
        swp_text_format(&header->text, "_%d", o.before);
}

void swp_c_put_loop_names(swp_c_header *header, int tag)
{
    const swp_op op = {.tag = tag};
    swp_text_format(&header->text, "%s_%s(ctx, i", header->prefix, header->op_macros[tag]);
    for_operands(header, &op, "0", put_name);
}

static int calls(const swp_entry_list *entries, int tag)
{
    int count = 0;
    for (size_t i = 0; i < entries->count; i++)
        count += entries->items[i].op.tag == tag;
    return count;
}

static void put_op(swp_c_header *header, int tag)
{
    const swp_schedule *s = header->schedule;
    const swp_c_op costs = swp_c_op_of(header, tag);
    swp_text_format(&header->text, " * %8d%8d%10d%6d  ", costs.vm.most, costs.lgkm.most,
                    calls(swp_schedule_phase(s, SWP_PROLOGUE), tag),
                    calls(swp_schedule_phase(s, SWP_KERNEL), tag));
    swp_c_put_loop_names(header, tag);
    swp_text_format(&header->text, ")\n");
}

static const char reading[] =
    " *\n"
    " * i is SWP_TILE(kb, literal), the iteration that the call works for, from 0. Each other "
    "parameter is\n"
    " * a literal: the slot, from 0, of the value of that name, first those that the op writes and "
    "updates,\n"
    " * then those that it reads; NAME_1 is the version of one iteration before. The columns say "
    "how many\n"
    " * accesses a call makes a wave issue, and how often it is called.\n";

/* What the kernel has to define: a macro for each op of the loop. */
void swp_c_put_loop_ops(swp_c_header *header)
{
    swp_text_format(&header->text,
                    " *\n * The kernel defines a macro for each op, to be used as a statement:\n"
                    " *\n *    vmcnt lgkmcnt  prologue  pass\n");
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (header->op_macros[tag])
            put_op(header, tag);
    swp_text_add(&header->text, reading, strlen(reading));
    swp_c_put_loop_conditions(header);
}

static void put_value_figure(swp_c_header *header, const char *value, const char *what,
                             int64_t number)
{
    swp_text_format(&header->text, "#define %s_%s_%s %" PRId64 "\n", header->prefix, what, value,
                    number);
}

void swp_c_put_loop_figures(swp_c_header *header)
{
    const swp_loop_dataflow *dataflow = dataflow_of(header);
    for (size_t v = 0; v < dataflow->loop->value_count; v++) {
        const char *name = header->value_macros[v];
        put_value_figure(header, name, "SLOTS", dataflow->slots[v]);
        put_value_figure(header, name, "BYTES", dataflow->loop->values[v].bytes);
    }
}
