/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of warp roles as an automaton, built from the end of each to its beginning. */
#include "audit/match/role_language.h"

#include "base/names.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/sync_objects.h"

typedef struct language_builder {
    swp_context *ctx;
    swp_role_language *out;
    const int *sizes; /* of ops, in events */
    int stream;
    int instance;
    int form; /* of the list */
} language_builder;

static swp_status add(language_builder *b, swp_role_node node, int *out)
{
    swp_role_language *nodes = b->out;
    *out = (int)nodes->count;
    return SWP_PUSH(b->ctx, nodes, node);
}

/* A node that goes on to either; the second may be none. */
static swp_status fork(language_builder *b, int next, int other, int *out)
{
    return add(b, (swp_role_node){.next = next, .other = other}, out);
}

static swp_status add_event(language_builder *b, swp_sass_event_kind kind, int value, int next,
                            int *out)
{
    const swp_role_node node = {.event = {kind, value, false},
                                .is_of_one_thread = kind == SWP_SASS_EVENT_INIT ||
                                                    kind == SWP_SASS_EVENT_FENCE_ASYNC,
                                .next = next,
                                .other = SWP_NO_NODE};
    return add(b, node, out);
}

/* --- entries --- */

static swp_sass_event_kind work_of(const swp_schedule *schedule, const swp_op *op)
{
    switch (swp_ir_sync_tracker(swp_ir_loop_op(schedule, op)->completion)) {
    case SWP_SYNC_MBARRIER:
        return SWP_SASS_EVENT_COPY;
    case SWP_MATRIX_GROUP:
        return SWP_SASS_EVENT_MMA;
    case SWP_SYNC_BULK_GROUP:
        return SWP_SASS_EVENT_STORE;
    default:
        return SWP_SASS_EVENT_NONE;
    }
}

/* Numbers of named barriers begin with 1, object after object. */
static int barrier_of(const swp_schedule *schedule, const swp_op *op, int instance)
{
    int first = 1;
    for (int i = 0; i < op->object; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_NAMED_BARRIER)
            first += schedule->objects[i].slots;
    const int slots = schedule->objects[op->object].slots;
    return first + ((op->slot + op->slot_step * instance) % slots + slots) % slots;
}

/* Events of the operations of roles; those of a loop's ops are by their completion. */
static const struct {
    int tag;
    swp_sass_event_kind kind;
} operations[] = {
    {SWP_TAG_BARRIER, SWP_SASS_EVENT_SYNC},
    {SWP_TAG_ARRIVE, SWP_SASS_EVENT_ARRIVE},
    {SWP_TAG_ARRIVE_EXPECT, SWP_SASS_EVENT_ARRIVE_EXPECT},
    {SWP_TAG_WAIT_PHASE, SWP_SASS_EVENT_WAIT},
    {SWP_TAG_NAMED_SYNC, SWP_SASS_EVENT_SYNC},
    {SWP_TAG_NAMED_ARRIVE, SWP_SASS_EVENT_NAMED_ARRIVE},
    {SWP_TAG_MATRIX_COMMIT, SWP_SASS_EVENT_MATRIX_COMMIT},
    {SWP_TAG_MATRIX_WAIT, SWP_SASS_EVENT_MATRIX_WAIT},
    {SWP_TAG_BULK_COMMIT, SWP_SASS_EVENT_BULK_COMMIT},
    {SWP_TAG_BULK_WAIT, SWP_SASS_EVENT_BULK_WAIT},
    {SWP_TAG_BULK_WAIT_READ, SWP_SASS_EVENT_BULK_WAIT},
    {SWP_TAG_FENCE_ASYNC, SWP_SASS_EVENT_FENCE_ASYNC},
    {SWP_TAG_MATRIX_FENCE, SWP_SASS_EVENT_MATRIX_FENCE},
    {SWP_TAG_CLUSTER_ARRIVE, SWP_SASS_EVENT_CLUSTER_ARRIVE},
    {SWP_TAG_CLUSTER_WAIT, SWP_SASS_EVENT_CLUSTER_WAIT},
};

