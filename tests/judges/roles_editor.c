/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_editor.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 20 };

static int lists_of(const swp_stream *stream)
{
    return 3 + (int)(stream->tails.epilogue_count + stream->tails.straight_count);
}

void role_editor_choose_list(role_editor *e)
{
    const int s = random_int(e->random, 0, (int)e->schedule->stream_count - 1);
    swp_stream *stream = &e->schedule->streams[s];
    swp_entry_list *phases[] = {&stream->prologue, &stream->kernel, &stream->epilogue};
    int list =
        random_chance(e->random, 60) ? SWP_KERNEL : random_int(e->random, 0, lists_of(stream) - 1);
    e->phase = list < 3 ? (swp_phase)list : SWP_EPILOGUE;
    if (list < 3) {
        e->list = phases[list];
        return;
    }
    list -= 3;
    const int epilogues = (int)stream->tails.epilogue_count;
    e->list = list < epilogues ? &stream->tails.epilogues[list]
                               : &stream->tails.straight[list - epilogues];
}

static void number(const role_editor *e)
{
    for (size_t i = 0; i < e->list->count; i++) {
        e->list->items[i].phase = e->phase;
        e->list->items[i].time_slot = (int)i;
    }
}

void role_editor_insert(const role_editor *e, int at, swp_op op)
{
    if (swp_entry_list_push(e->ctx, e->list, (swp_entry){.op = op}) != SWP_OK)
        abort();
    memmove(e->list->items + at + 1, e->list->items + at,
            (e->list->count - 1 - (size_t)at) * sizeof *e->list->items);
    e->list->items[at] = (swp_entry){.op = op};
    number(e);
}

swp_op role_editor_remove_at(const role_editor *e, int at)
{
    const swp_op op = e->list->items[at].op;
    e->list->count--;
    memmove(e->list->items + at, e->list->items + at + 1,
            (e->list->count - (size_t)at) * sizeof *e->list->items);
    number(e);
    return op;
}

/* An entry of the list that the filter takes; -1: none was found. */
int role_editor_choose(const role_editor *e, role_filter *takes)
{
    for (int i = 0; i < TRIES && e->list->count > 0; i++) {
        const int at = random_int(e->random, 0, (int)e->list->count - 1);
        if (takes(e, &e->list->items[at].op))
            return at;
    }
    return -1;
}

swp_op *role_editor_choose_op(const role_editor *e, role_filter *takes)
{
    const int at = role_editor_choose(e, takes);
    return at < 0 ? NULL : &e->list->items[at].op;
}
