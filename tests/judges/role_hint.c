/* SPDX-License-Identifier: Apache-2.0 */
#include "role_hint.h"

#include "roles_draft.h"

#include "swp/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSERTED = 3, WORD = 64 };

/* --- Lists --- */

static swp_entry_list *copy_lists(swp_context *ctx, const swp_entry_list *lists, size_t count)
{
    swp_entry_list *copies = draft_take(ctx, (count + 1) * sizeof *copies);
    for (size_t i = 0; i < count; i++)
        copies[i] = lists[i];
    return copies;
}

static bool find_stream(role_hint *d, const char *role)
{
    for (d->stream = 0; d->stream < (int)d->schedule.stream_count; d->stream++)
        if (!strcmp(d->schedule.streams[d->stream].name, role))
            return true;
    return false;
}

/* "epilogue_R" ends a run with R iterations left over, "straight_N" is all of a run of N. */
static bool find_phase(role_hint *d, const char *list)
{
    int number = 0;
    const int remainders = 1 + (int)d->schedule.streams[d->stream].tails.epilogue_count;
    d->form = 0;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        if (!strcmp(swp_phase_name(phase), list)) {
            d->phase = phase;
            return true;
        }
    d->phase = SWP_EPILOGUE;
    if (sscanf(list, "epilogue_%d", &number) == 1)
        d->form = number;
    else if (sscanf(list, "straight_%d", &number) == 1)
        d->form = remainders + number;
    return d->form > 0;
}

/* The list that the hint speaks of, which is the schedule's own from now on. */
static swp_entry_list *own_list(role_hint *d)
{
    swp_stream *stream = &d->schedule.streams[d->stream];
    swp_tails *tails = &stream->tails;
    const int remainders = 1 + (int)tails->epilogue_count;
    swp_entry_list *lists[] = {&stream->prologue, &stream->kernel, &stream->epilogue,
                               &stream->begin,    &stream->end,    &stream->drain};
    swp_entry_list *list = lists[d->phase];
    if (d->form >= remainders) {
        tails->straight = copy_lists(d->ctx, tails->straight, tails->straight_count);
        list = &tails->straight[d->form - remainders];
    } else if (d->form > 0) {
        tails->epilogues = copy_lists(d->ctx, tails->epilogues, tails->epilogue_count);
        list = &tails->epilogues[d->form - 1];
    }
    const swp_entry_list from = *list;
    *list = (swp_entry_list){0};
    for (size_t i = 0; i < from.count; i++)
        if (swp_entry_list_push(d->ctx, list, from.items[i]) != SWP_OK)
            abort();
    return list;
}

static void number(const role_hint *d, swp_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].phase = d->phase;
        list->items[i].time_slot = (int)i;
    }
}

static void insert(const role_hint *d, swp_entry_list *list, int at, swp_op op)
{
    if (swp_entry_list_push(d->ctx, list, (swp_entry){.op = op}) != SWP_OK)
        abort();
    memmove(list->items + at + 1, list->items + at,
            (list->count - 1 - (size_t)at) * sizeof *list->items);
    list->items[at] = (swp_entry){.op = op};
    number(d, list);
}

static swp_op take(const role_hint *d, swp_entry_list *list, int at)
{
    const swp_op op = list->items[at].op;
    list->count--;
    memmove(list->items + at, list->items + at + 1,
            (list->count - (size_t)at) * sizeof *list->items);
    number(d, list);
    return op;
}

/* --- Places --- */

/* "ROLE LIST entry N (NAME)". @return how long it is; 0: it is none */
static int read_entry(role_hint *d, const char *text, int *entry)
{
    char role[WORD];
    char list[WORD];
    int length = 0;
    if (sscanf(text, "%63s %63s entry %d (%*[^)])%n", role, list, entry, &length) != 3 || !length)
        return 0;
    return find_stream(d, role) && find_phase(d, list) ? length : 0;
}

/* " before ROLE LIST entry N (NAME)" or " at the end of the ROLE LIST", whose entry is -1 */
static bool read_position(role_hint *d, const char *text, int *at)
{
    char role[WORD];
    char list[WORD];
    if (!strncmp(text, " before ", 8))
        return read_entry(d, text + 8, at) > 0;
    *at = -1;
    return sscanf(text, " at the end of the %63s %63[a-z_0-9]", role, list) == 2 &&
           find_stream(d, role) && find_phase(d, list);
}

