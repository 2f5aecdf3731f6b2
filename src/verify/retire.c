/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/retire.h"

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

static int since_across(const swp_state *state, const swp_flight *flight, int from, int to)
{
    const int ahead = to - from; /* group 1 counts `lag` barriers more than group 0 */
    return flight->since[from] + ahead * state->lag;
}

static bool before_in(const swp_state *state, const swp_flight *flight, int from, int to,
                      bool both_lds)
{
    const bool same_wave_only = from == to && state->model->machine->waves_per_group == 1;
    if (same_wave_only)
        return flight->retired[from] || both_lds;
    return flight->retired[from] && since_across(state, flight, from, to) >= 1;
}

bool swp_flight_before_now(const swp_state *state, const swp_flight *flight, bool both_lds)
{
    const int groups = state->model->machine->groups;
    for (int from = 0; from < groups; from++)
        for (int to = 0; to < groups; to++)
            if (!before_in(state, flight, from, to, both_lds))
                return false;
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
