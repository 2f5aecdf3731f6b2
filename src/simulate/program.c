/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/program.h"

#include "base/diag.h"
#include "base/names.h"
#include "ir/loop_dataflow.h"

/* Beyond this, sums over a long run would not fit. */
#define MOST_STEP_CYCLES INT64_C(1000000000)

/* Of an op whose kind says what it does. */
enum { MOST_TOUCHES = 2 };

static const swp_resource units[] = {SWP_GLOBAL_MEM, SWP_LDS, SWP_MMA_UNIT, SWP_VALU};

static int unit_of(swp_resource resource)
{
    for (int i = 0; i < (int)SWP_COUNT_OF(units); i++)
        if (units[i] == resource)
            return i;
    return -1;
}

typedef struct builder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_simulate_options *options;
    swp_sim_program *program;
} builder;

swp_status swp_simulate_place_number(swp_context *ctx, swp_sim_place_list *places,
                                     swp_sim_place place, int *number)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->items[i].channel == place.channel &&
            places->items[i].subtile == place.subtile) {
            *number = (int)i;
            return SWP_OK;
        }
    *number = (int)places->count;
    return SWP_PUSH(ctx, places, place);
}

static swp_status touch(builder *b, swp_sim_step *step, int channel, int subtile, bool makes)
{
    swp_sim_touch *touch = &step->touches[step->touch_count++];
    *touch = (swp_sim_touch){.reads = !makes, .makes = makes};
    return swp_simulate_place_number(b->ctx, &b->program->places, (swp_sim_place){channel, subtile},
                                     &touch->place);
}

static bool is_single_buffer(const builder *b)
{
    return b->schedule->loop.placement == SWP_PLACE_NEXT_TILE;
}

static swp_status use(builder *b, const swp_op *op, int64_t cycles, swp_sim_step *step)
{
    const int unit = unit_of(op->resource);
    if (unit < 0)
        return SWP_OK;
    step->use_count = 1;
    SWP_TRY(SWP_TAKE(b->ctx, 1, &step->uses));
    *step->uses = (swp_sim_use){unit, 1, cycles};
    return SWP_OK;
}

static swp_status build_compute(builder *b, const swp_op *op, swp_sim_step *step)
{
    step->kind = SWP_SIM_COMPUTE;
    SWP_TRY(use(b, op, op->latency, step));
    if (op->role == SWP_VALU_COMPUTE)
        return SWP_OK;
    if (is_single_buffer(b))
        return touch(b, step, 0, op->subtile, false);
    SWP_TRY(touch(b, step, 0, op->stage, false));
    return touch(b, step, 1, op->subtile, false);
}

static int64_t occupancy(const builder *b, swp_resource resource)
{
    return resource == SWP_GLOBAL_MEM ? b->options->occupancy_global
           : resource == SWP_LDS      ? b->options->occupancy_lds
                                      : 0;
}

static swp_status build_access(builder *b, const swp_op *op, swp_sim_step *step)
{
    const bool is_load = op->role == SWP_GLOBAL_LOAD;
    const int stated = is_load ? op->vm_cost : op->lgkm_cost;
    step->kind = SWP_SIM_ACCESS;
    step->is_awaited = true;
    step->counter = is_load ? 0 : 1;
    step->accesses = stated < 1 ? 1 : stated; /* an op whose count is not stated still counts */
    SWP_TRY(use(b, op, occupancy(b, op->resource) * step->accesses, step));
    if (op->role == SWP_FRAGMENT_LOAD)
        return touch(b, step, is_single_buffer(b) ? 0 : op->channel, op->subtile, true);
    return is_single_buffer(b) ? touch(b, step, -1, 0, is_load) : SWP_OK;
}

static swp_status build_sync(const builder *b, const swp_op *op, swp_sim_step *step)
{
    step->kind = op->tag == SWP_TAG_BARRIER ? SWP_SIM_BARRIER : SWP_SIM_WAIT;
    step->counter = op->tag == SWP_TAG_WAIT_VM ? 0 : 1;
    const int64_t max = b->program->counter_max[step->counter];
    step->accesses = op->wait_value < max ? op->wait_value : max;
    return SWP_OK;
}

static swp_status build_work(builder *b, const swp_entry *entry, swp_sim_step *step)
{
    if (b->schedule->dataflow && entry->op.tag < SWP_FIRST_INFRASTRUCTURE_TAG)
        return swp_simulate_build_loop_op(b->ctx, b->schedule, &entry->op, &b->program->places,
                                          step);
    SWP_TRY(SWP_TAKE(b->ctx, MOST_TOUCHES, &step->touches));
    switch (entry->op.role) {
    case SWP_GLOBAL_LOAD:
    case SWP_SHARED_STORE:
    case SWP_FRAGMENT_LOAD:
        return build_access(b, &entry->op, step);
    case SWP_COMPUTE:
    case SWP_VALU_COMPUTE:
        return build_compute(b, &entry->op, step);
    case SWP_SYNC:
        return build_sync(b, &entry->op, step);
    case SWP_FENCE:
        return SWP_OK;
    case SWP_ROLE_NONE:
        break;
    }
    return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE, "give it the `role` of what it does",
                     "%s entry %d is of kind none", swp_phase_name(entry->phase), step->entry);
}

