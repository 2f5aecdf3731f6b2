/* SPDX-License-Identifier: Apache-2.0 */
#include "orders.h"

#include <limits.h>
#include <stdlib.h>

#include "swp/kernels.h"

/* --- Loops --- */

static void add(small_order *o, int tag, swp_role role, int channel, int subtile, int tile)
{
    swp_op op = swp_op_logical(tag, channel, 0, subtile, SWP_K_NONE);
    op.role = role;
    op.resource = swp_role_resource(role);
    o->ops[o->count++] = (order_op){.op = op, .tile = tile};
}

static swp_k_offset k_offset_of(int tiles)
{
    static const swp_k_offset offsets[] = {SWP_K_PREV, SWP_K0, SWP_K1, SWP_K_NEXT};
    return offsets[tiles + 1];
}

static void add_load(small_order *o, int channel, int subtile)
{
    add(o, channel == 0 ? SWP_LOAD_A : SWP_LOAD_B, SWP_GLOBAL_LOAD, channel, subtile, 0);
}

static void add_fragment(small_order *o, int channel, int subtile)
{
    add(o, channel == 0 ? SWP_MMA_LOAD_A : SWP_MMA_LOAD_B, SWP_FRAGMENT_LOAD, channel, subtile, 0);
}

/* One tile a pass, rows x 1 MMAs. */
static void make_double_buffer(small_order *o, int rows)
{
    o->loop.placement = SWP_PLACE_K_OFFSET;
    o->loop.m_mmas = rows;
    for (int row = 0; row < rows; row++) {
        add_load(o, 0, row);
        add_fragment(o, 0, row);
    }
    add_load(o, 1, 0);
    add_fragment(o, 1, 0);
    for (int row = 0; row < rows; row++) {
        add(o, SWP_MMA, SWP_COMPUTE, -1, 0, 0);
        o->ops[o->count - 1].op.stage = row;
    }
}

static void make_single_buffer(small_order *o, int slices)
{
    o->loop.placement = SWP_PLACE_NEXT_TILE;
    add(o, SWP_LOAD_DRAM, SWP_GLOBAL_LOAD, 0, 0, 0);
    add(o, SWP_STORE_SMEM, SWP_SHARED_STORE, 0, 0, 0);
    for (int slice = 0; slice < slices; slice++) {
        add(o, SWP_LOAD_FRAG, SWP_FRAGMENT_LOAD, 0, slice, 0);
        add(o, SWP_COMPUTE_FRAG, SWP_COMPUTE, -1, slice, 0);
    }
}

/* One more load or fragment load of what there is; often nobody looks at what one of them does. */
static void add_again(small_order *o, test_random *random)
{
    const order_op copy = o->ops[random_int(random, 0, o->count - 1)];
    const bool single = o->loop.placement == SWP_PLACE_NEXT_TILE;
    if (single ? copy.op.role == SWP_FRAGMENT_LOAD : copy.op.role != SWP_COMPUTE)
        o->ops[o->count++] = copy;
}

/* --- Machines --- */

static int some_accesses(test_random *random)
{
    return random_chance(random, 60) ? 1 : random_int(random, 2, 4);
}

static void set_costs(small_order *o, test_random *random)
{
    const int load = random_int(random, 5, 120);
    const int lds = random_int(random, 1, 40);
    const int compute = random_int(random, 1, 60);
    const bool alike = random_chance(random, 50);
    for (int i = 0; i < o->count; i++) {
        swp_op *op = &o->ops[i].op;
        op->latency = op->role == SWP_GLOBAL_LOAD ? load : op->role == SWP_COMPUTE ? compute : lds;
        if (!alike)
            op->latency = random_int(random, 1, 80);
        if (op->role == SWP_GLOBAL_LOAD)
            op->vm_cost = some_accesses(random);
        else if (op->role != SWP_COMPUTE)
            op->lgkm_cost = some_accesses(random);
    }
}

static void set_machine(small_order *o, test_random *random)
{
    swp_machine *m = &o->machine;
    *m = swp_machine_default();
    m->groups = random_chance(random, 40) ? 2 : 1;
    m->lag = m->groups == 2 && random_chance(random, 75);
    m->waves_per_group = random_chance(random, 15) ? 1 : 4;
    m->barrier = random_chance(random, 40) ? SWP_BARRIER_FENCED : SWP_BARRIER_RAW;
    m->registers = random_chance(random, 40) ? SWP_REGISTERS_RAW : SWP_REGISTERS_MANAGED;
    if (random_chance(random, 30)) {
        m->vm_max = random_int(random, 4, 9);
        m->lgkm_max = random_int(random, 4, 9);
    }
    if (random_chance(random, 15))
        m->counter_full = SWP_COUNTER_WRAPS;
    else if (m->registers == SWP_REGISTERS_MANAGED && random_chance(random, 30))
        m->registers = SWP_REGISTERS_SCOREBOARD;
    m->issue_cycles = random_chance(random, 70) ? 1 : random_int(random, 0, 5);
    m->barrier_cycles = random_chance(random, 70) ? 0 : random_int(random, 1, 12);
}

