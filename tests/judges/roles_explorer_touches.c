/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_explorer_touches.h"

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

static int makers_before(const rx_run *run, int value, int op)
{
    int count = 0;
    for (int i = 0; i < op; i++)
        count += makes(&run->loop->ops[i], value);
    return count;
}

static int makers(const rx_run *run, int value)
{
    return makers_before(run, value, (int)run->loop->op_count);
}

int rx_replaced_tile(const rx_run *run, const rx_touch *made)
{
    const int all = makers(run, made->value);
    const int number = made->tile - made->version * all;
    return number > 0 ? made->tile - 1
                      : (made->version - rx_slots(run, made->value)) * all + all - 1;
}

bool rx_is_read(const rx_run *run, int value)
{
    for (size_t i = 0; i < run->loop->op_count; i++) {
        const swp_loop_op *op = &run->loop->ops[i];
        for (size_t r = 0; r < op->read_count; r++)
            if (op->reads[r].value == value)
                return true;
        if (updates(op, value))
            return true;
    }
    return false;
}

bool rx_is_shared(const rx_run *run, int value)
{
    return run->loop->values[value].space == SWP_SPACE_SHARED;
}

int rx_slots(const rx_run *run, int value)
{
    return run->schedule->dataflow->slots[value];
}

int rx_slot_of(const rx_run *run, int value, int version)
{
    const int slots = rx_slots(run, value);
    return (version % slots + slots) % slots;
}

int rx_first_tile(const rx_run *run, int value, int slot)
{
    return (slot - rx_slots(run, value) + 1) * makers(run, value) - 1;
}

static void push(rx_touches *t, rx_touch touch)
{
    if (t->count == (int)(sizeof t->items / sizeof t->items[0]))
        abort();
    t->items[t->count++] = touch;
}

static void push_read(const rx_run *run, rx_touches *t, const rx_step *step, swp_loop_read read)
{
    const int all = makers(run, read.value);
    const int last = read.distance > 0 ? all : makers_before(run, read.value, step->op);
    const int version = step->iteration - read.distance;
    push(t, (rx_touch){.value = read.value,
                       .input = all == 0,
                       .version = version,
                       .tile = version * all + last - 1});
}

static void push_update(const rx_run *run, rx_touches *t, const rx_step *step, int value)
{
    const int maker = makers_before(run, value, step->op);
    const int all = makers(run, value);
    push(t, (rx_touch){.value = value,
                       .updates = true,
                       .version = maker > 0 ? step->iteration : step->iteration - 1,
                       .tile = step->iteration * all + maker - 1});
}

static void push_made(const rx_run *run, rx_touches *t, const rx_step *step, int value)
{
    push(t, (rx_touch){.value = value,
                       .makes = true,
                       .updates = updates(&run->loop->ops[step->op], value),
                       .version = step->iteration,
                       .tile = step->iteration * makers(run, value) +
                               makers_before(run, value, step->op)});
}

rx_touches rx_touches_of(const rx_run *run, const rx_step *step)
{
    rx_touches t = {.count = 0};
    if (step->op < 0)
        return t;
    const swp_loop_op *op = &run->loop->ops[step->op];
    for (size_t r = 0; r < op->read_count; r++)
        push_read(run, &t, step, op->reads[r]);
    for (size_t u = 0; u < op->update_count; u++)
        if (!rx_is_shared(run, op->updates[u]))
            push_update(run, &t, step, op->updates[u]);
    for (int v = 0; v < (int)run->loop->value_count; v++)
        if (makes(op, v))
            push_made(run, &t, step, v);
    return t;
}

/* --- Shares --- */

int rx_maker_stream(const rx_run *run, int value)
{
    for (size_t i = 0; i < run->loop->op_count; i++)
        if (makes(&run->loop->ops[i], value) && run->stream_of_op[i] >= 0)
            return run->stream_of_op[i];
    return -1;
}

int rx_shares(const rx_run *run, int value)
{
    const int stream = rx_maker_stream(run, value);
    return stream < 0 ? 1 : run->form.streams[stream].instances;
}

bool rx_touches_share(const rx_run *run, const rx_instance *instance, int value, int share)
{
    return instance->stream != rx_maker_stream(run, value) || instance->number == share;
}

bool rx_meet_in(const rx_run *run, const rx_instance *a, const rx_instance *b, int value)
{
    const int stream = rx_maker_stream(run, value);
    return a == b || a->stream != stream || b->stream != stream;
}
