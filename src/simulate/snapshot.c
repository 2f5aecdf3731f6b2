/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the state of a run relative to the present, so that a steady state is two equal snapshots. */
#include "simulate/snapshot.h"

#include <string.h>

typedef struct writer {
    const swp_sim_engine *engine;
    swp_sim_snapshot *out;
    swp_status status;
    int64_t base; /* time of group 0 */
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
    for (size_t i = 0; i < unit->count; i++) {
        if (unit->items[i].until <= now)
            continue;
        put(w, unit->items[i].amount);
        put_time(w, unit->items[i].until, now);
    }
    put(w, -1);
}

static void put_group(writer *w, const swp_sim_group *group)
{
    const swp_sim_group *first = &w->engine->groups[0];
    const int64_t now = group->ready;
    put(w, group->phase);
    put(w, group->position);
    put(w, group->pass - first->pass);
    put(w, group->issued - first->issued);
    put(w, now - w->base);
    put(w, group->waits);
    if (group->waits)
        put(w, group->arrived - w->base);
    for (int i = 0; i < SWP_SYNC_OBJECTS; i++)
        put_queue(w, &group->queues[i], now);
    for (size_t i = 0; i < w->engine->program->place_count; i++) {
        put_time(w, group->places[i].made.done, now);
        put_time(w, group->places[i].read.done, now);
    }
}

swp_status swp_simulate_snapshot_take(const swp_sim_engine *engine, swp_sim_snapshot *out)
{
    writer w = {.engine = engine, .out = out, .base = engine->groups[0].ready};
    int64_t earliest = w.base;
    out->count = 0;
    for (int i = 0; i < engine->program->groups; i++) {
        put_group(&w, &engine->groups[i]);
        if (engine->groups[i].ready < earliest)
            earliest = engine->groups[i].ready;
    }
    for (size_t i = 0; i < engine->program->unit_count; i++)
        put_unit(&w, &engine->units[i], earliest);
    return w.status;
}

bool swp_simulate_snapshot_equal(const swp_sim_snapshot *a, const swp_sim_snapshot *b)
{
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}
