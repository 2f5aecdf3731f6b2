/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses schedules with warp roles whose entries, objects or dataflow have no meaning (docs/roles-reference.md). */
#include "base/context.h"
#include "base/diag.h"
#include "base/text.h"
#include "ir/entry.h"
#include "ir/entry_forms.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "swp/loop.h"

#include <stdio.h>

typedef struct checker {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_stream *stream; /* that is looked at */
    const char *list;         /* of it */
    const char *list_path;    /* of that list in a file */
    int entry;                /* of that */
    int *stream_of_op;        /* that does a loop's op; -1: none so far */
} checker;

static const swp_loop *loop_of(const checker *c)
{
    return c->schedule->dataflow->loop;
}

/* Says what is wrong with the entry that is looked at. */
static swp_status refuse(const checker *c, const char *hint, const char *what)
{
    char *subject = NULL;
    SWP_TRY(swp_format(c->ctx, &subject, "roles[%d].%s[%d]",
                       (int)(c->stream - c->schedule->streams), c->list_path, c->entry));
    return swp_error_about(c->ctx, SWP_E0705, subject, hint, "role %s, %s entry %d: %s",
                           c->stream->name, c->list, c->entry, what);
}

/* --- Entries --- */

static swp_entry_form demand_of_op(const swp_loop_op *op)
{
    const swp_op_form *form = swp_ir_op_form(op->completion);
    if (!form)
        return (swp_entry_form){.object = SWP_NAMES_NO_OBJECT};
    return (swp_entry_form){.object = form->object,
                            .executes =
                                form->by == SWP_ONE_THREAD ? SWP_ONE_EXECUTES : SWP_ALL_EXECUTE,
                            .bytes = form->bytes};
}

static swp_status check_demand(const checker *c, const swp_op *op, swp_entry_form wanted)
{
    const swp_schedule *s = c->schedule;
    if (op->object >= 0 && (size_t)op->object >= s->object_count)
        return refuse(c, NULL, "it names an object that does not exist");
    const int kind = op->object < 0 ? -1 : (int)s->objects[op->object].kind;
    if (kind != wanted.object)
        return refuse(
            c,
            "mbarriers are for arrive, arrive_expect, wait_phase and copies, named barriers for "
            "named_sync and named_arrive",
            kind < 0 ? "it names no object" : "it names an object of another kind");
    if (wanted.executes == SWP_ONE_EXECUTES && op->by != SWP_ONE_THREAD)
        return refuse(c, "let `by` be one", "all threads execute what only one thread may execute");
    if (wanted.executes == SWP_ALL_EXECUTE && op->by != SWP_ALL_THREADS)
        return refuse(c, "let `by` be all",
                      "one thread executes what all threads have to execute together");
    if (op->bytes < 0 || (op->bytes > 0) != wanted.bytes)
        return refuse(
            c,
            "a copy brings 1 byte or more, an arrive_expect expects as many; nothing else has any",
            "`bytes` does not fit the operation");
    if (op->wait_value != 0 && !wanted.groups)
        return refuse(c, "only matrix_wait, bulk_wait and bulk_wait_read leave groups in flight",
                      "`wait` means nothing here");
    if ((op->slot != 0 || op->slot_step != 0) && wanted.object != SWP_OBJECT_NAMED_BARRIER)
        return refuse(c,
                      "the slot of an mbarrier is that of the iteration; only named_sync and "
                      "named_arrive state one",
                      "`slot` and `slot_step` mean nothing here");
    return SWP_OK;
}

static swp_status check_numbers(const checker *c, const swp_op *op)
{
    const bool in_range = op->iteration >= -SWP_MOST_ACCESSES &&
                          op->iteration <= SWP_MOST_ACCESSES && op->wait_value >= 0 &&
                          op->wait_value <= SWP_MOST_ACCESSES && op->slot >= 0 &&
                          op->slot < SWP_MOST_SLOTS && op->slot_step >= -SWP_MOST_SLOTS &&
                          op->slot_step <= SWP_MOST_SLOTS;
    if (!in_range)
        return refuse(c, NULL, "a number is out of range");
    if (op->instances < 0 || op->instances >> c->stream->instances != 0)
        return refuse(c, "bit i of `instances` is instance i",
                      "`instances` names an instance that does not exist");
    return SWP_OK;
}

