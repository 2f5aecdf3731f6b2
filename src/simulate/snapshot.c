/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the state of a run relative to the present, so that a steady state is two equal snapshots. */
#include "simulate/snapshot.h"

#include <string.h>

typedef struct writer {
    const swp_sim_engine *engine;
    swp_sim_snapshot *out;
    swp_status status;
    int64_t base; /* time of the group whose passes are followed */
} writer;

static void put(writer *w, int64_t number)
{
    if (w->status == SWP_OK)
        w->status = SWP_PUSH(w->engine->ctx, w->out, number);
}

/* A time that may still hold something; those that are past are all alike. */
static void put_time(writer *w, int64_t time, int64_t now)
{
    put(w, time > now ? time - w->base : INT64_MIN);
}

static void put_queue(writer *w, const swp_sim_queue *queue, int64_t now)
{
    for (size_t i = queue->first; i < queue->count; i++) {
        const swp_sim_flight *flight = &queue->items[i];
        if (flight->done <= now)
            continue;
        put(w, flight->accesses);
        put_time(w, flight->done, now);
    }
    put(w, -1);
}

static void put_unit(writer *w, const swp_sim_unit_state *unit, int64_t now)
{
    put_time(w, unit->newest, now);
    put_time(w, unit->drained, now);
    for (size_t i = 0; i < unit->count; i++) {
        if (unit->items[i].until <= now)
            continue;
        put(w, unit->items[i].amount);
        put_time(w, unit->items[i].until, now);
    }
    put(w, -1);
}

/* In the order in which the iterations to come take the slots. */
static void put_places(writer *w, const swp_sim_group *group, int64_t now)
{
    const swp_sim_program *program = w->engine->program;
    for (size_t i = 0; i < program->place_count; i++) {
        const swp_sim_slots *slots = &program->slots[i];
        const int64_t turned =
            (int64_t)i - slots->first + swp_simulate_base(w->engine, group, slots->clock);
        const swp_sim_place_state *place =
            &group->places[slots->first + (int)(turned % slots->count)];
        put_time(w, place->made.done, now);
        put_time(w, place->read.done, now);
    }
}

static void put_in_groups(writer *w, const swp_sim_group *group, int64_t now)
{
    for (int i = SWP_SYNC_OBJECTS; i < SWP_SIM_QUEUES; i++) {
        put_queue(w, &group->queues[i], now);
        put_time(w, group->open[i].done, now);
    }
    put_time(w, group->told.done, now);
}

/* It waits for the end of the run, or has ended. */
static bool is_through(const swp_sim_engine *engine, const swp_sim_group *group)
{
    if (engine->tiles > 1)
        return group->phase == SWP_DRAIN;
    return group->phase == SWP_EPILOGUE || group->phase == SWP_END || group->phase == SWP_DRAIN;
}

static void put_group(writer *w, const swp_sim_group *group)
{
    const swp_sim_group *lead = swp_simulate_lead(w->engine);
    const bool has_roles = w->engine->program->has_roles;
    const int64_t now = group->ready;
    put(w, group->phase);
    put(w, group->position);
    if (is_through(w->engine, group))
        return;
    put(w, group->tile - lead->tile);
    put(w, group->pass - lead->pass);
    put(w, has_roles ? 0 : group->issued - lead->issued);
    put(w, now - w->base);
    put(w, group->waits);
    if (group->waits)
        put(w, group->arrived - w->base);
    for (int i = 0; i < SWP_SYNC_OBJECTS; i++)
        put_queue(w, &group->queues[i], now);
    if (has_roles)
        put_in_groups(w, group, now);
    put_places(w, group, now);
}

/* A phase that is complete is past where all have seen it. */
static void put_parts(writer *w, const swp_sim_parts *parts, int64_t now)
{
    const swp_sim_flight *const flights[] = {parts->any ? &parts->latest : NULL,
                                             parts->has_other ? &parts->other : NULL};
    for (int i = 0; i < 2; i++) {
        const bool lasts = flights[i] && flights[i]->done + w->engine->program->signal > now;
        put(w, lasts ? flights[i]->done - w->base : INT64_MIN);
        put(w, lasts ? w->engine->program->groups[flights[i]->cause.group].stream : -1);
    }
}

static void put_mbarrier(writer *w, const swp_sim_mbarrier *slot, int64_t base, int64_t now)
{
    put(w, slot->next - base);
    put_parts(w, &slot->last, now);
    for (size_t i = 0; i < slot->count; i++) {
        const swp_sim_turn *turn = &slot->items[i];
        put(w, turn->turn - base);
        put(w, turn->arrived);
        put(w, turn->expected);
        put(w, turn->landed);
        put_parts(w, &turn->parts, now);
    }
    put(w, INT64_MIN);
}

static void put_objects(writer *w, int64_t now)
{
    const swp_sim_program *program = w->engine->program;
    for (size_t i = 0; i < program->schedule->object_count; i++) {
        const swp_role_object *object = &program->schedule->objects[i];
        const int64_t base =
            swp_simulate_base(w->engine, swp_simulate_lead(w->engine), object->clock);
        for (int64_t k = 0; object->kind == SWP_OBJECT_MBARRIER && k < object->slots; k++)
            put_mbarrier(
                w,
                &w->engine->mbarriers[program->first_slot[i] + (int)((k + base) % object->slots)],
                base, now);
    }
    for (int i = 0; i < program->meeting_count; i++)
        for (int g = 0; g < program->group_count; g++) {
            const swp_sim_part *part = &w->engine->meetings[i].parts[g];
            const int64_t ahead = swp_simulate_takes_part(program, i, g)
                                      ? part->count - w->engine->meetings[i].opened
                                      : 0;
            put(w, ahead);
            put(w, ahead > 0 ? part->arrived - w->base : 0);
            put_time(w, part->count > 0 ? part->opened : INT64_MIN, now);
        }
}

swp_status swp_simulate_snapshot_take(const swp_sim_engine *engine, swp_sim_snapshot *out)
{
    writer w = {.engine = engine, .out = out, .base = swp_simulate_lead(engine)->ready};
    int64_t earliest = w.base;
    out->count = 0;
    for (int i = 0; i < engine->program->group_count; i++) {
        const swp_sim_group *group = &engine->groups[i];
        put_group(&w, group);
        if (!is_through(engine, group) && group->ready < earliest)
            earliest = group->ready;
    }
    if (engine->program->has_roles)
        put_objects(&w, earliest);
    for (size_t i = 0; i < engine->program->unit_count; i++)
        put_unit(&w, &engine->units[i], earliest);
    return w.status;
}

bool swp_simulate_snapshot_equal(const swp_sim_snapshot *a, const swp_sim_snapshot *b)
{
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}
