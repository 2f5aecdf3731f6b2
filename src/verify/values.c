/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/values.h"

#include "base/diag.h"
#include "ir/loop_dataflow.h"

static bool lists(const int *values, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

static bool makes(const swp_loop_op *op, int value)
{
    return lists(op->writes, op->write_count, value) || lists(op->updates, op->update_count, value);
}

/* Ops that make the value and stand before op number `op` in an iteration. */
static int makers_before(const swp_loop *loop, int value, int op)
{
    int count = 0;
    for (int i = 0; i < op; i++)
        count += makes(&loop->ops[i], value);
    return count;
}

static bool is_shared(const swp_loop *loop, int value)
{
    return loop->values[value].space == SWP_SPACE_SHARED;
}

static bool reads_shared(const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->read_count; i++)
        if (is_shared(loop, op->reads[i].value))
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (is_shared(loop, op->updates[i]))
            return true;
    return false;
}

static bool writes_shared(const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (is_shared(loop, op->writes[i]))
            return true;
    return false;
}

swp_counter_id swp_verify_model_counter(const swp_loop *loop, int op)
{
    const swp_loop_op *o = &loop->ops[op];
    const bool reads = o->read_count > 0 || o->update_count > 0;
    if (o->completion == SWP_COMPLETION_NONE)
        return SWP_NO_COUNTER;
    return reads_shared(loop, o) || (reads && writes_shared(loop, o)) ? SWP_LGKMCNT : SWP_VMCNT;
}

/* --- Places and registers --- */

/* Slot s holds version s - S before the loop, whose last tile is there. */
static swp_lds_place slot_of(const swp_value_table *v, int value, int slot)
{
    const int makers = v->makers[value];
    return (swp_lds_place){.channel = value,
                           .stage = slot,
                           .makers = makers,
                           .initial = (slot - v->slots[value]) * makers + makers - 1,
                           .per_pass = v->model->loop.tiles_per_pass * makers};
}

static swp_status check_slots(const swp_value_table *v, int value)
{
    const int tiles = v->model->loop.tiles_per_pass;
    const int slots = v->slots[value];
    if (slots >= 1 && slots <= SWP_MOST_SLOTS && tiles % slots == 0)
        return SWP_OK;
    return swp_error(v->ctx, SWP_E0701, SWP_NOWHERE,
                     "let `tiles_per_pass` be a multiple of each value's slots",
                     "value %s has %d slots, but a pass has %d iterations, so that the slot of an "
                     "entry is no constant",
                     v->loop->values[value].name, slots, tiles);
}

swp_status swp_verify_model_values(swp_context *ctx, swp_model *model, swp_value_table *out)
{
    const swp_loop_dataflow *dataflow = model->schedule->dataflow;
    const swp_loop *loop = dataflow->loop;
    int slots = 0;
    *out = (swp_value_table){.ctx = ctx, .model = model, .loop = loop, .slots = dataflow->slots};
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &out->makers));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &out->first));
    for (int value = 0; value < (int)loop->value_count; value++) {
        out->makers[value] = makers_before(loop, value, (int)loop->op_count);
        if (out->makers[value] > 0)
            SWP_TRY(check_slots(out, value));
        slots += out->makers[value] > 0 ? out->slots[value] : 0;
    }
    SWP_TRY(SWP_TAKE(ctx, (size_t)slots, &model->places));
    SWP_TRY(SWP_TAKE(ctx, (size_t)slots, &model->registers));
    for (int value = 0; value < (int)loop->value_count; value++) {
        const bool shared = is_shared(loop, value);
        int *count = shared ? &model->place_count : &model->register_count;
        swp_lds_place *list = shared ? model->places : model->registers;
        out->first[value] = *count;
        for (int s = 0; out->makers[value] > 0 && s < out->slots[value]; s++)
            list[(*count)++] = slot_of(out, value, s);
    }
    return SWP_OK;
}

/* --- Steps --- */

