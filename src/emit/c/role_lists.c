/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of warp roles as macros of one call an entry. */
#include "emit/c/loop.h"
#include "emit/c/roles.h"
#include "ir/entry.h"
#include "ir/schedule.h"

/* wgmma.wait_group takes 0 to 7 (PTX ISA); who waits for more groups than asked waits for nothing that does not come. */
enum { MOST_MATRIX_GROUPS = 7 };

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

static void put_work(swp_c_header *header, const swp_op *op, const char *kb)
{
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
    swp_text_format(&header->text, ");");
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
    if (op->tag == SWP_TAG_WAIT_PHASE)
        return swp_c_acquires_reads(header->schedule, op->object) ? "WAIT_CLUSTER" : "WAIT";
    return op->tag == SWP_TAG_ARRIVE_EXPECT ? "ARRIVE_EXPECT" : "ARRIVE";
}

/* Of mbarriers. */
static void put_mbarrier_operation(swp_c_header *header, const swp_op *op, const char *kb)
{
    if (op->to == SWP_TO_ALL) {
        put_arrivals(header, op, kb);
        return;
    }
    swp_text_format(&header->text, "SWP_MBARRIER_%s(", name_of(header, op));
    put_mbarrier(header, op, kb);
    if (op->tag == SWP_TAG_ARRIVE_EXPECT)
        swp_text_format(&header->text, ", %d", op->bytes);
    if (op->tag == SWP_TAG_WAIT_PHASE) {
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
    swp_text_format(&header->text, "SWP_NAMED_%s(%s_BARRIER_%s(",
                    op->tag == SWP_TAG_NAMED_SYNC ? "SYNC" : "ARRIVE", header->prefix,
                    header->object_macros[op->object]);
    if (step == 0)
        swp_text_format(&header->text, "%d", op->slot % slots);
    else
        swp_text_format(&header->text, "SWP_SLOT(%d + %d * (instance), %d)", op->slot % slots, step,
                        slots);
    swp_text_format(&header->text, "), %d);", object->threads);
}

static void put_operation(swp_c_header *header, const swp_op *op, const char *kb)
{
    swp_text *text = &header->text;
    const char *x = header->prefix;
    switch (op->tag) {
    case SWP_TAG_BARRIER:
        swp_text_format(text, "SWP_NAMED_SYNC(0, %s_ROLE_THREADS);", x);
        break;
    case SWP_TAG_NAMED_SYNC:
    case SWP_TAG_NAMED_ARRIVE:
        put_named_barrier(header, op);
        break;
    case SWP_TAG_MATRIX_FENCE:
        swp_text_format(text, "%s_KEEP(ctx); SWP_MATRIX_FENCE();", x);
        break;
    case SWP_TAG_MATRIX_COMMIT:
        swp_text_format(text, "SWP_MATRIX_COMMIT();");
        break;
    case SWP_TAG_MATRIX_WAIT:
        swp_text_format(text, "SWP_MATRIX_WAIT(%d); %s_KEEP(ctx);",
                        op->wait_value < MOST_MATRIX_GROUPS ? op->wait_value : MOST_MATRIX_GROUPS,
                        x);
        break;
    case SWP_TAG_BULK_COMMIT:
        swp_text_format(text, "SWP_BULK_COMMIT();");
        break;
    case SWP_TAG_BULK_WAIT:
    case SWP_TAG_BULK_WAIT_READ:
        swp_text_format(text, "SWP_BULK_WAIT%s(%d);",
                        op->tag == SWP_TAG_BULK_WAIT_READ ? "_READ" : "", op->wait_value);
        break;
    case SWP_TAG_CLUSTER_ARRIVE:
        swp_text_format(text, "SWP_CLUSTER_ARRIVE();");
        break;
    case SWP_TAG_CLUSTER_WAIT:
        swp_text_format(text, "SWP_CLUSTER_WAIT();");
        break;
    case SWP_TAG_FENCE_ASYNC:
        swp_text_format(text, "SWP_FENCE_ASYNC();");
        break;
    default:
        put_mbarrier_operation(header, op, kb);
        break;
    }
}

/* Entries that the same threads execute stand in one branch. */
static void put_entries(swp_c_header *header, const swp_stream *stream,
                        const swp_entry_list *entries, const char *kb)
{
    guard open = {false, 0};
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
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
            put_work(header, op, kb);
        else
            put_operation(header, op, kb);
        swp_text_format(&header->text, " \\\n");
    }
    if (!is_for_all(open))
        swp_text_format(&header->text, "        } \\\n");
}

typedef struct list {
    const char *name;
    int number; /* behind the name; -1: none */
    const char *parameters;
    const char *kb;
} list;

static void put_list(swp_c_header *header, size_t role, const swp_entry_list *entries, list l)
{
    swp_text_format(&header->text, "\n#define %s_%s", header->prefix, l.name);
    if (l.number >= 0)
        swp_text_format(&header->text, "_%d", l.number);
    swp_text_format(&header->text, "_%s(%s) \\\n    do { \\\n", header->role_macros[role],
                    l.parameters);
    put_entries(header, &header->schedule->streams[role], entries, l.kb);
    swp_text_format(&header->text, "    } while (0)\n");
}

swp_status swp_c_put_role_lists(swp_c_header *header)
{
    const bool tiles = header->schedule->output_tiles;
    const char *from_0 = tiles ? "ctx, instance, one, state" : "ctx, instance, one";
    const char *from_kb = tiles ? "ctx, instance, one, state, kb" : "ctx, instance, one, kb";
    for (size_t i = 0; i < header->schedule->stream_count; i++) {
        const swp_stream *s = &header->schedule->streams[i];
        const bool rolls = swp_c_role_rolls(header->schedule, i);
        swp_entry_list kernel = s->kernel;
        if (rolls)
            kernel.count /= (size_t)header->schedule->loop.tiles_per_pass;
        for (size_t n = 0; n < s->tails.straight_count; n++)
            put_list(header, i, &s->tails.straight[n], (list){"STRAIGHT", (int)n, from_kb, "0"});
        put_list(header, i, &s->prologue, (list){"PROLOGUE", -1, from_0, "0"});
        put_list(header, i, &kernel, (list){"KERNEL", -1, from_kb, "kb"});
        put_list(header, i, &s->epilogue, (list){"EPILOGUE", -1, from_kb, "kb"});
        for (size_t r = 0; r < s->tails.epilogue_count && !rolls; r++)
            put_list(header, i, &s->tails.epilogues[r],
                     (list){"EPILOGUE", (int)r + 1, from_kb, "kb"});
        if (!tiles)
            continue;
        put_list(header, i, &s->begin, (list){"BEGIN", -1, from_0, "0"});
        put_list(header, i, &s->end, (list){"END", -1, from_kb, "kb"});
        put_list(header, i, &s->drain, (list){"LAST", -1, from_0, "0"});
    }
    return header->text.status;
}
