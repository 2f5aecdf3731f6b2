/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_tiles.h"

#include "safe_roles.h"

#include <string.h>

void roles_tiles_shape(int number, roles_program *p, swp_context *ctx)
{
    static void (*const shapes[ROLES_TILES_SHAPES])(roles_program * p, swp_context * ctx) = {
        safe_tiles, safe_queries, safe_pairs, safe_cluster_tiles, safe_halves};
    shapes[number](p, ctx);
}

enum {
    DROP,
    EXCHANGE,
    MOVE_ITERATION,
    CHANGE_WAIT,
    CHANGE_TARGET,
    CHANGE_ARRIVALS,
    CHANGE_SLOTS,
    EDITS
};

static int list_count(const roles_program *p)
{
    const swp_tails *tails = &p->schedule.streams[0].tails;
    return SWP_DRAIN + 1 + (int)(tails->epilogue_count + tails->straight_count);
}

static swp_entry_list *list_of(roles_program *p, const roles_tiles_edit *e)
{
    swp_stream *stream = &p->schedule.streams[e->role];
    const size_t tail = e->list > SWP_DRAIN ? (size_t)(e->list - SWP_DRAIN - 1) : 0;
    if (e->list <= SWP_DRAIN)
        return (swp_entry_list *)swp_stream_phase(stream, (swp_phase)e->list);
    return tail < stream->tails.epilogue_count
               ? &stream->tails.epilogues[tail]
               : &stream->tails.straight[tail - stream->tails.epilogue_count];
}

roles_tiles_edit roles_tiles_draw(roles_program *p, test_random *random)
{
    roles_tiles_edit e = {.what = random_int(random, 0, EDITS - 1),
                          .role = random_int(random, 0, (int)p->schedule.stream_count - 1),
                          .list = random_int(random, SWP_PROLOGUE, list_count(p) - 1),
                          .by = random_chance(random, 50) ? 1 : -1};
    const size_t count = list_of(p, &e)->count;
    if (e.what >= CHANGE_ARRIVALS)
        e.entry = random_int(random, 0, (int)p->schedule.object_count - 1);
    else
        e.entry = count > 0 ? random_int(random, 0, (int)count - 1) : -1;
    return e;
}

static bool exchange(swp_entry_list *list, size_t entry)
{
    if (entry + 1 >= list->count)
        return false;
    const swp_op kept = list->items[entry].op;
    list->items[entry].op = list->items[entry + 1].op;
    list->items[entry + 1].op = kept;
    return true;
}

static bool drop(swp_entry_list *list, size_t entry)
{
    list->count--;
    memmove(&list->items[entry], &list->items[entry + 1],
            (list->count - entry) * sizeof *list->items);
    return true;
}

static bool change_object(swp_role_object *object, const roles_tiles_edit *e)
{
    *(e->what == CHANGE_SLOTS ? &object->slots : &object->arrivals) += e->by;
    return object->kind == SWP_OBJECT_MBARRIER;
}

bool roles_tiles_make(roles_program *p, const roles_tiles_edit *e)
{
    swp_entry_list *list = list_of(p, e);
    if (e->what >= CHANGE_ARRIVALS)
        return change_object(&p->objects[e->entry], e);
    if (e->entry < 0)
        return false;
    swp_op *op = &list->items[e->entry].op;
    switch (e->what) {
    case DROP:
        return drop(list, (size_t)e->entry);
    case EXCHANGE:
        return exchange(list, (size_t)e->entry);
    case MOVE_ITERATION:
        op->iteration += e->by;
        return true;
    case CHANGE_TARGET:
        op->to = op->to == SWP_TO_ALL ? SWP_TO_OWN : SWP_TO_ALL;
        return op->tag == SWP_TAG_ARRIVE;
    default:
        op->wait_value += e->by;
        return op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT_READ;
    }
}
