/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a state has come back, so that the rest of the loop repeats, or has but for accesses counted
 * since: then passes can be left out until that matters (docs/verification.md).
 */
#include "verify/bodies/growth.h"
#include "verify/bodies/state.h"

typedef struct comparison {
    const swp_model *model;
    const swp_state *earlier;
    const swp_state *later;
    int passes_before; /* the earlier state */
    int passes;        /* from there to the later */
    int tiles;         /* of the place looked at, in these passes */
    int per_pass;
    int floor;    /* tiles below this, in the earlier state's count, are never asked for again */
    int in_sight; /* passes for which a write is; 0: not looked for yet */
    int ahead;    /* kernel passes of a tail */
    int repeats;  /* of the passes between the states that can be left out */
    int skips;    /* with the same again for each of so many repeats the later state is changed */
} comparison;

static void count_tiles(comparison *c, const swp_effect_place *place)
{
    c->per_pass = place->per_pass;
    c->tiles = c->passes * place->per_pass;
    c->floor = swp_floor_of(place, c->passes_before);
}

/* What moved on between the states does so as often again. */
static void skip_ahead(const comparison *c, int earlier, int *later)
{
    *later += c->skips * (*later - earlier);
}

static bool same_tile(const comparison *c, int earlier, int *later)
{
    const int moved = *later - c->tiles;
    if (earlier != moved)
        return earlier < c->floor && moved < c->floor;
    skip_ahead(c, earlier, later);
    return true;
}

/* --- Tiles that run ahead of those that are asked for --- */

static int earlier_pass(int pass, const swp_bodies_event *event)
{
    return event->ref.phase == SWP_KERNEL && event->pass < pass ? event->pass : pass;
}

/* Passes since the oldest write of the kernel that a read may see or has seen. */
static int oldest_in_sight(const swp_state *state, int passes)
{
    int first = passes;
    for (int p = 0; p < state->model->effects.place_count; p++)
        for (size_t i = 0; i < state->places[p].writes.count; i++)
            first = earlier_pass(first, &state->places[p].writes.items[i].event);
    for (int r = 0; r < state->read_count; r++)
        for (size_t i = 0; state->reads[r].used && i < state->reads[r].writes.count; i++)
            first = earlier_pass(first, &state->reads[r].writes.items[i].event);
    return passes - first;
}

/*
 * What can be seen of writes does not hang on their tiles. If all else comes back, they stay in sight as
 * long as now, and the passes until then and those of a tail: one that is ahead of all that is asked for
 * in this time is replaced before.
 */
static int tile_out_of_reach(comparison *c)
{
    if (c->in_sight == 0) {
        const int before = oldest_in_sight(c->earlier, c->passes_before);
        const int after = oldest_in_sight(c->later, c->passes_before + c->passes);
        c->in_sight = (before > after ? before : after) + c->passes + c->ahead + 2;
    }
    return (c->passes_before + c->in_sight) * c->per_pass + c->model->loop.min_tiles;
}

static bool is_ahead(comparison *c, int earlier, int later)
{
    if (earlier < c->floor)
        return false;
    const int reach = tile_out_of_reach(c);
    return earlier > reach && later - c->tiles > reach;
}

/* Of what a kernel entry wrote: it does so again in every pass. */
static bool same_kernel_tile(comparison *c, int earlier, int *later)
{
    if (same_tile(c, earlier, later))
        return true;
    const bool both_ahead = is_ahead(c, earlier, *later);
    if (both_ahead)
        skip_ahead(c, earlier, later);
    return both_ahead;
}

static bool same_ref(swp_entry_ref a, swp_entry_ref b)
{
    return a.phase == b.phase && a.entry == b.entry;
}

static bool same_entry(const comparison *c, const swp_bodies_event *a, swp_bodies_event *b)
{
    if (!same_ref(a->ref, b->ref))
        return false;
    skip_ahead(c, a->pass, &b->pass);
    return true;
}

static bool same_event(const comparison *c, const swp_bodies_event *a, swp_bodies_event *b)
{
    const int passes = a->ref.phase == SWP_KERNEL ? c->passes : 0;
    return a->pass + passes == b->pass && same_entry(c, a, b);
}

/* Two writes of one entry. */
static bool same_write(comparison *c, const swp_bodies_event *a, int a_tile, swp_bodies_event *b,
                       int *b_tile)
{
    return same_entry(c, a, b) && (a->ref.phase == SWP_KERNEL ? same_kernel_tile(c, a_tile, b_tile)
                                                              : same_tile(c, a_tile, b_tile));
}

/* Whether two counts of accesses are alike, or one has grown by all that was issued between. */
static bool same_count(comparison *c, swp_sync_object object, int earlier, int *later)
{
    const swp_growth growth = {c->model, object, c->passes, c->ahead};
    const int grown = *later - earlier;
    if (grown == 0)
        return true;
    if (grown != swp_bodies_growth_of(&growth))
        return false;
    const int repeats = c->skips > 0 ? c->repeats : swp_bodies_growth_repeats(&growth, earlier);
    c->repeats = repeats < c->repeats ? repeats : c->repeats;
    skip_ahead(c, earlier, later);
    return true;
}

