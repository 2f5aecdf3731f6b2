/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_mutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 256 };

void role_mutant_show(const role_mutant_visitor *v, role_mutant_kind kind, const char *what)
{
    role_mutant m = {.kind = kind, .schedule = v->schedule};
    (void)snprintf(m.what, sizeof m.what, "%s", what);
    v->visit(&m, v->user);
}

/* Shows the schedule with these entries in place of the list's. */
static void show_list(const role_mutant_visitor *v, role_mutant_kind kind, int at,
                      const char *change, swp_entry *entries, size_t count)
{
    char what[160];
    const swp_entry_list list = *v->list;
    for (size_t i = 0; i < count; i++) {
        entries[i].phase = v->phase;
        entries[i].time_slot = (int)i;
    }
    (void)snprintf(what, sizeof what, "%s %s %d %s%s", v->stream->name, v->list_name, at,
                   swp_schedule_op_name(v->schedule, list.items[at].op.tag), change);
    *v->list = (swp_entry_list){.items = entries, .count = count, .capacity = count};
    role_mutant_show(v, kind, what);
    *v->list = list;
}

static size_t copy_entries(const role_mutant_visitor *v, swp_entry *entries)
{
    if (v->list->count >= MOST_ENTRIES)
        abort();
    memcpy(entries, v->list->items, v->list->count * sizeof *entries);
    return v->list->count;
}

static void move(swp_entry *entries, int from, int to)
{
    const swp_entry moved = entries[from];
    const int step = from < to ? 1 : -1;
    for (int i = from; i != to; i += step)
        entries[i] = entries[i + step];
    entries[to] = moved;
}

void role_mutant_show_moved(const role_mutant_visitor *v, role_mutant_kind kind, int from, int to)
{
    swp_entry entries[MOST_ENTRIES];
    char change[32];
    const size_t count = copy_entries(v, entries);
    move(entries, from, to);
    (void)snprintf(change, sizeof change, " to %d", to);
    show_list(v, kind, from, change, entries, count);
}

void role_mutant_show_without(const role_mutant_visitor *v, role_mutant_kind kind, int at)
{
    swp_entry entries[MOST_ENTRIES];
    const size_t count = copy_entries(v, entries);
    move(entries, at, (int)count - 1);
    show_list(v, kind, at, "", entries, count - 1);
}

void role_mutant_show_twice(const role_mutant_visitor *v, int at)
{
    swp_entry entries[MOST_ENTRIES];
    const size_t count = copy_entries(v, entries);
    entries[count] = entries[at];
    move(entries, (int)count, at);
    show_list(v, ROLE_TWICE, at, "", entries, count + 1);
}

void role_mutant_show_changed(const role_mutant_visitor *v, role_mutant_kind kind, int at,
                              const char *change, swp_op op)
{
    swp_entry entries[MOST_ENTRIES];
    const size_t count = copy_entries(v, entries);
    entries[at].op = op;
    show_list(v, kind, at, change, entries, count);
}
