/* SPDX-License-Identifier: Apache-2.0 */
#include "edits.h"

/* An entry of a program. */
typedef struct spot {
    swp_phase phase;
    int at;
} spot;

static swp_op *op_at(program *p, spot where)
{
    return &program_phase(p, where.phase)->items[where.at].op;
}

static bool is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

static bool is_barrier(const swp_op *op)
{
    return op->tag == SWP_TAG_BARRIER;
}

static bool is_load(const swp_op *op)
{
    return op->role == SWP_GLOBAL_LOAD;
}

static bool is_compute(const swp_op *op)
{
    return op->role == SWP_COMPUTE;
}

static bool is_fragment(const swp_op *op)
{
    return op->role == SWP_FRAGMENT_LOAD;
}

static bool is_store(const swp_op *op)
{
    return op->role == SWP_SHARED_STORE;
}

static bool is_access(const swp_op *op)
{
    return is_load(op) || is_fragment(op) || is_store(op);
}

static bool has_place(const swp_op *op)
{
    return is_load(op) || is_fragment(op);
}

static bool is_any(const swp_op *op)
{
    return swp_op_present(op);
}

/* A random entry of a kind. */
static bool find(program *p, test_random *random, bool (*fits)(const swp_op *op), spot *out)
{
    int seen = 0;
    *out = (spot){SWP_PROLOGUE, 0};
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)program_phase(p, phase)->count; i++)
            if (fits(op_at(p, (spot){phase, i})) && random_int(random, 0, seen++) == 0)
                *out = (spot){phase, i};
    return seen > 0;
}

static bool single(const program *p)
{
    return p->schedule.loop.placement == SWP_PLACE_NEXT_TILE;
}

static bool delete_one(program *p, test_random *random, bool (*fits)(const swp_op *op))
{
    spot where;
    if (!find(p, random, fits, &where))
        return false;
    program_delete(p, where.phase, where.at);
    return true;
}

/* Moves an entry by up to `most` positions in its phase. */
static bool move_one(program *p, test_random *random, bool (*fits)(const swp_op *op), int most)
{
    spot where;
    if (!find(p, random, fits, &where))
        return false;
    const int last = (int)program_phase(p, where.phase)->count - 1;
    const int steps = random_int(random, 1, most);
    const int to = random_chance(random, 50) ? where.at - steps : where.at + steps;
    if (to < 0 || to > last)
        return false;
    const swp_op op = *op_at(p, where);
    program_delete(p, where.phase, where.at);
    program_insert(p, where.phase, to, op);
    return true;
}

static bool delete_wait(program *p, test_random *random)
{
    return delete_one(p, random, is_wait);
}

static bool weaken_wait(program *p, test_random *random)
{
    spot where;
    if (!find(p, random, is_wait, &where))
        return false;
    op_at(p, where)->wait_value += random_chance(random, 50) ? 1 : random_int(random, 1, 16);
    return true;
}

static bool delete_barrier(program *p, test_random *random)
{
    return delete_one(p, random, is_barrier);
}

static bool move_barrier(program *p, test_random *random)
{
    return move_one(p, random, is_barrier, 4);
}

static bool swap_adjacent(program *p, test_random *random)
{
    return move_one(p, random, is_any, 1);
}

static bool move_load(program *p, test_random *random)
{
    return move_one(p, random, is_load, 8);
}

static bool move_fragment(program *p, test_random *random)
{
    return move_one(p, random, is_fragment, 8);
}

static bool change_stage(program *p, test_random *random)
{
    spot where;
    if (single(p) || !find(p, random, has_place, &where))
        return false;
    op_at(p, where)->stage ^= 1;
    return true;
}

static bool change_k_offset(program *p, test_random *random)
{
    spot where;
    const swp_k_offset to = (swp_k_offset)random_int(random, SWP_K0, SWP_K_PREV);
    if (single(p) || !find(p, random, is_load, &where) || op_at(p, where)->k_offset == to)
        return false;
    op_at(p, where)->k_offset = to;
    return true;
}

static bool change_subtile(program *p, test_random *random)
{
    spot where;
    if (single(p) || !find(p, random, has_place, &where))
        return false;
    swp_op *op = op_at(p, where);
    const int count = op->channel == 0 ? p->schedule.loop.m_mmas : p->schedule.loop.n_mmas;
    if (count < 2)
        return false;
    op->subtile ^= 1;
    return true;
}

static bool toggle_barriers(program *p, test_random *random)
{
    (void)random;
    p->schedule.machine.barrier =
        p->schedule.machine.barrier == SWP_BARRIER_RAW ? SWP_BARRIER_FENCED : SWP_BARRIER_RAW;
    return true;
}

static bool toggle_registers(program *p, test_random *random)
{
    (void)random;
    p->schedule.machine.registers = p->schedule.machine.registers == SWP_REGISTERS_RAW
                                        ? SWP_REGISTERS_MANAGED
                                        : SWP_REGISTERS_RAW;
    return true;
}

static bool toggle_lag(program *p, test_random *random)
{
    swp_machine *m = &p->schedule.machine;
    m->lag ^= 1;
    m->groups = 2;
    m->lag_prologue_index = random_int(random, 0, (int)p->schedule.streams[0].prologue.count);
    return true;
}

static bool move_lag(program *p, test_random *random)
{
    swp_machine *m = &p->schedule.machine;
    if (!m->lag)
        return false;
    const int before = m->lag_prologue_index;
    m->lag_prologue_index = random_int(random, 0, (int)p->schedule.streams[0].prologue.count);
    return before != m->lag_prologue_index;
}