static bool same_flight(comparison *c, const swp_bodies_flight *a, swp_bodies_flight *b)
{
    for (int group = 0; group < 2; group++)
        if (a->retired[group] != b->retired[group] ||
            (a->retired[group] && a->since[group] != b->since[group]))
            return false;
    const bool landed = a->retired[0] && a->retired[1];
    return landed || (a->object == b->object && same_count(c, a->object, a->after, &b->after));
}

static bool same_seen(comparison *c, const swp_seen_write *a, size_t a_count, swp_seen_write *b,
                      size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (!same_write(c, &a[i].event, a[i].tile, &b[i].event, &b[i].tile) ||
            a[i].ordered != b[i].ordered || a[i].overlapped != b[i].overlapped)
            return false;
    return true;
}

static bool same_read(comparison *c, const swp_state *a, int a_slot, swp_state *b, int b_slot)
{
    if (a_slot < 0 || b_slot < 0)
        return a_slot < 0 && b_slot < 0;
    const swp_read *x = &a->reads[a_slot];
    swp_read *y = &b->reads[b_slot];
    if (c->skips > 0 && y->skipped)
        return true;
    y->skipped = c->skips > 0;
    return same_entry(c, &x->event, &y->event) && x->place == y->place &&
           same_flight(c, &x->flight, &y->flight) && x->decided == y->decided &&
           x->settled == y->settled && x->forgot == y->forgot && same_tile(c, x->tile, &y->tile) &&
           same_tile(c, x->held, &y->held) &&
           same_seen(c, x->writes.items, x->writes.count, y->writes.items, y->writes.count) &&
           same_seen(c, x->threats, (size_t)x->threat_count, y->threats, (size_t)y->threat_count);
}

static bool same_place(comparison *c, const swp_state *a, swp_state *b, int place)
{
    const swp_place_state *x = &a->places[place];
    swp_place_state *y = &b->places[place];
    count_tiles(c, &c->model->effects.places.items[place]);
    if (x->writes.count != y->writes.count || x->forgot != y->forgot ||
        x->told.count != y->told.count)
        return false;
    for (size_t i = 0; i < x->told.count; i++) {
        if (!same_event(c, &x->told.items[i].event, &y->told.items[i].event))
            return false;
        skip_ahead(c, x->told.items[i].tile, &y->told.items[i].tile);
    }
    for (size_t i = 0; i < x->writes.count; i++) {
        const swp_write *v = &x->writes.items[i];
        swp_write *w = &y->writes.items[i];
        if (!same_write(c, &v->event, v->tile, &w->event, &w->tile) ||
            !same_flight(c, &v->flight, &w->flight) || v->overlapped != w->overlapped)
            return false;
    }
    return same_read(c, a, x->observed_read, b, y->observed_read);
}

static bool same_register(comparison *c, const swp_state *a, swp_state *b, int index)
{
    const swp_register_state *x = &a->registers[index];
    swp_register_state *y = &b->registers[index];
    count_tiles(c, &c->model->effects.registers.items[index]);
    return same_tile(c, x->held, &y->held) && same_entry(c, &x->event, &y->event) &&
           same_flight(c, &x->flight, &y->flight) && same_read(c, a, x->read, b, y->read);
}

/* Tiles that are taken one by one run ahead of those that are computed, or fall behind. */
static bool same_next_tiles(comparison *c, int earlier, int later)
{
    const swp_model *model = c->model;
    for (int phase = SWP_KERNEL; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            const swp_effect *effect = &model->effects.entries[phase][i];
            if (!effect->takes_next_tile)
                continue;
            const swp_access *write = &effect->writes.items[0];
            int tile = swp_bodies_written_tile(effect, write, later);
            count_tiles(c, write->is_shared ? &model->effects.places.items[write->where]
                                            : &model->effects.registers.items[write->where]);
            if (!same_kernel_tile(c, swp_bodies_written_tile(effect, write, earlier), &tile))
                return false;
        }
    return true;
}

/* A counter that stalls has room for whatever comes. */
static bool same_in_flight(comparison *c, const swp_state *a, swp_state *b)
{
    const bool wraps = c->model->machine->counter_full == SWP_COUNTER_WRAPS;
    for (swp_sync_object o = 0; wraps && o < SWP_SYNC_OBJECTS; o++)
        if (!same_count(c, o, a->in_flight[o], &b->in_flight[o]))
            return false;
    return true;
}

static bool same_state(comparison *c, const swp_state *a, swp_state *b)
{
    for (int r = 0; r < b->read_count; r++)
        b->reads[r].skipped = false;
    if (!same_in_flight(c, a, b))
        return false;
    for (int p = 0; p < c->model->effects.place_count; p++)
        if (!same_place(c, a, b, p))
            return false;
    for (int r = 0; r < c->model->effects.register_count; r++)
        if (!same_register(c, a, b, r))
            return false;
    return true;
}

int swp_bodies_state_repeats(const swp_state *earlier, swp_state *later, int passes_before,
                             int passes, int ahead)
{
    comparison c = {.model = earlier->model,
                    .earlier = earlier,
                    .later = later,
                    .passes_before = passes_before,
                    .passes = passes,
                    .ahead = ahead,
                    .repeats = SWP_FOR_EVER};
    if (!same_next_tiles(&c, passes_before, passes_before + passes) ||
        !same_state(&c, earlier, later))
        return SWP_DIFFERENT;
    c.skips = c.repeats < SWP_FOR_EVER ? c.repeats : 0;
    if (c.skips > 0)
        (void)same_state(&c, earlier, later);
    return c.repeats;
}
