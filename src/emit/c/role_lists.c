/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of warp roles as macros of one call an entry. */
#include "emit/c/condition.h"
#include "emit/c/loop.h"
#include "emit/c/roles.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "ir/sync_objects.h"

/* Who executes an entry: of an instance, and of the instances where they are not all (a bit each). */
typedef struct guard {
    bool is_one;
    int instances;
} guard;

static guard guard_of(const swp_stream *stream, const swp_op *op)
{
    const int all = (1 << stream->instances) - 1;
    return (guard){.is_one = op->by == SWP_ONE_THREAD,
                   .instances = op->instances == all ? 0 : op->instances};
}

static bool is_same(guard a, guard b)
{
    return a.is_one == b.is_one && a.instances == b.instances;
}

static bool is_for_all(guard g)
{
    return !g.is_one && g.instances == 0;
}

static void put_guard(swp_c_header *header, guard g)
{
    swp_text_format(&header->text, "        if (%s%s", g.is_one ? "one" : "",
                    g.is_one && g.instances ? " && " : "");
    if (g.instances)
        swp_text_format(&header->text, "(0x%x >> (instance) & 1) != 0", (unsigned)g.instances);
    swp_text_format(&header->text, ") { \\\n");
}

static swp_c_turn turn_of(const swp_c_header *header, const swp_op *op)
{
    return (swp_c_turn){header->schedule->objects[op->object].clock, op->iteration};
}

/* X_MBARRIER_O(ctx, slot) of an entry. */
static void put_mbarrier(swp_c_header *header, const swp_op *op, const char *kb)
{
    swp_text_format(&header->text, "%s_MBARRIER_%s(ctx, ", header->prefix,
                    header->object_macros[op->object]);
    swp_c_put_turn_slot(header, kb, turn_of(header, op),
                        header->schedule->objects[op->object].slots);
    swp_text_format(&header->text, ")");
}

static void put_work(swp_c_header *header, const swp_entry *entry, const swp_c_base *base)
{
    const swp_op *op = &entry->op;
    const char *kb = base->kb;
    const bool is_conditional = swp_c_put_loop_condition(header, entry, base);
    const bool of_tiles = swp_ir_entry_clock(header->schedule, op) == SWP_TILE_CLOCK;
    swp_text_format(&header->text, "%s_%s(ctx, SWP_TILE(%s, %d)", header->prefix,
                    header->op_macros[op->tag], of_tiles ? "(state).tile" : kb, op->iteration);
    swp_c_put_loop_slots(header, op, kb);
    if (op->object >= 0) {
        swp_text_format(&header->text, ", ");
        put_mbarrier(header, op, kb);
        swp_text_format(&header->text, ", %d", op->bytes);
    }
    if (swp_ir_loop_op(header->schedule, op)->multicast)
        swp_text_format(&header->text, ", %s_CLUSTER_MASK", header->prefix);
    swp_text_format(&header->text, is_conditional ? "); }" : ");");
}

/* An arrival at each work group of the cluster. */
static void put_arrivals(swp_c_header *header, const swp_op *op, const char *kb)
{
    const char *name = swp_c_releases_reads(header->schedule) ? "RELEASE" : "ARRIVE";
    for (int rank = 0; rank < swp_ir_ranks(header->schedule); rank++) {
        swp_text_format(&header->text, "%sSWP_MBARRIER_%s_RANK(", rank == 0 ? "" : " ", name);
        put_mbarrier(header, op, kb);
        swp_text_format(&header->text, ", %d);", rank);
    }
}

static const char *name_of(const swp_c_header *header, const swp_op *op)
{
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    return operation->waits && swp_c_acquires_reads(header->schedule, op->object)
               ? "MBARRIER_WAIT_CLUSTER"
               : operation->macro;
}

/* Of mbarriers. */
static void put_mbarrier_operation(swp_c_header *header, const swp_op *op, const char *kb)
{
    if (op->to == SWP_TO_ALL) {
        put_arrivals(header, op, kb);
        return;
    }
    swp_text_format(&header->text, "SWP_%s(", name_of(header, op));
    put_mbarrier(header, op, kb);
    if (op->bytes > 0)
        swp_text_format(&header->text, ", %d", op->bytes);
    if (swp_ir_sync_operation(op->tag)->waits) {
        swp_text_format(&header->text, ", ");
        swp_c_put_turn_parity(header, kb, turn_of(header, op),
                              header->schedule->objects[op->object].slots);
    }
    swp_text_format(&header->text, ");");
}

static void put_named_barrier(swp_c_header *header, const swp_op *op)
{
    const swp_role_object *object = &header->schedule->objects[op->object];
    const int slots = object->slots;
    const int step = (op->slot_step % slots + slots) % slots;
    swp_text_format(&header->text, "SWP_%s(%s_BARRIER_%s(", swp_ir_sync_operation(op->tag)->macro,
                    header->prefix, header->object_macros[op->object]);
    if (step == 0)
        swp_text_format(&header->text, "%d", op->slot % slots);
    else
        swp_text_format(&header->text, "SWP_SLOT(%d + %d * (instance), %d)", op->slot % slots, step,
                        slots);
    swp_text_format(&header->text, "), %d);", object->threads);
}

/* What takes the count of a wait, or nothing. Registers are kept where they are by a macro of the kernel's. */
static void put_plain(swp_c_header *header, const swp_sync_operation *operation, const swp_op *op)
{
    if (operation->fence == SWP_REGISTER_FENCE)
        swp_text_format(&header->text, "%s_KEEP(ctx); ", header->prefix);
    swp_text_format(&header->text, "SWP_%s(", operation->macro);
    if (swp_ir_sync_waits_for_groups(operation))
        swp_text_format(&header->text, "%d", swp_ir_sync_left(operation->object, op->wait_value));
    swp_text_format(&header->text, ");");
    if (operation->waits && swp_ir_sync_has_registers(operation->object))
        swp_text_format(&header->text, " %s_KEEP(ctx);", header->prefix);
}

