/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a schedule: what edits choose from, and how a list is changed. */
#ifndef TEST_JUDGES_EDITOR_H
#define TEST_JUDGES_EDITOR_H

#include "random.h"

#include "swp/compile.h"

/* A stream's lists by number: those of its phases, other epilogues, straight ones. */
int stream_lists(const swp_stream *stream);
swp_entry_list *stream_list(swp_stream *stream, int list);

typedef struct editor {
    swp_context *ctx;
    swp_schedule *schedule;
    test_random *random;
    swp_entry_list *list; /* that is edited */
    swp_phase phase;      /* of it */
} editor;

typedef bool editor_filter(const editor *e, const swp_op *op);

/* Takes a list by its number. */
void editor_take_list(editor *e, swp_stream *stream, int list);

/* Takes one of any stream: the kernel in most cases. */
void editor_choose_list(editor *e);

/* An entry of the list that the filter takes; -1, or NULL: none was found. */
int editor_choose(const editor *e, editor_filter *takes);
swp_op *editor_choose_op(const editor *e, editor_filter *takes);

bool editor_is_work(const editor *e, const swp_op *op);
bool editor_is_sync(const editor *e, const swp_op *op);

void editor_insert(const editor *e, int at, swp_op op);
swp_op editor_remove_at(const editor *e, int at);

/* Whether there was such an entry, or were two neighbours. */
bool editor_drop(const editor *e, editor_filter *takes);
bool editor_swap(const editor *e);

#endif
