/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the program of the cycle model from the effects of the entries. */
#include "ir/schedule.h"
#include "simulate/body_figures.h"

#include "base/diag.h"
#include "ir/effects.h"
#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "ir/loop_issue.h"
#include "ir/roles.h"

/* An op that reads and makes one place operands it once. */
static void add_operand(const swp_sim_builder *b, const swp_effect *effect, swp_sim_step *step,
                        const swp_access *access, bool makes)
{
    const swp_sim_operand fresh = swp_simulate_operand_of(b, effect, access, makes);
    size_t i = 0;
    while (i < step->operand_count &&
           (step->operands[i].place != fresh.place || step->operands[i].turning != fresh.turning))
        i++;
    if (i == step->operand_count)
        step->operands[step->operand_count++] = fresh;
    if (!makes && (!step->operands[i].reads || access->early < step->operands[i].early))
        step->operands[i].early = access->early;
    step->operands[i].reads |= !makes;
    step->operands[i].makes |= makes;
}

static swp_status add_operands(const swp_sim_builder *b, const swp_effect *effect,
                               swp_sim_step *step)
{
    SWP_TRY(SWP_TAKE(b->ctx, effect->reads.count + effect->writes.count, &step->operands));
    for (size_t i = 0; i < effect->reads.count; i++)
        add_operand(b, effect, step, &effect->reads.items[i], false);
    for (size_t i = 0; i < effect->writes.count; i++)
        add_operand(b, effect, step, &effect->writes.items[i], true);
    return SWP_OK;
}

/* How long an access of a body keeps its unit the options say. */
static int64_t occupancy(const swp_sim_builder *b, const swp_effect *effect,
                         const swp_effect_use *use)
{
    const swp_resource resource = b->effects->units[use->unit].resource;
    const int64_t cycles = resource == SWP_GLOBAL_MEM ? b->options->occupancy_global
                           : resource == SWP_LDS      ? b->options->occupancy_lds
                                                      : 0;
    return cycles * effect->accesses;
}

static swp_status add_uses(const swp_sim_builder *b, const swp_effect *effect, swp_sim_step *step)
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

static swp_status build_work(const swp_sim_builder *b, const swp_effect *effect, swp_sim_step *step)
{
    const bool tracked = effect->object != SWP_NO_OBJECT;
    step->kind = tracked ? SWP_SIM_ACCESS : SWP_SIM_COMPUTE;
    step->latency = effect->latency;
    step->read_cycles = effect->read_cycles;
    step->issue = effect->issue;
    step->object = effect->object;
    step->accesses = effect->accesses;
    step->is_awaited = effect->is_awaited;
    SWP_TRY(add_uses(b, effect, step));
    return add_operands(b, effect, step);
}

/* Whose latency is that of a memory which others use, too. */
static bool is_load(const swp_sim_builder *b, const swp_op *op)
{
    const swp_loop_op *work = swp_ir_loop_op(b->schedule, op);
    return work ? work->completion != SWP_COMPLETION_NONE && work->read_count == 0 &&
                      work->update_count == 0
                : op->role == SWP_GLOBAL_LOAD;
}

static void delay_load(const swp_sim_builder *b, const swp_op *op, swp_sim_step *step)
{
    const int percent = b->options->load_latency_percent;
    if (percent > 0 && is_load(b, op))
        step->latency = step->latency * percent / 100;
}

static void build_wait(const swp_sim_builder *b, const swp_effect *effect, swp_sim_step *step)
{
    step->kind = SWP_SIM_WAIT;
    step->issue = b->program->machine->wait_cycles;
    step->waits = effect->waits;
    step->accesses = effect->wait;
}

/* The cycles that a step adds to its start at the most. */
static int64_t longest(const swp_sim_step *step)
{
    int64_t cycles = step->latency > step->read_cycles ? step->latency : step->read_cycles;
    cycles = step->issue > cycles ? step->issue : cycles;
    for (size_t i = 0; i < step->use_count; i++)
        cycles = step->uses[i].cycles > cycles ? step->uses[i].cycles : cycles;
    return cycles;
}

static swp_status refuse_long(const swp_sim_builder *b, swp_phase phase, int entry)
{
    return swp_error(b->ctx, SWP_E0722, SWP_NOWHERE, "check its latency, counts and occupancy",
                     "%s entry %d takes more than %lld cycles", swp_phase_name(phase), entry,
                     (long long)SWP_MOST_STEP_CYCLES);
}

/* What an entry of the one stream does. */
static swp_status build_entry(const swp_sim_builder *b, swp_phase phase, int index,
                              swp_sim_step *step)
{
    const swp_effect *effect = &b->effects->entries[phase][index];
    const swp_op *op = &swp_schedule_phase(b->schedule, phase)->items[index].op;
    switch (effect->kind) {
    case SWP_EFFECT_NONE:
        if (!effect->unstated)
            return SWP_OK;
        return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE, "give it the `role` of what it does",
                         "%s entry %d is of kind none", swp_phase_name(phase), step->entry);
    case SWP_EFFECT_WORK:
        SWP_TRY(build_work(b, effect, step));
        if (effect->op >= 0 && swp_ir_sync_has_registers(effect->object))
            swp_simulate_chain(b, effect->op, step);
        if (b->program->by_figures)
            SWP_TRY(swp_simulate_op_by_figures(b, op, step));
        delay_load(b, op, step);
        return SWP_OK;
    case SWP_EFFECT_BARRIER:
        step->kind = SWP_SIM_BARRIER;
        step->meeting = SWP_SIM_MEETING_OF_ALL;
        return SWP_OK;
    case SWP_EFFECT_WAIT:
        build_wait(b, effect, step);
        return SWP_OK;
    }
    return SWP_OK;
}

