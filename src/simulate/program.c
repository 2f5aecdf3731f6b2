/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the program of the cycle model from the effects of the entries. */
#include "simulate/program.h"
#include "ir/schedule.h"

#include "base/diag.h"
#include "ir/effects.h"

/* Beyond this, sums over a long run would not fit. */
#define MOST_STEP_CYCLES INT64_C(1000000000)

typedef struct builder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_simulate_options *options;
    const swp_effects *effects;
    swp_sim_program *program;
} builder;

/* An op that reads and makes one place operands it once. */
static void add_operand(const builder *b, swp_sim_step *step, const swp_access *access, bool makes)
{
    const int place = access->is_shared ? access->where : b->effects->place_count + access->where;
    size_t i = 0;
    while (i < step->operand_count && step->operands[i].place != place)
        i++;
    if (i == step->operand_count)
        step->operands[step->operand_count++] =
            (swp_sim_operand){.place = place, .is_shared = access->is_shared};
    if (!makes && (!step->operands[i].reads || access->early < step->operands[i].early))
        step->operands[i].early = access->early;
    step->operands[i].reads |= !makes;
    step->operands[i].makes |= makes;
}

static swp_status add_operands(const builder *b, const swp_effect *effect, swp_sim_step *step)
{
    SWP_TRY(SWP_TAKE(b->ctx, effect->reads.count + effect->writes.count, &step->operands));
    for (size_t i = 0; i < effect->reads.count; i++)
        add_operand(b, step, &effect->reads.items[i], false);
    for (size_t i = 0; i < effect->writes.count; i++)
        add_operand(b, step, &effect->writes.items[i], true);
    return SWP_OK;
}

/* How long an access of a body keeps its unit the options say. */
static int64_t occupancy(const builder *b, const swp_effect *effect, const swp_effect_use *use)
{
    const swp_resource resource = b->effects->units[use->unit].resource;
    const int64_t cycles = resource == SWP_GLOBAL_MEM ? b->options->occupancy_global
                           : resource == SWP_LDS      ? b->options->occupancy_lds
                                                      : 0;
    return cycles * effect->accesses;
}

static swp_status add_uses(const builder *b, const swp_effect *effect, swp_sim_step *step)
{
    step->use_count = effect->use_count;
    SWP_TRY(SWP_TAKE(b->ctx, effect->use_count, &step->uses));
    for (size_t i = 0; i < effect->use_count; i++) {
        const swp_effect_use *use = &effect->uses[i];
        const bool is_stated = effect->op >= 0 || effect->object == SWP_NO_OBJECT;
        step->uses[i] = (swp_sim_use){use->unit, use->amount,
                                      is_stated ? use->cycles : occupancy(b, effect, use)};
    }
    return SWP_OK;
}

static swp_status build_work(const builder *b, const swp_effect *effect, swp_sim_step *step)
{
    const bool tracked = effect->object != SWP_NO_OBJECT;
    step->kind = tracked ? SWP_SIM_ACCESS : SWP_SIM_COMPUTE;
    step->latency = effect->latency;
    step->read_cycles = effect->read_cycles;
    step->object = effect->object;
    step->accesses = effect->accesses;
    step->is_awaited = effect->is_awaited;
    SWP_TRY(add_uses(b, effect, step));
    return add_operands(b, effect, step);
}

static void build_wait(const swp_effect *effect, swp_sim_step *step)
{
    step->kind = SWP_SIM_WAIT;
    step->waits = effect->waits;
    step->accesses = effect->wait;
}

/* The cycles that a step adds to its start at the most. */
static int64_t longest(const swp_sim_step *step)
{
    int64_t cycles = step->latency > step->read_cycles ? step->latency : step->read_cycles;
    for (size_t i = 0; i < step->use_count; i++)
        cycles = step->uses[i].cycles > cycles ? step->uses[i].cycles : cycles;
    return cycles;
}

static swp_status refuse_long(const builder *b, swp_phase phase, int entry)
{
    return swp_error(b->ctx, SWP_E0722, SWP_NOWHERE, "check its latency, counts and occupancy",
                     "%s entry %d takes more than %lld cycles", swp_phase_name(phase), entry,
                     (long long)MOST_STEP_CYCLES);
}

