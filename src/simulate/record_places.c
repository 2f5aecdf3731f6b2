/* SPDX-License-Identifier: Apache-2.0 */
/* Writes down what the slots of buffers and registers hold, from when until when, and who reads what from whom. */
#include "simulate/record.h"

#include <stdint.h>

static bool has_values(const swp_sim_record *r)
{
    return r->effects[0].op_count > 0;
}

static const char *value_of(const swp_sim_record *r, const swp_effect_place *place)
{
    static const char *const channels[] = {"A", "B"};
    if (has_values(r))
        return swp_ir_effect_value(&r->effects[0], place);
    return place->channel < 0 ? "staging" : channels[place->channel > 0];
}

static swp_status add_slots(swp_sim_record *r, const swp_effect_places *places, int group)
{
    for (size_t i = 0; i < places->count; i++) {
        const swp_effect_place *place = &places->items[i];
        const swp_timeline_slot slot = {.value = value_of(r, place),
                                        .number = place->stage,
                                        .subtile = has_values(r) ? -1 : place->subtile,
                                        .is_shared = group < 0,
                                        .group = group};
        SWP_TRY(SWP_PUSH(r->ctx, &r->out->slots, slot));
    }
    return SWP_OK;
}

swp_status swp_simulate_record_slots(swp_sim_record *r)
{
    SWP_TRY(add_slots(r, &r->effects[0].places, -1));
    for (int group = 0; group < r->program.group_count; group++)
        SWP_TRY(add_slots(r, &r->effects[0].registers, group));
    SWP_TRY(SWP_TAKE(r->ctx, r->out->slots.count, &r->held));
    for (size_t i = 0; i < r->out->slots.count; i++)
        r->held[i] = -1;
    return SWP_OK;
}

/* In the lists of an output tile, of which a run has one, versions count tiles. */
static int pass_of(const swp_timeline_event *event)
{
    return event->pass < 0 || event->at.phase > SWP_EPILOGUE ? 0 : event->pass;
}

/* With warp roles slots turn with the iterations. */
static int slot_of(const swp_sim_record *r, const swp_timeline_event *event,
                   const swp_access *access)
{
    const int shared = r->effects[0].place_count;
    const int place = access->is_shared ? access->where : shared + access->where;
    const swp_sim_slots *slots = &r->program.slots[place];
    const int64_t tiles = r->program.schedule->loop.tiles_per_pass;
    const int64_t base = pass_of(event) * tiles;
    const int turned = slots->first + (int)((place - slots->first + base) % slots->count);
    return access->is_shared ? turned : turned + event->group * r->effects[0].register_count;
}

static int tile_of(const swp_timeline_event *event, const swp_access *access)
{
    return swp_tile_in(&access->tiles, pass_of(event));
}

static swp_timeline_life *held_in(swp_sim_record *r, int slot)
{
    return r->held[slot] < 0 ? NULL : &r->out->lives.items[r->held[slot]];
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static swp_status write_read(swp_sim_record *r, int number, const swp_effect *effect,
                             const swp_access *access)
{
    const swp_timeline_event *event = &r->out->events.items[number];
    const int slot = slot_of(r, event, access);
    swp_timeline_life *life = held_in(r, slot);
    if (!life)
        return SWP_OK;
    const bool in_flight = effect->object != SWP_NO_OBJECT;
    const int64_t until = in_flight ? event->finished : event->issued + effect->read_cycles;
    life->until = later(life->until, until);
    life->reader = number;
    return SWP_PUSH(r->ctx, &r->out->flows, ((swp_timeline_flow){life->maker, number, slot}));
}

/* Several may make a tile, each a part of it; an update goes on with what is there. */
static swp_status write_make(swp_sim_record *r, int number, const swp_access *access)
{
    const swp_timeline_event *event = &r->out->events.items[number];
    const int slot = slot_of(r, event, access);
    const int tile = tile_of(event, access);
    swp_timeline_life *life = held_in(r, slot);
    if (life && (access->updates || life->tile == tile)) {
        life->made = later(life->made, event->finished);
        life->until = later(life->until, event->finished);
        life->maker = number;
        return SWP_OK;
    }
    r->held[slot] = (int)r->out->lives.count;
    const swp_timeline_life fresh = {.slot = slot,
                                     .tile = tile,
                                     .from = event->issued,
                                     .made = event->finished,
                                     .until = event->finished,
                                     .maker = number,
                                     .reader = -1};
    return SWP_PUSH(r->ctx, &r->out->lives, fresh);
}

swp_status swp_simulate_record_places(swp_sim_record *r, int number)
{
    const swp_timeline_event *event = &r->out->events.items[number];
    if (event->at.entry < 0)
        return SWP_OK;
    const swp_effects *effects = &r->effects[r->program.groups[event->group].stream];
    const swp_effect *effect = &effects->entries[event->at.phase][event->at.entry];
    if (effect->kind != SWP_EFFECT_WORK)
        return SWP_OK;
    for (size_t i = 0; i < effect->reads.count; i++)
        SWP_TRY(write_read(r, number, effect, &effect->reads.items[i]));
    for (size_t i = 0; i < effect->writes.count; i++)
        SWP_TRY(write_make(r, number, &effect->writes.items[i]));
    return SWP_OK;
}
