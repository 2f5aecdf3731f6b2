/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/state.h"

#include <string.h>

/* More barriers since retirement order nothing further: 1 + lag is the largest demand. */
enum { MOST_SINCE = 2 };

swp_flight swp_flight_new(swp_counter_id counter)
{
    return (swp_flight){.counter = counter};
}

swp_flight swp_flight_done(void)
{
    return (swp_flight){.retired = {true, true}, .since = {MOST_SINCE, MOST_SINCE}};
}

bool swp_flight_retired(const swp_state *state, const swp_flight *flight)
{
    return flight->retired[0] && (state->model->machine->groups == 1 || flight->retired[1]);
}

swp_status swp_state_new(swp_context *ctx, const swp_model *model, swp_state *out)
{
    /* A place has one observed read, a register one more; one is being issued. */
    *out =
        (swp_state){.model = model, .read_count = model->place_count + model->register_count + 1};
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->place_count, &out->places));
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->register_count, &out->registers));
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->read_count, &out->reads));
    for (int i = 0; i < model->place_count; i++) {
        const swp_write nothing = {
            .event = {{SWP_PROLOGUE, -1}, -1}, .tile = SWP_NO_TILE, .flight = swp_flight_done()};
        out->places[i].observed_read = -1;
        out->places[i].forgiven = SWP_NO_TILE;
        out->places[i].writes[out->places[i].write_count++] = nothing;
    }
    for (int i = 0; i < model->register_count; i++)
        out->registers[i] =
            (swp_register_state){.read = -1, .tile = SWP_NO_TILE, .flight = swp_flight_done()};
    return SWP_OK;
}

void swp_state_copy(swp_state *to, const swp_state *from)
{
    const swp_model *model = from->model;
    memcpy(to->places, from->places, (size_t)model->place_count * sizeof *to->places);
    memcpy(to->registers, from->registers, (size_t)model->register_count * sizeof *to->registers);
    memcpy(to->reads, from->reads, (size_t)from->read_count * sizeof *to->reads);
    memcpy(to->in_flight, from->in_flight, sizeof to->in_flight);
    to->next_tile = from->next_tile;
    to->lag = from->lag;
}

static int since_across(const swp_state *state, const swp_flight *flight, int from, int to)
{
    const int ahead = to - from; /* group 1 counts `lag` barriers more than group 0 */
    return flight->since[from] + ahead * state->lag;
}

bool swp_flight_before_now(const swp_state *state, const swp_flight *flight, bool both_lds)
{
    const swp_machine *machine = state->model->machine;
    const bool retired = swp_flight_retired(state, flight);
    const bool other_waves = machine->waves_per_group > 1 || machine->groups > 1;
    if (!other_waves)
        return retired || both_lds;
    if (!retired)
        return false;
    for (int from = 0; from < machine->groups; from++)
        for (int to = 0; to < machine->groups; to++) {
            if (from == to && machine->waves_per_group == 1)
                continue;
            if (since_across(state, flight, from, to) < 1)
                return false;
        }
    return true;
}

/* Calls `visit` on the flight of everything that may still be in flight. */
static void each_flight(swp_state *state, void (*visit)(swp_flight *flight, const void *argument),
                        const void *argument)
{
    for (int p = 0; p < state->model->place_count; p++)
        for (int w = 0; w < state->places[p].write_count; w++)
            visit(&state->places[p].writes[w].flight, argument);
    for (int r = 0; r < state->read_count; r++)
        if (state->reads[r].used)
            visit(&state->reads[r].flight, argument);
    for (int r = 0; r < state->model->register_count; r++)
        visit(&state->registers[r].flight, argument);
}

static void retire_in(swp_flight *flight, int group)
{
    if (flight->retired[group])
        return;
    flight->retired[group] = true;
    flight->since[group] = 0;
}

static void retire(swp_flight *flight)
{
    retire_in(flight, 0);
    retire_in(flight, 1);
}

typedef struct issue {
    swp_counter_id counter;
    int accesses;
    int max;
    bool stalls;
} issue;

static void push_back(swp_flight *flight, const void *argument)
{
    const issue *i = argument;
    if ((flight->retired[0] && flight->retired[1]) || flight->counter != i->counter)
        return;
    flight->after += i->accesses;
    if (flight->after > i->max)
        flight->after = i->max; /* no wait asks for more */
    if (i->stalls && flight->after >= i->max)
        retire(flight);
}

