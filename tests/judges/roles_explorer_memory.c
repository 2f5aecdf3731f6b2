/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory as the hardware has it: each share of a place holds what was written last, in as many parts as threads
 * stand for an instance, since each thread of an ordinary instruction writes its own.
 */
#include "roles_explorer_hardware.h"
#include "roles_explorer_touches.h"

static bool is_shared(const rx_hardware *h, const rx_touch *touch)
{
    return !touch->input && rx_is_shared(&h->run, touch->value);
}

static int parts_of(const rx_hardware *h)
{
    return h->run.instances[0].threads;
}

static int32_t *parts_at(const rx_hardware *h, int32_t *state, const rx_touch *touch, int share)
{
    const int slot = rx_slot_of(&h->run, touch->value, touch->version);
    return state + h->contents + h->first_content[touch->value] +
           (slot * rx_shares(&h->run, touch->value) + share) * parts_of(h);
}

/* Whether the two touch a common share of one slot. */
static bool meet(const rx_hardware *h, const rx_instance *a, const rx_touch *of_a,
                 const rx_instance *b, const rx_touch *of_b)
{
    return of_a->value == of_b->value && rx_meet_in(&h->run, a, b, of_a->value) &&
           rx_slot_of(&h->run, of_a->value, of_a->version) ==
               rx_slot_of(&h->run, of_b->value, of_b->version);
}

static bool is_past_any(const int32_t *state, const rx_moments *moments)
{
    for (int i = 0; i < moments->count; i++)
        if (state[moments->items[i].thread] > moments->items[i].step)
            return true;
    return false;
}

static bool is_in_flight(const rx_hardware *h, const int32_t *state, int flight)
{
    const rx_flight *f = &h->flights[flight];
    const rx_step *step = &f->instance->steps[f->step];
    const rx_event *retired = &h->run.events[step->retired];
    if (!is_past_any(state, &retired->issues))
        return false;
    return step->kind == RX_COPY ? !state[h->landed + flight]
                                 : !is_past_any(state, &retired->returns);
}

/* Whether an operation in flight writes what is read, or reads what is written. */
static bool runs_into_flight(const rx_hardware *h, const int32_t *state,
                             const rx_instance *instance, const rx_touch *touch)
{
    for (int f = 0; f < h->flight_count; f++) {
        const rx_flight *flight = &h->flights[f];
        if (!is_in_flight(h, state, f))
            continue;
        const rx_touches its = rx_touches_of(&h->run, &flight->instance->steps[flight->step]);
        for (int i = 0; i < its.count; i++)
            if (its.items[i].makes != touch->makes &&
                meet(h, instance, touch, flight->instance, &its.items[i]))
                return true;
    }
    return false;
}

static bool finds_wanted(const rx_hardware *h, int32_t *state, const rx_instance *instance,
                         const rx_touch *touch)
{
    for (int share = 0; share < rx_shares(&h->run, touch->value); share++) {
        const int32_t *parts = parts_at(h, state, touch, share);
        for (int part = 0; part < parts_of(h); part++)
            if (rx_touches_share(&h->run, instance, touch->value, share) &&
                parts[part] != touch->tile)
                return false;
    }
    return true;
}

/* @param part  -1: all */
static void write(const rx_hardware *h, int32_t *state, const rx_instance *instance,
                  const rx_touch *touch, int part)
{
    for (int share = 0; share < rx_shares(&h->run, touch->value); share++) {
        int32_t *parts = parts_at(h, state, touch, share);
        for (int i = 0; i < parts_of(h); i++)
            if (rx_touches_share(&h->run, instance, touch->value, share) && (part < 0 || part == i))
                parts[i] = touch->tile;
    }
}

bool rx_touch_memory(rx_hardware *h, int32_t *state, int thread, const rx_step *step)
{
    const rx_instance *instance = h->run.threads[thread].instance;
    const rx_touches touches = rx_touches_of(&h->run, step);
    for (int i = 0; i < touches.count; i++) {
        const rx_touch *touch = &touches.items[i];
        if (!is_shared(h, touch))
            continue;
        if (runs_into_flight(h, state, instance, touch) ||
            (!touch->makes && !finds_wanted(h, state, instance, touch))) {
            h->out.wrong = true;
            return false;
        }
        if (touch->makes)
            write(h, state, instance, touch, step->one ? -1 : h->run.threads[thread].number);
    }
    return true;
}

void rx_write_landed(const rx_hardware *h, int32_t *state, const rx_flight *flight)
{
    const rx_touches touches = rx_touches_of(&h->run, &flight->instance->steps[flight->step]);
    for (int i = 0; i < touches.count; i++)
        if (touches.items[i].makes && is_shared(h, &touches.items[i]))
            write(h, state, flight->instance, &touches.items[i], -1);
}
