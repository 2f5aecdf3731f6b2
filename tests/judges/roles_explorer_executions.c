/* SPDX-License-Identifier: Apache-2.0 */
/* All executions of the hardware. What touches nothing that is shared happens at once. */
#include <stdlib.h>
#include <string.h>

#include "roles_explorer_hardware.h"
#include "roles_explorer_touches.h"

typedef struct execution {
    rx_hardware h;
    rx_states seen;
    int32_t *now;
    int32_t *next;
} execution;

/* --- The first state --- */

static void list_flights(rx_hardware *h)
{
    h->flights = rx_allocate((size_t)h->run.event_count, sizeof *h->flights);
    for (int i = 0; i < h->run.instance_count; i++)
        for (int p = 0; p < h->run.instances[i].count; p++)
            if (h->run.instances[i].steps[p].retired >= 0)
                h->flights[h->flight_count++] = (rx_flight){&h->run.instances[i], p};
}

static void lay_out(rx_hardware *h)
{
    const int values = (int)h->run.loop->value_count;
    h->waiting = h->run.thread_count;
    h->landed = h->waiting + h->run.thread_count;
    h->cells = h->landed + h->flight_count;
    h->contents = h->cells + RX_CELL_NUMBERS * h->run.cell_count;
    h->size = h->contents;
    h->first_content = rx_allocate((size_t)values, sizeof *h->first_content);
    for (int v = 0; v < values; v++) {
        h->first_content[v] = h->size - h->contents;
        if (rx_is_shared(&h->run, v))
            h->size += rx_slots(&h->run, v) * rx_shares(&h->run, v) * h->run.instances[0].threads;
    }
}

static void fill_first(const rx_hardware *h, int32_t *state)
{
    for (int i = 0; i < h->run.cell_count; i++)
        if (rx_is_mbarrier(&h->run.cells[i]))
            rx_cell_of(h, state, i)[RX_COUNT] = h->run.cells[i].object->arrivals;
    for (int v = 0; v < (int)h->run.loop->value_count; v++) {
        const int parts = rx_shares(&h->run, v) * h->run.instances[0].threads;
        for (int i = 0; rx_is_shared(&h->run, v) && i < rx_slots(&h->run, v) * parts; i++)
            state[h->contents + h->first_content[v] + i] = rx_first_tile(&h->run, v, i / parts);
    }
}

/* --- Moves --- */

static bool touches_shared(const rx_hardware *h, const rx_step *step)
{
    const rx_touches touches = rx_touches_of(&h->run, step);
    for (int i = 0; i < touches.count; i++)
        if (rx_is_shared(&h->run, touches.items[i].value))
            return true;
    return false;
}

/* Nobody else can tell when it happens. */
static bool is_private(const rx_hardware *h, const int32_t *state, int thread, const rx_step *step)
{
    switch (step->kind) {
    case RX_ORDINARY:
        return !touches_shared(h, step);
    case RX_MATRIX_COMMIT:
    case RX_MATRIX_FENCE:
    case RX_BULK_COMMIT:
    case RX_FENCE_ASYNC:
        return true;
    case RX_MET:
        return state[h->waiting + thread] == 0;
    default:
        return false;
    }
}

static void pass_private(const rx_hardware *h, int32_t *state)
{
    for (int t = 0; t < h->run.thread_count; t++) {
        const rx_thread *thread = &h->run.threads[t];
        while (state[t] < thread->instance->count &&
               (!rx_executes(thread, &thread->instance->steps[state[t]]) ||
                is_private(h, state, t, &thread->instance->steps[state[t]])))
            state[t]++;
    }
}

static void follow(execution *x)
{
    pass_private(&x->h, x->next);
    rx_states_add(&x->seen, (const unsigned char *)x->next);
}

static bool has_ended(const rx_hardware *h, const int32_t *state)
{
    for (int t = 0; t < h->run.thread_count; t++)
        if (state[t] < h->run.threads[t].instance->count)
            return false;
    return true;
}

static void visit(execution *x, size_t index)
{
    bool moved = false;
    memcpy(x->now, rx_states_at(&x->seen, index), x->seen.width);
    for (int t = 0; t < x->h.run.thread_count; t++) {
        memcpy(x->next, x->now, x->seen.width);
        if (!rx_can_step(&x->h, x->next, t))
            continue;
        moved = true;
        if (rx_take_step(&x->h, x->next, t))
            follow(x);
    }
    for (int f = 0; f < x->h.flight_count; f++) {
        memcpy(x->next, x->now, x->seen.width);
        if (!rx_can_land(&x->h, x->next, f))
            continue;
        moved = true;
        rx_land(&x->h, x->next, f);
        follow(x);
    }
    x->h.out.stuck |= !moved && !has_ended(&x->h, x->now);
}

roles_outcome roles_explore_hardware(const swp_schedule *schedule, int n,
                                     const roles_explorer_options *options)
{
    const roles_explorer_options o = options ? *options : (roles_explorer_options){0};
    const size_t most = o.most_states ? o.most_states : 1000000;
    execution x = {.now = NULL};
    if (!rx_run_fill(&x.h.run, schedule, n, o.others ? o.others : 1))
        return (roles_outcome){.no_run = true};
    list_flights(&x.h);
    lay_out(&x.h);
    x.seen.width = (size_t)x.h.size * sizeof(int32_t);
    x.now = rx_allocate((size_t)x.h.size, sizeof *x.now);
    x.next = rx_allocate((size_t)x.h.size, sizeof *x.next);
    fill_first(&x.h, x.next);
    follow(&x);
    for (size_t i = 0; i < x.seen.count && x.seen.count <= most; i++)
        visit(&x, i);
    roles_outcome out = x.h.out;
    out.states = x.seen.count;
    out.undecided = x.seen.count > most;
    rx_states_free(&x.seen);
    free(x.now);
    free(x.next);
    free(x.h.flights);
    free(x.h.first_content);
    rx_run_free(&x.h.run);
    return out;
}
