/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel owes the header of a schedule with warp roles. */
#include "emit/c/condition.h"
#include "emit/c/loop.h"
#include "emit/c/roles.h"
#include "ir/entry.h"
#include "ir/sync_objects.h"
#include "swp/loop.h"

#include <stdio.h>
#include <string.h>

static void put_roles(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    swp_text_format(&header->text,
                    " *\n * Warp roles; of registers a thread, - is as launched:\n *\n"
                    " *     %-16s%12s%8s%12s%12s\n",
                    "", "instances", "warps", "first warp", "registers");
    for (size_t i = 0; i < s->stream_count; i++) {
        const swp_stream *stream = &s->streams[i];
        char registers[16] = "-";
        if (stream->registers > 0)
            (void)snprintf(registers, sizeof registers, "%d", stream->registers);
        swp_text_format(&header->text, " *     %-16s%12d%8d%12d%12s\n", header->role_macros[i],
                        stream->instances, stream->warps, swp_ir_role_warps(s, i).first, registers);
    }
}

typedef struct search {
    int tag;
    const swp_op *found;
} search;

static swp_status find_op(void *user, const swp_stream *stream, const swp_entry *entry)
{
    search *s = user;
    (void)stream;
    if (entry->op.tag == s->tag)
        s->found = &entry->op;
    return SWP_OK;
}

/* The role of an op, and its last entry. */
static size_t role_of(const swp_schedule *schedule, search *s)
{
    size_t role = 0;
    for (size_t i = 0; i < schedule->stream_count && !s->found; i++) {
        role = i;
        (void)swp_c_visit_role(&schedule->streams[i], find_op, s);
    }
    return role;
}

static void put_op(swp_c_header *header, int index)
{
    const swp_loop_op *op = &header->schedule->dataflow->loop->ops[index];
    search s = {.tag = swp_tag_of_loop_op(index)};
    const size_t role = role_of(header->schedule, &s);
    const bool is_one = s.found && s.found->by == SWP_ONE_THREAD;
    const swp_sync_object_row *tracker =
        swp_ir_sync_object_row(swp_ir_sync_tracker(op->completion));
    swp_text_format(&header->text, " *     %-16s%-5s%-12s", header->role_macros[role],
                    is_one ? "one" : "all", tracker->word ? tracker->word : "");
    swp_c_put_loop_names(header, s.tag);
    swp_text_format(&header->text, "%s%s)\n",
                    tracker->completes == SWP_COMPLETES_BY_PHASE ? ", mbarrier, bytes" : "",
                    op->multicast ? ", mask" : "");
}

static const char reading[] =
    " *\n"
    " * i is SWP_TILE(kb, literal), the iteration that the call works for, from 0. Then comes the "
    "slot, "
    "from 0, of\n"
    " * each value: first those that the op writes and updates, then those that it reads; NAME_1 "
    "is "
    "the version of\n"
    " * one iteration before. It is called by one thread of an instance, always the same, or by "
    "all.\n";

static const char contract[] =
    " *\n"
    " * The contract: a copy brings `bytes` bytes in all, which complete on `mbarrier`; wgmmas and "
    "bulk "
    "stores are\n"
    " * issued and not committed; any other op is over when its macro ends. Nothing of them waits, "
    "arrives, commits\n"
    " * or fences: all that is the header's.\n"
    " *\n";

static bool updates_shared(const swp_loop *loop)
{
    for (size_t op = 0; op < loop->op_count; op++)
        for (size_t i = 0; i < loop->ops[op].update_count; i++)
            if (loop->values[loop->ops[op].updates[i]].space == SWP_SPACE_SHARED)
                return true;
    return false;
}

static void put_updates(swp_c_header *header)
{
    static const char text[] = " * Of a shared value that an op updates a thread reads nothing but "
                               "what it writes itself.\n"
                               " *\n";
    if (updates_shared(header->schedule->dataflow->loop))
        swp_text_add(&header->text, text, strlen(text));
}

static void put_cluster(swp_c_header *header)
{
    const char *x = header->prefix;
    if (swp_ir_ranks(header->schedule) == 1)
        return;
    swp_text_format(
        &header->text,
        " * The kernel is launched in clusters of %s_CLUSTER work groups, which all do the same "
        "lists; SWP_CLUSTER_RANK() is a work\n"
        " * group's number. A copy with a `mask` brings the share of that number, of `bytes` "
        "bytes, "
        "to the work groups of the mask, which are\n"
        " * all, at the same place in each, and completes there on the same `mbarrier`. Warps that "
        "are no instance's end behind their run.\n"
        " *\n",
        x);
}

static void put_use(swp_c_header *header)
{
    const char *x = header->prefix;
    swp_text *text = &header->text;
    if (swp_ir_object_slots(header->schedule, SWP_OBJECT_MBARRIER) > 0)
        swp_text_format(
            text,
            " * %s_MBARRIERS(ctx), the kernel's too, points to %s_MBARRIER_COUNT mbarriers of "
            "8 bytes in shared memory.\n",
            x, x);
    swp_text_format(text,
                    " * %s_INIT(ctx) is for all threads, then, in the threads of a role R, "
                    "%s_ENTER_R(ctx) and\n",
                    x, x);
    if (header->schedule->output_tiles)
        swp_text_format(
            text,
            " * %s_RUN_R(ctx, instance, state, n_tiles) for each output tile: its whole loop of "
            "n_tiles iterations.\n"
            " * state is the thread's own %s_STATE, at first %s_FIRST_STATE; behind the last tile "
            "stands\n"
            " * %s_DRAIN_R(ctx, instance, state). All threads have the same tiles. Of an op that "
            "is done once a tile, i is the\n"
            " * tile's number. ",
            x, x, x, x);
    else
        swp_text_format(text,
                        " * %s_RUN_R(ctx, instance, n_tiles): the whole loop of n_tiles "
                        "iterations. ",
                        x);
    swp_text_format(text,
                    "A warp's role and instance are\n"
                    " * %s_ROLE_OF(warp) and %s_INSTANCE_OF(warp); ctx is handed to the kernel's "
                    "macros as it is.\n"
                    " */\n",
                    x, x);
}

void swp_c_put_role_contract(swp_c_header *header)
{
    put_roles(header);
    swp_text_format(&header->text, " *\n * The kernel defines a macro for each op, to be used as a "
                                   "statement:\n *\n");
    for (size_t i = 0; i < header->schedule->dataflow->loop->op_count; i++)
        put_op(header, (int)i);
    swp_text_add(&header->text, reading, strlen(reading));
    swp_c_put_loop_conditions(header);
    swp_text_add(&header->text, contract, strlen(contract));
    put_updates(header);
    put_cluster(header);
    put_use(header);
}
