/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/model.h"

#include "base/diag.h"
#include "base/key_index.h"
#include "verify/tiles.h"
#include "verify/values.h"
#include "verify/write_index.h"

#include <string.h>

/* Numbers places, registers and accumulators as they first appear. */
typedef struct numbering {
    swp_lds_place *items;
    size_t count;
    size_t capacity;
    swp_key_index index; /* of the keys of the items */
} numbering;

typedef struct builder {
    swp_context *ctx;
    swp_model *model;
    numbering places;
    numbering registers;
    numbering accumulators;
    swp_value_table values;
} builder;

static swp_lds_place make_place(int channel, int stage, int subtile)
{
    return (swp_lds_place){.channel = channel, .stage = stage, .subtile = subtile};
}

static swp_status number_of(swp_context *ctx, numbering *list, swp_lds_place place, int *number)
{
    const int key[] = {place.channel, place.stage, place.subtile};
    int *kept = NULL;
    *number = swp_key_index_find(&list->index, key, sizeof key);
    if (*number >= 0)
        return SWP_OK;
    *number = (int)list->count;
    SWP_TRY(SWP_TAKE(ctx, sizeof key / sizeof key[0], &kept));
    memcpy(kept, key, sizeof key);
    SWP_TRY(swp_key_index_add(ctx, &list->index, kept, sizeof key, *number));
    return SWP_PUSH(ctx, list, place);
}

static bool takes_next_tile(const builder *b)
{
    return b->model->loop.placement == SWP_PLACE_NEXT_TILE;
}

/* A loop that takes the next tile each time has one LDS place and one register a k-slice. */
static swp_lds_place place_of(const builder *b, const swp_op *op)
{
    return takes_next_tile(b) ? make_place(0, 0, 0)
                              : make_place(op->channel, op->stage, op->subtile);
}

static swp_lds_place register_of(const builder *b, int channel, int subtile)
{
    return make_place(takes_next_tile(b) ? 0 : channel, 0, subtile);
}

static swp_status build_compute(builder *b, const swp_op *op, swp_verify_step *step)
{
    step->does = SWP_DOES_COMPUTE;
    if (takes_next_tile(b)) {
        SWP_TRY(number_of(b->ctx, &b->accumulators, make_place(0, op->stage, op->subtile),
                          &step->place));
        return number_of(b->ctx, &b->registers, register_of(b, 0, op->subtile),
                         &step->registers[0]);
    }
    step->place = op->stage * b->model->loop.n_mmas + op->subtile;
    SWP_TRY(number_of(b->ctx, &b->registers, register_of(b, 0, op->stage), &step->registers[0]));
    return number_of(b->ctx, &b->registers, register_of(b, 1, op->subtile), &step->registers[1]);
}

static swp_status build_memory_op(builder *b, const swp_op *op, swp_verify_step *step)
{
    step->accesses = op->role == SWP_GLOBAL_LOAD ? op->vm_cost : op->lgkm_cost;
    if (step->accesses < 1 || !swp_rule_holds(b->model, SWP_RULE_ACCESSES))
        step->accesses = 1; /* 0 is a count that nobody stated; an access counts all the same */
    step->counter = op->role == SWP_GLOBAL_LOAD ? SWP_VMCNT : SWP_LGKMCNT;
    if (op->role == SWP_GLOBAL_LOAD && takes_next_tile(b)) {
        step->does = SWP_DOES_STAGE;
        return number_of(b->ctx, &b->registers, make_place(-1, 0, 0), &step->registers[0]);
    }
    SWP_TRY(number_of(b->ctx, &b->places, place_of(b, op), &step->place));
    if (op->role == SWP_GLOBAL_LOAD) {
        step->does = SWP_DOES_LOAD;
        return SWP_OK;
    }
    if (op->role == SWP_SHARED_STORE) {
        step->does = SWP_DOES_STORE;
        return number_of(b->ctx, &b->registers, make_place(-1, 0, 0), &step->registers[0]);
    }
    step->does = SWP_DOES_FRAGMENT;
    return number_of(b->ctx, &b->registers, register_of(b, op->channel, op->subtile),
                     &step->registers[0]);
}

static swp_status refuse(const builder *b, const swp_entry *entry, int index, const char *why)
{
    return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE, "take the entry out, or correct it",
                     "%s entry %d (%s): %s", swp_phase_name(entry->phase), index,
                     swp_schedule_op_name(b->model->schedule, entry->op.tag), why);
}

static bool is_in_grid(const swp_loop_shape *loop, const swp_op *op)
{
    return loop->placement == SWP_PLACE_NEXT_TILE ||
           (op->stage < loop->m_mmas && op->subtile < loop->n_mmas);
}

/* What no reader of files lets through, but a caller of the library may give. */
static const char *what_is_wrong(const swp_model *model, const swp_op *op)
{
    const swp_loop_shape *loop = &model->loop;
    const bool is_sync =
        op->tag == SWP_TAG_BARRIER || op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
    if (op->role == SWP_SYNC && !is_sync)
        return "its kind is sync, but it is neither a barrier nor a wait";
    if (op->role == SWP_SYNC && op->wait_value < 0)
        return "it waits for fewer than no accesses";
    if (op->role == SWP_COMPUTE && (op->stage < 0 || op->subtile < 0 || !is_in_grid(loop, op)))
        return "its row and column are outside the loop's grid of MMAs";
    if (model->schedule->dataflow && op->role != SWP_SYNC && op->role != SWP_FENCE)
        return "it is neither an op of the loop nor one that synchronises";
    return NULL;
}

