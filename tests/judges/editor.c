/* SPDX-License-Identifier: Apache-2.0 */
#include "editor.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 20 };

int stream_lists(const swp_stream *stream)
{
    return 3 + (int)(stream->tails.epilogue_count + stream->tails.straight_count);
}

swp_entry_list *stream_list(swp_stream *stream, int list)
{
    swp_entry_list *phases[] = {&stream->prologue, &stream->kernel, &stream->epilogue};
    if (list < 3)
        return phases[list];
    const int tail = list - 3;
    const int epilogues = (int)stream->tails.epilogue_count;
    return tail < epilogues ? &stream->tails.epilogues[tail]
                            : &stream->tails.straight[tail - epilogues];
}

void editor_take_list(editor *e, swp_stream *stream, int list)
{
    e->list = stream_list(stream, list);
    e->phase = list < 3 ? (swp_phase)list : SWP_EPILOGUE;
}

void editor_choose_list(editor *e)
{
    const int s = random_int(e->random, 0, (int)e->schedule->stream_count - 1);
    swp_stream *stream = &e->schedule->streams[s];
    const int list = random_chance(e->random, 60)
                         ? SWP_KERNEL
                         : random_int(e->random, 0, stream_lists(stream) - 1);
    editor_take_list(e, stream, list);
}

static void number(const editor *e)
{
    for (size_t i = 0; i < e->list->count; i++) {
        e->list->items[i].phase = e->phase;
        e->list->items[i].time_slot = (int)i;
    }
}

void editor_insert(const editor *e, int at, swp_op op)
{
    if (swp_entry_list_push(e->ctx, e->list, (swp_entry){.op = op}) != SWP_OK)
        abort();
    memmove(e->list->items + at + 1, e->list->items + at,
            (e->list->count - 1 - (size_t)at) * sizeof *e->list->items);
    e->list->items[at] = (swp_entry){.op = op};
    number(e);
}

swp_op editor_remove_at(const editor *e, int at)
{
    const swp_op op = e->list->items[at].op;
    e->list->count--;
    memmove(e->list->items + at, e->list->items + at + 1,
            (e->list->count - (size_t)at) * sizeof *e->list->items);
    number(e);
    return op;
}

/* An entry of the list that the filter takes; -1: none was found. */
int editor_choose(const editor *e, editor_filter *takes)
{
    for (int i = 0; i < TRIES && e->list->count > 0; i++) {
        const int at = random_int(e->random, 0, (int)e->list->count - 1);
        if (takes(e, &e->list->items[at].op))
            return at;
    }
    return -1;
}

swp_op *editor_choose_op(const editor *e, editor_filter *takes)
{
    const int at = editor_choose(e, takes);
    return at < 0 ? NULL : &e->list->items[at].op;
}

bool editor_is_work(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
}

bool editor_is_sync(const editor *e, const swp_op *op)
{
    return !editor_is_work(e, op);
}

bool editor_drop(const editor *e, editor_filter *takes)
{
    const int at = editor_choose(e, takes);
    if (at >= 0)
        (void)editor_remove_at(e, at);
    return at >= 0;
}

bool editor_swap(const editor *e)
{
    if (e->list->count < 2)
        return false;
    const int at = random_int(e->random, 0, (int)e->list->count - 2);
    editor_insert(e, at + 1, editor_remove_at(e, at));
    return true;
}