/* The same of a warp role, for one of its instances. */
static swp_status build_role_entry(const swp_sim_builder *b, int group, swp_phase phase, int index,
                                   swp_sim_step *step)
{
    const swp_stream *stream = &b->schedule->streams[b->program->groups[group].stream];
    const swp_op *op = &swp_stream_phase(stream, phase)->items[index].op;
    if (!swp_ir_is_work(op))
        return swp_simulate_role_sync(b, group, op, step);
    SWP_TRY(build_work(b, &b->effects->entries[phase][index], step));
    swp_simulate_role_op(b, op, step);
    delay_load(b, op, step);
    return SWP_OK;
}

/* `number` is that of reports. */
static swp_status build_step(const swp_sim_builder *b, int group, swp_phase phase, int index,
                             int number, swp_sim_step *step)
{
    *step = swp_simulate_no_step(number);
    SWP_TRY(b->program->has_roles ? build_role_entry(b, group, phase, index, step)
                                  : build_entry(b, phase, index, step));
    return longest(step) <= SWP_MOST_STEP_CYCLES ? SWP_OK : refuse_long(b, phase, number);
}

/* Of a warp group several warps may be followed. */
static bool is_passed_over(const swp_sim_builder *b, int group, const swp_op *op)
{
    const swp_sim_program *program = b->program;
    return !swp_ir_runs_in(op, program->groups[group].instance / program->warps);
}

static swp_status build_phase(const swp_sim_builder *b, int group, swp_phase phase)
{
    const swp_stream *stream = &b->schedule->streams[b->program->groups[group].stream];
    const swp_entry_list *entries = swp_stream_phase(stream, phase);
    swp_sim_step_list *steps = &b->program->groups[group].steps[phase];
    int published = 0;
    for (int i = 0; i < (int)entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        const int number = swp_ir_is_implied(op) ? -1 : published++;
        swp_sim_step step;
        if (is_passed_over(b, group, op))
            continue;
        SWP_TRY(build_step(b, group, phase, i, number, &step));
        SWP_TRY(SWP_PUSH(b->ctx, steps, step));
    }
    return SWP_OK;
}

/* How many run a stream: instances of a role, or the warps of all warp groups. */
static int runners_of(const swp_sim_program *program, const swp_stream *stream)
{
    return program->has_roles ? stream->instances
                              : program->schedule->machine.groups * program->warps;
}

static swp_status add_groups(const swp_sim_builder *b)
{
    const swp_schedule *schedule = b->schedule;
    swp_sim_program *program = b->program;
    int count = 0;
    for (size_t i = 0; i < schedule->stream_count; i++)
        count += runners_of(program, &schedule->streams[i]);
    SWP_TRY(SWP_TAKE(b->ctx, (size_t)count, &program->groups));
    for (size_t i = 0; i < schedule->stream_count; i++)
        for (int k = 0; k < runners_of(program, &schedule->streams[i]); k++)
            program->groups[program->group_count++] =
                (swp_sim_stream){.stream = (int)i, .instance = k};
    return SWP_OK;
}

/* The lists of all that run a stream. */
static swp_status build_stream(const swp_sim_builder *b, int stream)
{
    swp_effects effects;
    swp_sim_builder own = *b;
    own.effects = &effects;
    SWP_TRY(swp_ir_effects_of_stream(b->ctx, b->schedule, &b->schedule->streams[stream], &effects));
    b->program->states_uses = effects.op_count > 0;
    if (stream == 0) {
        SWP_TRY(swp_simulate_list_slots(&own));
        SWP_TRY(swp_simulate_list_units(&own));
    }
    for (int group = 0; group < b->program->group_count; group++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= swp_ir_last_list(b->schedule); phase++)
            if (b->program->groups[group].stream == stream)
                SWP_TRY(build_phase(&own, group, phase));
    return SWP_OK;
}

/* Everybody meets at the one barrier that there is. */
static swp_status add_barrier_of_all(const swp_sim_builder *b)
{
    swp_sim_program *program = b->program;
    program->meeting_count = 1;
    SWP_TRY(SWP_TAKE(b->ctx, (size_t)program->group_count, &program->takes_part));
    for (int i = 0; i < program->group_count; i++)
        program->takes_part[i] = true;
    return SWP_OK;
}

swp_status swp_simulate_program_build(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_simulate_options *options, swp_sim_program *out)
{
    swp_sim_builder b = {.ctx = ctx, .options = options, .program = out};
    SWP_TRY(swp_ir_list_barriers(ctx, schedule, &b.schedule));
    *out = (swp_sim_program){.schedule = schedule,
                             .machine = &schedule->machine,
                             .by_figures = swp_simulate_by_figures(schedule, options),
                             .warps = 1,
                             .has_roles = swp_simulate_by_role(schedule),
                             .states_issue = schedule->dataflow &&
                                             swp_ir_loop_states_issue(schedule->dataflow->loop)};
    if (out->by_figures) {
        out->own_machine = swp_simulate_machine_by_figures(schedule, options->target);
        out->machine = &out->own_machine;
        out->warps = swp_simulate_warps_of_scheduler(schedule);
    }
    SWP_TRY(add_groups(&b));
    SWP_TRY(out->has_roles ? swp_simulate_roles_begin(&b) : add_barrier_of_all(&b));
    for (int stream = 0; stream < (int)schedule->stream_count; stream++)
        SWP_TRY(build_stream(&b, stream));
    if (out->has_roles)
        swp_simulate_roles_meet(&b);
    while (out->lead + 1 < out->group_count && out->groups[out->lead].steps[SWP_KERNEL].count == 0)
        out->lead++;
    return SWP_OK;
}
