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

static void look_at_objects(swp_model *model)
{
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++) {
        const int largest = swp_ir_sync_largest(model->machine, o);
        model->most_after[o] =
            largest > 0 ? largest : largest_wait(model, swp_ir_sync_object_row(o)->wait);
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
    *out = (swp_model){.without = without, .machine = &schedule->machine, .loop = schedule->loop};
    SWP_TRY(build_effects(ctx, schedule, out));
    count_accesses(out);
    match_barriers(out);
    look_at_objects(out);
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
