/* SPDX-License-Identifier: Apache-2.0 */
/* What an access reads and writes, who comes before it, and what retires it. */
#include "accesses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_VALUE = 1024, POISON = 0xe7 };

static void *memory(size_t bytes)
{
    void *all = calloc(1, bytes);
    if (!all) {
        fputs("no memory\n", stderr);
        exit(2);
    }
    return all;
}

/* ---- values ---- */

static value *known[MOST_VALUES];

static size_t bytes_of_all_slots(const value *v)
{
    return v->bytes * (size_t)(v->shared ? v->slots : v->slots * the_kernel.waves);
}

static int number_of(value *v)
{
    int number = 0;
    while (known[number] && known[number] != v)
        number++;
    if (known[number])
        return number;
    if (number == MOST_VALUES - 1 || v->slots > MOST_SLOTS || v->bytes > LARGEST_VALUE) {
        fprintf(stderr, "%s is more than the machine holds\n", v->name);
        exit(2);
    }
    known[number] = v;
    v->cells = memory(bytes_of_all_slots(v));
    memset(v->cells, POISON, bytes_of_all_slots(v));
    return number;
}

void poison_values(void)
{
    for (int i = 0; known[i]; i++)
        memset(known[i]->cells, POISON, bytes_of_all_slots(known[i]));
}

void *slot_of(value *v, int wave_number, int slot)
{
    (void)number_of(v);
    return v->cells + v->bytes * (size_t)(v->shared ? slot : wave_number * v->slots + slot);
}

void *last_version(value *v, int wave_number, int n)
{
    return slot_of(v, wave_number, (n - 1 + v->slots) % v->slots);
}

/* ---- what an access does ---- */

static access *spare[MOST_WAVES * MOST_IN_FLIGHT];
static int spares;

static access *new_access(void)
{
    if (spares > 0)
        return spare[--spares];
    access *a = memory(sizeof *a);
    for (int i = 0; i < MOST_OPERANDS; i++)
        a->copies[i] = memory(LARGEST_VALUE);
    return a;
}

static bool is_counter(object o)
{
    return o == VMCNT || o == LGKMCNT;
}

/* Somebody waits for it before its register is used: for none of a group or mbarrier, and none with several results. */
static bool is_managed(const op *o)
{
    return is_counter(o->object) && values_made(o) == 1 && !operand_value(o, 0)->shared;
}

/* Takes a copy of what the op reads, and of what it updates, as it now is. */
static void copy_in(access *a, bool shared)
{
    for (int i = 0; i < MOST_OPERANDS && operand_value(a->step->op, i); i++) {
        value *v = operand_value(a->step->op, i);
        if (v->shared == shared)
            memcpy(a->copies[i], slot_of(v, a->wave->number, a->step->slots[i]), v->bytes);
    }
}

/* LDS operations of a wave take effect in the order of issue, and so do matrix ops that update one accumulator. */
static bool comes_first(const access *earlier, const access *later)
{
    const op *a = earlier->step->op;
    const op *b = later->step->op;
    if (a->object != b->object || earlier->issued >= later->issued)
        return false;
    return b->object == LGKMCNT ||
           (b->object == MATRIX_GROUP && b->updates[0] && operand_value(a, 0) == b->updates[0]);
}

void do_reads(access *a)
{
    if (a->has_read)
        return;
    for (int i = 0; i < a->wave->in_flight; i++)
        if (comes_first(a->wave->flying[i], a))
            do_all(a->wave->flying[i]);
    a->has_read = true;
    copy_in(a, true);
    if (!is_counter(a->step->op->object))
        copy_in(a, false);
    a->step->op->work(&a->task);
}

/* A wave's share of a slot, or a register, unless that is made again and somebody sees to it that the last one is found. */
static void write_out(const access *a, int i)
{
    value *v = operand_value(a->step->op, i);
    const int slot = a->step->slots[i];
    const size_t bytes = v->shared ? v->bytes / (size_t)the_kernel.waves : v->bytes;
    const size_t from = v->shared ? bytes * (size_t)a->wave->number : 0;
    unsigned char *cells = slot_of(v, a->wave->number, slot);
    if (!is_managed(a->step->op) || a->issued == a->wave->maker[number_of(v)][slot])
        memcpy(cells + from, (unsigned char *)a->copies[i] + from, bytes);
}

