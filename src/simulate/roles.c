/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the steps of an instance of a warp role take: its ops, and the objects that its
 * operations work on (docs/simulation.md, "Warp roles"). Of a cluster there is one work group: the
 * others do at each moment the same, and what they send there is counted where it sends to all.
 */
#include "simulate/program.h"

#include "base/diag.h"
#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_delays.h"
#include "ir/roles.h"
#include "ir/sync_objects.h"

static bool is_mbarrier(const swp_role_object *object)
{
    return object->kind == SWP_OBJECT_MBARRIER;
}

swp_status swp_simulate_roles_begin(const swp_sim_builder *b)
{
    const swp_schedule *schedule = b->schedule;
    swp_sim_program *program = b->program;
    program->signal = schedule->dataflow->loop->signal;
    program->meeting_count = SWP_SIM_MEETING_OF_ALL + 1;
    program->cluster_meeting = program->meeting_count++;
    SWP_TRY(SWP_TAKE(b->ctx, schedule->object_count, &program->first_slot));
    for (size_t i = 0; i < schedule->object_count; i++) {
        const swp_role_object *object = &schedule->objects[i];
        int *count = is_mbarrier(object) ? &program->slot_count : &program->meeting_count;
        program->first_slot[i] = *count;
        *count += object->slots;
    }
    return SWP_TAKE(b->ctx, (size_t)program->meeting_count * (size_t)program->group_count,
                    &program->takes_part);
}

void swp_simulate_roles_meet(const swp_sim_builder *b)
{
    swp_sim_program *program = b->program;
    for (int group = 0; group < program->group_count; group++) {
        program->takes_part[SWP_SIM_MEETING_OF_ALL * program->group_count + group] = true;
        program->takes_part[program->cluster_meeting * program->group_count + group] = true;
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++) {
            const swp_sim_step_list *steps = &program->groups[group].steps[phase];
            for (size_t i = 0; i < steps->count; i++)
                if (steps->items[i].meeting >= 0)
                    program->takes_part[steps->items[i].meeting * program->group_count + group] =
                        true;
        }
    }
}

/* For how long a synchronous step reads and makes shared memory. */
static int64_t shared_cycles(const swp_sim_step *step)
{
    int64_t cycles = 0;
    for (size_t i = 0; i < step->operand_count; i++) {
        const swp_sim_operand *operand = &step->operands[i];
        if (operand->is_shared && operand->reads && step->read_cycles > cycles)
            cycles = step->read_cycles;
        if (operand->is_shared && operand->makes && step->latency > cycles)
            cycles = step->latency;
    }
    return cycles;
}

/* The place of a value's slots, from its first. */
static int value_at(const swp_sim_builder *b, int place)
{
    const swp_effects *effects = b->effects;
    return place < effects->place_count
               ? effects->places.items[place].channel
               : effects->registers.items[place - effects->place_count].channel;
}

swp_sim_slots swp_simulate_role_slots(const swp_sim_builder *b, int first, int value)
{
    const swp_loop_dataflow *dataflow = b->schedule->dataflow;
    const bool is_of_tiles = b->schedule->output_tiles && swp_ir_is_of_tiles(dataflow->loop, value);
    return (swp_sim_slots){first, dataflow->slots[value],
                           is_of_tiles ? SWP_TILE_CLOCK : SWP_PASS_CLOCK};
}

/* An op of one clock touches a value of the other at the same version in all of a tile. */
static swp_sim_turning turning_of(const swp_loop_op *work, bool value_is_of_tiles, bool makes)
{
    const bool op_is_of_tiles = work->clock == SWP_TILE_CLOCK;
    if (value_is_of_tiles)
        return SWP_SIM_BY_TILES;
    return !op_is_of_tiles ? SWP_SIM_BY_PASSES : makes ? SWP_SIM_BEFORE_TILE : SWP_SIM_END_OF_TILE;
}

swp_sim_operand swp_simulate_operand_of(const swp_sim_builder *b, const swp_effect *effect,
                                        const swp_access *access, bool makes)
{
    const int where = access->is_shared ? access->where : b->effects->place_count + access->where;
    swp_sim_operand operand = {.place = where, .is_shared = access->is_shared};
    if (!b->schedule->output_tiles)
        return operand;
    const swp_sim_slots *slots = &b->program->slots[where];
    const swp_loop_op *work = &b->schedule->dataflow->loop->ops[effect->op];
    operand.turning = turning_of(work, slots->clock == SWP_TILE_CLOCK, makes);
    if (work->clock != slots->clock)
        operand.place = slots->first;
    return operand;
}

/* Cycles from the begin of the one who made a register before; 0: its latency, for which derived waits hold. */
static int64_t delay_of(const swp_loop *loop, int value, int op, bool reads, int maker)
{
    if (reads)
        return swp_ir_until_handed_on(loop, value, maker, op, true);
    return op == swp_ir_loop_first_maker(loop, value)
               ? swp_ir_until_remade(loop, value, maker, op, true)
               : 0;
}

/* Registers that one matrix op makes behind another: no wait stands between them, but the dependence's delay. */
void swp_simulate_chain(const swp_sim_builder *b, int op, swp_sim_step *step)
{
    const swp_loop *loop = b->schedule->dataflow->loop;
    for (size_t i = 0; i < step->operand_count; i++) {
        swp_sim_operand *operand = &step->operands[i];
        if (operand->is_shared || !operand->makes)
            continue;
        const int value = value_at(b, operand->place);
        const int before = swp_ir_loop_maker_before(loop, value, op);
        const int maker = before == SWP_NO_OP ? swp_ir_loop_last_maker(loop, value) : before;
        const int64_t delay = delay_of(loop, value, op, operand->reads, maker);
        operand->is_chained = delay > 0;
        if (operand->is_chained)
            operand->early = loop->ops[maker].latency - delay;
    }
}

