/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the model of a proof: the effects of the entries, by the rules that hold, and how barriers meet. */
#include "verify/bodies/model.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"

#include "base/diag.h"
#include "verify/bodies/write_index.h"

static void count_accesses(const swp_model *model)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            swp_effect *effect = &model->effects.entries[phase][i];
            if (effect->accesses > 1 && !swp_rule_holds(model, SWP_RULE_ACCESSES))
                effect->accesses = 1;
        }
}

/* Whether the phase has a barrier that the group alone runs. */
static bool has_barrier_of(const swp_model *model, swp_phase phase, int group)
{
    const swp_entry_list *entries = swp_schedule_phase(model->schedule, phase);
    for (size_t i = 0; i < entries->count; i++)
        if (swp_ir_only_group(&entries->items[i].op) == group)
            return true;
    return false;
}

static void match_barriers(swp_model *model)
{
    model->lags = has_barrier_of(model, SWP_PROLOGUE, 1);
    model->makes_up = has_barrier_of(model, SWP_EPILOGUE, 0);
    model->deadlocks_at_end =
        model->lags && !(model->makes_up && swp_rule_holds(model, SWP_RULE_END_BARRIER));
}

static swp_status number_entries(swp_context *ctx, swp_model *model)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(model->schedule, phase);
        int *numbers = NULL;
        SWP_TRY(SWP_TAKE(ctx, entries->count + 1, &numbers));
        for (size_t i = 0; i < entries->count; i++)
            numbers[i + 1] = numbers[i] + !swp_ir_is_implied(&entries->items[i].op);
        model->numbers[phase] = numbers;
    }
    return SWP_OK;
}

static int largest_wait(const swp_model *model, swp_wait_kind kind)
{
    int largest = 0;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            const swp_effect *effect = &model->effects.entries[phase][i];
            if (effect->kind == SWP_EFFECT_WAIT && effect->waits == kind && effect->wait > largest)
                largest = effect->wait;
        }
    return largest;
}

static bool reads_place(const swp_effect *effect)
{
    for (size_t i = 0; i < effect->reads.count; i++)
        if (effect->reads.items[i].is_shared)
            return true;
    return false;
}

static bool has_read_on(const swp_model *model, swp_sync_object object)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++)
            if (model->effects.entries[phase][i].object == object &&
                reads_place(&model->effects.entries[phase][i]))
                return true;
    return false;
}

/* The register that an entry brings from a place, and that its use retires alone; -1: none. */
static int register_alone(const swp_model *model, const swp_effect *effect)
{
    if (model->machine->registers != SWP_REGISTERS_SCOREBOARD || effect->kind != SWP_EFFECT_WORK ||
        !effect->is_awaited || effect->may_not_run ||
        swp_ir_sync_in_order(effect->object, effect->object) || !reads_place(effect))
        return -1;
    return effect->writes.items[0].where;
}

static swp_status number_alone(swp_context *ctx, swp_model *model)
{
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->effects.register_count, &model->alone));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            const int where = register_alone(model, &model->effects.entries[phase][i]);
            if (where >= 0 && model->alone[where] == 0)
                model->alone[where] = ++model->alone_count;
        }
    return SWP_OK;
}

int swp_bodies_read_order(const swp_model *model, const swp_effect *effect)
{
    const int where = register_alone(model, effect);
    return where < 0 ? (int)effect->object : SWP_SYNC_OBJECTS + model->alone[where];
}

static void look_at_objects(swp_model *model)
{
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++) {
        const int largest = swp_ir_sync_largest(model->machine, o);
        model->most_after[o] =
            largest > 0 ? largest : largest_wait(model, swp_ir_sync_object_row(o)->wait);
        model->read_objects += o != SWP_LGKMCNT && has_read_on(model, o);
    }
}

static swp_status build_effects(swp_context *ctx, const swp_schedule *schedule, swp_model *out)
{
    SWP_TRY(swp_ir_list_barriers(ctx, schedule, &out->schedule));
    SWP_TRY(swp_ir_effects(ctx, out->schedule, &out->effects));
    SWP_TRY(number_entries(ctx, out));
    return swp_ir_check_effects(ctx, &out->effects);
}

swp_status swp_bodies_model_build(swp_context *ctx, const swp_schedule *schedule, swp_rule without,
                                  swp_model *out)
{
    *out = (swp_model){.without = without,
                       .machine = &schedule->machine,
                       .loop = schedule->loop,
                       .read_objects = 2};
    SWP_TRY(build_effects(ctx, schedule, out));
    count_accesses(out);
    match_barriers(out);
    look_at_objects(out);
    SWP_TRY(number_alone(ctx, out));
    return swp_bodies_write_index_build(ctx, out);
}

bool swp_bodies_model_has_barrier(const swp_model *model, swp_phase phase, int from)
{
    for (int i = from; i < model->effects.lengths[phase]; i++)
        if (model->effects.entries[phase][i].kind == SWP_EFFECT_BARRIER &&
            swp_ir_only_group(&swp_schedule_phase(model->schedule, phase)->items[i].op) != 0)
            return true;
    return false;
}

int swp_bodies_written_tile(const swp_effect *effect, const swp_access *write, int pass)
{
    const int tile = swp_tile_in(&write->tiles, pass);
    return effect->takes_next_tile && tile < 0 ? SWP_NO_TILE : tile;
}

const swp_entry *swp_bodies_model_entry(const swp_model *model, swp_entry_ref ref)
{
    return &swp_schedule_phase(model->schedule, ref.phase)->items[ref.entry];
}

swp_entry_ref swp_bodies_model_published(const swp_model *model, swp_entry_ref ref)
{
    return (swp_entry_ref){ref.phase, model->numbers[ref.phase][ref.entry]};
}