static swp_sass_event_kind kind_of(const swp_schedule *schedule, const swp_op *op)
{
    for (size_t i = 0; i < SWP_COUNT_OF(operations); i++)
        if (operations[i].tag == op->tag)
            return operations[i].kind;
    return work_of(schedule, op);
}

static int value_of(const language_builder *b, const swp_op *op)
{
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    if (op->object >= 0 && swp_ir_sync_completes(operation) == SWP_COMPLETES_BY_MEETING)
        return barrier_of(b->out->schedule, op, b->instance);
    return swp_ir_sync_waits_for_groups(operation)
               ? swp_ir_sync_left(operation->object, op->wait_value)
               : 0;
}

bool swp_match_is_work(swp_sass_event_kind kind)
{
    return kind == SWP_SASS_EVENT_COPY || kind == SWP_SASS_EVENT_MMA ||
           kind == SWP_SASS_EVENT_STORE;
}

/* What an op is made of is the kernel's: as many instructions as is known, or one and more. */
static swp_status add_work(language_builder *b, swp_role_node node, int *out)
{
    int again = SWP_NO_NODE;
    for (int n = b->sizes[node.op->tag]; n > 0; n--) {
        node.next = *out;
        SWP_TRY(add(b, node, out));
    }
    if (b->sizes[node.op->tag] > 0)
        return SWP_OK;
    SWP_TRY(fork(b, *out, SWP_NO_NODE, &again));
    node.next = again;
    SWP_TRY(add(b, node, out));
    b->out->items[again].other = *out;
    return SWP_OK;
}

static swp_status add_entry(language_builder *b, swp_role_node node, int *out)
{
    node.next = *out;
    node.other = SWP_NO_NODE;
    return swp_match_is_work(node.event.kind) ? add_work(b, node, out) : add(b, node, out);
}

/* An arrival at all work groups of a cluster is one for each. */
static int times(const swp_schedule *schedule, const swp_op *op)
{
    return op->tag == SWP_TAG_ARRIVE && op->to == SWP_TO_ALL ? swp_ir_ranks(schedule) : 1;
}

static swp_status add_list(language_builder *b, const swp_entry_list *list, swp_phase phase,
                           int next, int *out)
{
    *out = next;
    for (size_t i = list->count; i-- > 0;) {
        const swp_op *op = &list->items[i].op;
        const swp_role_node node = {
            .event = {kind_of(b->out->schedule, op), value_of(b, op), false},
            .is_of_one_thread = op->by == SWP_ONE_THREAD,
            .op = op,
            .stream = b->stream,
            .form = b->form,
            .phase = phase,
            .entry = (int)i};
        if (node.event.kind == SWP_SASS_EVENT_NONE || !swp_ir_runs_in(op, b->instance))
            continue;
        for (int n = times(b->out->schedule, op); n > 0; n--)
            SWP_TRY(add_entry(b, node, out));
    }
    return SWP_OK;
}

/* --- streams --- */

/* All forms of the epilogue, behind the loop. */
static swp_status add_epilogues(language_builder *b, const swp_stream *stream, int next, int *out)
{
    int list = SWP_NO_NODE;
    b->form = 0;
    SWP_TRY(add_list(b, &stream->epilogue, SWP_EPILOGUE, next, out));
    for (size_t i = 0; i < stream->tails.epilogue_count; i++) {
        b->form = (int)i + 1;
        SWP_TRY(add_list(b, &stream->tails.epilogues[i], SWP_EPILOGUE, next, &list));
        SWP_TRY(fork(b, *out, list, out));
    }
    b->form = 0;
    return SWP_OK;
}

