/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers the entries of a schedule to effects: the one place that knows the kinds of a body's ops and the ops of a loop. */
#include "ir/effects.h"

#include "base/diag.h"
#include "ir/loop_dataflow.h"

static const swp_resource resources[] = {SWP_GLOBAL_MEM, SWP_LDS, SWP_MMA_UNIT, SWP_VALU};
enum { RESOURCES = sizeof resources / sizeof resources[0] };

typedef struct lowering {
    swp_context *ctx;
    swp_effects *out;
    const swp_schedule *schedule;
    const swp_loop *loop; /* NULL: the kinds of the ops say what they do */
    int *makers;          /* of each value: ops that make it in an iteration */
    int *first; /* of each value: its first place or register; one for each slot follows */
} lowering;

static swp_status push(const lowering *l, swp_accesses *list, swp_access access)
{
    return SWP_PUSH(l->ctx, list, access);
}

static swp_status use_unit(const lowering *l, int unit, int64_t cycles, swp_effect *effect)
{
    swp_effect_use *use = NULL;
    SWP_TRY(SWP_TAKE(l->ctx, 1, &use));
    *use = (swp_effect_use){unit, 1, cycles};
    effect->uses = use;
    effect->use_count = 1;
    return SWP_OK;
}

static bool is_loop_op(const swp_schedule *schedule, const swp_op *op)
{
    return schedule->dataflow && op->tag < SWP_FIRST_INFRASTRUCTURE_TAG;
}

swp_sync_object swp_ir_object_of(const swp_schedule *schedule, const swp_op *op)
{
    if (is_loop_op(schedule, op)) {
        const swp_loop *loop = schedule->dataflow->loop;
        return swp_ir_loop_object_of(loop, &loop->ops[op->tag]);
    }
    if (op->role == SWP_GLOBAL_LOAD)
        return SWP_VMCNT;
    const bool in_lds = op->role == SWP_SHARED_STORE || op->role == SWP_FRAGMENT_LOAD;
    return in_lds ? SWP_LGKMCNT : SWP_NO_OBJECT;
}

/* --- The ops of a body, by their kinds --- */

