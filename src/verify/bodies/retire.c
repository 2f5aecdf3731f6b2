/* SPDX-License-Identifier: Apache-2.0 */
/* Follows how far accesses have retired by counters, waits and barriers: what happens before what. */
#include "verify/bodies/retire.h"

#include <limits.h>

/* More barriers since retirement order nothing further: 1 + lag is the largest demand. */
enum { MOST_SINCE = 2 };

swp_bodies_flight swp_bodies_flight_new(swp_sync_object object)
{
    const bool done = object == SWP_NO_OBJECT;
    return (swp_bodies_flight){.object = object, .retired = {done, done}};
}

swp_bodies_flight swp_bodies_flight_done(void)
{
    return (swp_bodies_flight){.retired = {true, true}, .since = {MOST_SINCE, MOST_SINCE}};
}

bool swp_bodies_flight_retired(const swp_state *state, const swp_bodies_flight *flight)
{
    return flight->retired[0] && (state->model->machine->groups == 1 || flight->retired[1]);
}

static int since_across(const swp_state *state, const swp_bodies_flight *flight, int from, int to)
{
    const int ahead = to - from; /* group 1 counts `lag` barriers more than group 0 */
    const int lag = swp_rule_holds(state->model, SWP_RULE_LAG) ? state->lag : 0;
    return flight->since[from] + ahead * lag;
}

static bool before_in(const swp_state *state, const swp_bodies_flight *flight, int from, int to,
                      bool both_lds)
{
    const swp_model *model = state->model;
    const bool other_waves = swp_rule_holds(model, SWP_RULE_OTHER_WAVES) &&
                             (from != to || model->machine->waves_per_group > 1);
    if (!other_waves)
        return flight->retired[from] || (both_lds && swp_rule_holds(model, SWP_RULE_LDS_IN_ORDER));
    return flight->retired[from] &&
           (since_across(state, flight, from, to) >= 1 || !swp_rule_holds(model, SWP_RULE_BARRIER));
}

bool swp_bodies_flight_before_now(const swp_state *state, const swp_bodies_flight *flight,
                                  bool both_lds)
{
    const int groups = state->model->machine->groups;
    for (int from = 0; from < groups; from++)
        for (int to = 0; to < groups; to++)
            if (!before_in(state, flight, from, to, both_lds))
                return false;
    return true;
}

/* Calls `visit` on the flight of everything that may still be in flight. */
static void each_flight(swp_state *state,
                        void (*visit)(swp_bodies_flight *flight, const void *argument),
                        const void *argument)
{
    for (int p = 0; p < state->model->effects.place_count; p++)
        for (size_t w = 0; w < state->places[p].writes.count; w++)
            visit(&state->places[p].writes.items[w].flight, argument);
    for (int r = 0; r < state->read_count; r++)
        if (state->reads[r].used)
            visit(&state->reads[r].flight, argument);
    for (int r = 0; r < state->model->effects.register_count; r++)
        visit(&state->registers[r].flight, argument);
}

static void retire(swp_bodies_flight *flight)
{
    flight->retired[0] = true;
    flight->retired[1] = true;
}

typedef struct issue {
    swp_sync_object object;
    int accesses;
    int most_after;
    bool stalls;
} issue;

static void push_back(swp_bodies_flight *flight, const void *argument)
{
    const issue *i = argument;
    if ((flight->retired[0] && flight->retired[1]) || flight->object != i->object)
        return;
    flight->after += i->accesses;
    if (flight->after > i->most_after)
        flight->after = i->most_after;
    if (i->stalls && flight->after >= i->most_after)
        retire(flight);
}

void swp_bodies_state_issue(swp_state *state, swp_sync_object object, int accesses)
{
    const int largest = swp_ir_sync_largest(state->model->machine, object);
    const bool wraps = state->model->machine->counter_full == SWP_COUNTER_WRAPS;
    const bool stalls = wraps ? !swp_rule_holds(state->model, SWP_RULE_WRAP)
                              : swp_rule_holds(state->model, SWP_RULE_STALL);
    const issue i = {object, accesses, state->model->most_after[object], largest > 0 && stalls};
    each_flight(state, push_back, &i);
    if (largest == 0)
        return;
    state->in_flight[object] += accesses;
    if (!wraps && state->in_flight[object] > largest)
        state->in_flight[object] = largest;
}

enum { NOT_AWAITED = INT_MAX };

/* How many accesses of each object may stay in flight. */
typedef struct waiting {
    int outstanding[SWP_SYNC_OBJECTS];
} waiting;

static void retire_if_waited(swp_bodies_flight *flight, const void *argument)
{
    const waiting *w = argument;
    if (flight->object != SWP_NO_OBJECT && flight->after >= w->outstanding[flight->object])
        retire(flight);
}