static bool lose_end_barrier(program *p, test_random *random)
{
    (void)random;
    if (!p->schedule.machine.lag || !p->schedule.machine.lag_end_barrier)
        return false;
    p->schedule.machine.lag_end_barrier = false;
    return true;
}

static bool lose_loop_barrier(program *p, test_random *random)
{
    (void)random;
    if (single(p) || p->schedule.drops_loop_barrier)
        return false;
    return p->schedule.drops_loop_barrier = true;
}

static bool shrink_counters(program *p, test_random *random)
{
    p->schedule.machine.vm_max = random_int(random, 1, 20);
    p->schedule.machine.lgkm_max = random_int(random, 1, 15);
    return true;
}

static bool wrap_counters(program *p, test_random *random)
{
    if (p->schedule.machine.registers == SWP_REGISTERS_SCOREBOARD)
        return false;
    p->schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    if (random_chance(random, 50))
        p->schedule.machine.vm_max = random_int(random, 2, 20);
    else
        p->schedule.machine.lgkm_max = random_int(random, 2, 15);
    return true;
}

static bool change_accesses(program *p, test_random *random)
{
    spot where;
    if (!find(p, random, is_access, &where))
        return false;
    swp_op *op = op_at(p, where);
    int *accesses = is_load(op) ? &op->vm_cost : &op->lgkm_cost;
    const int before = *accesses;
    *accesses = random_int(random, 1, 6);
    return *accesses != before;
}

static bool change_waves(program *p, test_random *random)
{
    const int before = p->schedule.machine.waves_per_group;
    p->schedule.machine.waves_per_group = random_chance(random, 50) ? 1 : 2;
    return p->schedule.machine.waves_per_group != before;
}

/* Another load of the place just before a load, or a load that is in no kernel. */
static bool add_load(program *p, test_random *random)
{
    spot where;
    if (!find(p, random, is_load, &where))
        return false;
    swp_op op = *op_at(p, where);
    if (!single(p))
        op.k_offset = (swp_k_offset)random_int(random, SWP_K0, SWP_K_PREV);
    if (random_chance(random, 20)) {
        where.phase = SWP_EPILOGUE;
        where.at = random_int(random, 0, (int)p->schedule.streams[0].epilogue.count);
    }
    program_insert(p, where.phase, where.at, op);
    return true;
}

static bool delete_load(program *p, test_random *random)
{
    return delete_one(p, random, is_load);
}

static bool delete_store(program *p, test_random *random)
{
    return delete_one(p, random, is_store);
}

static bool delete_fragment(program *p, test_random *random)
{
    return delete_one(p, random, is_fragment);
}

static bool delete_compute(program *p, test_random *random)
{
    return delete_one(p, random, is_compute);
}

static bool repeat_compute(program *p, test_random *random)
{
    spot where;
    if (!find(p, random, is_compute, &where))
        return false;
    const int to = where.at + random_int(random, 0, 2);
    const swp_op op = *op_at(p, where);
    if (to > (int)program_phase(p, where.phase)->count)
        return false;
    program_insert(p, where.phase, to, op);
    return true;
}

static bool change_compute(program *p, test_random *random)
{
    spot where;
    if (single(p) || p->schedule.loop.n_mmas < 2 || !find(p, random, is_compute, &where))
        return false;
    op_at(p, where)->subtile ^= 1;
    return true;
}

/* Adds a barrier or removes a drain: harmless ones among them. */
static bool add_barrier(program *p, test_random *random)
{
    spot where;
    if (!find(p, random, is_any, &where))
        return false;
    program_insert(p, where.phase, where.at, swp_op_barrier());
    return true;
}

typedef struct edit_row {
    const char *name;
    bool (*apply)(program *p, test_random *random);
    int weight;
} edit_row;

static const edit_row edits[] = {
    {"delete a wait", delete_wait, 14},         {"weaken a wait", weaken_wait, 12},
    {"delete a barrier", delete_barrier, 10},   {"move a barrier", move_barrier, 8},
    {"swap neighbours", swap_adjacent, 12},     {"move a load", move_load, 8},
    {"move a fragment load", move_fragment, 5}, {"change a stage", change_stage, 4},
    {"change a k offset", change_k_offset, 5},  {"change a subtile", change_subtile, 3},
    {"the other barriers", toggle_barriers, 3}, {"the other registers", toggle_registers, 4},
    {"lag on or off", toggle_lag, 3},           {"move the lag", move_lag, 2},
    {"no end barrier", lose_end_barrier, 5},    {"smaller counters", shrink_counters, 3},
    {"counters that wrap", wrap_counters, 8},   {"other accesses", change_accesses, 4},
    {"other waves", change_waves, 2},           {"one more load", add_load, 11},
    {"delete a load", delete_load, 3},          {"delete a fragment load", delete_fragment, 3},
    {"delete a COMPUTE", delete_compute, 5},    {"repeat a COMPUTE", repeat_compute, 5},
    {"change a COMPUTE", change_compute, 2},    {"add a barrier", add_barrier, 2},
    {"delete a store", delete_store, 2},        {"no loop barrier", lose_loop_barrier, 3},
};

enum { EDITS = sizeof(edits) / sizeof(edits[0]) };

const char *random_edit(program *p, test_random *random)
{
    int total = 0;
    for (int i = 0; i < EDITS; i++)
        total += edits[i].weight;
    for (;;) {
        int pick = random_int(random, 0, total - 1);
        int i = 0;
        while (pick >= edits[i].weight)
            pick -= edits[i++].weight;
        if (edits[i].apply(p, random))
            return edits[i].name;
    }
}