/* --- Members --- */

static int object_named(const swp_schedule *schedule, const char *name)
{
    for (int i = 0; i < (int)schedule->object_count; i++)
        if (!strcmp(schedule->objects[i].name, name))
            return i;
    return -1;
}

static bool set_member(const role_hint *d, swp_op *op, const char *member, const char *value)
{
    int *const numbers[] = {&op->wait_value, &op->iteration, &op->slot,
                            &op->slot_step,  &op->bytes,     &op->instances};
    static const char *const names[] = {"wait",      "iteration", "slot",
                                        "slot_step", "bytes",     "instances"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(member, names[i])) {
            *numbers[i] = atoi(value);
            return true;
        }
    if (!strcmp(member, "object"))
        return (op->object = object_named(&d->schedule, value)) >= 0;
    if (!strcmp(member, "by"))
        op->by = strcmp(value, "one") ? SWP_ALL_THREADS : SWP_ONE_THREAD;
    else if (!strcmp(member, "to"))
        op->to = strcmp(value, "all") ? SWP_TO_OWN : SWP_TO_ALL;
    else
        return false;
    return true;
}

static bool find_tag(const role_hint *d, const char *name, int *tag)
{
    if (swp_infrastructure_tag(name, tag))
        return true;
    const struct swp_loop *loop = d->schedule.dataflow->loop;
    for (int i = 0; i < (int)loop->op_count; i++)
        if (!strcmp(loop->ops[i].name, name)) {
            *tag = swp_tag_of_loop_op(i);
            return true;
        }
    return false;
}

/* "NAME [N] (MEMBER VALUE, ...)". @return how long it is; 0: it is none */
static int read_op(const role_hint *d, const char *text, swp_op *op)
{
    char name[WORD];
    char member[WORD];
    char value[WORD];
    int length = 0;
    int more = 0;
    *op = swp_op_none();
    if (sscanf(text, "%63s%n", name, &length) != 1 || !find_tag(d, name, &op->tag))
        return 0;
    if (sscanf(text + length, " %d%n", &op->wait_value, &more) == 1)
        length += more;
    for (const char *start = " (%63s %63[^,)]%n"; text[length] != ')';
         start = ", %63s %63[^,)]%n") {
        more = 0;
        if (sscanf(text + length, start, member, value, &more) != 2 || !more ||
            !set_member(d, op, member, value))
            return 0;
        length += more;
    }
    return length + 1;
}

/* --- Edits --- */

static bool does(const swp_stream *stream, int tag)
{
    const swp_entry_list *lists[] = {&stream->prologue, &stream->kernel, &stream->epilogue,
                                     &stream->begin,    &stream->end,    &stream->drain};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            if (lists[l]->items[i].op.tag == tag)
                return true;
    return false;
}

/* Of several ops with the name it is the one that the role does. */
static void settle_tag(const role_hint *d, swp_op *op)
{
    const swp_stream *stream = &d->schedule.streams[d->stream];
    const struct swp_loop *loop = d->schedule.dataflow->loop;
    if (swp_infrastructure_name(op->tag) || does(stream, op->tag))
        return;
    const char *name = swp_schedule_op_name(&d->schedule, op->tag);
    for (int i = 0; i < (int)loop->op_count; i++)
        if (!strcmp(loop->ops[i].name, name) && does(stream, swp_tag_of_loop_op(i)))
            op->tag = swp_tag_of_loop_op(i);
}

static bool do_insert(role_hint *d, const char *text)
{
    swp_op ops[MOST_INSERTED];
    for (d->inserted = 0; d->inserted < MOST_INSERTED;) {
        const int length = read_op(d, text, &ops[d->inserted]);
        if (length == 0)
            return false;
        d->inserted++;
        text += length;
        if (strncmp(text, ", ", 2) != 0)
            break;
        text += 2;
    }
    if (!read_position(d, text, &d->at))
        return false;
    swp_entry_list *list = own_list(d);
    d->at = d->at < 0 ? (int)list->count : d->at;
    for (int i = 0; i < d->inserted; i++) {
        settle_tag(d, &ops[i]);
        insert(d, list, d->at + i, ops[i]);
    }
    return true;
}

