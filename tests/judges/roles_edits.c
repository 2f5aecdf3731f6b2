/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_edits.h"

#include <string.h>

typedef struct spot {
    swp_stream *stream;
    swp_entry_list *list;
    int entry;
} spot;

static swp_entry_list *list_of(swp_stream *stream, int number)
{
    swp_entry_list *lists[] = {&stream->prologue, &stream->kernel, &stream->epilogue};
    return lists[number];
}

/* Any entry of any list. */
static spot pick(role_program *p, test_random *random)
{
    for (;;) {
        swp_stream *stream =
            &p->schedule.streams[random_int(random, 0, (int)p->schedule.stream_count - 1)];
        swp_entry_list *list = list_of(stream, random_int(random, 0, 2));
        if (list->count > 0)
            return (spot){stream, list, random_int(random, 0, (int)list->count - 1)};
    }
}

static void delete (const spot *at)
{
    swp_entry *items = at->list->items + at->entry;
    memmove(items, items + 1, (at->list->count - (size_t)at->entry - 1) * sizeof *items);
    at->list->count--;
}

static void move(const spot *at, test_random *random)
{
    const swp_entry moved = at->list->items[at->entry];
    delete (at);
    const size_t to = (size_t)random_int(random, 0, (int)at->list->count);
    swp_entry *items = at->list->items + to;
    memmove(items + 1, items, (at->list->count - to) * sizeof *items);
    *items = moved;
    at->list->count++;
}

static void change_number(swp_op *op, test_random *random)
{
    static const int steps[] = {-2, -1, 1, 2};
    int *const numbers[] = {&op->iteration, &op->iteration, &op->wait_value, &op->slot};
    *numbers[random_int(random, 0, 3)] += steps[random_int(random, 0, 3)];
}

static void change_object(role_program *p, test_random *random)
{
    if (p->schedule.object_count == 0)
        return;
    swp_role_object *object = &p->objects[random_int(random, 0, (int)p->schedule.object_count - 1)];
    if (object->kind == SWP_OBJECT_MBARRIER)
        object->arrivals += random_chance(random, 50) ? 1 : -1;
    else
        object->threads += random_chance(random, 50) ? 32 : -32;
}

static void change_who(const spot *at, test_random *random)
{
    swp_op *op = &at->list->items[at->entry].op;
    if (random_chance(random, 50))
        op->by = op->by == SWP_ONE_THREAD ? SWP_ALL_THREADS : SWP_ONE_THREAD;
    else
        op->instances = random_int(random, 0, (1 << at->stream->instances) - 1);
}

bool role_program_edit(swp_context *ctx, role_program *p, test_random *random)
{
    const spot at = pick(p, random);
    const int what = random_int(random, 0, 9);
    if (what == 0 && at.list->count > 1)
        delete (&at);
    else if (what == 1 && swp_entry_list_push(ctx, at.list, at.list->items[at.entry]) != SWP_OK)
        return false;
    else if (what == 2)
        change_object(p, random);
    else if (what <= 4)
        change_number(&at.list->items[at.entry].op, random);
    else if (what == 5)
        change_who(&at, random);
    else
        move(&at, random);
    return swp_schedule_check_loop(ctx, &p->schedule) == SWP_OK;
}