static void shuffle(small_order *o, test_random *random)
{
    for (int i = o->count - 1; i > 0; i--) {
        const int j = random_int(random, 0, i);
        const order_op other = o->ops[j];
        o->ops[j] = o->ops[i];
        o->ops[i] = other;
    }
}

/* --- Tiles --- */

/* Whether an op takes over what another brings: a fragment load a tile, a COMPUTE a fragment. */
static bool takes_over(const small_order *o, const swp_op *from, const swp_op *to)
{
    const bool single = o->loop.placement == SWP_PLACE_NEXT_TILE;
    if (from->role == SWP_FRAGMENT_LOAD && to->role == SWP_COMPUTE)
        return from->subtile == (single || from->channel == 1 ? to->subtile : to->stage);
    if (single)
        return (from->role == SWP_GLOBAL_LOAD && to->role == SWP_SHARED_STORE) ||
               (from->role == SWP_SHARED_STORE && to->role == SWP_FRAGMENT_LOAD);
    return from->role == SWP_GLOBAL_LOAD && to->role == SWP_FRAGMENT_LOAD &&
           from->channel == to->channel && from->stage == to->stage && from->subtile == to->subtile;
}

/* Whether two loads bring something to the same place or register. */
static bool replaces(const swp_op *a, const swp_op *b)
{
    const bool place = a->role == b->role && a->channel == b->channel && a->subtile == b->subtile;
    return place && (a->stage == b->stage || a->role == SWP_FRAGMENT_LOAD);
}

/* The next op that takes over what an op brings; -1 if it is replaced before. */
static int next_taker(const small_order *o, int from)
{
    for (int next = from + 1; next < from + o->count; next++) {
        const order_op *op = &o->ops[next % o->count];
        if (replaces(&o->ops[from].op, &op->op))
            return -1;
        if (!op->idle && takes_over(o, &o->ops[from].op, &op->op))
            return next;
    }
    return -1;
}

/* An op handles the tile of the one that takes it over. */
static void follow(small_order *o, swp_role role)
{
    for (int i = 0; i < o->count; i++) {
        if (o->ops[i].op.role != role)
            continue;
        const int next = next_taker(o, i);
        o->ops[i].idle = next < 0;
        if (next >= 0)
            o->ops[i].tile =
                o->ops[next % o->count].tile + next / o->count * o->loop.tiles_per_pass;
    }
}

static int last_tile_loaded(const small_order *o)
{
    int last = 0;
    for (int i = 0; i < o->count; i++)
        if (o->ops[i].op.role == SWP_GLOBAL_LOAD && o->ops[i].tile > last)
            last = o->ops[i].tile;
    return last;
}

/* Some loads bring the wrong tile. The epilogue can name no tile but the last. */
static void name_tiles(small_order *o, test_random *random)
{
    o->loop.first_base = o->loop.min_tiles - random_int(random, 0, 1);
    for (int i = 0; i < o->count; i++) {
        order_op *op = &o->ops[i];
        if (op->op.role != SWP_GLOBAL_LOAD)
            continue;
        if (op->tile < o->loop.min_tiles - 1 || op->idle || random_chance(random, 5))
            op->tile = o->loop.min_tiles - random_int(random, 0, 1);
        op->op.k_offset = k_offset_of(op->tile - o->loop.first_base);
    }
}

static void set_tiles(small_order *o, test_random *random)
{
    follow(o, SWP_FRAGMENT_LOAD);
    follow(o, SWP_SHARED_STORE);
    follow(o, SWP_GLOBAL_LOAD);
    const int last = last_tile_loaded(o);
    o->loop.min_tiles = last > 1 ? last : 1;
    if (o->loop.placement == SWP_PLACE_K_OFFSET)
        name_tiles(o, random);
    else if (random_chance(random, 30))
        o->loop.min_tiles++;
}

