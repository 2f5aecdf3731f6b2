/* SPDX-License-Identifier: Apache-2.0 */
/* Follows how far accesses have retired by counters, waits and barriers: what happens before what. */
#include "verify/retire.h"

/* More barriers since retirement order nothing further: 1 + lag is the largest demand. */
enum { MOST_SINCE = 2 };

swp_verify_flight swp_verify_flight_new(swp_counter_id counter)
{
    const bool done = counter == SWP_NO_COUNTER;
    return (swp_verify_flight){.counter = counter, .retired = {done, done}};
}

swp_verify_flight swp_verify_flight_done(void)
{
    return (swp_verify_flight){.retired = {true, true}, .since = {MOST_SINCE, MOST_SINCE}};
}

bool swp_verify_flight_retired(const swp_state *state, const swp_verify_flight *flight)
{
    return flight->retired[0] && (state->model->machine->groups == 1 || flight->retired[1]);
}

static int since_across(const swp_state *state, const swp_verify_flight *flight, int from, int to)
{
    const int ahead = to - from; /* group 1 counts `lag` barriers more than group 0 */
    const int lag = swp_rule_holds(state->model, SWP_RULE_LAG) ? state->lag : 0;
    return flight->since[from] + ahead * lag;
}

static bool before_in(const swp_state *state, const swp_verify_flight *flight, int from, int to,
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

bool swp_verify_flight_before_now(const swp_state *state, const swp_verify_flight *flight,
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
                        void (*visit)(swp_verify_flight *flight, const void *argument),
                        const void *argument)
{
    for (int p = 0; p < state->model->effects.place_count; p++)
        for (int w = 0; w < state->places[p].write_count; w++)
            visit(&state->places[p].writes[w].flight, argument);
    for (int r = 0; r < state->read_count; r++)
        if (state->reads[r].used)
            visit(&state->reads[r].flight, argument);
    for (int r = 0; r < state->model->effects.register_count; r++) {
        visit(&state->registers[r].flight, argument);
        for (int c = 0; c < SWP_COUNTERS; c++)
            visit(&state->registers[r].readers[c].flight, argument);
    }
}

static void retire(swp_verify_flight *flight)
{
    flight->retired[0] = true;
    flight->retired[1] = true;
}

typedef struct issue {
    swp_counter_id counter;
    int accesses;
    int max;
    bool stalls;
} issue;

static void push_back(swp_verify_flight *flight, const void *argument)
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

void swp_verify_state_issue(swp_state *state, swp_counter_id counter, int accesses)
{
    const bool wraps = state->model->machine->counter_full == SWP_COUNTER_WRAPS;
    const issue i = {counter, accesses, state->model->counter_max[counter],
                     wraps ? !swp_rule_holds(state->model, SWP_RULE_WRAP)
                           : swp_rule_holds(state->model, SWP_RULE_STALL)};
    each_flight(state, push_back, &i);
    state->in_flight[counter] += accesses;
    if (!wraps && state->in_flight[counter] > i.max)
        state->in_flight[counter] = i.max;
}

typedef struct waiting {
    swp_counter_id counter;
    int outstanding;
} waiting;

static void retire_if_waited(swp_verify_flight *flight, const void *argument)
{
    const waiting *w = argument;
    if (flight->counter == w->counter && flight->after >= w->outstanding)
        retire(flight);
}

void swp_verify_state_wait(swp_state *state, swp_counter_id counter, int outstanding)
{
    const int max = state->model->counter_max[counter];
    const bool too_large = outstanding > max && swp_rule_holds(state->model, SWP_RULE_LARGEST_WAIT);
    const waiting w = {counter, too_large ? max : outstanding};
    each_flight(state, retire_if_waited, &w);
    if (state->in_flight[counter] > w.outstanding)
        state->in_flight[counter] = w.outstanding;
}

typedef struct barrier {
    bool groups[2]; /* that meet it */
    bool retires_lds;
    bool counts_all; /* whether it is retired or not */
} barrier;

static void pass_barrier(swp_verify_flight *flight, const void *argument)
{
    const barrier *b = argument;
    for (int group = 0; group < 2; group++) {
        if (!b->groups[group])
            continue;
        flight->retired[group] |= b->retires_lds && flight->counter == SWP_LGKMCNT;
        if ((flight->retired[group] || b->counts_all) && flight->since[group] < MOST_SINCE)
            flight->since[group]++;
    }
}

typedef struct same_op {
    swp_counter_id counter;
    int after;
} same_op;

static void retire_if_same(swp_verify_flight *flight, const void *argument)
{
    const same_op *op = argument;
    if (flight->counter == op->counter && flight->after == op->after)
        retire(flight);
}

static bool retires_older(const swp_model *model)
{
    return model->machine->registers == SWP_REGISTERS_SCOREBOARD
               ? !swp_rule_holds(model, SWP_RULE_SCOREBOARD)
               : swp_rule_holds(model, SWP_RULE_OLDER_THAN_USE);
}

/*
 * What has as many accesses after it is of the same op, unless it has more than a counter that wraps
 * can tell.
 */
void swp_verify_state_retire_through(swp_state *state, swp_verify_flight *flight)
{
    const same_op op = {flight->counter, flight->after};
    const bool is_exact = op.after < state->model->counter_max[op.counter];
    retire(flight);
    if (retires_older(state->model))
        swp_verify_state_wait(state, op.counter, is_exact ? op.after : op.after + 1);
    else if (is_exact)
        each_flight(state, retire_if_same, &op);
    if (state->model->machine->registers != SWP_REGISTERS_SCOREBOARD &&
        state->in_flight[op.counter] > op.after)
        state->in_flight[op.counter] = op.after;
}

static bool is_fenced(const swp_model *model)
{
    const bool fenced = model->machine->barrier == SWP_BARRIER_FENCED;
    return fenced ? swp_rule_holds(model, SWP_RULE_FENCED_BARRIER)
                  : !swp_rule_holds(model, SWP_RULE_RAW_BARRIER);
}

void swp_verify_state_barrier(swp_state *state)
{
    const barrier b = {.groups = {true, true},
                       .counts_all = !swp_rule_holds(state->model, SWP_RULE_AFTER_RETIREMENT)};
    if (is_fenced(state->model))
        swp_verify_state_wait(state, SWP_LGKMCNT, 0);
    if (is_fenced(state->model) && !swp_rule_holds(state->model, SWP_RULE_FENCE_OF_LDS))
        swp_verify_state_wait(state, SWP_VMCNT, 0);
    each_flight(state, pass_barrier, &b);
}

void swp_verify_state_lag(swp_state *state)
{
    const barrier b = {.groups = {false, true},
                       .retires_lds = is_fenced(state->model) &&
                                      swp_rule_holds(state->model, SWP_RULE_FENCED_LAG),
                       .counts_all = !swp_rule_holds(state->model, SWP_RULE_AFTER_RETIREMENT)};
    each_flight(state, pass_barrier, &b);
    state->lag = 1;
}
