/* SPDX-License-Identifier: Apache-2.0 */
/* Adds arrivals and bytes up to phases, and keeps what came last, as each role sees it. */
#include "simulate/mbarriers.h"

static swp_sim_mbarrier *slot_of(const swp_sim_engine *engine, int object, int64_t turn)
{
    const int64_t slots = engine->program->schedule->objects[object].slots;
    return &engine->mbarriers[engine->program->first_slot[object] +
                              (int)((turn % slots + slots) % slots)];
}

swp_status swp_simulate_mbarriers_new(swp_sim_engine *engine)
{
    const swp_sim_program *program = engine->program;
    const swp_schedule *schedule = program->schedule;
    SWP_TRY(SWP_TAKE(engine->ctx, (size_t)program->slot_count, &engine->mbarriers));
    for (size_t i = 0; i < schedule->object_count; i++) {
        const bool is_mbarrier = schedule->objects[i].kind == SWP_OBJECT_MBARRIER;
        for (int slot = 0; is_mbarrier && slot < schedule->objects[i].slots; slot++)
            engine->mbarriers[program->first_slot[i] + slot].next = slot;
    }
    return SWP_OK;
}

/* Who is in another role sees it later. */
static int64_t seen_by(const swp_sim_engine *engine, const swp_sim_flight *flight, int stream)
{
    const bool crosses = engine->program->groups[flight->cause.group].stream != stream;
    return flight->done + (crosses ? engine->program->signal : 0);
}

/* The latest part of all, and the latest of another role: one of them is what any role sees last. */
static void keep_later(const swp_sim_engine *engine, swp_sim_parts *parts,
                       const swp_sim_flight *flight)
{
    const int stream = engine->program->groups[flight->cause.group].stream;
    if (!parts->any || flight->done > parts->latest.done) {
        if (parts->any && engine->program->groups[parts->latest.cause.group].stream != stream) {
            parts->other = parts->latest;
            parts->has_other = true;
        }
        parts->latest = *flight;
        parts->any = true;
        return;
    }
    if (engine->program->groups[parts->latest.cause.group].stream != stream &&
        (!parts->has_other || flight->done > parts->other.done)) {
        parts->other = *flight;
        parts->has_other = true;
    }
}

static swp_sim_turn *find(swp_sim_mbarrier *slot, int64_t turn)
{
    for (size_t i = 0; i < slot->count; i++)
        if (slot->items[i].turn == turn)
            return &slot->items[i];
    return NULL;
}

static bool is_complete(const swp_sim_turn *turn, int arrivals)
{
    return turn && turn->arrived >= arrivals && turn->landed >= turn->expected;
}

/* Completes what can be: a phase comes after the one before it. */
static void complete(swp_sim_engine *engine, swp_sim_mbarrier *slot, int object)
{
    const swp_role_object *of = &engine->program->schedule->objects[object];
    swp_sim_turn *turn = find(slot, slot->next);
    while (is_complete(turn, of->arrivals)) {
        if (slot->last.any)
            keep_later(engine, &turn->parts, &slot->last.latest);
        if (slot->last.has_other)
            keep_later(engine, &turn->parts, &slot->last.other);
        slot->last = turn->parts;
        slot->next += of->slots;
        *turn = slot->items[--slot->count];
        turn = find(slot, slot->next);
    }
}

/* The turn that a group's operation names, counted in the clock of its object. */
static int64_t turn_of(const swp_sim_engine *engine, const swp_sim_step *step, int group)
{
    const swp_role_object *object = &engine->program->schedule->objects[step->mbarrier];
    return step->turn + swp_simulate_base(engine, &engine->groups[group], object->clock);
}

swp_status swp_simulate_mbarrier_add(swp_sim_engine *engine, const swp_sim_step *step, int group,
                                     const swp_sim_flight *flight)
{
    const int64_t number = turn_of(engine, step, group);
    swp_sim_mbarrier *slot = slot_of(engine, step->mbarrier, number);
    if (number < slot->next)
        return SWP_OK;
    swp_sim_turn *turn = find(slot, number);
    if (!turn) {
        const swp_sim_turn fresh = {.turn = number};
        SWP_TRY(SWP_PUSH(engine->ctx, slot, fresh));
        turn = &slot->items[slot->count - 1];
    }
    turn->arrived += step->threads;
    turn->expected += step->expects;
    turn->landed += step->brings;
    keep_later(engine, &turn->parts, flight);
    complete(engine, slot, step->mbarrier);
    return SWP_OK;
}

bool swp_simulate_mbarrier_phase(const swp_sim_engine *engine, const swp_sim_step *step, int group,
                                 const swp_sim_flight **last, int64_t *seen)
{
    const int64_t number = turn_of(engine, step, group);
    const swp_sim_mbarrier *slot = slot_of(engine, step->mbarrier, number);
    const int stream = engine->program->groups[group].stream;
    *last = NULL;
    *seen = 0;
    if (number >= slot->next)
        return number < 0;
    if (!slot->last.any)
        return true;
    *last = &slot->last.latest;
    *seen = seen_by(engine, *last, stream);
    if (slot->last.has_other && seen_by(engine, &slot->last.other, stream) > *seen) {
        *last = &slot->last.other;
        *seen = seen_by(engine, *last, stream);
    }
    return true;
}
