/* SPDX-License-Identifier: Apache-2.0 */
#include "ops.h"

#include "fixture.h"

#include <stdio.h>
#include <string.h>

static swp_op costed(swp_op op, swp_role role, swp_resource resource, int latency, int vgpr_def)
{
    op.role = role;
    op.resource = resource;
    op.latency = latency;
    op.vgpr_def = vgpr_def;
    return op;
}

swp_op load_op(int channel, int stage, int subtile, swp_k_offset k_offset)
{
    return costed(swp_op_logical(TAG_LOAD_A + channel, channel, stage, subtile, k_offset),
                  SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, 200, 0);
}

swp_op frag_op(int channel, int stage, int subtile)
{
    return costed(swp_op_logical(TAG_FRAG_A + channel, channel, stage, subtile, SWP_K_NONE),
                  SWP_FRAGMENT_LOAD, SWP_LDS, 20, 8);
}

swp_op mma_op(int row, int column)
{
    return costed(swp_op_logical(TAG_MMA, -1, row, column, SWP_K_NONE), SWP_COMPUTE, SWP_MMA_UNIT,
                  16, 4);
}

swp_op store_op(int channel, int stage, int subtile)
{
    return costed(swp_op_logical(TAG_STORE, channel, stage, subtile, SWP_K_NONE), SWP_SHARED_STORE,
                  SWP_LDS, 20, 0);
}

swp_op plain_op(swp_role role, swp_resource resource, int latency)
{
    return costed(swp_op_logical(TAG_OTHER, -1, 0, 0, SWP_K_NONE), role, resource, latency, 0);
}

bool same_op(const swp_op *a, const swp_op *b)
{
    return a->tag == b->tag && a->stage == b->stage && a->subtile == b->subtile &&
           a->k_offset == b->k_offset && a->vm_cost == b->vm_cost && a->lgkm_cost == b->lgkm_cost &&
           a->wait_value == b->wait_value && a->resource == b->resource &&
           a->latency == b->latency && a->role == b->role && a->channel == b->channel &&
           a->vgpr_def == b->vgpr_def && a->vgpr_kill == b->vgpr_kill;
}

/* The letter of a channel; a load that lost its channel shows. */
static char letter(const swp_op *op)
{
    return op->channel == 0 ? 'A' : op->channel == 1 ? 'B' : '?';
}

static int write_sync(char *out, size_t room, const swp_op *op)
{
    switch (op->tag) {
    case SWP_TAG_BARRIER:
        return snprintf(out, room, "bar");
    case SWP_TAG_WAIT_VM:
        return snprintf(out, room, "vm%d", op->wait_value);
    case SWP_TAG_WAIT_LGKM:
        return snprintf(out, room, "lgkm%d", op->wait_value);
    case SWP_TAG_SET_PRIO:
        return snprintf(out, room, "prio%d", op->wait_value);
    case SWP_TAG_SCHEDULE_BARRIER:
        return snprintf(out, room, "sb");
    case SWP_TAG_SCHED_GROUP_BARRIER:
        return snprintf(out, room, "sgb%dx%d", op->subtile, op->wait_value);
    default:
        return snprintf(out, room, "tag%d", op->tag);
    }
}

static int write_op(char *out, size_t room, const swp_op *op)
{
    if (op->tag >= SWP_FIRST_INFRASTRUCTURE_TAG)
        return write_sync(out, room, op);
    switch (op->role) {
    case SWP_GLOBAL_LOAD:
        return op->k_offset == SWP_K_NONE
                   ? snprintf(out, room, "L%c%d%d", letter(op), op->stage, op->subtile)
                   : snprintf(out, room, "L%c%d%d@%s", letter(op), op->stage, op->subtile,
                              swp_k_offset_name(op->k_offset));
    case SWP_FRAGMENT_LOAD:
        return snprintf(out, room, "F%c%d%d", letter(op), op->stage, op->subtile);
    case SWP_COMPUTE:
        return snprintf(out, room, "M%d%d", op->stage, op->subtile);
    case SWP_SHARED_STORE:
        return snprintf(out, room, "S%d%d", op->stage, op->subtile);
    default:
        return snprintf(out, room, "op%d", op->tag);
    }
}

enum { TEXT_ROOM = 16384 };

static void expect_text(const char *found, const char *expected, const char *file, int line)
{
    if (strcmp(found, expected) == 0)
        return;
    print_error("found    \"%s\"\nexpected \"%s\"\n", found, expected);
    _fail(file, line);
}

void expect_ops(const swp_op_list *ops, const char *text, const char *file, int line)
{
    char found[TEXT_ROOM] = "";
    size_t used = 0;
    for (size_t i = 0; i < ops->count && used < TEXT_ROOM - 64; i++) {
        if (i > 0)
            found[used++] = ' ';
        used += (size_t)write_op(found + used, TEXT_ROOM - used, &ops->items[i]);
    }
    expect_text(found, text, file, line);
}

void expect_entries(const swp_entry_list *entries, const char *text, const char *file, int line)
{
    char found[TEXT_ROOM] = "";
    size_t used = 0;
    for (size_t i = 0; i < entries->count && used < TEXT_ROOM - 64; i++) {
        if (i > 0)
            found[used++] = ' ';
        used += (size_t)write_op(found + used, TEXT_ROOM - used, &entries->items[i].op);
        if (entries->items[i].is_prefetch)
            found[used++] = '*';
        found[used] = '\0';
        if (entries->items[i].time_slot != (int)i)
            print_error("entry %zu has time slot %d\n", i, entries->items[i].time_slot);
        _assert_true((uintmax_t)(entries->items[i].time_slot == (int)i), "time slot", file, line);
    }
    expect_text(found, text, file, line);
}

void expect_edges(const swp_edge_list *edges, const char *text, const char *file, int line)
{
    char found[TEXT_ROOM] = "";
    size_t used = 0;
    for (size_t i = 0; i < edges->count && used < TEXT_ROOM - 64; i++) {
        const swp_edge *edge = &edges->items[i];
        used += (size_t)snprintf(found + used, TEXT_ROOM - used, "%s%d>%d %s%d", i ? ", " : "",
                                 edge->producer, edge->consumer, swp_dep_kind_name(edge->kind),
                                 edge->distance);
    }
    expect_text(found, text, file, line);
}

void expect_order(const swp_order *order, const char *text, const char *file, int line)
{
    char found[TEXT_ROOM] = "";
    size_t used = 0;
    for (size_t i = 0; i < order->count && used < TEXT_ROOM - 64; i++)
        used +=
            (size_t)snprintf(found + used, TEXT_ROOM - used, "%s%d", i ? " " : "", order->items[i]);
    expect_text(found, text, file, line);
}

int count_tag(const swp_entry_list *entries, int tag)
{
    int found = 0;
    for (size_t i = 0; i < entries->count; i++)
        found += entries->items[i].op.tag == tag;
    return found;
}

swp_op_list list_of(swp_op *ops, size_t count)
{
    return (swp_op_list){ops, count, count};
}
