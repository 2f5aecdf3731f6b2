/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/tiles.h"

/* kb moves on by whole passes, and stands at tile N in the epilogue. */
static swp_tiles tiles_from_kb(const swp_loop_shape *loop, swp_phase phase, int multiple)
{
    if (phase == SWP_PROLOGUE)
        return (swp_tiles){multiple, 0};
    const int base = phase == SWP_EPILOGUE ? loop->min_tiles : loop->first_base;
    return (swp_tiles){base + multiple, loop->tiles_per_pass};
}

static int staging_loads(const swp_model *model, swp_phase phase)
{
    int loads = 0;
    for (int i = 0; i < model->lengths[phase]; i++)
        loads += model->steps[phase][i].does == SWP_DOES_STAGE;
    return loads;
}

/* The k-th COMPUTE of an accumulator in a phase adds the phase's k-th tile. */
static void number_product(const swp_model *model, swp_phase phase, swp_verify_step *step,
                           int *products)
{
    const swp_loop_shape *loop = &model->loop;
    const int tiles = phase == SWP_PROLOGUE ? 0
                      : phase == SWP_KERNEL ? loop->tiles_per_pass
                                            : loop->min_tiles;
    step->tiles = (swp_tiles){*products, loop->tiles_per_pass};
    step->surplus = *products >= tiles;
    ++*products;
}

static swp_status number_phase(swp_context *ctx, const swp_model *model, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(model->schedule, phase);
    int *products = NULL;
    /* Each staging load takes the next tile; a store has that of the last one. */
    int loads = phase == SWP_PROLOGUE ? 0 : staging_loads(model, SWP_PROLOGUE);
    const int loads_per_pass = phase == SWP_PROLOGUE ? 0 : staging_loads(model, SWP_KERNEL);
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->accumulator_count, &products));
    for (int i = 0; i < model->lengths[phase]; i++) {
        swp_verify_step *step = &model->steps[phase][i];
        if (step->does == SWP_DOES_LOAD)
            step->tiles =
                tiles_from_kb(&model->loop, phase, swp_k_multiple(entries->items[i].op.k_offset));
        else if (step->does == SWP_DOES_STAGE)
            step->tiles = (swp_tiles){loads++, loads_per_pass};
        else if (step->does == SWP_DOES_STORE)
            step->tiles = (swp_tiles){loads - 1, loads_per_pass};
        else if (step->does == SWP_DOES_COMPUTE)
            number_product(model, phase, step, &products[step->place]);
        const swp_access write = {.is_shared = true, .where = step->place, .tiles = step->tiles};
        if (step->does == SWP_DOES_LOAD || step->does == SWP_DOES_STORE)
            SWP_TRY(SWP_PUSH(ctx, &step->writes, write));
    }
    return SWP_OK;
}

/* Places begin empty, and all tiles move on alike. */
static void number_places(const swp_loop_shape *loop, swp_lds_place *places, int count)
{
    for (int i = 0; i < count; i++) {
        places[i].initial = SWP_NO_TILE;
        places[i].per_pass = loop->tiles_per_pass;
        places[i].least = loop->first_base < 1 ? loop->first_base - 1 : 0;
    }
}

swp_status swp_verify_model_number_tiles(swp_context *ctx, swp_model *model)
{
    for (int phase = 0; phase < 3; phase++)
        SWP_TRY(number_phase(ctx, model, (swp_phase)phase));
    number_places(&model->loop, model->places, model->place_count);
    number_places(&model->loop, model->registers, model->register_count);
    return SWP_OK;
}
