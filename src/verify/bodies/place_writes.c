/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the writes of a place as long as they can matter to a read to come. */
#include "verify/bodies/place_writes.h"

#include "verify/bodies/retire.h"

#include <string.h>

/* A write is out of sight once a later one that it cannot overlap is before everything to come. */
static size_t first_in_sight(const swp_state *state, const swp_writes *writes)
{
    for (size_t i = writes->count; i-- > 1;)
        if (swp_bodies_flight_before_now(state, &writes->items[i].flight, false))
            return i - (size_t)writes->items[i].overlapped;
    return 0;
}

static void drop_first(swp_writes *writes, size_t count)
{
    if (count == 0)
        return;
    writes->count -= count;
    memmove(writes->items, writes->items + count, writes->count * sizeof *writes->items);
    for (size_t i = 0; i < writes->count; i++)
        if ((size_t)writes->items[i].overlapped > i)
            writes->items[i].overlapped = (int)i;
}

/* One wave's stores take effect in order; a load may overtake whatever is in flight. */
static int count_overlapped(const swp_state *state, const swp_writes *writes,
                            swp_sync_object object)
{
    size_t count = 0;
    if (!swp_rule_holds(state->model, SWP_RULE_LOADS_IN_ANY_ORDER))
        return 0;
    while (count < writes->count) {
        const swp_bodies_flight *before = &writes->items[writes->count - 1 - count].flight;
        const bool in_order = swp_ir_sync_in_order(before->object, object);
        if (swp_bodies_flight_retired(state, before) || in_order)
            break;
        count++;
    }
    return (int)count;
}

swp_status swp_bodies_place_push(swp_state *state, int place, const swp_bodies_event *event,
                                 int tile, swp_sync_object object)
{
    swp_writes *writes = &state->places[place].writes;
    const size_t first = first_in_sight(state, writes);
    drop_first(writes, first);
    state->places[place].forgot &= first == 0;
    const int overlapped = count_overlapped(state, writes, object);
    const swp_write new = {*event, tile, swp_bodies_flight_new(object), overlapped};
    return SWP_PUSH(state->ctx, writes, new);
}

static bool same_event(const swp_bodies_event *a, const swp_bodies_event *b)
{
    return a->ref.phase == b->ref.phase && a->ref.entry == b->ref.entry && a->pass == b->pass;
}

bool swp_bodies_place_told(const swp_state *state, int place, const swp_bodies_event *write)
{
    const swp_told_writes *told = &state->places[place].told;
    for (size_t i = 0; i < told->count; i++)
        if (same_event(&told->items[i].event, write))
            return true;
    return false;
}

swp_status swp_bodies_place_tell(swp_state *state, int place, const swp_bodies_event *write,
                                 int tile)
{
    const swp_told_write new = {*write, tile};
    if (swp_bodies_place_told(state, place, write) ||
        !swp_rule_holds(state->model, SWP_RULE_WRITE_TOLD))
        return SWP_OK;
    return SWP_PUSH(state->ctx, &state->places[place].told, new);
}

static void drop_told(swp_told_writes *told, int floor)
{
    size_t kept = 0;
    for (size_t i = 0; i < told->count; i++)
        if (told->items[i].tile >= floor)
            told->items[kept++] = told->items[i];
    told->count = kept;
}

/*
 * Of the oldest writes, whose tiles nothing to come asks for, the last one stands for all: whoever may
 * see one of them may see that one, and wants none of them.
 */
static void drop_unwanted(swp_writes *writes, int floor)
{
    size_t unwanted = 0;
    while (unwanted < writes->count && writes->items[unwanted].tile < floor)
        unwanted++;
    if (unwanted > 1)
        drop_first(writes, unwanted - 1);
}

void swp_bodies_place_end_pass(swp_state *state, int place, int passes, size_t most_writes)
{
    const swp_effect_place *of = &state->model->effects.places.items[place];
    const int floor = swp_floor_of(of, passes);
    swp_place_state *p = &state->places[place];
    drop_told(&p->told, passes * of->per_pass);
    drop_unwanted(&p->writes, floor);
    if (p->writes.count > most_writes) {
        drop_first(&p->writes, p->writes.count - most_writes);
        p->forgot = true;
    }
}
