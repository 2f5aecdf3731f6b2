/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_mutant.h"

#include "swp/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 64 };

const char *role_mutant_kind_name(role_mutant_kind kind)
{
#define NAME(constant, name) name,
    static const char *const names[] = {ROLE_MUTANT_KINDS_TABLE(NAME)};
#undef NAME
    return kind == ROLE_NO_ENTRY ? "any entry removed" : names[kind];
}

/* ---- What an entry is ---- */

static bool is_work(const swp_op *op)
{
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
}

static bool is_arrival(const swp_op *op)
{
    return op->tag == SWP_TAG_ARRIVE || op->tag == SWP_TAG_ARRIVE_EXPECT;
}

static bool is_work_or_arrival(const swp_op *op)
{
    return is_work(op) || is_arrival(op);
}

/* The nearest entry of a sort before (step -1) or after `at`; -1: none. */
static int nearest(const role_mutant_visitor *v, int at, int step, bool (*fits)(const swp_op *op))
{
    for (int i = at + step; i >= 0 && i < (int)v->list->count; i += step)
        if (fits(&v->list->items[i].op))
            return i;
    return -1;
}

/* ---- All mutants of an entry ---- */

/* What is behind a wait needs it: the next op, and the next arrival if that comes first. */
static void visit_late_waits(const role_mutant_visitor *v, int at)
{
    const int op = nearest(v, at, 1, is_work);
    const int any = nearest(v, at, 1, is_work_or_arrival);
    if (op >= 0)
        role_mutant_show_moved(v, ROLE_LATE_WAIT, at, op);
    if (any >= 0 && any != op)
        role_mutant_show_moved(v, ROLE_LATE_WAIT, at, any);
}

static void visit_arrival(const role_mutant_visitor *v, int at)
{
    const int op = nearest(v, at, -1, is_work);
    role_mutant_show_without(v, ROLE_NO_ARRIVAL, at);
    if (op >= 0)
        role_mutant_show_moved(v, ROLE_EARLY_ARRIVAL, at, op);
}

static void visit_group_wait(const role_mutant_visitor *v, int at, swp_op op)
{
    role_mutant_show_without(v, ROLE_NO_GROUP_WAIT, at);
    visit_late_waits(v, at);
    op.wait_value++;
    role_mutant_show_changed(v, ROLE_GROUPS_LEFT, at, " + 1", op);
    op.wait_value -= 2;
    if (op.wait_value >= 0)
        role_mutant_show_changed(v, ROLE_FEWER_GROUPS_LEFT, at, " - 1", op);
}

static void visit_sync(const role_mutant_visitor *v, int at, const swp_op *op)
{
    switch (op->tag) {
    case SWP_TAG_WAIT_PHASE:
        role_mutant_show_without(v, ROLE_NO_WAIT, at);
        visit_late_waits(v, at);
        break;
    case SWP_TAG_ARRIVE:
    case SWP_TAG_ARRIVE_EXPECT:
        visit_arrival(v, at);
        break;
    case SWP_TAG_MATRIX_COMMIT:
        role_mutant_show_without(v, ROLE_NO_COMMIT, at);
        break;
    case SWP_TAG_MATRIX_WAIT:
        visit_group_wait(v, at, *op);
        break;
    case SWP_TAG_FENCE_ASYNC:
    case SWP_TAG_MATRIX_FENCE:
        role_mutant_show_without(v, ROLE_NO_FENCE, at);
        break;
    default:
        break;
    }
}

static void visit_bytes(const role_mutant_visitor *v, int at, swp_op op)
{
    const role_mutant_kind kind = is_arrival(&op) ? ROLE_EXPECTED_BYTES : ROLE_COPIED_BYTES;
    const int bytes = op.bytes;
    if (bytes == 0)
        return;
    op.bytes = bytes / 2;
    role_mutant_show_changed(v, kind, at, " halved", op);
    op.bytes = bytes * 2;
    role_mutant_show_changed(v, kind, at, " doubled", op);
}

static void visit_turns(const role_mutant_visitor *v, int at, swp_op op)
{
    if (op.object < 0 && !is_work(&op))
        return;
    op.iteration--;
    role_mutant_show_changed(v, ROLE_TURN, at, " turn - 1", op);
    op.iteration += 2;
    role_mutant_show_changed(v, ROLE_TURN, at, " turn + 1", op);
}

static void visit_threads(const role_mutant_visitor *v, int at, swp_op op)
{
    swp_op by_others = op;
    by_others.by = op.by == SWP_ONE_THREAD ? SWP_ALL_THREADS : SWP_ONE_THREAD;
    role_mutant_show_changed(v, ROLE_THREADS, at, op.by == SWP_ONE_THREAD ? " by all" : " by one",
                             by_others);
    for (int i = 0; v->stream->instances > 1 && i < v->stream->instances; i++) {
        char change[32];
        (void)snprintf(change, sizeof change, " by instance %d", i);
        op.instances = 1 << i;
        role_mutant_show_changed(v, ROLE_INSTANCES, at, change, op);
    }
}

