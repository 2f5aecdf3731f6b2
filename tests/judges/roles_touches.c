/* SPDX-License-Identifier: Apache-2.0 */
/* What an op touches: versions, tiles and slots of docs/loops-proof.md, "What an entry does". */
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

/* Ops of the pass clock make it: then others count for nothing, but clear it. */
static swp_role_clock clock_of(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].clock == SWP_PASS_CLOCK && makes(&loop->ops[i], value))
            return SWP_PASS_CLOCK;
    return SWP_TILE_CLOCK;
}

/* Those of the first `ops` ops. */
static int makers_before(const swp_loop *loop, int value, size_t ops)
{
    const swp_role_clock clock = clock_of(loop, value);
    int count = 0;
    for (size_t i = 0; i < ops; i++)
        count += loop->ops[i].clock == clock && makes(&loop->ops[i], value);
    return count;
}

int role_makers(const swp_loop *loop, int value)
{
    return makers_before(loop, value, loop->op_count);
}

bool role_is_read(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        if (has(op->updates, op->update_count, value))
            return true;
        for (size_t r = 0; r < op->read_count; r++)
            if (op->reads[r].value == value)
                return true;
    }
    return false;
}

static bool is_cleared(const swp_loop *loop, int value)
{
    for (size_t i = 0; clock_of(loop, value) == SWP_PASS_CLOCK && i < loop->op_count; i++)
        if (loop->ops[i].clock == SWP_TILE_CLOCK && makes(&loop->ops[i], value))
            return true;
    return false;
}

/* Touches the place of the version `place`. */
static void touch_place(role_run *run, role_touch touch, int place)
{
    touch.slot = role_remainder(place, run->schedule->dataflow->slots[touch.value]);
    run->touches =
        role_room(run->touches, run->touch_count, &run->touch_capacity, sizeof *run->touches);
    run->touches[run->touch_count++] = touch;
}

static void touch_tile(role_run *run, role_touch touch)
{
    touch.version = role_quotient(touch.tile, role_makers(run->loop, touch.value));
    touch_place(run, touch, touch.version);
}

/* --- Registers and places of the pass clock, at the ends of an output tile --- */

static void touch_cleared(role_run *run, const role_act *act, role_touch touch)
{
    touch.version = run->bases[act->tile] - 1;
    touch.tile = ROLE_CLEARED + act->tile;
    touch_place(run, touch, touch.version);
}

/* Wants tile number `part` of an iteration of the act's output tile. */
static void want_iteration(role_run *run, const role_act *act, role_touch touch, int iteration,
                           int part)
{
    const int base = run->bases[act->tile];
    const int makers = role_makers(run->loop, touch.value);
    if (iteration < 0 && is_cleared(run->loop, touch.value)) {
        touch_cleared(run, act, touch);
        return;
    }
    const bool is_of_start = iteration < 0 && !role_is_shared(run, touch.value);
    touch.version = is_of_start ? iteration : base + iteration;
    touch.tile = touch.version * makers + part;
    touch_place(run, touch, base + iteration);
}

/* The last tile before part 0 of an iteration is of the iteration before. */
static void want_before(role_run *run, const role_act *act, role_touch touch, int iteration,
                        int part)
{
    if (part > 0)
        want_iteration(run, act, touch, iteration, part - 1);
    else
        want_iteration(run, act, touch, iteration - 1, role_makers(run->loop, touch.value) - 1);
}

/* --- An op of the pass clock --- */

static void pass_reads(role_run *run, const role_act *act, const swp_loop_read *read, int before)
{
    const role_touch touch = {.value = read->value};
    const int makers = role_makers(run->loop, read->value);
    const int iteration = role_iteration(run, act) - read->distance;
    if (clock_of(run->loop, read->value) == SWP_TILE_CLOCK)
        touch_tile(run,
                   (role_touch){.value = read->value, .tile = act->tile * makers + before - 1});
    else
        want_before(run, act, touch, iteration, read->distance > 0 ? makers : before);
}

static void pass_makes(role_run *run, const role_act *act, int value, int part, bool updates)
{
    const int makers = role_makers(run->loop, value);
    if (updates && !role_is_shared(run, value))
        want_before(run, act, (role_touch){.value = value, .updates = true},
                    role_iteration(run, act), part);
    touch_tile(run, (role_touch){.value = value,
                                 .tile = act->turn * makers + part,
                                 .makes = true,
                                 .updates = updates});
}

/* --- An op of the tile clock --- */

static void tile_reads(role_run *run, const role_act *act, const swp_loop_read *read, int before)
{
    const role_touch touch = {.value = read->value};
    const int makers = role_makers(run->loop, read->value);
    const int last = read->distance > 0 ? makers : before;
    if (clock_of(run->loop, read->value) == SWP_PASS_CLOCK)
        want_iteration(run, act, touch, run->sequence.tiles[act->tile] - 1, makers - 1);
    else
        touch_tile(run, (role_touch){.value = read->value,
                                     .tile = (act->turn - read->distance) * makers + last - 1});
}

static void tile_makes(role_run *run, const role_act *act, int value, int part, bool updates)
{
    const int tile = act->turn * role_makers(run->loop, value) + part;
    if (clock_of(run->loop, value) == SWP_PASS_CLOCK) {
        touch_cleared(run, act, (role_touch){.value = value, .makes = true});
        return;
    }
    if (updates && !role_is_shared(run, value))
        touch_tile(run, (role_touch){.value = value, .tile = tile - 1, .updates = true});
    touch_tile(run, (role_touch){.value = value, .tile = tile, .makes = true, .updates = updates});
}

/* Values that no op makes are there from the start: only registers of them are touched at all. */
static void touch_given(role_run *run, const role_act *act, const swp_loop_read *read)
{
    const int version = act->turn - read->distance;
    if (!role_is_shared(run, read->value))
        touch_place(run, (role_touch){.value = read->value, .version = version}, version);
}

void role_touches(role_run *run, role_act *act)
{
    const swp_loop_op *op = act->work;
    const size_t number = (size_t)(op - run->loop->ops);
    const bool of_tiles = op->clock == SWP_TILE_CLOCK;
    for (size_t r = 0; r < op->read_count; r++) {
        const swp_loop_read *read = &op->reads[r];
        const int before = makers_before(run->loop, read->value, number);
        if (role_makers(run->loop, read->value) == 0)
            touch_given(run, act, read);
        else
            (of_tiles ? tile_reads : pass_reads)(run, act, read, before);
    }
    for (int v = 0; v < (int)run->loop->value_count; v++)
        if (makes(op, v))
            (of_tiles ? tile_makes : pass_makes)(run, act, v, makers_before(run->loop, v, number),
                                                 has(op->updates, op->update_count, v));
}
