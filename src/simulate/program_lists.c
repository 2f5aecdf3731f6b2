/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the units that steps of a program hold, with what an iteration takes of them, and the slots that its values turn in. */
#include "simulate/program.h"

#include "ir/loop_rates.h"

swp_status swp_simulate_list_units(const swp_sim_builder *b)
{
    swp_sim_program *program = b->program;
    program->unit_count = b->effects->unit_count;
    const swp_loop *loop = b->schedule->dataflow ? b->schedule->dataflow->loop : NULL;
    SWP_TRY(SWP_TAKE(b->ctx, program->unit_count, &program->units));
    SWP_TRY(SWP_TAKE(b->ctx, program->unit_count, &program->rates));
    for (size_t i = 0; i < program->unit_count; i++) {
        const swp_effect_unit *unit = &b->effects->units[i];
        program->units[i] =
            (swp_unit_load){.name = unit->name, .unit = unit->resource, .capacity = unit->capacity};
        for (int op = 0; loop && swp_ir_loop_is_rate(loop, (int)i) && op < (int)loop->op_count;
             op++) {
            const int64_t work = swp_ir_loop_work_on(loop, op, (int)i);
            program->rates[i] = work > program->rates[i] ? work : program->rates[i];
        }
    }
    return SWP_OK;
}

swp_status swp_simulate_list_slots(const swp_sim_builder *b)
{
    const swp_effects *effects = b->effects;
    swp_sim_program *program = b->program;
    program->place_count = (size_t)effects->place_count + (size_t)effects->register_count;
    SWP_TRY(SWP_TAKE(b->ctx, program->place_count, &program->slots));
    for (int i = 0; i < (int)program->place_count; i++) {
        const bool is_shared = i < effects->place_count;
        const swp_effect_place *place = is_shared
                                            ? &effects->places.items[i]
                                            : &effects->registers.items[i - effects->place_count];
        program->slots[i] = (swp_sim_slots){.first = i, .count = 1};
        if (program->has_roles)
            program->slots[i] = swp_simulate_role_slots(b, i - place->stage, place->channel);
    }
    return SWP_OK;
}