static void visit_objects(const role_mutant_visitor *v, int at, swp_op op)
{
    const int own = op.object;
    const swp_role_object *objects = v->schedule->objects;
    for (int i = 0; own >= 0 && i < (int)v->schedule->object_count; i++) {
        char change[80];
        (void)snprintf(change, sizeof change, " of %s", objects[i].name);
        op.object = i;
        if (i != own && objects[i].kind == objects[own].kind)
            role_mutant_show_changed(v, ROLE_OBJECT, at, change, op);
    }
}

static void visit_entry(const role_mutant_visitor *v, int at)
{
    const swp_op op = v->list->items[at].op;
    visit_sync(v, at, &op);
    if (at + 1 < (int)v->list->count)
        role_mutant_show_moved(v, ROLE_SWAP, at, at + 1);
    role_mutant_show_twice(v, at);
    visit_bytes(v, at, op);
    visit_turns(v, at, op);
    visit_threads(v, at, op);
    visit_objects(v, at, op);
}

static void visit_without(const role_mutant_visitor *v, int at)
{
    role_mutant_show_without(v, ROLE_NO_ENTRY, at);
}

static void visit_list(role_mutant_visitor *v, swp_entry_list *list, swp_phase phase,
                       const char *name, size_t number)
{
    v->list = list;
    v->phase = phase;
    (void)snprintf(v->list_name, sizeof v->list_name, name, number);
    for (int at = 0; at < (int)list->count; at++)
        v->of_entry(v, at);
}

static void visit_stream(role_mutant_visitor *v, swp_stream *stream)
{
    swp_tails *tails = &stream->tails;
    v->stream = stream;
    visit_list(v, &stream->begin, SWP_BEGIN, "begin", 0);
    visit_list(v, &stream->end, SWP_END, "end", 0);
    visit_list(v, &stream->drain, SWP_DRAIN, "drain", 0);
    visit_list(v, &stream->prologue, SWP_PROLOGUE, "prologue", 0);
    visit_list(v, &stream->kernel, SWP_KERNEL, "kernel", 0);
    visit_list(v, &stream->epilogue, SWP_EPILOGUE, "epilogue", 0);
    for (size_t i = 0; i < tails->epilogue_count; i++)
        visit_list(v, &tails->epilogues[i], SWP_EPILOGUE, "epilogue + %zu", i + 1);
    for (size_t i = 0; i < tails->straight_count; i++)
        visit_list(v, &tails->straight[i], SWP_EPILOGUE, "N = %zu", i);
}

/* ---- Numbers ---- */

static void show_number(const role_mutant_visitor *v, role_mutant_kind kind, const char *name,
                        int *number)
{
    for (int by = -1; by <= 1; by += 2) {
        char what[160];
        (void)snprintf(what, sizeof what, "%s %d %+d", name, *number, by);
        *number += by;
        if (*number > 0)
            role_mutant_show(v, kind, what);
        *number -= by;
    }
}

static void visit_object_numbers(const role_mutant_visitor *v)
{
    swp_schedule *s = v->schedule;
    const swp_role_object *objects = s->objects;
    for (size_t i = 0; i < s->object_count; i++) {
        swp_role_object copies[SWP_MOST_ROLE_OBJECTS];
        memcpy(copies, objects, s->object_count * sizeof *copies);
        s->objects = copies;
        if (copies[i].kind == SWP_OBJECT_MBARRIER)
            show_number(v, ROLE_ARRIVALS, copies[i].name, &copies[i].arrivals);
        show_number(v, ROLE_OBJECT_SLOTS, copies[i].name, &copies[i].slots);
        s->objects = objects;
    }
}

static void visit_value_slots(const role_mutant_visitor *v)
{
    swp_schedule *s = v->schedule;
    const swp_loop_dataflow *dataflow = s->dataflow;
    const size_t count = dataflow->loop->value_count;
    int slots[MOST_VALUES];
    const swp_loop_dataflow copy = {dataflow->loop, slots};
    if (count > MOST_VALUES)
        abort();
    memcpy(slots, dataflow->slots, count * sizeof *slots);
    s->dataflow = &copy;
    for (size_t i = 0; i < count; i++)
        show_number(v, ROLE_VALUE_SLOTS, dataflow->loop->values[i].name, &slots[i]);
    s->dataflow = dataflow;
}

void role_mutants_visit(swp_schedule *base, void (*visit)(const role_mutant *m, void *user),
                        void *user)
{
    role_mutant_visitor v = {
        .schedule = base, .visit = visit, .user = user, .of_entry = visit_entry};
    for (size_t i = 0; i < base->stream_count; i++)
        visit_stream(&v, &base->streams[i]);
    visit_object_numbers(&v);
    visit_value_slots(&v);
}

void role_mutants_visit_removals(swp_schedule *base,
                                 void (*visit)(const role_mutant *m, void *user), void *user)
{
    role_mutant_visitor v = {
        .schedule = base, .visit = visit, .user = user, .of_entry = visit_without};
    for (size_t i = 0; i < base->stream_count; i++)
        visit_stream(&v, &base->streams[i]);
}