void swp_state_issue(swp_state *state, swp_counter_id counter, int accesses)
{
    const issue i = {counter, accesses, state->model->counter_max[counter],
                     state->model->machine->counter_full == SWP_COUNTER_STALLS};
    each_flight(state, push_back, &i);
    state->in_flight[counter] += accesses;
    if (i.stalls && state->in_flight[counter] > i.max)
        state->in_flight[counter] = i.max;
}

typedef struct waiting {
    swp_counter_id counter;
    int outstanding;
} waiting;

static void retire_if_waited(swp_flight *flight, const void *argument)
{
    const waiting *w = argument;
    if (flight->counter == w->counter && flight->after >= w->outstanding)
        retire(flight);
}

void swp_state_wait(swp_state *state, swp_counter_id counter, int outstanding)
{
    const int max = state->model->counter_max[counter];
    const waiting w = {counter, outstanding < max ? outstanding : max};
    each_flight(state, retire_if_waited, &w);
    if (state->in_flight[counter] > w.outstanding)
        state->in_flight[counter] = w.outstanding;
}

static void pass_barrier(swp_flight *flight, const void *argument)
{
    const int *groups = argument;
    for (int group = 0; group < 2; group++)
        if (flight->retired[group] && groups[group] && flight->since[group] < MOST_SINCE)
            flight->since[group]++;
}

/* An access that counts nothing may have been issued either side of one with as many after it. */
void swp_state_retire_through(swp_state *state, swp_flight *flight)
{
    const swp_counter_id counter = flight->counter;
    const int after = flight->after;
    retire(flight);
    swp_state_wait(state, counter, after + 1);
    if (state->in_flight[counter] > after)
        state->in_flight[counter] = after;
}

void swp_state_barrier(swp_state *state)
{
    static const int both[2] = {1, 1};
    if (state->model->machine->barrier == SWP_BARRIER_FENCED)
        swp_state_wait(state, SWP_LGKMCNT, 0);
    each_flight(state, pass_barrier, both);
}

static void retire_lds_in_second(swp_flight *flight, const void *argument)
{
    (void)argument;
    if (flight->counter == SWP_LGKMCNT)
        retire_in(flight, 1);
}

void swp_state_lag(swp_state *state)
{
    static const int second[2] = {0, 1};
    if (state->model->machine->barrier == SWP_BARRIER_FENCED)
        each_flight(state, retire_lds_in_second, NULL);
    each_flight(state, pass_barrier, second);
    state->lag = 1;
}

void swp_state_drop_reads(swp_state *state)
{
    for (int r = 0; r < state->read_count; r++) {
        bool referred = false;
        for (int p = 0; p < state->model->place_count && !referred; p++)
            referred = state->places[p].observed_read == r;
        for (int g = 0; g < state->model->register_count && !referred; g++)
            referred = state->registers[g].read == r;
        state->reads[r].used = referred;
    }
}

int swp_state_take_read(swp_state *state)
{
    swp_state_drop_reads(state);
    int slot = 0;
    while (state->reads[slot].used)
        slot++;
    state->reads[slot] = (swp_read){.used = true};
    return slot;
}

/* A write is out of sight once one that it cannot overlap is before everything to come. */
static int first_in_sight(const swp_state *state, const swp_place_state *place)
{
    for (int i = place->write_count - 1; i > 0; i--)
        if (!place->writes[i].overlaps &&
            (place->writes[i].forgiven ||
             swp_flight_before_now(state, &place->writes[i].flight, false)))
            return i;
    return 0;
}

static void drop_first(swp_place_state *place, int count)
{
    place->write_count -= count;
    memmove(place->writes, place->writes + count,
            (size_t)place->write_count * sizeof place->writes[0]);
}

void swp_place_push(const swp_state *state, swp_place_state *place, swp_write write)
{
    drop_first(place, first_in_sight(state, place));
    if (place->write_count == SWP_MOST_WRITES)
        drop_first(place, 1);
    place->writes[place->write_count++] = write;
    place->forgiven = SWP_NO_TILE;
}