static waiting no_wait(void)
{
    waiting w;
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
        w.outstanding[o] = NOT_AWAITED;
    return w;
}

static void leave(waiting *w, const swp_model *model, swp_sync_object object, int outstanding)
{
    const int largest = swp_ir_sync_largest(model->machine, object);
    const bool too_large =
        largest > 0 && outstanding > largest && swp_rule_holds(model, SWP_RULE_LARGEST_WAIT);
    w->outstanding[object] = too_large ? largest : outstanding;
}

static void wait(swp_state *state, const waiting *w)
{
    each_flight(state, retire_if_waited, w);
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
        if (state->in_flight[o] > w->outstanding[o])
            state->in_flight[o] = w->outstanding[o];
}

void swp_bodies_state_wait(swp_state *state, swp_wait_kind kind, int outstanding)
{
    waiting w = no_wait();
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
        if (swp_ir_sync_object_row(o)->wait == kind)
            leave(&w, state->model, o, outstanding);
    wait(state, &w);
}

typedef struct barrier {
    bool groups[2]; /* that meet it */
    bool retires_lds;
    bool counts_all; /* whether it is retired or not */
} barrier;

static bool is_of_fence(swp_sync_object object)
{
    return object != SWP_NO_OBJECT && swp_ir_sync_object_row(object)->fence_retires;
}

static void pass_barrier(swp_bodies_flight *flight, const void *argument)
{
    const barrier *b = argument;
    for (int group = 0; group < 2; group++) {
        if (!b->groups[group])
            continue;
        flight->retired[group] |= b->retires_lds && is_of_fence(flight->object);
        if ((flight->retired[group] || b->counts_all) && flight->since[group] < MOST_SINCE)
            flight->since[group]++;
    }
}

/*
 * A scoreboard guards each access by itself, but LDS operations that are older have taken effect before. On vmcnt nothing is older
 * than what a register of a body waits for.
 */
static bool retires_older(const swp_model *model)
{
    return swp_rule_holds(model, model->machine->registers == SWP_REGISTERS_SCOREBOARD
                                     ? SWP_RULE_SCOREBOARD_OF_LDS
                                     : SWP_RULE_OLDER_THAN_USE);
}

/*
 * What has as many accesses after it is of the same op, unless it has more than a counter that wraps
 * can tell.
 */
static bool use_retires(const swp_state *state, const swp_bodies_flight *used,
                        const swp_bodies_flight *flight)
{
    const bool is_exact = used->after < state->model->most_after[used->object];
    waiting older = no_wait();
    if (flight->object != used->object)
        return false;
    leave(&older, state->model, used->object, is_exact ? used->after : used->after + 1);
    return retires_older(state->model) ? flight->after >= older.outstanding[used->object]
                                       : is_exact && flight->after == used->after;
}

typedef struct use {
    const swp_state *state;
    swp_bodies_flight used;
} use;

static void retire_if_used(swp_bodies_flight *flight, const void *argument)
{
    const use *u = argument;
    if (use_retires(u->state, &u->used, flight))
        retire(flight);
}

void swp_bodies_state_retire_through(swp_state *state, swp_bodies_flight *flight)
{
    const use u = {state, *flight};
    retire(flight);
    each_flight(state, retire_if_used, &u);
    if (state->in_flight[u.used.object] > u.used.after)
        state->in_flight[u.used.object] = u.used.after;
}

static bool is_fenced(const swp_model *model)
{
    const bool fenced = model->machine->barrier == SWP_BARRIER_FENCED;
    return fenced ? swp_rule_holds(model, SWP_RULE_FENCED_BARRIER)
                  : !swp_rule_holds(model, SWP_RULE_RAW_BARRIER);
}

void swp_bodies_state_barrier(swp_state *state)
{
    const barrier b = {.groups = {true, true},
                       .counts_all = !swp_rule_holds(state->model, SWP_RULE_AFTER_RETIREMENT)};
    waiting w = no_wait();
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
        if (is_of_fence(o) || !swp_rule_holds(state->model, SWP_RULE_FENCE_OF_LDS))
            leave(&w, state->model, o, 0);
    if (is_fenced(state->model))
        wait(state, &w);
    each_flight(state, pass_barrier, &b);
}

void swp_bodies_state_lag(swp_state *state)
{
    const barrier b = {.groups = {false, true},
                       .retires_lds = is_fenced(state->model) &&
                                      swp_rule_holds(state->model, SWP_RULE_FENCED_LAG),
                       .counts_all = !swp_rule_holds(state->model, SWP_RULE_AFTER_RETIREMENT)};
    each_flight(state, pass_barrier, &b);
    state->lag = 1;
}