/* Loads go through registers to one place, each taking the next tile: nothing else tells places apart. */
static bool takes_next_tile(const lowering *l)
{
    return l->schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

static swp_status add_place(const lowering *l, const swp_op *op, swp_accesses *list, bool carries)
{
    swp_access access = {.is_shared = true, .carries = carries};
    const swp_effect_place place = takes_next_tile(l) ? (swp_effect_place){0}
                                                      : (swp_effect_place){.channel = op->channel,
                                                                           .stage = op->stage,
                                                                           .subtile = op->subtile};
    SWP_TRY(swp_ir_effect_place(l->ctx, &l->out->places, place, &access.where));
    return push(l, list, access);
}

static swp_status add_register(const lowering *l, int channel, int subtile, swp_accesses *list,
                               bool carries)
{
    swp_access access = {.carries = carries};
    const swp_effect_place place = {.channel = channel > 0 && takes_next_tile(l) ? 0 : channel,
                                    .subtile = subtile};
    SWP_TRY(swp_ir_effect_place(l->ctx, &l->out->registers, place, &access.where));
    return push(l, list, access);
}

static swp_status add_staging(const lowering *l, swp_accesses *list)
{
    return add_register(l, -1, 0, list, true);
}

/* A COMPUTE multiplies a fragment of each side; where loads take the next tile one register holds both. */
static swp_status lower_compute(const lowering *l, const swp_op *op, swp_effect *effect)
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

static swp_status lower_memory_op(const lowering *l, const swp_op *op, swp_effect *effect)
{
    const bool loads = op->role == SWP_GLOBAL_LOAD;
    const int stated = loads ? op->vm_cost : op->lgkm_cost;
    effect->object = swp_ir_object_of(l->schedule, op);
    effect->accesses = stated < 1 ? 1 : stated; /* 0 is a count that nobody stated */
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
static const char *what_is_wrong(const lowering *l, const swp_op *op)
{
    const swp_loop_shape *shape = &l->schedule->loop;
    const bool is_sync =
        op->tag == SWP_TAG_BARRIER || op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
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

static swp_status lower_work(const lowering *l, const swp_op *op, swp_effect *effect)
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

static swp_status lower_kind(const lowering *l, const swp_op *op, swp_effect *effect)
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
        effect->kind = op->tag == SWP_TAG_BARRIER ? SWP_EFFECT_BARRIER : SWP_EFFECT_WAIT;
        effect->waits = op->tag == SWP_TAG_WAIT_VM ? SWP_WAIT_FOR_VM : SWP_WAIT_FOR_LGKM;
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

static void hand_on(const swp_effect *effect, swp_accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++) {
        accesses->items[i].tiles = effect->tiles;
        accesses->items[i].carries |= effect->surplus;
    }
}

static swp_status number_phase(const lowering *l, swp_phase phase)
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
        hand_on(effect, &effect->reads);
        hand_on(effect, &effect->writes);
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
static swp_status number_grid(const lowering *l)
{
    const swp_loop_shape *shape = &l->schedule->loop;
    for (int row = 0; row < shape->m_mmas && !takes_next_tile(l); row++)
        for (int column = 0; column < shape->n_mmas; column++) {
            const swp_effect_place accumulator = {.stage = row, .subtile = column};
            SWP_TRY(SWP_PUSH(l->ctx, &l->out->accumulators, accumulator));
        }
    return SWP_OK;
}

/* --- The ops of a loop --- */

static bool is_shared(const lowering *l, int value)
{
    return l->loop->values[value].space == SWP_SPACE_SHARED;
}

/* Ops that make the value and stand before op number `op` in an iteration. */
static int makers_before(const lowering *l, int value, int op)
{
    int count = 0;
    for (int i = 0; i < op; i++)
        count += swp_ir_loop_makes(&l->loop->ops[i], value);
    return count;
}

static swp_status check_slots(const lowering *l, int value)
{
    const int tiles = l->schedule->loop.tiles_per_pass;
    const int slots = l->schedule->dataflow->slots[value];
    if (slots >= 1 && slots <= SWP_MOST_SLOTS && tiles % slots == 0)
        return SWP_OK;
    return swp_error(l->ctx, SWP_E0701, SWP_NOWHERE,
                     "let `tiles_per_pass` be a multiple of each value's slots",
                     "value %s has %d slots, but a pass has %d iterations, so that the slot of an "
                     "entry is no constant",
                     l->loop->values[value].name, slots, tiles);
}

/* Slot s holds version s - S before the loop, whose last tile is there. */
static swp_status add_slots(const lowering *l, int value)
{
    swp_effect_places *places = is_shared(l, value) ? &l->out->places : &l->out->registers;
    const int slots = l->schedule->dataflow->slots[value];
    const int makers = l->makers[value];
    l->first[value] = (int)places->count;
    for (int slot = 0; makers > 0 && slot < slots; slot++) {
        const swp_effect_place place = {.channel = value,
                                        .stage = slot,
                                        .makers = makers,
                                        .initial = (slot - slots) * makers + makers - 1,
                                        .per_pass = l->schedule->loop.tiles_per_pass * makers};
        SWP_TRY(SWP_PUSH(l->ctx, places, place));
    }
    return SWP_OK;
}

static swp_status number_values(lowering *l)
{
    SWP_TRY(SWP_TAKE(l->ctx, l->loop->value_count, &l->makers));
    SWP_TRY(SWP_TAKE(l->ctx, l->loop->value_count, &l->first));
    for (int value = 0; value < (int)l->loop->value_count; value++) {
        l->makers[value] = makers_before(l, value, (int)l->loop->op_count);
        if (l->makers[value] > 0)
            SWP_TRY(check_slots(l, value));
        SWP_TRY(add_slots(l, value));
    }
    return SWP_OK;
}

/* An op for an iteration, on its way into an effect. */
typedef struct instance {
    const lowering *lowering;
    swp_phase phase;
    int op;
    int iteration; /* from the list's base */
} instance;

/* Part `part` of the version of `iteration`, which may be -1: the last of the version before. */
static swp_status add_version(const instance *in, swp_accesses *list, int value, int iteration,
                              int part, bool updates)
{
    const lowering *l = in->lowering;
    const int makers = l->makers[value];
    const int slots = l->schedule->dataflow->slots[value];
    const int version = part < 0 ? iteration - 1 : iteration;
    const int slot = (version % slots + slots) % slots;
    const bool shared = is_shared(l, value);
    swp_access access = {.is_shared = shared,
                         .where = l->first[value] + slot,
                         .tiles = {.first = iteration * makers + part},
                         .updates = updates};
    swp_effect_place *place =
        shared ? &l->out->places.items[access.where] : &l->out->registers.items[access.where];
    if (in->phase != SWP_PROLOGUE) {
        access.tiles.step = place->per_pass;
        if (access.tiles.first < place->least)
            place->least = access.tiles.first;
    }
    return push(l, list, access);
}

/* An input is there whatever happens. */
static swp_status add_read(const instance *in, const swp_loop_read *read, swp_accesses *list)
{
    const lowering *l = in->lowering;
    const int makers = l->makers[read->value];
    if (makers == 0)
        return SWP_OK;
    const int part = read->distance > 0 ? makers - 1 : makers_before(l, read->value, in->op) - 1;
    return add_version(in, list, read->value, in->iteration - read->distance, part, false);
}

static swp_status add_versions(const instance *in, swp_effect *effect)
{
    const lowering *l = in->lowering;
    const swp_loop_op *op = &l->schedule->dataflow->loop->ops[in->op];
    for (size_t i = 0; i < op->read_count; i++)
        SWP_TRY(add_read(in, &op->reads[i], &effect->reads));
    for (size_t i = 0; i < op->update_count; i++) {
        const int value = op->updates[i];
        const int part = makers_before(l, value, in->op);
        SWP_TRY(add_version(in, &effect->reads, value, in->iteration, part - 1, true));
        SWP_TRY(add_version(in, &effect->writes, value, in->iteration, part, true));
    }
    for (size_t i = 0; i < op->write_count; i++) {
        const int part = makers_before(l, op->writes[i], in->op);
        SWP_TRY(add_version(in, &effect->writes, op->writes[i], in->iteration, part, false));
    }
    return SWP_OK;
}

static swp_status add_uses(const lowering *l, const swp_loop_op *op, swp_effect *effect)
{
    swp_effect_use *uses = NULL;
    SWP_TRY(SWP_TAKE(l->ctx, op->use_count, &uses));
    for (size_t i = 0; i < op->use_count; i++)
        if (op->uses[i].cycles > 0)
            uses[effect->use_count++] =
                (swp_effect_use){op->uses[i].resource, op->uses[i].amount, op->uses[i].cycles};
    effect->uses = uses;
    return SWP_OK;
}

static swp_status lower_loop_op(const lowering *l, swp_phase phase, const swp_op *entry, int index,
                                swp_effect *effect)
{
    const instance in = {l, phase, entry->tag, entry->iteration};
    const swp_loop *loop = l->schedule->dataflow->loop;
    const int most = SWP_MOST_ACCESSES;
    if (in.op < 0 || (size_t)in.op >= loop->op_count || in.iteration < -most || in.iteration > most)
        return swp_error(l->ctx, SWP_E0701, SWP_NOWHERE, "take the entry out, or correct it",
                         "%s entry %d does op %d for iteration %d, but the loop has %zu ops",
                         swp_phase_name(phase), index, in.op, in.iteration, loop->op_count);
    const swp_loop_op *op = &loop->ops[in.op];
    effect->kind = SWP_EFFECT_WORK;
    effect->op = in.op;
    effect->object = swp_ir_object_of(l->schedule, entry);
    effect->accesses = effect->object == SWP_NO_OBJECT ? 0 : op->accesses;
    effect->latency = op->latency;
    effect->read_cycles = op->read_cycles;
    effect->is_awaited = swp_ir_loop_is_awaited(loop, op);
    effect->reads_in_flight = swp_ir_loop_reads_in_flight(op);
    effect->in_order = swp_ir_loop_is_in_order(loop, op);
    effect->tiles =
        (swp_tiles){in.iteration, phase == SWP_PROLOGUE ? 0 : l->schedule->loop.tiles_per_pass};
    SWP_TRY(add_uses(l, op, effect));
    return add_versions(&in, effect);
}

/* --- All of them --- */

static swp_status list_units(const lowering *l)
{
    swp_effects *out = l->out;
    out->unit_count = l->loop ? l->loop->unit_count : RESOURCES;
    SWP_TRY(SWP_TAKE(l->ctx, out->unit_count, &out->units));
    for (size_t i = 0; i < out->unit_count; i++)
        out->units[i] = l->loop
                            ? (swp_effect_unit){l->loop->units[i].name, SWP_RESOURCE_NONE,
                                                l->loop->units[i].capacity}
                            : (swp_effect_unit){swp_resource_name(resources[i]), resources[i], 1};
    return SWP_OK;
}

static swp_status lower_phase(const lowering *l, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(l->schedule, phase);
    l->out->lengths[phase] = (int)entries->count;
    SWP_TRY(SWP_TAKE(l->ctx, entries->count, &l->out->entries[phase]));
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        swp_effect *effect = &l->out->entries[phase][i];
        *effect = (swp_effect){.op = -1, .accumulator = -1, .object = SWP_NO_OBJECT};
        SWP_TRY(is_loop_op(l->schedule, op) ? lower_loop_op(l, phase, op, (int)i, effect)
                                            : lower_kind(l, op, effect));
    }
    return SWP_OK;
}

static swp_status number_tiles(const lowering *l)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(number_phase(l, phase));
    empty_places(&l->schedule->loop, &l->out->places);
    empty_places(&l->schedule->loop, &l->out->registers);
    return SWP_OK;
}

swp_status swp_ir_effects(swp_context *ctx, const swp_schedule *schedule, swp_effects *out)
{
    lowering l = {.ctx = ctx,
                  .out = out,
                  .schedule = schedule,
                  .loop = schedule->dataflow ? schedule->dataflow->loop : NULL};
    *out = (swp_effects){.schedule = schedule, .op_count = l.loop ? l.loop->op_count : 0};
    SWP_TRY(list_units(&l));
    SWP_TRY(l.loop ? number_values(&l) : number_grid(&l));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(lower_phase(&l, phase));
    if (!l.loop)
        SWP_TRY(number_tiles(&l));
    out->place_count = (int)out->places.count;
    out->register_count = (int)out->registers.count;
    out->accumulator_count = (int)out->accumulators.count;
    return SWP_OK;
}