small_order small_order_random(test_random *random, int most_ops)
{
    small_order o = {.loop = {.tiles_per_pass = 1, .multiple = 1, .m_mmas = 1, .n_mmas = 1}};
    if (most_ops >= 5 && random_chance(random, 70))
        make_double_buffer(&o, most_ops >= 8 && random_chance(random, 70) ? 2 : 1);
    else
        make_single_buffer(&o, random_int(random, 1, (most_ops - 2) / 2));
    if (o.count < most_ops && random_chance(random, 20))
        add_again(&o, random);
    set_costs(&o, random);
    set_machine(&o, random);
    shuffle(&o, random);
    set_tiles(&o, random);
    return o;
}

static int products_before(const small_order *o, const swp_op *compute)
{
    int products = 0;
    for (int i = 0; i < o->count; i++)
        products += o->ops[i].op.role == SWP_COMPUTE && o->ops[i].op.stage == compute->stage &&
                    o->ops[i].op.subtile == compute->subtile;
    return products;
}

small_order small_order_of(const swp_schedule *schedule)
{
    small_order o = {.machine = schedule->machine, .loop = schedule->loop};
    for (size_t i = 0; i < schedule->streams[0].kernel.count && o.count < ORDER_MOST_OPS; i++) {
        const swp_op *op = &schedule->streams[0].kernel.items[i].op;
        if (op->role == SWP_SYNC || op->role == SWP_FENCE)
            continue;
        const int tile = op->role == SWP_COMPUTE ? products_before(&o, op) : 0;
        o.ops[o.count++] = (order_op){.op = *op, .tile = tile};
    }
    follow(&o, SWP_FRAGMENT_LOAD);
    follow(&o, SWP_SHARED_STORE);
    follow(&o, SWP_GLOBAL_LOAD);
    return o;
}

/* --- Programs --- */

static void append(program *p, swp_phase phase, swp_op op)
{
    program_insert(p, phase, (int)program_phase(p, phase)->count, op);
}

static void wait_for_all(program *p, swp_phase phase)
{
    append(p, phase, swp_op_wait_lgkm(0));
    append(p, phase, swp_op_wait_vm(0));
}

static void synchronise(program *p, swp_phase phase, int barriers)
{
    for (int i = 0; i < barriers; i++) {
        wait_for_all(p, phase);
        append(p, phase, swp_op_barrier());
    }
    wait_for_all(p, phase);
}

static program new_program(const small_order *order)
{
    const bool single = order->loop.placement == SWP_PLACE_NEXT_TILE;
    program p = single ? program_single_buffer() : program_double_buffer();
    p.schedule.loop = order->loop;
    p.schedule.machine = order->machine;
    return p;
}

program order_program(const small_order *order, int barriers)
{
    program p = new_program(order);
    for (int i = 0; i < barriers; i++)
        append(&p, SWP_KERNEL, swp_op_barrier());
    for (int i = 0; i < order->count; i++)
        append(&p, SWP_KERNEL, order->ops[i].op);
    return p;
}

/* What a pass before the first or after the last does; tiles count from `base`, where kb is. */
static void append_pass(program *p, swp_phase phase, const small_order *order, int pass, int least,
                        int most, int base)
{
    for (int i = 0; i < order->count; i++) {
        swp_op op = order->ops[i].op;
        const int tile = pass * order->loop.tiles_per_pass + order->ops[i].tile;
        /* What a load brings that is replaced unread may be what the next one brings again. */
        const bool left_out = phase == SWP_EPILOGUE || op.role != SWP_GLOBAL_LOAD;
        if ((order->ops[i].idle && left_out) || tile < least || tile > most ||
            (phase == SWP_PROLOGUE && op.role == SWP_COMPUTE))
            continue;
        if (op.role == SWP_GLOBAL_LOAD && order->loop.placement == SWP_PLACE_K_OFFSET)
            op.k_offset = k_offset_of(tile - base);
        synchronise(p, phase, 2);
        append(p, phase, op);
    }
}

program order_with_barriers(const small_order *order, const int *gaps)
{
    const int tiles = order->loop.tiles_per_pass;
    const int most = order->loop.min_tiles - 1;
    program p = new_program(order);
    for (int pass = -ORDER_MOST_OPS; pass < 0; pass++)
        append_pass(&p, SWP_PROLOGUE, order, pass, 0, INT_MAX, 0);
    synchronise(&p, SWP_PROLOGUE, 2);
    for (int i = 0; i < order->count; i++) {
        synchronise(&p, SWP_KERNEL, gaps[i]);
        append(&p, SWP_KERNEL, order->ops[i].op);
    }
    for (int pass = 0; pass * tiles <= most; pass++)
        append_pass(&p, SWP_EPILOGUE, order, pass, INT_MIN, most, most + 1);
    return p;
}