/* The first queue of an object of groups. */
static int queue_of(swp_sync_object object)
{
    int queue = SWP_SYNC_OBJECTS;
    for (int o = 0; o < (int)object; o++)
        queue += swp_ir_sync_table.objects[o].completes == SWP_COMPLETES_BY_GROUP ? 2 : 0;
    return queue;
}

static void queue_at(swp_sync_object object, swp_sim_step *step)
{
    step->queue = queue_of(object);
    step->tells_reads = swp_ir_sync_wait_of(object, true) >= 0;
    step->any_order = swp_ir_sync_object_row(object)->any_order;
}

void swp_simulate_role_op(const swp_sim_builder *b, const swp_op *op, swp_sim_step *step)
{
    const swp_loop_op *work = swp_ir_loop_op(b->schedule, op);
    const bool reads_long = work->read_cycles > 0;
    step->kind = SWP_SIM_ASYNC;
    const swp_sync_object tracker = swp_ir_sync_tracker(work->completion);
    const swp_sync_object_row *tracked_by = swp_ir_sync_object_row(tracker);
    if (tracked_by->completes == SWP_COMPLETES_BY_PHASE) {
        step->mbarrier = op->object;
        step->turn = op->iteration;
        step->brings = (int64_t)op->bytes * (work->multicast ? swp_ir_ranks(b->schedule) : 1);
    } else if (tracked_by->completes == SWP_COMPLETES_BY_GROUP) {
        queue_at(tracker, step);
        if (swp_ir_sync_has_registers(tracker))
            swp_simulate_chain(b, swp_loop_op_of_tag(op->tag), step);
        if (step->tells_reads)
            step->read_cycles = reads_long ? step->read_cycles : step->latency;
    } else {
        step->kind = SWP_SIM_COMPUTE;
        step->shared_cycles = shared_cycles(step);
    }
}

static int meeting_of(const swp_sim_builder *b, int group, const swp_op *op)
{
    const int slots = b->schedule->objects[op->object].slots;
    const int64_t slot = op->slot + (int64_t)op->slot_step * b->program->groups[group].instance;
    return b->program->first_slot[op->object] + (int)((slot % slots + slots) % slots);
}

static void arrive(const swp_sim_builder *b, int group, const swp_op *op, swp_sim_step *step)
{
    const swp_stream *stream = &b->schedule->streams[b->program->groups[group].stream];
    step->kind = SWP_SIM_ARRIVE;
    step->mbarrier = op->object;
    step->turn = op->iteration;
    step->threads = op->by == SWP_ONE_THREAD ? 1 : stream->warps * SWP_IR_WARP_THREADS;
    step->threads *= op->to == SWP_TO_ALL ? swp_ir_ranks(b->schedule) : 1;
    step->expects = op->bytes;
}

static void wait_for_groups(const swp_sync_operation *operation, const swp_op *op,
                            swp_sim_step *step)
{
    queue_at(operation->object, step);
    step->kind = SWP_SIM_GROUP_WAIT;
    step->accesses = op->wait_value;
    step->queue += operation->reads_alone;
}

/* For which its instance issues nothing else; 0: as the machine has it, which is so of who does both. */
static int64_t cycles_of(const swp_machine *machine, const swp_sync_operation *operation)
{
    if (operation->fence == SWP_PROXY_FENCE)
        return machine->fence_cycles;
    if (operation->waits == operation->arrives)
        return 0;
    return operation->waits ? machine->wait_cycles : machine->arrive_cycles;
}

static void meet(const swp_sim_builder *b, int group, const swp_sync_operation *operation,
                 const swp_op *op, swp_sim_step *step)
{
    const swp_sync_object_row *object = swp_ir_sync_object_row(operation->object);
    step->kind = !operation->arrives ? SWP_SIM_OPENED
                 : operation->waits  ? SWP_SIM_BARRIER
                                     : SWP_SIM_MEET;
    step->meeting = op->object >= 0        ? meeting_of(b, group, op)
                    : object->across_ranks ? b->program->cluster_meeting
                                           : SWP_SIM_MEETING_OF_ALL;
}

static void meet_phase(const swp_sim_builder *b, int group, const swp_sync_operation *operation,
                       const swp_op *op, swp_sim_step *step)
{
    if (operation->arrives) {
        arrive(b, group, op, step);
        return;
    }
    step->kind = SWP_SIM_PHASE;
    step->mbarrier = op->object;
    step->turn = op->iteration;
}

swp_status swp_simulate_role_sync(const swp_sim_builder *b, int group, const swp_op *op,
                                  swp_sim_step *step)
{
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    if (op->object >= 0)
        step->object_name = b->schedule->objects[op->object].name;
    step->issue = cycles_of(b->program->machine, operation);
    switch (swp_ir_sync_completes(operation)) {
    case SWP_COMPLETES_BY_MEETING:
        meet(b, group, operation, op, step);
        break;
    case SWP_COMPLETES_BY_PHASE:
        meet_phase(b, group, operation, op, step);
        break;
    case SWP_COMPLETES_BY_GROUP:
        if (operation->waits) {
            wait_for_groups(operation, op, step);
            break;
        }
        queue_at(operation->object, step);
        step->kind = SWP_SIM_COMMIT;
        break;
    default:
        if (!swp_ir_entry_form(op->tag).is_of_roles)
            return swp_error(b->ctx, SWP_E0701, SWP_NOWHERE, NULL, "%s: what it takes is not known",
                             swp_infrastructure_name(op->tag));
        break;
    }
    return SWP_OK;
}