static void put_operation(swp_c_header *header, const swp_op *op, const char *kb)
{
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    const swp_sync_object_row *object = swp_ir_sync_object_row(operation->object);
    if (object->completes == SWP_COMPLETES_BY_PHASE)
        put_mbarrier_operation(header, op, kb);
    else if (op->object >= 0)
        put_named_barrier(header, op);
    else if (swp_ir_is_barrier(op))
        swp_text_format(&header->text, "SWP_%s(0, %s_ROLE_THREADS);", operation->macro,
                        header->prefix);
    else
        put_plain(header, operation, op);
}

/* Entries that the same threads execute stand in one branch. */
static void put_entries(swp_c_header *header, const swp_stream *stream,
                        const swp_entry_list *entries, const swp_c_base *base)
{
    guard open = {false, 0};
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        if (swp_ir_is_work(op) && swp_c_loop_never_calls(header, &entries->items[i], base))
            continue;
        const guard own = guard_of(stream, op);
        if (!is_same(open, own)) {
            if (!is_for_all(open))
                swp_text_format(&header->text, "        } \\\n");
            if (!is_for_all(own))
                put_guard(header, own);
            open = own;
        }
        swp_text_format(&header->text, "        %s", is_for_all(own) ? "" : "    ");
        if (swp_ir_is_work(op))
            put_work(header, &entries->items[i], base);
        else
            put_operation(header, op, base->kb);
        swp_text_format(&header->text, " \\\n");
    }
    if (!is_for_all(open))
        swp_text_format(&header->text, "        } \\\n");
}

typedef struct list {
    const char *name;
    int number; /* behind the name; -1: none */
    swp_c_base base;
    bool takes_kb;
    bool is_told; /* how many iterations there are, where that is asked for */
} list;

static void put_list(swp_c_header *header, size_t role, const swp_entry_list *entries, list l)
{
    const bool is_told = l.is_told && swp_c_loop_asks_for_last(header);
    swp_text_format(&header->text, "\n#define %s_%s", header->prefix, l.name);
    if (l.number >= 0)
        swp_text_format(&header->text, "_%d", l.number);
    swp_text_format(&header->text, "_%s(ctx, instance, one%s%s%s) \\\n    do { \\\n",
                    header->role_macros[role], header->schedule->output_tiles ? ", state" : "",
                    l.takes_kb ? ", kb" : "", is_told ? ", n" : "");
    put_entries(header, &header->schedule->streams[role], entries, &l.base);
    swp_text_format(&header->text, "    } while (0)\n");
}

static void put_straight(swp_c_header *header, size_t role)
{
    const swp_tails *tails = &header->schedule->streams[role].tails;
    for (int n = 0; n < (int)tails->straight_count; n++) {
        const swp_c_base base = {.kb = "0", .is_zero = true, .left = n, .is_exact = true};
        put_list(header, role, &tails->straight[n],
                 (list){.name = "STRAIGHT", .number = n, .base = base, .takes_kb = true});
    }
}

/* From the first list of a run with passes to the last one. */
static void put_passes(swp_c_header *header, size_t role)
{
    const swp_schedule *schedule = header->schedule;
    const swp_stream *s = &schedule->streams[role];
    const int pass = swp_c_role_pass(schedule, role);
    const int least = schedule->loop.min_tiles;
    const swp_c_base start = {.kb = "0", .is_zero = true, .left = least};
    swp_c_base base = {.kb = "kb", .multiple_of = pass, .left = least + pass};
    swp_entry_list kernel = s->kernel;
    if (swp_c_role_rolls(schedule, role))
        kernel.count /= (size_t)schedule->loop.tiles_per_pass;
    put_list(header, role, &s->prologue,
             (list){.name = "PROLOGUE", .number = -1, .base = start, .is_told = true});
    put_list(
        header, role, &kernel,
        (list){.name = "KERNEL", .number = -1, .base = base, .is_told = true, .takes_kb = true});
    base.is_exact = true;
    base.left = least;
    put_list(header, role, &s->epilogue,
             (list){.name = "EPILOGUE", .number = -1, .base = base, .takes_kb = true});
    for (int r = 1; r <= (int)s->tails.epilogue_count && !swp_c_role_rolls(schedule, role); r++) {
        base.left = least + r;
        put_list(header, role, &s->tails.epilogues[r - 1],
                 (list){.name = "EPILOGUE", .number = r, .base = base, .takes_kb = true});
    }
}

/* Those of output tiles. */
static void put_around(swp_c_header *header, size_t role)
{
    const swp_stream *s = &header->schedule->streams[role];
    const swp_c_base start = {.kb = "0", .is_zero = true};
    const swp_c_base end = {.kb = "kb", .multiple_of = 1, .is_exact = true};
    put_list(header, role, &s->begin,
             (list){.name = "BEGIN", .number = -1, .base = start, .is_told = true});
    put_list(header, role, &s->end,
             (list){.name = "END", .number = -1, .base = end, .takes_kb = true});
    put_list(header, role, &s->drain, (list){.name = "LAST", .number = -1, .base = start});
}

swp_status swp_c_put_role_lists(swp_c_header *header)
{
    for (size_t i = 0; i < header->schedule->stream_count; i++) {
        put_straight(header, i);
        put_passes(header, i);
        if (header->schedule->output_tiles)
            put_around(header, i);
    }
    return header->text.status;
}
