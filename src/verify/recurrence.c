/* SPDX-License-Identifier: Apache-2.0 */
/* When a state has come back: the rest of the loop then repeats (docs/verification.md). */
#include "verify/state.h"

/* Passes after which a read no longer sees what one pass wrote, and some that look ahead. */
enum { PASSES_SEEN = SWP_MOST_WRITES + 2 };

typedef struct comparison {
    int passes;  /* from the earlier state to the later */
    int tiles;   /* in these passes */
    int floor;   /* tiles below this, in the earlier state's count, are never asked for again */
    int ceiling; /* stores that are ahead of this are replaced before they are asked for */
} comparison;

static bool same_tile(const comparison *c, int earlier, int later)
{
    const int moved = later - c->tiles;
    return earlier == moved || (earlier < c->floor && moved < c->floor);
}

/* Of what a kernel entry wrote: it does so again in every pass. */
static bool same_kernel_tile(const comparison *c, int earlier, int later)
{
    return same_tile(c, earlier, later) || (earlier > c->ceiling && later - c->tiles > c->ceiling);
}

static bool same_ref(swp_entry_ref a, swp_entry_ref b)
{
    return a.phase == b.phase && a.entry == b.entry;
}

static bool same_event(const comparison *c, const swp_event *a, const swp_event *b)
{
    const int passes = a->ref.phase == SWP_KERNEL ? c->passes : 0;
    return same_ref(a->ref, b->ref) && a->pass + passes == b->pass;
}

/* Two writes of one entry. */
static bool same_write(const comparison *c, const swp_event *a, int a_tile, const swp_event *b,
                       int b_tile)
{
    return same_ref(a->ref, b->ref) &&
           (a->ref.phase == SWP_KERNEL ? same_kernel_tile(c, a_tile, b_tile)
                                       : same_tile(c, a_tile, b_tile));
}

static bool same_flight(const swp_flight *a, const swp_flight *b)
{
    for (int group = 0; group < 2; group++)
        if (a->retired[group] != b->retired[group] ||
            (a->retired[group] && a->since[group] != b->since[group]))
            return false;
    const bool landed = a->retired[0] && a->retired[1];
    return landed || (a->counter == b->counter && a->after == b->after);
}

static bool same_seen(const comparison *c, const swp_seen_write *a, int a_count,
                      const swp_seen_write *b, int b_count)
{
    if (a_count != b_count)
        return false;
    for (int i = 0; i < a_count; i++)
        if (!same_write(c, &a[i].event, a[i].tile, &b[i].event, b[i].tile) ||
            a[i].ordered != b[i].ordered || a[i].overlapped != b[i].overlapped)
            return false;
    return true;
}

static bool same_read(const comparison *c, const swp_state *a, int a_slot, const swp_state *b,
                      int b_slot)
{
    if (a_slot < 0 || b_slot < 0)
        return a_slot < 0 && b_slot < 0;
    const swp_read *x = &a->reads[a_slot];
    const swp_read *y = &b->reads[b_slot];
    return same_ref(x->event.ref, y->event.ref) && x->place == y->place &&
           same_flight(&x->flight, &y->flight) && x->decided == y->decided &&
           x->settled == y->settled && x->ready == y->ready && same_tile(c, x->tile, y->tile) &&
           same_tile(c, x->held, y->held) &&
           same_seen(c, x->writes, x->write_count, y->writes, y->write_count) &&
           same_seen(c, x->threats, x->threat_count, y->threats, y->threat_count);
}

static bool same_place(const comparison *c, const swp_state *a, const swp_state *b, int place)
{
    const swp_place_state *x = &a->places[place];
    const swp_place_state *y = &b->places[place];
    if (x->write_count != y->write_count || x->told_count != y->told_count)
        return false;
    for (int i = 0; i < x->told_count; i++)
        if (!same_event(c, &x->told[i].event, &y->told[i].event))
            return false;
    for (int i = 0; i < x->write_count; i++) {
        const swp_write *v = &x->writes[i];
        const swp_write *w = &y->writes[i];
        if (!same_write(c, &v->event, v->tile, &w->event, w->tile) ||
            !same_flight(&v->flight, &w->flight) || v->overlapped != w->overlapped)
            return false;
    }
    return same_read(c, a, x->observed_read, b, y->observed_read);
}

static bool same_register(const comparison *c, const swp_state *a, const swp_state *b, int index)
{
    const swp_register_state *x = &a->registers[index];
    const swp_register_state *y = &b->registers[index];
    return same_tile(c, x->tile, y->tile) && same_ref(x->event.ref, y->event.ref) &&
           x->settled == y->settled && same_flight(&x->flight, &y->flight) &&
           same_read(c, a, x->read, b, y->read);
}

/* Tiles that are taken one by one run ahead of those that are computed, or fall behind. */
static bool same_next_tiles(const comparison *c, const swp_model *model, int earlier, int later)
{
    for (int phase = SWP_KERNEL; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->lengths[phase]; i++) {
            const swp_step *step = &model->steps[phase][i];
            if ((step->does == SWP_DOES_STAGE || step->does == SWP_DOES_STORE) &&
                !same_kernel_tile(c, swp_step_tile(step, earlier), swp_step_tile(step, later)))
                return false;
        }
    return true;
}

bool swp_state_same(const swp_state *earlier, const swp_state *later, int passes_before, int passes)
{
    const swp_loop_shape *loop = &earlier->model->loop;
    const int lookback = loop->first_base < 1 ? loop->first_base - 1 : 0;
    const comparison c = {.passes = passes,
                          .tiles = passes * loop->tiles_per_pass,
                          .floor = passes_before * loop->tiles_per_pass + lookback,
                          .ceiling = (passes_before + PASSES_SEEN) * loop->tiles_per_pass +
                                     loop->min_tiles};
    if (earlier->in_flight[SWP_VMCNT] != later->in_flight[SWP_VMCNT] ||
        earlier->in_flight[SWP_LGKMCNT] != later->in_flight[SWP_LGKMCNT] ||
        !same_next_tiles(&c, earlier->model, passes_before, passes_before + passes))
        return false;
    for (int p = 0; p < earlier->model->place_count; p++)
        if (!same_place(&c, earlier, later, p))
            return false;
    for (int r = 0; r < earlier->model->register_count; r++)
        if (!same_register(&c, earlier, later, r))
            return false;
    return true;
}
