/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers the ops of a body to effects, by their kinds; k offsets and the order say their tiles. */
#include "ir/entry.h"
#include "ir/lowering.h"

static const swp_resource resources[] = {SWP_GLOBAL_MEM, SWP_LDS, SWP_MMA_UNIT, SWP_VALU};
enum { RESOURCES = sizeof resources / sizeof resources[0] };

static swp_status push(const swp_lowering *l, swp_accesses *list, swp_access access)
{
    return SWP_PUSH(l->ctx, list, access);
}

static swp_status use_unit(const swp_lowering *l, int unit, int64_t cycles, swp_effect *effect)
{
    swp_effect_use *use = NULL;
    SWP_TRY(SWP_TAKE(l->ctx, 1, &use));
    *use = (swp_effect_use){unit, 1, cycles};
    effect->uses = use;
    effect->use_count = 1;
    return SWP_OK;
}

/* Loads go through registers to one place, each taking the next tile: nothing else tells places apart. */
static bool takes_next_tile(const swp_lowering *l)
{
    return l->schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

static swp_status add_place(const swp_lowering *l, const swp_op *op, swp_accesses *list,
                            bool carries)
{
    swp_access access = {.is_shared = true, .carries = carries};
    swp_effect_place place = {0};
    if (!takes_next_tile(l)) {
        place.channel = op->channel;
        place.stage = op->stage;
        place.subtile = op->subtile;
    }
    SWP_TRY(swp_ir_effect_place(l->ctx, &l->out->places, place, &access.where));
    return push(l, list, access);
}

static swp_status add_register(const swp_lowering *l, int channel, int subtile, swp_accesses *list,
                               bool carries)
{
    swp_access access = {.carries = carries};
    const swp_effect_place place = {.channel = channel > 0 && takes_next_tile(l) ? 0 : channel,
                                    .subtile = subtile};
    SWP_TRY(swp_ir_effect_place(l->ctx, &l->out->registers, place, &access.where));
    return push(l, list, access);
}

static swp_status add_staging(const swp_lowering *l, swp_accesses *list)
{
    return add_register(l, -1, 0, list, true);
}

/* A COMPUTE multiplies a fragment of each side; where loads take the next tile one register holds both. */
static swp_status lower_compute(const swp_lowering *l, const swp_op *op, swp_effect *effect)
{
    const swp_effect_place accumulator = {.stage = op->stage, .subtile = op->subtile};
    if (takes_next_tile(l)) {
        SWP_TRY(
            swp_ir_effect_place(l->ctx, &l->out->accumulators, accumulator, &effect->accumulator));
        return add_register(l, 0, op->subtile, &effect->reads, false);
    }
    if (!effect->undefined)
        effect->accumulator = op->stage * l->schedule->loop.n_mmas + op->subtile;
    SWP_TRY(add_register(l, 0, op->stage, &effect->reads, false));
    return add_register(l, 1, op->subtile, &effect->reads, false);
}

static swp_status lower_memory_op(const swp_lowering *l, const swp_op *op, swp_effect *effect)
{
    const bool loads = op->role == SWP_GLOBAL_LOAD;
    const int stated = loads ? op->vm_cost : op->lgkm_cost;
    effect->object = swp_ir_object_of(l->schedule, op);
    effect->assumed = stated < 1;
    effect->accesses = effect->assumed ? 1 : stated;
    effect->is_awaited = true;
    effect->fetches = loads;
    effect->takes_next_tile = takes_next_tile(l) && op->role != SWP_FRAGMENT_LOAD;
    if (op->role == SWP_FRAGMENT_LOAD) {
        SWP_TRY(add_place(l, op, &effect->reads, true));
        return add_register(l, op->channel, op->subtile, &effect->writes, true);
    }
    if (loads && takes_next_tile(l))
        return add_staging(l, &effect->writes);
    if (!loads)
        SWP_TRY(add_staging(l, &effect->reads));
    return add_place(l, op, &effect->writes, false);
}

/* What no reader of files lets through, but a caller of the library may give. */
static const char *what_is_wrong(const swp_lowering *l, const swp_op *op)
{
    const swp_loop_shape *shape = &l->schedule->loop;
    const bool is_sync = swp_ir_is_barrier(op) || swp_ir_is_wait(op);
    const bool in_grid =
        op->stage >= 0 && op->subtile >= 0 &&
        (takes_next_tile(l) || (op->stage < shape->m_mmas && op->subtile < shape->n_mmas));
    if (op->role == SWP_SYNC && !is_sync)
        return "its kind is sync, but it is neither a barrier nor a wait";
    if (op->role == SWP_SYNC && op->wait_value < 0)
        return "it waits for fewer than no accesses";
    if (op->role == SWP_COMPUTE && !in_grid)
        return "its row and column are outside the loop's grid of MMAs";
    if (l->loop && op->role != SWP_SYNC && op->role != SWP_FENCE)
        return "it is neither an op of the loop nor one that synchronises";
    return NULL;
}

static int unit_of(swp_resource resource)
{
    for (int i = 0; i < RESOURCES; i++)
        if (resources[i] == resource)
            return i;
    return -1;
}

static swp_status lower_work(const swp_lowering *l, const swp_op *op, swp_effect *effect)
{
    const bool computes = op->role == SWP_COMPUTE || op->role == SWP_VALU_COMPUTE;
    const int unit = unit_of(op->resource);
    effect->kind = SWP_EFFECT_WORK;
    if (unit >= 0)
        SWP_TRY(use_unit(l, unit, computes ? op->latency : 0, effect));
    if (op->role == SWP_COMPUTE)
        return lower_compute(l, op, effect);
    if (!computes)
        return lower_memory_op(l, op, effect);
    return SWP_OK;
}

swp_status swp_ir_lower_kind(const swp_lowering *l, const swp_op *op, swp_effect *effect)
{
    effect->undefined = what_is_wrong(l, op);
    effect->latency = op->latency;
    switch (op->role) {
    case SWP_GLOBAL_LOAD:
    case SWP_FRAGMENT_LOAD:
    case SWP_COMPUTE:
    case SWP_SHARED_STORE:
    case SWP_VALU_COMPUTE:
        effect->unstated =
            op->role == SWP_VALU_COMPUTE || (op->role == SWP_SHARED_STORE && !takes_next_tile(l));
        return lower_work(l, op, effect);
    case SWP_SYNC:
        effect->kind = swp_ir_is_barrier(op) ? SWP_EFFECT_BARRIER : SWP_EFFECT_WAIT;
        effect->waits = swp_ir_wait_kind(op);
        effect->wait = op->wait_value;
        return SWP_OK;
    case SWP_FENCE:
        return SWP_OK;
    case SWP_ROLE_NONE:
        break;
    }
    effect->unstated = true;
    return SWP_OK;
}

/* --- Their tiles, which k offsets and the order say --- */

/* kb moves on by whole passes, and stands at tile N in the epilogue. */
static swp_tiles tiles_from_kb(const swp_loop_shape *shape, swp_phase phase, int multiple)
{
    if (phase == SWP_PROLOGUE)
        return (swp_tiles){multiple, 0};
    const int base = phase == SWP_EPILOGUE ? shape->min_tiles : shape->first_base;
    return (swp_tiles){base + multiple, shape->tiles_per_pass};
}

static int loads_of(const swp_effects *effects, swp_phase phase)
{
    int loads = 0;
    for (int i = 0; i < effects->lengths[phase]; i++)
        loads += effects->entries[phase][i].fetches;
    return loads;
}

/* The k-th COMPUTE of an accumulator in a phase adds the phase's k-th tile. */
static void number_product(const swp_loop_shape *shape, swp_phase phase, swp_effect *effect,
                           int *products)
{
    const int tiles = phase == SWP_PROLOGUE ? 0
                      : phase == SWP_KERNEL ? shape->tiles_per_pass
                                            : shape->min_tiles;
    effect->tiles = (swp_tiles){*products, shape->tiles_per_pass};
    effect->surplus = *products >= tiles;
    ++*products;
}

static void set_tiles(const swp_effect *effect, swp_accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++) {
        accesses->items[i].tiles = effect->tiles;
        accesses->items[i].carries |= effect->surplus;
    }
}