/* Prologue, loop and epilogue; or a straight list. */
static swp_status add_tile(language_builder *b, const swp_stream *stream, int next, int *out)
{
    int loop = SWP_NO_NODE;
    int epilogue = SWP_NO_NODE;
    int pass = SWP_NO_NODE;
    int list = SWP_NO_NODE;
    SWP_TRY(add_epilogues(b, stream, next, &epilogue));
    SWP_TRY(fork(b, epilogue, SWP_NO_NODE, &loop));
    SWP_TRY(add_list(b, &stream->kernel, SWP_KERNEL, loop, &pass));
    b->out->items[loop].other = pass == loop ? SWP_NO_NODE : pass;
    SWP_TRY(add_list(b, &stream->prologue, SWP_PROLOGUE, loop, out));
    for (size_t n = 0; n < stream->tails.straight_count; n++) {
        b->form = (int)(stream->tails.epilogue_count + 1 + n);
        SWP_TRY(add_list(b, &stream->tails.straight[n], SWP_EPILOGUE, next, &list));
        SWP_TRY(fork(b, *out, list, out));
    }
    b->form = 0;
    return SWP_OK;
}

/* With output tiles one after the other, and what stands behind the last. */
static swp_status add_stream(language_builder *b, int end, int *out)
{
    const swp_stream *stream = &b->out->schedule->streams[b->stream];
    int again = SWP_NO_NODE;
    int tile = SWP_NO_NODE;
    int drain = SWP_NO_NODE;
    int after = SWP_NO_NODE;
    if (!b->out->schedule->output_tiles)
        return add_tile(b, stream, end, out);
    SWP_TRY(add_list(b, &stream->drain, SWP_DRAIN, end, &drain));
    SWP_TRY(fork(b, drain, SWP_NO_NODE, &again));
    SWP_TRY(add_list(b, &stream->end, SWP_END, again, &after));
    SWP_TRY(add_tile(b, stream, after, &tile));
    SWP_TRY(add_list(b, &stream->begin, SWP_BEGIN, tile, &tile));
    b->out->items[again].other = tile == again ? SWP_NO_NODE : tile;
    *out = again;
    return SWP_OK;
}

/* One thread initialises the mbarriers, then all meet. */
static swp_status add_init(language_builder *b, int next, int *out)
{
    const swp_schedule *schedule = b->out->schedule;
    int mbarriers = 0;
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_MBARRIER)
            mbarriers += schedule->objects[i].slots;
    *out = next;
    if (swp_ir_ranks(schedule) > 1) {
        SWP_TRY(add_event(b, SWP_SASS_EVENT_CLUSTER_WAIT, 0, *out, out));
        SWP_TRY(add_event(b, SWP_SASS_EVENT_CLUSTER_ARRIVE, 0, *out, out));
    } else {
        SWP_TRY(add_event(b, SWP_SASS_EVENT_SYNC, 0, *out, out));
    }
    if (mbarriers > 0)
        SWP_TRY(add_event(b, SWP_SASS_EVENT_FENCE_ASYNC, 0, *out, out));
    for (int i = 0; i < mbarriers; i++)
        SWP_TRY(add_event(b, SWP_SASS_EVENT_INIT, 0, *out, out));
    return SWP_OK;
}

swp_status swp_match_role_language(swp_context *ctx, const swp_schedule *schedule, const int *sizes,
                                   swp_role_language *out)
{
    language_builder b = {.ctx = ctx, .out = out, .sizes = sizes};
    int end = SWP_NO_NODE;
    int role = SWP_NO_NODE;
    *out = (swp_role_language){.schedule = schedule};
    SWP_TRY(
        add(&b, (swp_role_node){.accepts = true, .next = SWP_NO_NODE, .other = SWP_NO_NODE}, &end));
    int any = end; /* warps beside the roles have nothing to do */
    for (b.stream = 0; b.stream < (int)schedule->stream_count; b.stream++)
        for (b.instance = 0; b.instance < schedule->streams[b.stream].instances; b.instance++) {
            SWP_TRY(add_stream(&b, end, &role));
            SWP_TRY(fork(&b, any, role, &any));
        }
    return add_init(&b, any, &out->start);
}
