/* SPDX-License-Identifier: Apache-2.0 */
/* What an op touches: versions, tiles and slots of docs/loops.md, "What an entry does". */
#include "roles_memory.h"
#include "roles_run.h"

static bool has(const int *list, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static bool makes(const swp_loop_op *op, int value)
{
    return has(op->writes, op->write_count, value) || has(op->updates, op->update_count, value);
}

/* Those of the first `ops` ops. */
static int makers_before(const swp_loop *loop, int value, size_t ops)
{
    int count = 0;
    for (size_t i = 0; i < ops; i++)
        count += makes(&loop->ops[i], value);
    return count;
}

int role_makers(const swp_loop *loop, int value)
{
    return makers_before(loop, value, loop->op_count);
}

static void touch_version(role_run *run, role_touch touch)
{
    const int slots = run->form->dataflow->slots[touch.value];
    touch.slot = role_remainder(touch.version, slots);
    run->touches =
        role_room(run->touches, run->touch_count, &run->touch_capacity, sizeof *run->touches);
    run->touches[run->touch_count++] = touch;
}

static void touch_tile(role_run *run, role_touch touch)
{
    touch.version = role_quotient(touch.tile, role_makers(run->loop, touch.value));
    touch_version(run, touch);
}

/* Values that no op makes are there from the start: only registers of them are touched at all. */
static void touch_read(role_run *run, const role_act *act, const swp_loop_read *read, int before)
{
    const int makers = role_makers(run->loop, read->value);
    const int version = act->turn - read->distance;
    const int last = read->distance > 0 ? makers : before;
    if (makers > 0)
        touch_tile(run, (role_touch){.value = read->value, .tile = version * makers + last - 1});
    else if (!role_is_shared(run, read->value))
        touch_version(run, (role_touch){.value = read->value, .version = version});
}

void role_touches(role_run *run, role_act *act)
{
    const swp_loop_op *op = act->work;
    const size_t number = (size_t)(op - run->loop->ops);
    for (size_t r = 0; r < op->read_count; r++)
        touch_read(run, act, &op->reads[r], makers_before(run->loop, op->reads[r].value, number));
    for (int v = 0; v < (int)run->loop->value_count; v++) {
        if (!makes(op, v))
            continue;
        const bool updates = has(op->updates, op->update_count, v);
        const int tile =
            act->turn * role_makers(run->loop, v) + makers_before(run->loop, v, number);
        if (updates)
            touch_tile(run, (role_touch){.value = v, .tile = tile - 1, .updates = true});
        touch_tile(run, (role_touch){.value = v, .tile = tile, .makes = true, .updates = updates});
    }
}
