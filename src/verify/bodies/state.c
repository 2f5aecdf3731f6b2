/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and copies states, gives reads their slots, and drops what is past at the end of a pass. */
#include "verify/bodies/state.h"

#include "verify/bodies/place_writes.h"
#include "verify/bodies/retire.h"

#include <string.h>

swp_status swp_bodies_state_new(swp_context *ctx, const swp_model *model, swp_state *out)
{
    const swp_bodies_event before = {{SWP_PROLOGUE, -1}, -1};
    /* A place has an observed read, a register one more; one is being issued. */
    *out =
        (swp_state){.ctx = ctx,
                    .model = model,
                    .read_count = model->effects.place_count + model->effects.register_count + 1};
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->effects.place_count, &out->places));
    SWP_TRY(SWP_TAKE(ctx, (size_t)model->effects.register_count, &out->registers));
    SWP_TRY(SWP_TAKE(ctx, (size_t)out->read_count, &out->reads));
    for (int i = 0; i < model->effects.place_count; i++) {
        const swp_write nothing = {.event = before,
                                   .tile = model->effects.places.items[i].initial,
                                   .flight = swp_bodies_flight_done()};
        out->places[i].observed_read = -1;
        SWP_TRY(SWP_PUSH(ctx, &out->places[i].writes, nothing));
    }
    for (int i = 0; i < model->effects.register_count; i++)
        out->registers[i] = (swp_register_state){
            .read = -1, .held = SWP_NO_TILE, .event = before, .flight = swp_bodies_flight_done()};
    return SWP_OK;
}

/* Of two lists of one sort; the first keeps its memory. */
#define COPY(ctx, to, from)                                                                        \
    copy_list((ctx), (void **)&(to)->items, &(to)->count, &(to)->capacity, (from)->items,          \
              (from)->count, sizeof *(from)->items)

static swp_status copy_list(swp_context *ctx, void **items, size_t *count, size_t *capacity,
                            const void *from, size_t from_count, size_t size)
{
    *count = 0;
    while (*capacity < from_count)
        SWP_TRY(swp_list_reserve(ctx, items, *capacity, capacity, size));
    if (from_count > 0)
        memcpy(*items, from, from_count * size);
    *count = from_count;
    return SWP_OK;
}

static swp_status copy_place(swp_context *ctx, swp_place_state *to, const swp_place_state *from)
{
    SWP_TRY(COPY(ctx, &to->writes, &from->writes));
    SWP_TRY(COPY(ctx, &to->told, &from->told));
    to->forgot = from->forgot;
    to->observed_read = from->observed_read;
    return SWP_OK;
}

static swp_status copy_read(swp_context *ctx, swp_read *to, const swp_read *from)
{
    swp_seen_writes writes = to->writes;
    SWP_TRY(COPY(ctx, &writes, &from->writes));
    *to = *from;
    to->writes = writes;
    return SWP_OK;
}

swp_status swp_bodies_state_copy(swp_state *to, const swp_state *from)
{
    const swp_model *model = from->model;
    for (int i = 0; i < model->effects.place_count; i++)
        SWP_TRY(copy_place(to->ctx, &to->places[i], &from->places[i]));
    for (int i = 0; i < from->read_count; i++)
        if (from->reads[i].used || to->reads[i].used)
            SWP_TRY(copy_read(to->ctx, &to->reads[i], &from->reads[i]));
    memcpy(to->registers, from->registers,
           (size_t)model->effects.register_count * sizeof *to->registers);
    memcpy(to->in_flight, from->in_flight, sizeof to->in_flight);
    to->lag = from->lag;
    to->stuck = from->stuck;
    return SWP_OK;
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
        keep_read(state, state->places[p].observed_read);
    for (int g = 0; g < state->model->effects.register_count; g++)
        keep_read(state, state->registers[g].read);
}

int swp_bodies_state_take_read(swp_state *state)
{
    drop_reads(state);
    int slot = 0;
    while (state->reads[slot].used)
        slot++;
    swp_seen_writes none = state->reads[slot].writes;
    none.count = 0;
    state->reads[slot] = (swp_read){.used = true, .writes = none};
    return slot;
}

void swp_bodies_state_end_pass(swp_state *state, int passes, size_t most_writes)
{
    drop_reads(state);
    for (int p = 0; p < state->model->effects.place_count; p++)
        swp_bodies_place_end_pass(state, p, passes, most_writes);
}

bool swp_bodies_event_after(const swp_bodies_event *a, const swp_bodies_event *b)
{
    if (a->ref.phase != b->ref.phase)
        return a->ref.phase > b->ref.phase;
    return a->pass != b->pass ? a->pass > b->pass : a->ref.entry > b->ref.entry;
}
