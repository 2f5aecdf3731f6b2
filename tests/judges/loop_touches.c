/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_touches.h"

#include <stdlib.h>

static bool has(const int *list, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static bool updates(const swp_loop_op *op, int value)
{
    return has(op->updates, op->update_count, value);
}

static bool makes(const swp_loop_op *op, int value)
{
    return has(op->writes, op->write_count, value) || updates(op, value);
}

/* Makers of the value that stand before an op. */
static int makers_before(const swp_loop *loop, int value, int op)
{
    int count = 0;
    for (int i = 0; i < op; i++)
        count += makes(&loop->ops[i], value);
    return count;
}

int loop_makers(const swp_loop *loop, int value)
{
    return makers_before(loop, value, (int)loop->op_count);
}

static int slot_of(const swp_loop_dataflow *dataflow, int value, int version)
{
    const int slots = dataflow->slots[value];
    return (version % slots + slots) % slots;
}

int loop_first_tile(const swp_loop_dataflow *dataflow, int value, int slot)
{
    const int makers = loop_makers(dataflow->loop, value);
    return (slot - dataflow->slots[value] + 1) * makers - 1;
}

static void touch(const swp_loop_dataflow *dataflow, loop_line *s, touch_kind kind, int value,
                  int version, int maker)
{
    const int makers = loop_makers(dataflow->loop, value);
    if (s->touch_count == LOOP_MOST_TOUCHES)
        abort();
    s->touches[s->touch_count++] =
        (loop_touch){kind, value, slot_of(dataflow, value, version), version * makers + maker};
}

static void touch_read(const swp_loop_dataflow *dataflow, loop_line *s, swp_loop_read read)
{
    const swp_loop *loop = dataflow->loop;
    const int makers = loop_makers(loop, read.value);
    if (makers == 0) /* an input, which nothing changes */
        return;
    const int last = read.distance > 0 ? makers : makers_before(loop, read.value, s->op);
    touch(dataflow, s, TOUCH_READ, read.value, s->iteration - read.distance, last - 1);
}

static void touch_made(const swp_loop_dataflow *dataflow, loop_line *s, int value)
{
    const swp_loop *loop = dataflow->loop;
    const int maker = makers_before(loop, value, s->op);
    if (updates(&loop->ops[s->op], value)) {
        if (maker > 0)
            touch(dataflow, s, TOUCH_UPDATE, value, s->iteration, maker - 1);
        else
            touch(dataflow, s, TOUCH_UPDATE, value, s->iteration - 1, loop_makers(loop, value) - 1);
    }
    touch(dataflow, s, TOUCH_MAKE, value, s->iteration, maker);
}

void loop_touches(const swp_loop_dataflow *dataflow, loop_line *s)
{
    const swp_loop *loop = dataflow->loop;
    const swp_loop_op *op = &loop->ops[s->op];
    for (size_t r = 0; r < op->read_count; r++)
        touch_read(dataflow, s, op->reads[r]);
    for (int v = 0; v < (int)loop->value_count; v++)
        if (makes(op, v))
            touch_made(dataflow, s, v);
}

static bool is_shared(const swp_loop *loop, int value)
{
    return loop->values[value].space == SWP_SPACE_SHARED;
}

/* What says by itself which of the two waits is for it. */
static bool names_its_counter(swp_completion completion, loop_counter *counter)
{
    switch (completion) {
    case SWP_COMPLETION_VMCNT:
        *counter = LOOP_VM;
        return true;
    case SWP_COMPLETION_LGKMCNT:
        *counter = LOOP_LGKM;
        return true;
    case SWP_COMPLETION_COPY_GROUP:
        *counter = LOOP_VM_GROUP;
        return true;
    case SWP_COMPLETION_MATRIX_GROUP:
        *counter = LOOP_LGKM_GROUP;
        return true;
    case SWP_COMPLETION_COPY_MBARRIER:
        *counter = LOOP_VM_MBARRIER;
        return true;
    case SWP_COMPLETION_MATRIX_MBARRIER:
        *counter = LOOP_LGKM_MBARRIER;
        return true;
    default:
        return false;
    }
}

loop_counter loop_counts_on(const swp_loop *loop, int op_number)
{
    const swp_loop_op *op = &loop->ops[op_number];
    loop_counter counter = LOOP_UNCOUNTED;
    bool lgkm = false;
    if (names_its_counter(op->completion, &counter))
        return counter;
    for (size_t r = 0; r < op->read_count; r++)
        lgkm |= is_shared(loop, op->reads[r].value);
    for (size_t u = 0; u < op->update_count; u++)
        lgkm |= is_shared(loop, op->updates[u]);
    if (op->completion == SWP_COMPLETION_COUNTER)
        return lgkm ? LOOP_LGKM : LOOP_VM;
    if (op->completion == SWP_COMPLETION_GROUP)
        return lgkm ? LOOP_LGKM_GROUP : LOOP_VM_GROUP;
    if (op->completion == SWP_COMPLETION_MBARRIER)
        return lgkm ? LOOP_LGKM_MBARRIER : LOOP_VM_MBARRIER;
    return LOOP_UNCOUNTED;
}

static bool is_counted(const swp_loop *loop, const loop_line *s)
{
    const loop_counter counter = loop_counts_on(loop, s->op);
    return counter == LOOP_VM || counter == LOOP_LGKM;
}

static bool has_touch(const loop_line *s, touch_kind kind, const loop_touch *of)
{
    for (int i = 0; i < s->touch_count; i++)
        if (s->touches[i].kind == kind && s->touches[i].value == of->value &&
            s->touches[i].slot == of->slot)
            return true;
    return false;
}

static bool makes_shared(const swp_loop *loop, const loop_line *s)
{
    for (int i = 0; i < s->touch_count; i++)
        if (s->touches[i].kind == TOUCH_MAKE && is_shared(loop, s->touches[i].value))
            return true;
    return false;
}

/* A wgmma writes no shared memory. */
static bool is_matrix(const swp_loop *loop, const loop_line *s)
{
    return s->counter == LOOP_LGKM_GROUP && !makes_shared(loop, s);
}

/* wgmmas in one accumulator take effect in order: the later one changes what it finds. */
static bool follows_in_accumulator(const swp_loop *loop, const loop_line *early,
                                   const loop_line *late, const loop_touch *l)
{
    return is_matrix(loop, early) && is_matrix(loop, late) && l->kind != TOUCH_READ &&
           has_touch(early, TOUCH_MAKE, l) && has_touch(late, TOUCH_UPDATE, l) &&
           has_touch(late, TOUCH_MAKE, l);
}

static const loop_touch *only_result(const loop_line *s)
{
    const loop_touch *made = NULL;
    for (int i = 0; i < s->touch_count; i++)
        if (s->touches[i].kind == TOUCH_MAKE) {
            if (made)
                return NULL;
            made = &s->touches[i];
        }
    return made;
}

bool loop_is_awaited(const swp_loop *loop, const loop_line *s)
{
    const loop_touch *made = only_result(s);
    return is_counted(loop, s) && made && !is_shared(loop, made->value);
}

bool loop_reads_what(const swp_loop *loop, const loop_line *early, const loop_line *late)
{
    const loop_touch *made = only_result(early);
    return made && !is_shared(loop, made->value) &&
           (has_touch(late, TOUCH_READ, made) || has_touch(late, TOUCH_UPDATE, made));
}

bool loop_makes_again(const loop_line *early, const loop_line *late)
{
    const loop_touch *made = only_result(early);
    return made && has_touch(late, TOUCH_MAKE, made);
}

/* Whether the first touch is there while its op is in flight: what counters count reads at issue. */
static bool lasts(const swp_loop *loop, const loop_line *s, const loop_touch *touch)
{
    return touch->kind == TOUCH_MAKE || !is_counted(loop, s);
}

bool loop_registers_meet(const swp_loop *loop, const loop_line *early, const loop_line *late)
{
    for (int i = 0; i < early->touch_count; i++)
        for (int j = 0; j < late->touch_count; j++) {
            const loop_touch *e = &early->touches[i];
            const loop_touch *l = &late->touches[j];
            if (e->value == l->value && e->slot == l->slot && !is_shared(loop, e->value) &&
                lasts(loop, early, e) && (e->kind == TOUCH_MAKE || l->kind == TOUCH_MAKE) &&
                !follows_in_accumulator(loop, early, late, l))
                return true;
        }
    return false;
}