static swp_status check_work(checker *c, const swp_op *op)
{
    const int number = swp_loop_op_of_tag(op->tag);
    if (number < 0 || (size_t)number >= loop_of(c)->op_count)
        return refuse(c, NULL, "it is no op of the dataflow");
    const int stream = (int)(c->stream - c->schedule->streams);
    if (c->stream_of_op[number] >= 0 && c->stream_of_op[number] != stream)
        return refuse(c, "an op belongs to one role", "another role does this op too");
    c->stream_of_op[number] = stream;
    return check_demand(c, op, demand_of_op(&loop_of(c)->ops[number]));
}

static swp_status check_entries(checker *c, const char *list, const char *list_path,
                                swp_phase phase, const swp_entry_list *entries)
{
    c->list = list;
    c->list_path = list_path;
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        c->entry = (int)i;
        SWP_TRY(check_numbers(c, op));
        if (swp_ir_is_work(op))
            SWP_TRY(check_work(c, op));
        else if (swp_ir_entry_form(op->tag).is_of_roles)
            SWP_TRY(check_demand(c, op, swp_ir_entry_form(op->tag)));
        else
            return refuse(
                c, "matrix_wait, bulk_wait and wait_phase wait in a schedule with warp roles",
                "waits on counters and hints have no meaning here");
        const swp_ir_problem *problem = swp_ir_tile_problem(c->schedule, phase, op);
        if (!problem)
            problem = swp_ir_cluster_problem(c->schedule, c->stream, op);
        if (problem)
            return refuse(c, problem->hint, problem->what);
    }
    return SWP_OK;
}

static swp_status check_warps(const checker *c, const swp_stream *stream)
{
    char *hint = NULL;
    if (stream->warps >= 1 && stream->warps <= SWP_MOST_ROLE_WARPS && stream->instances >= 1 &&
        stream->instances <= SWP_MOST_INSTANCES)
        return SWP_OK;
    SWP_TRY(swp_format(c->ctx, &hint, "an instance has 1 to %d warps, a role 1 to %d instances",
                       SWP_MOST_ROLE_WARPS, SWP_MOST_INSTANCES));
    char *subject = NULL;
    SWP_TRY(swp_format(c->ctx, &subject, "roles[%d]", (int)(stream - c->schedule->streams)));
    return swp_error_about(c->ctx, SWP_E0705, subject, hint, "role %s has %d instances of %d warps",
                           stream->name, stream->instances, stream->warps);
}

/* Lists of the epilogue's kind, as swp_ir_list_name() calls them. */
static swp_status check_tails(checker *c, const char *kind, size_t first,
                              const swp_entry_list *lists, size_t count)
{
    char name[SWP_LIST_NAME_SIZE];
    char path[SWP_LIST_NAME_SIZE];
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "%s_%zu", kind, first + i);
        (void)snprintf(path, sizeof path, "%s%s[%zu]", kind, first ? "s" : "", i);
        SWP_TRY(check_entries(c, name, path, SWP_EPILOGUE, &lists[i]));
    }
    return SWP_OK;
}

static swp_status check_stream(checker *c, const swp_stream *stream)
{
    c->stream = stream;
    SWP_TRY(check_warps(c, stream));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        SWP_TRY(check_entries(c, swp_phase_name(phase), swp_phase_name(phase), phase,
                              swp_stream_phase(stream, phase)));
    SWP_TRY(check_tails(c, "epilogue", 1, stream->tails.epilogues, stream->tails.epilogue_count));
    SWP_TRY(check_tails(c, "straight", 0, stream->tails.straight, stream->tails.straight_count));
    const swp_tails *first = &c->schedule->streams[0].tails;
    if (stream->tails.epilogue_count == first->epilogue_count &&
        stream->tails.straight_count == first->straight_count)
        return SWP_OK;
    return swp_error(c->ctx, SWP_E0705, SWP_NOWHERE, "all roles run the same numbers of iterations",
                     "role %s has other epilogues and straight lists than role %s", stream->name,
                     c->schedule->streams[0].name);
}