/* An op for an iteration. */
typedef struct deed {
    const swp_value_table *values;
    swp_phase phase;
    int op;
    int iteration; /* from the list's base */
} deed;

/* Part `part` of the version of `iteration`, which may be -1: the last of the version before. */
static swp_status add(const deed *d, swp_accesses *list, int value, int iteration, int part,
                      bool updates)
{
    const swp_value_table *v = d->values;
    const int makers = v->makers[value];
    const int slots = v->slots[value];
    const int version = part < 0 ? iteration - 1 : iteration;
    const int slot = (version % slots + slots) % slots;
    const bool shared = is_shared(v->loop, value);
    swp_access access = {.is_shared = shared,
                         .where = v->first[value] + slot,
                         .tiles = {.first = iteration * makers + part},
                         .updates = updates};
    swp_lds_place *place =
        shared ? &v->model->places[access.where] : &v->model->registers[access.where];
    if (d->phase != SWP_PROLOGUE) {
        access.tiles.step = place->per_pass;
        if (access.tiles.first < place->least)
            place->least = access.tiles.first;
    }
    return SWP_PUSH(v->ctx, list, access);
}

/* An input is there whatever happens. */
static swp_status add_read(const deed *d, const swp_loop_read *read, swp_accesses *list)
{
    const swp_value_table *v = d->values;
    const int makers = v->makers[read->value];
    if (makers == 0)
        return SWP_OK;
    const int part =
        read->distance > 0 ? makers - 1 : makers_before(v->loop, read->value, d->op) - 1;
    return add(d, list, read->value, d->iteration - read->distance, part, false);
}

static swp_status add_accesses(const deed *d, swp_verify_step *step)
{
    const swp_value_table *v = d->values;
    const swp_loop_op *op = &v->loop->ops[d->op];
    for (size_t i = 0; i < op->read_count; i++)
        SWP_TRY(add_read(d, &op->reads[i], &step->reads));
    for (size_t i = 0; i < op->update_count; i++) {
        const int value = op->updates[i];
        const int part = makers_before(v->loop, value, d->op);
        SWP_TRY(add(d, &step->reads, value, d->iteration, part - 1, true));
        SWP_TRY(add(d, &step->writes, value, d->iteration, part, true));
    }
    for (size_t i = 0; i < op->write_count; i++) {
        const int part = makers_before(v->loop, op->writes[i], d->op);
        SWP_TRY(add(d, &step->writes, op->writes[i], d->iteration, part, false));
    }
    return SWP_OK;
}

swp_status swp_verify_op_step(const swp_value_table *values, swp_phase phase,
                              const swp_entry *entry, int index, swp_verify_step *step)
{
    const swp_loop *loop = values->loop;
    const deed d = {values, phase, entry->op.tag, entry->op.iteration};
    const int most = SWP_MOST_ACCESSES;
    if (d.op < 0 || (size_t)d.op >= loop->op_count || d.iteration < -most || d.iteration > most)
        return swp_error(values->ctx, SWP_E0701, SWP_NOWHERE, "take the entry out, or correct it",
                         "%s entry %d does op %d for iteration %d, but the loop has %zu ops",
                         swp_phase_name(phase), index, d.op, d.iteration, loop->op_count);
    const bool counts = swp_rule_holds(values->model, SWP_RULE_ACCESSES);
    step->does = SWP_DOES_OP;
    step->place = d.op;
    step->counter = swp_verify_model_counter(loop, d.op);
    step->is_awaited = swp_ir_loop_is_awaited(loop, &loop->ops[d.op]);
    step->reads_in_flight = swp_ir_loop_reads_in_flight(&loop->ops[d.op]);
    step->in_order = swp_ir_loop_is_in_order(loop, &loop->ops[d.op]);
    step->accesses = step->counter == SWP_NO_COUNTER ? 0 : counts ? loop->ops[d.op].accesses : 1;
    step->tiles =
        (swp_tiles){d.iteration, phase == SWP_PROLOGUE ? 0 : values->model->loop.tiles_per_pass};
    return add_accesses(&d, step);
}