static swp_status build_step(const builder *b, swp_phase phase, int index, swp_sim_step *step)
{
    const swp_effect *effect = &b->effects->entries[phase][index];
    *step = (swp_sim_step){.entry = index};
    switch (effect->kind) {
    case SWP_EFFECT_NONE:
        if (!effect->unstated)
            return SWP_OK;
        return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE, "give it the `role` of what it does",
                         "%s entry %d is of kind none", swp_phase_name(phase), index);
    case SWP_EFFECT_WORK:
        SWP_TRY(build_work(b, effect, step));
        break;
    case SWP_EFFECT_BARRIER:
        step->kind = SWP_SIM_BARRIER;
        break;
    case SWP_EFFECT_WAIT:
        build_wait(effect, step);
        break;
    }
    return longest(step) <= MOST_STEP_CYCLES ? SWP_OK : refuse_long(b, phase, index);
}

/* A barrier that the kernel runs between entries. */
static swp_status add_barrier(const builder *b, swp_sim_step_list *steps)
{
    const swp_sim_step barrier = {.kind = SWP_SIM_BARRIER, .entry = -1};
    return SWP_PUSH(b->ctx, steps, barrier);
}

/* Group 1 falls behind at an entry of the prologue; both meet at its end. */
static swp_status add_prologue_barriers(const builder *b, int group, size_t index, size_t count)
{
    swp_sim_step_list *steps = &b->program->steps[group][SWP_PROLOGUE];
    if (group == 1 && swp_ir_lags(b->program->machine) &&
        (size_t)b->program->machine->lag_prologue_index == index)
        SWP_TRY(add_barrier(b, steps));
    return index == count && swp_ir_meets_before_loop(b->schedule) ? add_barrier(b, steps) : SWP_OK;
}

static swp_status build_phase(const builder *b, int group, swp_phase phase)
{
    const size_t count = (size_t)b->effects->lengths[phase];
    swp_sim_step_list *steps = &b->program->steps[group][phase];
    for (size_t i = 0; i < count; i++) {
        swp_sim_step step;
        if (phase == SWP_PROLOGUE)
            SWP_TRY(add_prologue_barriers(b, group, i, count));
        SWP_TRY(build_step(b, phase, (int)i, &step));
        SWP_TRY(SWP_PUSH(b->ctx, steps, step));
    }
    if (phase == SWP_PROLOGUE)
        return add_prologue_barriers(b, group, count, count);
    const bool ends = phase == SWP_EPILOGUE && group == 0 && swp_ir_lags(b->program->machine);
    return ends && b->program->machine->lag_end_barrier ? add_barrier(b, steps) : SWP_OK;
}

static swp_status list_units(const builder *b)
{
    swp_sim_program *program = b->program;
    program->unit_count = b->effects->unit_count;
    SWP_TRY(SWP_TAKE(b->ctx, program->unit_count, &program->units));
    for (size_t i = 0; i < program->unit_count; i++) {
        const swp_effect_unit *unit = &b->effects->units[i];
        program->units[i] =
            (swp_unit_load){.name = unit->name, .unit = unit->resource, .capacity = unit->capacity};
    }
    return SWP_OK;
}

swp_status swp_simulate_program_build(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_simulate_options *options, swp_sim_program *out)
{
    const swp_machine *machine = &schedule->machine;
    swp_effects effects;
    const builder b = {
        .ctx = ctx, .schedule = schedule, .options = options, .effects = &effects, .program = out};
    *out = (swp_sim_program){.machine = machine, .groups = machine->groups};
    SWP_TRY(swp_ir_effects(ctx, schedule, &effects));
    out->states_uses = effects.op_count > 0;
    out->place_count = (size_t)effects.place_count + (size_t)effects.register_count;
    SWP_TRY(list_units(&b));
    for (int group = 0; group < machine->groups; group++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            SWP_TRY(build_phase(&b, group, phase));
    return SWP_OK;
}