static swp_status build_step(builder *b, swp_phase phase, const swp_entry *entry, int index,
                             swp_verify_step *step)
{
    const swp_op *op = &entry->op;
    *step = (swp_verify_step){.registers = {-1, -1}, .place = -1};
    if (b->model->schedule->dataflow && op->tag < SWP_FIRST_INFRASTRUCTURE_TAG)
        return swp_verify_op_step(&b->values, phase, entry, index, step);
    const char *wrong = what_is_wrong(b->model, op);
    if (wrong)
        return refuse(b, entry, index, wrong);
    switch (op->role) {
    case SWP_SHARED_STORE:
        if (!takes_next_tile(b))
            break;
        return build_memory_op(b, op, step);
    case SWP_GLOBAL_LOAD:
    case SWP_FRAGMENT_LOAD:
        return build_memory_op(b, op, step);
    case SWP_COMPUTE:
        return build_compute(b, op, step);
    case SWP_SYNC:
        step->does = op->tag == SWP_TAG_BARRIER ? SWP_DOES_BARRIER : SWP_DOES_WAIT;
        step->counter = op->tag == SWP_TAG_WAIT_VM ? SWP_VMCNT : SWP_LGKMCNT;
        step->wait = op->wait_value;
        return SWP_OK;
    case SWP_FENCE:
        return SWP_OK;
    case SWP_VALU_COMPUTE:
    case SWP_ROLE_NONE:
        break;
    }
    return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE,
                     "the model knows loads, stores, fragment loads, COMPUTEs, waits and barriers",
                     "%s entry %d is of kind %s, whose reads and writes are not stated",
                     swp_phase_name(entry->phase), index, swp_role_name(op->role));
}

static swp_status build_phase(builder *b, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(b->model->schedule, phase);
    b->model->lengths[phase] = (int)entries->count;
    SWP_TRY(SWP_TAKE(b->ctx, entries->count, &b->model->steps[phase]));
    for (size_t i = 0; i < entries->count; i++)
        SWP_TRY(build_step(b, phase, &entries->items[i], (int)i, &b->model->steps[phase][i]));
    return SWP_OK;
}

/*
 * Accumulators are numbered row by row, also those that no entry computes; one for each k-slice
 * where each load takes the next tile.
 */
static swp_status number_grid(builder *b)
{
    const swp_loop_shape *loop = &b->model->loop;
    if (takes_next_tile(b) || b->model->schedule->dataflow)
        return SWP_OK;
    for (int row = 0; row < loop->m_mmas; row++)
        for (int column = 0; column < loop->n_mmas; column++) {
            const swp_lds_place accumulator = make_place(0, row, column);
            SWP_TRY(SWP_PUSH(b->ctx, &b->accumulators, accumulator));
        }
    return SWP_OK;
}

static void match_barriers(swp_model *model)
{
    const swp_machine *machine = model->machine;
    const bool ends_together =
        machine->lag_end_barrier && swp_rule_holds(model, SWP_RULE_END_BARRIER);
    model->meets_before_loop =
        model->loop.placement == SWP_PLACE_K_OFFSET && swp_rule_holds(model, SWP_RULE_LOOP_BARRIER);
    model->lags = machine->groups == 2 && machine->lag == 1 &&
                  machine->lag_prologue_index <= model->lengths[SWP_PROLOGUE];
    model->strands = model->lags && !ends_together;
}

swp_status swp_verify_model_build(swp_context *ctx, const swp_schedule *schedule, swp_rule without,
                                  swp_model *out)
{
    builder b = {.ctx = ctx, .model = out};
    *out = (swp_model){.schedule = schedule,
                       .without = without,
                       .machine = &schedule->machine,
                       .loop = schedule->loop,
                       .counter_max = {schedule->machine.vm_max, schedule->machine.lgkm_max}};
    SWP_TRY(number_grid(&b));
    if (schedule->dataflow)
        SWP_TRY(swp_verify_model_values(ctx, out, &b.values));
    for (int phase = 0; phase < 3; phase++)
        SWP_TRY(build_phase(&b, (swp_phase)phase));
    match_barriers(out);
    if (schedule->dataflow)
        return swp_verify_write_index_build(ctx, out);
    out->places = b.places.items;
    out->place_count = (int)b.places.count;
    out->registers = b.registers.items;
    out->register_count = (int)b.registers.count;
    out->accumulators = b.accumulators.items;
    out->accumulator_count = (int)b.accumulators.count;
    SWP_TRY(swp_verify_model_number_tiles(ctx, out));
    return swp_verify_write_index_build(ctx, out);
}

bool swp_verify_model_has_barrier(const swp_model *model, swp_phase phase, int from)
{
    for (int i = from; i < model->lengths[phase]; i++)
        if (model->steps[phase][i].does == SWP_DOES_BARRIER)
            return true;
    return false;
}

int swp_verify_step_tile(const swp_verify_step *step, int pass)
{
    const int tile = step->tiles.first + pass * step->tiles.step;
    const bool nothing_loaded = step->does == SWP_DOES_STORE && tile < 0;
    return nothing_loaded ? SWP_NO_TILE : tile;
}

const swp_entry *swp_verify_model_entry(const swp_model *model, swp_entry_ref ref)
{
    return &swp_schedule_phase(model->schedule, ref.phase)->items[ref.entry];
}
