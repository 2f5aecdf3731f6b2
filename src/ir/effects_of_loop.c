/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers the ops of a loop to effects: versions of values in their slots (docs/loops-proof.md, "What an entry does"). */
#include "base/diag.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"
#include "ir/lowering.h"
#include "ir/roles.h"

static bool is_shared(const swp_lowering *l, int value)
{
    return l->loop->values[value].space == SWP_SPACE_SHARED;
}

/* Ops that make a version of the value and stand before op number `op`; what an output tile begins with is none. */
static int makers_before(const swp_lowering *l, int value, int op)
{
    const bool is_of_tiles = swp_ir_is_of_tiles(l->loop, value);
    int count = 0;
    for (int i = 0; i < op; i++)
        count += (l->loop->ops[i].clock == SWP_TILE_CLOCK) == is_of_tiles &&
                 swp_ir_loop_makes(&l->loop->ops[i], value);
    return count;
}

static swp_status check_slots(const swp_lowering *l, int value)
{
    const int tiles = l->schedule->loop.tiles_per_pass;
    const int slots = l->dataflow->slots[value];
    const bool may_turn = swp_ir_has_roles(l->schedule);
    if (slots >= 1 && slots <= SWP_MOST_SLOTS && (may_turn || tiles % slots == 0))
        return SWP_OK;
    return swp_error(l->ctx, SWP_E0701, SWP_NOWHERE,
                     "let `tiles_per_pass` be a multiple of each value's slots",
                     "value %s has %d slots, but a pass has %d iterations, so that the slot of an "
                     "entry is no constant",
                     l->loop->values[value].name, slots, tiles);
}

/* Slot s holds version s - S before the loop, whose last tile is there. */
static swp_status add_slots(const swp_lowering *l, int value)
{
    swp_effect_places *places = is_shared(l, value) ? &l->out->places : &l->out->registers;
    const int slots = l->dataflow->slots[value];
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

static swp_status number_values(swp_lowering *l)
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
    const swp_lowering *lowering;
    swp_phase phase;
    int op;
    int iteration; /* from the list's base */
} instance;

/* Cycles by which a reader's own latency is less than its maker's. */
static int64_t early(const swp_loop *loop, int maker, int64_t latency)
{
    return latency > 0 && maker != SWP_NO_OP ? loop->ops[maker].latency - latency : 0;
}

/* Part `part` of the version of `iteration`, which may be -1: the last of the version before. */
static swp_status add_version(const instance *in, swp_accesses *list, int value, int iteration,
                              int part, bool updates, int64_t early_by)
{
    const swp_lowering *l = in->lowering;
    const int makers = l->makers[value];
    const int version = part < 0 ? iteration - 1 : iteration;
    const int slot = swp_ir_loop_slot(l->dataflow, value, version);
    const bool shared = is_shared(l, value);
    swp_access access = {.is_shared = shared,
                         .where = l->first[value] + slot,
                         .tiles = {.first = iteration * makers + part},
                         .updates = updates,
                         .early = early_by};
    swp_effect_place *place =
        shared ? &l->out->places.items[access.where] : &l->out->registers.items[access.where];
    if (in->phase != SWP_PROLOGUE) {
        access.tiles.step = place->per_pass;
        if (access.tiles.first < place->least)
            place->least = access.tiles.first;
    }
    return SWP_PUSH(l->ctx, list, access);
}

/* An input is there whatever happens. */
static swp_status add_read(const instance *in, const swp_loop_read *read, swp_accesses *list)
{
    const swp_lowering *l = in->lowering;
    const int makers = l->makers[read->value];
    if (makers == 0)
        return SWP_OK;
    const int part = read->distance > 0 ? makers - 1 : makers_before(l, read->value, in->op) - 1;
    const int maker = read->distance > 0 ? swp_ir_loop_last_maker(l->loop, read->value)
                                         : swp_ir_loop_maker_before(l->loop, read->value, in->op);
    return add_version(in, list, read->value, in->iteration - read->distance, part, false,
                       early(l->loop, maker, read->latency));
}

static swp_status add_versions(const instance *in, swp_effect *effect)
{
    const swp_lowering *l = in->lowering;
    const swp_loop_op *op = &l->loop->ops[in->op];
    for (size_t i = 0; i < op->read_count; i++)
        SWP_TRY(add_read(in, &op->reads[i], &effect->reads));
    for (size_t i = 0; i < op->update_count; i++) {
        const int value = op->updates[i];
        const int part = makers_before(l, value, in->op);
        const int maker = part > 0 ? swp_ir_loop_maker_before(l->loop, value, in->op)
                                   : swp_ir_loop_last_maker(l->loop, value);
        const int64_t early_by = early(l->loop, maker, swp_ir_loop_update_latency(op, value));
        SWP_TRY(add_version(in, &effect->reads, value, in->iteration, part - 1, true, early_by));
        SWP_TRY(add_version(in, &effect->writes, value, in->iteration, part, true, 0));
    }
    for (size_t i = 0; i < op->write_count; i++) {
        const int part = makers_before(l, op->writes[i], in->op);
        SWP_TRY(add_version(in, &effect->writes, op->writes[i], in->iteration, part, false, 0));
    }
    return SWP_OK;
}

static swp_status add_uses(const swp_lowering *l, const swp_loop_op *op, swp_effect *effect)
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

swp_status swp_ir_lower_loop_op(const swp_lowering *l, swp_phase phase, const swp_op *entry,
                                int index, swp_effect *effect)
{
    const instance in = {l, phase, swp_loop_op_of_tag(entry->tag), entry->iteration};
    const swp_loop *loop = l->loop;
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
    effect->issue = op->issue;
    effect->is_awaited = swp_ir_loop_is_awaited(loop, op);
    effect->reads_in_flight = swp_ir_loop_reads_in_flight(op);
    effect->in_order = swp_ir_loop_is_in_order(loop, op);
    effect->may_not_run = swp_ir_loop_is_conditional(op);
    effect->tiles =
        (swp_tiles){in.iteration, phase == SWP_PROLOGUE ? 0 : l->schedule->loop.tiles_per_pass};
    SWP_TRY(add_uses(l, op, effect));
    return add_versions(&in, effect);
}

swp_status swp_ir_begin_loop(swp_lowering *l)
{
    swp_effects *out = l->out;
    out->unit_count = l->loop->unit_count;
    SWP_TRY(SWP_TAKE(l->ctx, out->unit_count, &out->units));
    for (size_t i = 0; i < out->unit_count; i++)
        out->units[i] = (swp_effect_unit){l->loop->units[i].name, SWP_RESOURCE_NONE,
                                          l->loop->units[i].capacity};
    return number_values(l);
}
