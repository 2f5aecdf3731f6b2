/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and copies states, drops writes that are out of sight, and moves all on by a pass. */
#include "verify/state.h"

#include "verify/retire.h"

#include <string.h>

swp_status swp_verify_state_new(swp_context *ctx, const swp_model *model, swp_state *out)
{
    const swp_verify_event before = {{SWP_PROLOGUE, -1}, -1};
    /* A place has an observed read of each object, a register one more; one is being issued. */
    *out = (swp_state){.model = model,
                       .read_count = model->read_objects * model->effects.place_count +
                                     model->effects.register_count + 1};
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->effects.place_count, &out->places));
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->effects.register_count, &out->registers));
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->read_count, &out->reads));
    for (int i = 0; i < model->effects.place_count; i++) {
        const swp_write nothing = {.event = before,
                                   .tile = model->effects.places.items[i].initial,
                                   .flight = swp_verify_flight_done()};
        for (swp_sync_object o = 0; o <= SWP_NO_OBJECT; o++)
            out->places[i].observed_reads[o] = -1;
        out->places[i].writes[out->places[i].write_count++] = nothing;
    }
    for (int i = 0; i < model->effects.register_count; i++) {
        const int tile = model->effects.registers.items[i].initial;
        const swp_reader none = {before, swp_verify_flight_done()};
        out->registers[i] = (swp_register_state){.read = -1,
                                                 .tile = tile,
                                                 .held = tile,
                                                 .event = before,
                                                 .flight = swp_verify_flight_done()};
        for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
            out->registers[i].readers[o] = none;
    }
    return SWP_OK;
}

void swp_verify_state_copy(swp_state *to, const swp_state *from)
{
    const swp_model *model = from->model;
    memcpy(to->places, from->places, (size_t)model->effects.place_count * sizeof *to->places);
    memcpy(to->registers, from->registers,
           (size_t)model->effects.register_count * sizeof *to->registers);
    memcpy(to->reads, from->reads, (size_t)from->read_count * sizeof *to->reads);
    memcpy(to->in_flight, from->in_flight, sizeof to->in_flight);
    to->lag = from->lag;
    to->stuck = from->stuck;
}

static void keep_read(swp_state *state, int slot)
{
    if (slot >= 0)
        state->reads[slot].used = true;
}

/* Frees the slots that nothing refers to. */
static void drop_reads(swp_state *state)
{
    for (int r = 0; r < state->read_count; r++)
        state->reads[r].used = false;
    for (int p = 0; p < state->model->effects.place_count; p++)
        for (swp_sync_object o = 0; o <= SWP_NO_OBJECT; o++)
            keep_read(state, state->places[p].observed_reads[o]);
    for (int g = 0; g < state->model->effects.register_count; g++)
        keep_read(state, state->registers[g].read);
}

int *swp_verify_state_observed_read(swp_state *state, int place, const swp_verify_flight *flight)
{
    return &state->places[place].observed_reads[flight->object];
}

int swp_verify_state_take_read(swp_state *state)
{
    drop_reads(state);
    int slot = 0;
    while (state->reads[slot].used)
        slot++;
    state->reads[slot] = (swp_read){.used = true};
    return slot;
}

/* A write is out of sight once a later one that it cannot overlap is before everything to come. */
static int first_in_sight(const swp_state *state, const swp_place_state *place)
{
    for (int i = place->write_count - 1; i > 0; i--)
        if (swp_verify_flight_before_now(state, &place->writes[i].flight, false))
            return i - place->writes[i].overlapped;
    return 0;
}

static void drop_first(swp_place_state *place, int count)
{
    place->write_count -= count;
    memmove(place->writes, place->writes + count,
            (size_t)place->write_count * sizeof place->writes[0]);
}

static void drop_write(swp_place_state *place, int index)
{
    place->write_count--;
    for (int i = index; i < place->write_count; i++) {
        const int first = i + 1 - place->writes[i + 1].overlapped;
        place->writes[i] = place->writes[i + 1];
        place->writes[i].overlapped = first > index ? i + 1 - first : i - first;
    }
}

/*
 * One write less, without hiding any other: of two neighbours with one tile the older goes, else the
 * oldest, and the next one then stands for both and has no tile.
 */
static void make_room(swp_place_state *place)
{
    int younger = 1;
    while (younger < place->write_count &&
           place->writes[younger].tile != place->writes[younger - 1].tile)
        younger++;
    if (younger == place->write_count) {
        younger = 1;
        place->writes[1].tile = SWP_NO_TILE;
    }
    drop_write(place, younger - 1);
}

/* One wave's stores take effect in order; a load may overtake whatever is in flight. */
static int count_overlapped(const swp_state *state, const swp_place_state *place,
                            swp_sync_object object)
{
    int count = 0;
    if (!swp_rule_holds(state->model, SWP_RULE_LOADS_IN_ANY_ORDER))
        return 0;
    while (count < place->write_count) {
        const swp_verify_flight *before = &place->writes[place->write_count - 1 - count].flight;
        const bool in_order = swp_ir_sync_in_order(before->object, object);
        if (swp_verify_flight_retired(state, before) || in_order)
            break;
        count++;
    }
    return count;
}

void swp_verify_place_push(swp_state *state, int place, const swp_verify_event *event, int tile,
                           swp_sync_object object)
{
    swp_place_state *p = &state->places[place];
    drop_first(p, first_in_sight(state, p));
    if (p->write_count == SWP_MOST_WRITES)
        make_room(p);
    const int overlapped = count_overlapped(state, p, object);
    p->writes[p->write_count++] =
        (swp_write){*event, tile, swp_verify_flight_new(object), overlapped};
}

static bool same_event(const swp_verify_event *a, const swp_verify_event *b)
{
    return a->ref.phase == b->ref.phase && a->ref.entry == b->ref.entry && a->pass == b->pass;
}

bool swp_verify_state_told(const swp_state *state, int place, const swp_verify_event *write)
{
    const swp_place_state *p = &state->places[place];
    for (int i = 0; i < p->told_count; i++)
        if (same_event(&p->told[i].event, write))
            return true;
    return false;
}

static void drop_told(swp_place_state *place, int index)
{
    place->told_count--;
    for (int i = index; i < place->told_count; i++)
        place->told[i] = place->told[i + 1];
}

void swp_verify_state_tell(swp_state *state, int place, const swp_verify_event *write, int tile)
{
    swp_place_state *p = &state->places[place];
    if (swp_verify_state_told(state, place, write) ||
        !swp_rule_holds(state->model, SWP_RULE_WRITE_TOLD))
        return;
    if (p->told_count == SWP_MOST_TOLD)
        drop_told(p, 0);
    p->told[p->told_count++] = (swp_told_write){*write, tile};
}

void swp_verify_state_end_pass(swp_state *state, int passes)
{
    const swp_model *model = state->model;
    drop_reads(state);
    for (int p = 0; p < model->effects.place_count; p++) {
        const swp_effect_place *place = &model->effects.places.items[p];
        const int floor =
            place->makers > 0 ? swp_floor_of(place, passes) : passes * place->per_pass;
        for (int i = state->places[p].told_count; i-- > 0;)
            if (state->places[p].told[i].tile < floor)
                drop_told(&state->places[p], i);
    }
}

bool swp_verify_event_after(const swp_verify_event *a, const swp_verify_event *b)
{
    if (a->ref.phase != b->ref.phase)
        return a->ref.phase > b->ref.phase;
    return a->pass != b->pass ? a->pass > b->pass : a->ref.entry > b->ref.entry;
}
