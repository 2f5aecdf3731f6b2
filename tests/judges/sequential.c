/* SPDX-License-Identifier: Apache-2.0 */
#include "sequential.h"

typedef struct machine {
    int places[2][2][64]; /* tile in each LDS place: channel, stage, subtile */
    int registers[2][64]; /* tile in each register: channel, subtile */
    int staging;
    int next_tile;
} machine;

enum { UNKNOWN = -1000 };

static machine new_machine(void)
{
    machine m = {.staging = UNKNOWN};
    for (int i = 0; i < 64; i++)
        for (int channel = 0; channel < 2; channel++) {
            m.places[channel][0][i] = m.places[channel][1][i] = UNKNOWN;
            m.registers[channel][i] = UNKNOWN;
        }
    return m;
}

static int *register_of(machine *m, const swp_op *op, bool single)
{
    return &m->registers[single ? 0 : op->channel][op->subtile];
}

static int *place_of(machine *m, const swp_op *op, bool single)
{
    return single ? &m->places[0][0][0] : &m->places[op->channel][op->stage][op->subtile];
}

static bool operands_differ(const machine *m, const swp_op *op, bool single, int wanted)
{
    if (single)
        return m->registers[0][op->subtile] != wanted;
    return m->registers[0][op->stage] != wanted || m->registers[1][op->subtile] != wanted;
}

/* False where a COMPUTE does not find its tile. */
static bool step(machine *m, const swp_schedule *s, const swp_op *op, int pass, int product)
{
    const bool single = s->loop.placement == SWP_PLACE_NEXT_TILE;
    const int base = pass * s->loop.tiles_per_pass;
    switch (op->role) {
    case SWP_GLOBAL_LOAD:
        if (single)
            m->staging = m->next_tile++;
        else
            *place_of(m, op, single) = s->loop.first_base + base + swp_k_multiple(op->k_offset);
        return true;
    case SWP_SHARED_STORE:
        *place_of(m, op, single) = m->staging;
        return true;
    case SWP_FRAGMENT_LOAD:
        *register_of(m, op, single) = *place_of(m, op, single);
        return true;
    case SWP_COMPUTE:
        return !operands_differ(m, op, single, base + product);
    default:
        return true;
    }
}

static int product_of(const swp_entry_list *kernel, size_t at)
{
    int product = 0;
    for (size_t i = 0; i < at; i++)
        product += kernel->items[i].op.role == SWP_COMPUTE &&
                   kernel->items[i].op.stage == kernel->items[at].op.stage &&
                   kernel->items[i].op.subtile == kernel->items[at].op.subtile;
    return product;
}

/* On a counter that wraps, one op alone may be too much. */
static bool fits_counters(const swp_schedule *s, const swp_op *op)
{
    return s->machine.counter_full != SWP_COUNTER_WRAPS ||
           (op->vm_cost <= s->machine.vm_max && op->lgkm_cost <= s->machine.lgkm_max);
}

/* Once the first passes have been through all places and registers. */
static bool order_is_right(const swp_schedule *s, int ahead)
{
    enum { SETTLED = 4, PASSES = 8 };
    machine m = new_machine();
    m.next_tile = ahead;
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < s->streams[0].kernel.count; i++)
            if (!fits_counters(s, &s->streams[0].kernel.items[i].op) ||
                (!step(&m, s, &s->streams[0].kernel.items[i].op, pass,
                       product_of(&s->streams[0].kernel, i)) &&
                 pass >= SETTLED))
                return false;
    return true;
}

bool order_can_be_right(const swp_schedule *schedule)
{
    for (int ahead = 0; ahead < 4; ahead++)
        if (order_is_right(schedule, ahead))
            return true;
    return false;
}
