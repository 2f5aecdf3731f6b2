/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_explorer_hardware.h"

#include <stdlib.h>
#include <string.h>

#include "roles_explorer_touches.h"

static const rx_step *next_step(const rx_hardware *h, const int32_t *state, int thread)
{
    return &h->run.threads[thread].instance->steps[state[thread]];
}

static bool is_past(const int32_t *state, rx_moment moment)
{
    return state[moment.thread] > moment.step;
}

/* --- mbarriers --- */

/* A phase ends as soon as nothing is missing. */
static void complete(const rx_hardware *h, int32_t *cell, int number)
{
    if (cell[RX_COUNT] > 0 || cell[RX_BYTES] != 0)
        return;
    cell[RX_SO_FAR]++;
    cell[RX_COUNT] = h->run.cells[number].object->arrivals;
}

/* Threads arrive one after the other, each in the phase that is there. */
static bool arrive(rx_hardware *h, int32_t *state, int thread, const rx_step *step)
{
    int32_t *cell = rx_cell_of(h, state, step->cell);
    const int threads = step->one ? 1 : h->run.threads[thread].weight;
    for (int i = 0; i < threads; i++) {
        h->out.parted |= cell[RX_SO_FAR] != step->number;
        cell[RX_BYTES] += step->bytes;
        if (--cell[RX_COUNT] < 0) {
            h->out.undefined = true;
            return false;
        }
        complete(h, cell, step->cell);
    }
    return true;
}

static bool phase_returns(rx_hardware *h, int32_t *state, const rx_step *step)
{
    const int so_far = rx_cell_of(h, state, step->cell)[RX_SO_FAR];
    const bool returns = (so_far & 1) != (step->number & 1);
    const bool complete = so_far > step->number;
    h->out.parted |= returns != complete || so_far > step->number + 1;
    return returns;
}

bool rx_can_land(const rx_hardware *h, const int32_t *state, int flight)
{
    const rx_flight *f = &h->flights[flight];
    return f->instance->steps[f->step].kind == RX_COPY && !state[h->landed + flight] &&
           is_past(state, (rx_moment){f->instance->first_thread, f->step});
}

void rx_land(rx_hardware *h, int32_t *state, int flight)
{
    const rx_flight *f = &h->flights[flight];
    const rx_step *step = &f->instance->steps[f->step];
    int32_t *cell = rx_cell_of(h, state, step->cell);
    rx_write_landed(h, state, f);
    state[h->landed + flight] = 1;
    h->out.parted |= cell[RX_SO_FAR] != step->number;
    cell[RX_BYTES] -= step->bytes;
    complete(h, cell, step->cell);
}

/* --- Barriers --- */

/* @return false where more threads came than the barrier takes */
static bool meet(rx_hardware *h, int32_t *state, int thread, const rx_step *step)
{
    const rx_cell *barrier = &h->run.cells[step->cell];
    const int takes = barrier->object ? barrier->object->threads : barrier->threads;
    int32_t *cell = rx_cell_of(h, state, step->cell);
    h->out.parted |= cell[RX_SO_FAR] != step->number;
    cell[RX_COUNT] += h->run.threads[thread].weight;
    if (cell[RX_COUNT] > takes) {
        h->out.undefined = true;
        return false;
    }
    if (cell[RX_COUNT] < takes)
        return true;
    cell[RX_SO_FAR]++;
    cell[RX_COUNT] = 0;
    for (int t = 0; t < h->run.thread_count; t++)
        if (state[h->waiting + t] == step->cell + 1)
            state[h->waiting + t] = 0;
    return true;
}

static bool is_sync(const rx_instance *instance, int at)
{
    return at + 1 < instance->count && instance->steps[at + 1].kind == RX_MET &&
           instance->steps[at].kind == RX_MEET;
}

/* --- Steps --- */

static bool have_all_issued(const rx_hardware *h, const int32_t *state, const rx_step *wait)
{
    for (int i = 0; i < wait->needs.count; i++) {
        const rx_moments *issues = &h->run.events[wait->needs.items[i]].issues;
        for (int k = 0; k < issues->count; k++)
            if (!is_past(state, issues->items[k]))
                return false;
    }
    return true;
}

bool rx_can_step(rx_hardware *h, int32_t *state, int thread)
{
    if (state[thread] >= h->run.threads[thread].instance->count)
        return false;
    const rx_step *step = next_step(h, state, thread);
    switch (step->kind) {
    case RX_WAIT_PHASE:
        return phase_returns(h, state, step);
    case RX_MET:
        return state[h->waiting + thread] == 0;
    case RX_MATRIX_WAIT:
        return have_all_issued(h, state, step);
    default:
        return true;
    }
}

bool rx_take_step(rx_hardware *h, int32_t *state, int thread)
{
    const rx_instance *instance = h->run.threads[thread].instance;
    const rx_step *step = next_step(h, state, thread);
    bool right = true;
    if (is_sync(instance, state[thread]))
        state[h->waiting + thread] = step->cell + 1;
    if (step->kind == RX_ARRIVE)
        right = arrive(h, state, thread, step);
    else if (step->kind == RX_MEET)
        right = meet(h, state, thread, step);
    else if (step->op >= 0)
        right = rx_touch_memory(h, state, thread, step);
    state[thread]++;
    return right;
}