/* The cycles that a step adds to its start at the most. */
static int64_t longest(const swp_sim_step *step)
{
    int64_t cycles = step->latency > step->read_cycles ? step->latency : step->read_cycles;
    for (size_t i = 0; i < step->use_count; i++)
        cycles = step->uses[i].cycles > cycles ? step->uses[i].cycles : cycles;
    return cycles;
}

static swp_status build_step(builder *b, const swp_entry *entry, int index, swp_sim_step *step)
{
    *step = (swp_sim_step){.entry = index, .latency = entry->op.latency};
    SWP_TRY(build_work(b, entry, step));
    if (longest(step) <= MOST_STEP_CYCLES)
        return SWP_OK;
    return swp_error(b->ctx, SWP_E0722, SWP_NOWHERE, "check its latency, counts and occupancy",
                     "%s entry %d takes more than %lld cycles", swp_phase_name(entry->phase), index,
                     (long long)MOST_STEP_CYCLES);
}

/* A barrier that the kernel runs between entries. */
static swp_status add_barrier(builder *b, swp_sim_step_list *steps)
{
    const swp_sim_step barrier = {.kind = SWP_SIM_BARRIER, .entry = -1};
    return SWP_PUSH(b->ctx, steps, barrier);
}

static bool lags(const builder *b)
{
    return b->program->machine->groups == 2 && b->program->machine->lag == 1;
}

/* Group 1 falls behind at an entry of the prologue; both meet at its end. */
static swp_status add_prologue_barriers(builder *b, int group, size_t index, size_t count)
{
    swp_sim_step_list *steps = &b->program->steps[group][SWP_PROLOGUE];
    if (group == 1 && lags(b) && (size_t)b->program->machine->lag_prologue_index == index)
        SWP_TRY(add_barrier(b, steps));
    return index == count && !is_single_buffer(b) ? add_barrier(b, steps) : SWP_OK;
}

static swp_status build_phase(builder *b, int group, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(b->schedule, phase);
    swp_sim_step_list *steps = &b->program->steps[group][phase];
    for (size_t i = 0; i < entries->count; i++) {
        swp_sim_step step;
        if (phase == SWP_PROLOGUE)
            SWP_TRY(add_prologue_barriers(b, group, i, entries->count));
        SWP_TRY(build_step(b, &entries->items[i], (int)i, &step));
        SWP_TRY(SWP_PUSH(b->ctx, steps, step));
    }
    if (phase == SWP_PROLOGUE)
        return add_prologue_barriers(b, group, entries->count, entries->count);
    const bool ends = phase == SWP_EPILOGUE && group == 0 && lags(b);
    return ends && b->program->machine->lag_end_barrier ? add_barrier(b, steps) : SWP_OK;
}

static swp_status list_units(builder *b)
{
    swp_sim_program *program = b->program;
    const swp_loop *loop = b->schedule->dataflow ? b->schedule->dataflow->loop : NULL;
    program->unit_count = loop ? loop->unit_count : SWP_COUNT_OF(units);
    SWP_TRY(SWP_TAKE(b->ctx, program->unit_count, &program->units));
    for (size_t i = 0; i < program->unit_count; i++)
        program->units[i] = loop ? (swp_unit_load){.name = loop->units[i].name,
                                                   .unit = SWP_RESOURCE_NONE,
                                                   .capacity = loop->units[i].capacity}
                                 : (swp_unit_load){.name = swp_resource_name(units[i]),
                                                   .unit = units[i],
                                                   .capacity = 1};
    return SWP_OK;
}

/* Steps name slots, which so must be the same ones in every pass. */
static swp_status check_slots(const builder *b)
{
    const swp_loop_dataflow *d = b->schedule->dataflow;
    const int tiles = b->schedule->loop.tiles_per_pass;
    for (int v = 0; d && v < (int)d->loop->value_count; v++)
        if (swp_ir_loop_first_maker(d->loop, v) != SWP_NO_OP && tiles % d->slots[v] != 0)
            return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE,
                             "a pass handles a multiple of the slots of every value",
                             "tiles_per_pass is %d, but %s has %d slots", tiles,
                             d->loop->values[v].name, d->slots[v]);
    return SWP_OK;
}

swp_status swp_simulate_program_build(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_simulate_options *options, swp_sim_program *out)
{
    const swp_machine *machine = &schedule->machine;
    builder b = {.ctx = ctx, .schedule = schedule, .options = options, .program = out};
    *out = (swp_sim_program){.machine = machine,
                             .groups = machine->groups,
                             .is_loop = schedule->dataflow != NULL,
                             .counter_max = {machine->vm_max, machine->lgkm_max}};
    SWP_TRY(check_slots(&b));
    SWP_TRY(list_units(&b));
    for (int group = 0; group < machine->groups; group++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            SWP_TRY(build_phase(&b, group, phase));
    return SWP_OK;
}