static bool do_move(role_hint *d, const char *text)
{
    const int length = read_entry(d, text, &d->at);
    if (length == 0 || !read_position(d, text + length, &d->to))
        return false;
    swp_entry_list *list = own_list(d);
    const swp_op op = take(d, list, d->at);
    d->to = d->to < 0 ? (int)list->count : d->to - (d->to > d->at);
    insert(d, list, d->to, op);
    return true;
}

static bool do_remove(role_hint *d, const char *text)
{
    if (read_entry(d, text, &d->at) == 0)
        return false;
    d->inserted = -1;
    (void)take(d, own_list(d), d->at);
    return true;
}

/* "replace ROLE LIST entry N (NAME) by OP" */
static bool do_replace(role_hint *d, const char *text)
{
    swp_op op;
    const int length = read_entry(d, text, &d->at);
    if (length == 0 || strncmp(text + length, " by ", 4) != 0 ||
        read_op(d, text + length + 4, &op) == 0)
        return false;
    own_list(d)->items[d->at].op = op;
    return true;
}

/* "set MEMBER of sync object NAME to N" and "set slots of value NAME to N" */
static bool do_count(role_hint *d, const char *text)
{
    char member[WORD];
    char name[WORD];
    int count = 0;
    swp_schedule *s = &d->schedule;
    if (sscanf(text, "%63s of sync object %63s to %d", member, name, &count) == 3) {
        swp_role_object *objects = draft_take(d->ctx, s->object_count * sizeof *objects);
        const int i = object_named(s, name);
        memcpy(objects, s->objects, s->object_count * sizeof *objects);
        *(!strcmp(member, "slots")      ? &objects[i].slots
          : !strcmp(member, "arrivals") ? &objects[i].arrivals
                                        : &objects[i].threads) = count;
        s->objects = objects;
        return i >= 0;
    }
    if (sscanf(text, "slots of value %63s to %d", name, &count) != 2)
        return false;
    const struct swp_loop *loop = s->dataflow->loop;
    swp_loop_dataflow *dataflow = draft_take(d->ctx, sizeof *dataflow);
    int *slots = draft_take(d->ctx, loop->value_count * sizeof *slots);
    for (size_t i = 0; i < loop->value_count; i++)
        slots[i] = strcmp(loop->values[i].name, name) ? s->dataflow->slots[i] : count;
    *dataflow = (swp_loop_dataflow){loop, slots};
    s->dataflow = dataflow;
    return true;
}

/* "set MEMBER of ROLE LIST entry N (NAME) to VALUE" */
static bool do_set(role_hint *d, const char *text)
{
    char member[WORD];
    char value[WORD];
    int length = 0;
    if (do_count(d, text))
        return true;
    if (sscanf(text, "%63s of %n", member, &length) != 1 || !length)
        return false;
    text += length;
    length = read_entry(d, text, &d->at);
    if (length == 0 || sscanf(text + length, " to %63[^;]", value) != 1)
        return false;
    return set_member(d, &own_list(d)->items[d->at].op, member, value);
}

bool role_hint_apply(swp_context *ctx, const swp_schedule *schedule, const char *hint,
                     role_hint *out)
{
    static const struct {
        const char *word;
        bool (*apply)(role_hint *d, const char *text);
    } edits[] = {{"insert ", do_insert},
                 {"set ", do_set},
                 {"move ", do_move},
                 {"remove ", do_remove},
                 {"replace ", do_replace}};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        *out = (role_hint){.ctx = ctx, .schedule = *schedule, .stream = -1, .to = -1};
        if (!strncmp(hint, edits[i].word, strlen(edits[i].word)))
            return edits[i].apply(out, hint + strlen(edits[i].word));
    }
    return false;
}

int role_hint_entry_before(const role_hint *d, int stream, swp_phase phase, int form, int entry)
{
    if (d->stream != stream || d->phase != phase || (phase == SWP_EPILOGUE && d->form != form))
        return entry;
    if (d->to >= 0) {
        if (entry == d->to)
            return d->at;
        const int without = entry - (entry > d->to);
        return without + (without >= d->at);
    }
    if (d->inserted > 0 && entry >= d->at && entry < d->at + d->inserted)
        return -1;
    return entry >= d->at ? entry - d->inserted : entry;
}