static swp_status check_dataflow(const checker *c)
{
    const swp_loop *loop = loop_of(c);
    for (size_t i = 0; i < loop->op_count; i++)
        if (c->stream_of_op[i] < 0)
            return swp_error(c->ctx, SWP_E0705, loop->ops[i].place,
                             "it has to stand in one of the lists of a role", "no role does op %s",
                             loop->ops[i].name);
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_stream *of = &c->schedule->streams[c->stream_of_op[i]];
        const swp_op_issuer by = {of->name, of->warps, c->schedule->dataflow->slots};
        SWP_TRY(swp_ir_check_accumulators(c->ctx, loop, &by, &loop->ops[i]));
    }
    return swp_ir_check_role_dataflow(c->ctx, loop, c->stream_of_op);
}

static swp_status check_object(const checker *c, const swp_role_object *object)
{
    const bool is_mbarrier = object->kind == SWP_OBJECT_MBARRIER;
    const int count = is_mbarrier ? object->arrivals : object->threads;
    const int other = is_mbarrier ? object->threads : object->arrivals;
    char *hint = NULL;
    char *subject = NULL;
    SWP_TRY(swp_format(c->ctx, &subject, "sync_objects[%d]", (int)(object - c->schedule->objects)));
    if (other != 0)
        return swp_error_about(c->ctx, SWP_E0705, subject,
                               "an mbarrier counts arrivals, a named barrier threads",
                               "object %s is %s, and has %d %s", object->name,
                               is_mbarrier ? "an mbarrier" : "a named barrier", other,
                               is_mbarrier ? "threads" : "arrivals");
    if (object->slots >= 1 && object->slots <= SWP_MOST_SLOTS && count >= 1)
        return SWP_OK;
    SWP_TRY(swp_format(c->ctx, &hint,
                       "1 to %d slots; an mbarrier has 1 arrival or more, a named barrier 1 thread "
                       "or more",
                       SWP_MOST_SLOTS));
    return swp_error_about(c->ctx, SWP_E0705, subject, hint, "object %s has %d slots, and %d %s",
                           object->name, object->slots, count,
                           is_mbarrier ? "arrivals" : "threads");
}

static swp_status check_cluster(swp_context *ctx, int work_groups)
{
    char *hint = NULL;
    if (work_groups >= 0 && work_groups <= SWP_MOST_CLUSTER)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "a cluster has 1 to %d work groups", SWP_MOST_CLUSTER));
    return swp_error(ctx, SWP_E0705, SWP_NOWHERE, hint,
                     "the schedule has a cluster of %d work groups", work_groups);
}

swp_status swp_ir_check_roles(swp_context *ctx, const swp_schedule *schedule)
{
    checker c = {.ctx = ctx, .schedule = schedule};
    if (!schedule->dataflow)
        return swp_error(ctx, SWP_E0705, SWP_NOWHERE, "`dataflow` says what the ops read and write",
                         "a schedule with warp roles has no dataflow");
    const size_t ops = loop_of(&c)->op_count;
    SWP_TRY(check_cluster(ctx, schedule->cluster));
    for (size_t i = 0; i < schedule->object_count; i++)
        SWP_TRY(check_object(&c, &schedule->objects[i]));
    SWP_TRY(SWP_TAKE(ctx, ops, &c.stream_of_op));
    for (size_t i = 0; i < ops; i++)
        c.stream_of_op[i] = -1;
    for (size_t i = 0; i < schedule->stream_count; i++)
        SWP_TRY(check_stream(&c, &schedule->streams[i]));
    SWP_TRY(swp_ir_check_tiles(ctx, schedule));
    return check_dataflow(&c);
}
