/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What retires an access follows from the list alone, as no entry depends on data: the first entry
 * that cannot issue before the access is done.
 */
#include "explorer_steps.h"

#include <stdlib.h>

/* One counter of one wave as it goes through the list with every access as late as possible. */
typedef struct meter {
    step_list *list;
    counter counter;
    int group;
    int largest;
    bool wraps;
    int issued;       /* counted accesses */
    int first;        /* ordinal of the oldest that is not retired */
    int next;         /* ordinal */
    int in_flight;    /* counted accesses */
    int *issued_with; /* by ordinal: `issued` just after it */
} meter;

static void retire_below(meter *m, int ordinal, int at)
{
    for (; m->first < ordinal; m->first++)
        m->list->items[m->list->by_ordinal[m->counter][m->first]].retired[m->group] = at;
}

/* Retires what has at least `after` accesses behind it. */
static void leave(meter *m, int after, int at)
{
    int ordinal = m->first;
    while (ordinal < m->next && m->issued - m->issued_with[ordinal] >= after)
        ordinal++;
    retire_below(m, ordinal, at);
    if (m->in_flight > after)
        m->in_flight = after > 0 ? after : 0;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void issue(meter *m, int at)
{
    step *s = &m->list->items[at];
    if (m->wraps)
        s->overflows[m->group] = m->in_flight + s->cost > m->largest;
    else
        leave(m, m->largest - s->cost, at);
    m->issued += s->cost;
    m->in_flight += s->cost;
    if (m->in_flight > m->largest)
        m->in_flight = m->largest;
    m->issued_with[m->next++] = m->issued;
}

/* A compiler below waits for a register before its use. */
static void await_operands(meter *m, int at)
{
    const step *s = &m->list->items[at];
    for (int k = 0; k < 2; k++)
        if (s->producers[k] >= 0 && m->list->items[s->producers[k]].counter == m->counter &&
            m->list->items[s->producers[k]].ordinal >= m->first)
            leave(m, m->issued - m->issued_with[m->list->items[s->producers[k]].ordinal], at);
}

static void walk(meter *m, bool fenced)
{
    int barriers = 0;
    for (int i = 0; i < m->list->count; i++) {
        step *s = &m->list->items[i];
        const bool mine = s->of_group[m->group];
        s->barriers[m->group] = barriers;
        if (s->kind == STEP_BARRIER && mine && fenced && m->counter == COUNTER_LGKM)
            leave(m, 0, i);
        if (s->wait >= 0 && s->counter == m->counter)
            leave(m, smaller(s->wait, m->largest), i);
        if (!m->list->raw_registers)
            await_operands(m, i);
        if (s->wait < 0 && s->counter == m->counter)
            issue(m, i);
        s->needs[m->group][m->counter] = m->first;
        barriers += s->kind == STEP_BARRIER && mine;
    }
    retire_below(m, m->next, m->list->count);
}

void step_list_retire(step_list *list, const swp_machine *machine)
{
    for (int group = 0; group < list->groups; group++)
        for (counter c = COUNTER_VM; c <= COUNTER_LGKM; c++) {
            meter m = {.list = list,
                       .counter = c,
                       .group = group,
                       .largest = c == COUNTER_VM ? machine->vm_max : machine->lgkm_max,
                       .wraps = machine->counter_full == SWP_COUNTER_WRAPS};
            m.issued_with = explorer_allocate((size_t)list->accesses[c], sizeof(int));
            walk(&m, machine->barrier == SWP_BARRIER_FENCED);
            free(m.issued_with);
        }
}