void do_all(access *a)
{
    if (a->is_done)
        return;
    do_reads(a);
    a->is_done = true;
    for (int i = 0; i < values_made(a->step->op); i++)
        write_out(a, i);
}

/* ---- retirement ---- */

static void retire(wave *w, int which)
{
    access *a = w->flying[which];
    do_all(a);
    spare[spares++] = a;
    w->in_flight--;
    memmove(&w->flying[which], &w->flying[which + 1],
            (size_t)(w->in_flight - which) * sizeof w->flying[0]);
}

void wait_for_object(wave *w, object o, long n)
{
    for (int i = 0; i < w->in_flight;) {
        const access *a = w->flying[i];
        if (a->step->op->object == o && w->counted[o] - a->counted >= n)
            retire(w, i);
        else
            i++;
    }
}

static int most_counted(object o)
{
    return o == VMCNT ? the_kernel.vm_max : the_kernel.lgkm_max;
}

void wait_for_objects(wave *w, object first, int n)
{
    for (int o = (int)first; o < (int)first + 3; o++) {
        const int most = is_counter((object)o) ? most_counted((object)o) : n;
        wait_for_object(w, (object)o, n < most ? n : most);
    }
}

/* Meant is the last access that was issued to make the register. */
static void wait_for_register(wave *w, value *v, int slot)
{
    const long maker = w->maker[number_of(v)][slot];
    for (int i = 0; i < w->in_flight; i++) {
        const access *a = w->flying[i];
        if (a->issued != maker || !is_managed(a->step->op))
            continue;
        const object o = a->step->op->object;
        if (the_kernel.scoreboard)
            retire(w, i);
        else
            wait_for_object(w, o, w->counted[o] - a->counted);
        return;
    }
}

/* ---- issue ---- */

static void wait_before(wave *w, const step *s)
{
    const object o = s->op->object;
    for (int i = values_written(s->op); i < MOST_OPERANDS && operand_value(s->op, i); i++)
        if (!operand_value(s->op, i)->shared)
            wait_for_register(w, operand_value(s->op, i), s->slots[i]);
    w->counted[o] += s->op->accesses;
    if (is_counter(o))
        wait_for_object(w, o, most_counted(o));
}

static task task_of(const access *a)
{
    task t = {.iteration = a->step->number, .wave = a->wave->number};
    const int made = values_made(a->step->op);
    memcpy(t.made, a->copies, (size_t)made * sizeof t.made[0]);
    for (int i = 0; i < MOST_READ && made + i < MOST_OPERANDS; i++)
        t.read[i] = a->copies[made + i];
    return t;
}

static access *add_access(wave *w, const step *s, moment m)
{
    if (w->in_flight == MOST_IN_FLIGHT) {
        fprintf(stderr, "more than %d accesses in flight\n", MOST_IN_FLIGHT);
        exit(2);
    }
    access *a = new_access();
    a->step = s;
    a->wave = w;
    a->moment = m;
    a->issued = ++w->ops;
    a->counted = w->counted[s->op->object];
    a->has_read = a->is_done = false;
    a->task = task_of(a);
    w->flying[w->in_flight++] = a;
    for (int i = 0; i < values_made(s->op); i++)
        w->maker[number_of(operand_value(s->op, i))][s->slots[i]] = a->issued;
    return a;
}

void issue(wave *w, const step *s, moment m)
{
    wait_before(w, s);
    access *a = add_access(w, s, m);
    copy_in(a, false);
    if (s->op->object == NO_OBJECT)
        retire(w, w->in_flight - 1);
    else if (m == AT_ISSUE)
        do_all(a);
    else if (m == READS_AT_ISSUE)
        do_reads(a);
}