static swp_status number_phase(const swp_lowering *l, swp_phase phase)
{
    const swp_loop_shape *shape = &l->schedule->loop;
    const swp_entry_list *entries = swp_schedule_phase(l->schedule, phase);
    int *products = NULL;
    /* Each load takes the next tile; a store has that of the last one. */
    int loads = phase == SWP_PROLOGUE ? 0 : loads_of(l->out, SWP_PROLOGUE);
    const int loads_per_pass = phase == SWP_PROLOGUE ? 0 : loads_of(l->out, SWP_KERNEL);
    SWP_TRY(SWP_TAKE(l->ctx, l->out->accumulators.count, &products));
    for (int i = 0; i < l->out->lengths[phase]; i++) {
        swp_effect *effect = &l->out->entries[phase][i];
        const swp_op *op = &entries->items[i].op;
        if (effect->takes_next_tile && effect->fetches)
            effect->tiles = (swp_tiles){loads++, loads_per_pass};
        else if (effect->takes_next_tile)
            effect->tiles = (swp_tiles){loads - 1, loads_per_pass};
        else if (effect->fetches)
            effect->tiles = tiles_from_kb(shape, phase, swp_k_multiple(op->k_offset));
        else if (effect->accumulator >= 0)
            number_product(shape, phase, effect, &products[effect->accumulator]);
        set_tiles(effect, &effect->reads);
        set_tiles(effect, &effect->writes);
    }
    return SWP_OK;
}

/* Places begin empty, and all tiles move on alike. */
static void empty_places(const swp_loop_shape *shape, swp_effect_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        places->items[i].initial = SWP_NO_TILE;
        places->items[i].per_pass = shape->tiles_per_pass;
        places->items[i].least = shape->first_base < 1 ? shape->first_base - 1 : 0;
    }
}

/* Accumulators are numbered row by row, also those that no entry computes. */
static swp_status number_grid(const swp_lowering *l)
{
    const swp_loop_shape *shape = &l->schedule->loop;
    for (int row = 0; row < shape->m_mmas && !takes_next_tile(l); row++)
        for (int column = 0; column < shape->n_mmas; column++) {
            const swp_effect_place accumulator = {.stage = row, .subtile = column};
            SWP_TRY(SWP_PUSH(l->ctx, &l->out->accumulators, accumulator));
        }
    return SWP_OK;
}

swp_status swp_ir_number_tiles(const swp_lowering *l)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(number_phase(l, phase));
    empty_places(&l->schedule->loop, &l->out->places);
    empty_places(&l->schedule->loop, &l->out->registers);
    return SWP_OK;
}

swp_status swp_ir_begin_body(swp_lowering *l)
{
    swp_effects *out = l->out;
    out->unit_count = RESOURCES;
    SWP_TRY(SWP_TAKE(l->ctx, out->unit_count, &out->units));
    for (int i = 0; i < RESOURCES; i++)
        out->units[i] = (swp_effect_unit){swp_resource_name(resources[i]), resources[i], 1};
    return number_grid(l);
}
