/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_edits.h"

#include "editor.h"

/* Any entry of any list. */
static editor pick(swp_context *ctx, role_program *p, test_random *random, swp_stream **stream,
                   int *entry)
{
    editor e = {.ctx = ctx, .schedule = &p->schedule, .random = random};
    for (;;) {
        *stream = &p->schedule.streams[random_int(random, 0, (int)p->schedule.stream_count - 1)];
        editor_take_list(&e, *stream, random_int(random, 0, 2));
        if (e.list->count == 0)
            continue;
        *entry = random_int(random, 0, (int)e.list->count - 1);
        return e;
    }
}

static void move(const editor *e, int from)
{
    const swp_op moved = editor_remove_at(e, from);
    editor_insert(e, random_int(e->random, 0, (int)e->list->count), moved);
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

static void change_who(const swp_stream *stream, swp_op *op, test_random *random)
{
    if (random_chance(random, 50))
        op->by = op->by == SWP_ONE_THREAD ? SWP_ALL_THREADS : SWP_ONE_THREAD;
    else
        op->instances = random_int(random, 0, (1 << stream->instances) - 1);
}

bool role_program_edit(swp_context *ctx, role_program *p, test_random *random)
{
    swp_stream *stream = NULL;
    int entry = 0;
    const editor e = pick(ctx, p, random, &stream, &entry);
    swp_op *op = &e.list->items[entry].op;
    const int what = random_int(random, 0, 9);
    if (what == 0 && e.list->count > 1)
        (void)editor_remove_at(&e, entry);
    else if (what == 1)
        editor_insert(&e, (int)e.list->count, *op);
    else if (what == 2)
        change_object(p, random);
    else if (what <= 4)
        change_number(op, random);
    else if (what == 5)
        change_who(stream, op, random);
    else
        move(&e, entry);
    return swp_schedule_check_loop(ctx, &p->schedule) == SWP_OK;
}
