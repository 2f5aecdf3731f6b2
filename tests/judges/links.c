/* SPDX-License-Identifier: Apache-2.0 */
#include "links.h"

#include <stdlib.h>

#include "flat.h"

enum { MOST_TILES = 12 };

typedef struct linker {
    const swp_schedule *schedule;
    const swp_schedule *base;
    const mutant *m;
    int tiles;
    wave waves[2];
    link_list *out;
} linker;

/* A step of a group. */
typedef struct at {
    int group;
    int position;
} at;

static const step *step_at(const linker *l, at where)
{
    return &l->waves[where.group].steps[where.position];
}

const char *link_kind_name(link_kind kind)
{
    static const char *const names[] = {"flow", "anti", "output", "register"};
    return names[kind];
}

const char *link_cause_name(link_cause cause)
{
    static const char *const names[] = {"wait",         "fenced barrier", "use of a register",
                                        "full counter", "LDS order",      "nothing"};
    return names[cause];
}

/* --- What orders two operations --- */

static link_entry entry_of(const linker *l, at where)
{
    const step *s = step_at(l, where);
    const int before = (int)l->schedule->streams[0].prologue.count;
    const int pass =
        s->phase == SWP_KERNEL ? (s->line - before) / (int)l->schedule->streams[0].kernel.count : 0;
    link_entry e = {s->phase, -1, pass};
    if (s->implied)
        return e;
    e.entry = l->m ? mutant_base_entry(l->m, s->phase, s->entry, l->base) : s->entry;
    return e;
}

static at barrier_number(const linker *l, int group, int number)
{
    const wave *w = &l->waves[group];
    int position = 0;
    while (w->steps[position].kind != STEP_BARRIER || w->steps[position].barriers_before != number)
        position++;
    return (at){group, position};
}

static link_cause cause_of(const step *retired, const step *by)
{
    if (by->kind == STEP_WAIT)
        return CAUSE_WAIT;
    if (by->kind == STEP_BARRIER)
        return CAUSE_FENCED_BARRIER;
    /* A store may also stall; it is on another counter than the load that it reads. */
    if (by->kind == STEP_COMPUTE || (by->kind == STEP_STORE && retired->counter == COUNTS_VM))
        return CAUSE_REGISTER_USE;
    return CAUSE_FULL_COUNTER;
}

static bool is_before(const linker *l, at x, at y, bool own)
{
    const step *a = step_at(l, x);
    const step *b = step_at(l, y);
    if (!own)
        return a->first_barrier != NEVER && a->first_barrier < b->barriers_before;
    if (x.position >= y.position)
        return false;
    return (a->counter == COUNTS_LGKM && b->counter == COUNTS_LGKM) || a->retired <= y.position;
}

static void set_cover(const linker *l, at x, at y, link *out)
{
    const step *a = step_at(l, x);
    if (!is_before(l, x, y, out->own)) {
        out->cause = CAUSE_NONE;
    } else if (out->own && (a->retired == NEVER || a->retired > y.position)) {
        out->cause = CAUSE_LDS_ORDER;
    } else {
        const at by = {x.group, a->retired};
        out->cause = cause_of(a, step_at(l, by));
        out->retired = entry_of(l, by);
        out->across = !out->own;
    }
    if (!out->across)
        return;
    out->barriers[0] = entry_of(l, barrier_number(l, x.group, a->first_barrier));
    out->barriers[1] = entry_of(l, barrier_number(l, y.group, a->first_barrier));
}

static void add(const linker *l, link_kind kind, at x, at y, bool own)
{
    link_list *out = l->out;
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? 2 * out->capacity : 256;
        out->items = realloc(out->items, out->capacity * sizeof *out->items);
        if (!out->items)
            abort();
    }
    link made = {.tiles = l->tiles,
                 .kind = kind,
                 .from_group = x.group,
                 .to_group = y.group,
                 .own = own,
                 .from = entry_of(l, x),
                 .to = entry_of(l, y)};
    set_cover(l, x, y, &made);
    out->items[out->count++] = made;
}

/* --- Which operations must be ordered --- */

/* The COMPUTE that reads a fragment load first, before it is replaced; -1: none. */
static int first_reader(const linker *l, at read)
{
    const wave *w = &l->waves[read.group];
    const step *fragment = step_at(l, read);
    for (int i = read.position + 1; i < w->count; i++) {
        if (flat_same_register(l->schedule, fragment, &w->steps[i]))
            return -1;
        if (flat_reads(l->schedule, &w->steps[i], fragment) && !w->steps[i].twice)
            return i;
    }
    return -1;
}

/* The last write of a tile to the place of a read that is before it; -1: none. */
static int find_write(const linker *l, int group, at read, bool own, int tile)
{
    const wave *w = &l->waves[group];
    for (int i = w->count; i-- > 0;)
        if (w->steps[i].tile == tile &&
            flat_writes_place(l->schedule, &w->steps[i], step_at(l, read)) &&
            is_before(l, (at){group, i}, read, own))
            return i;
    return -1;
}

/* The nearest write of another tile to the place, before or after a write; -1: none. */
static int other_write(const linker *l, at write, int stride, at read)
{
    const wave *w = &l->waves[write.group];
    for (int i = write.position + stride; i >= 0 && i < w->count; i += stride)
        if (w->steps[i].tile != step_at(l, write)->tile &&
            flat_writes_place(l->schedule, &w->steps[i], step_at(l, read)))
            return i;
    return -1;
}

static void link_share(const linker *l, int group, at read, bool own, int tile)
{
    const at write = {group, find_write(l, group, read, own, tile)};
    if (write.position < 0)
        return;
    const at next = {group, other_write(l, write, 1, read)};
    const at last = {group, other_write(l, write, -1, read)};
    add(l, LINK_FLOW, write, read, own);
    if (next.position >= 0)
        add(l, LINK_ANTI, read, next, own);
    if (own && last.position >= 0)
        add(l, LINK_OUTPUT, last, write, true);
}

static void link_fragment(const linker *l, at read)
{
    const int reader = first_reader(l, read);
    if (reader < 0)
        return;
    const int tile = l->waves[read.group].steps[reader].tile;
    link_share(l, read.group, read, true, tile);
    for (int g = 0; g < l->schedule->machine.groups; g++)
        if (g != read.group || l->schedule->machine.waves_per_group > 1)
            link_share(l, g, read, false, tile);
    add(l, LINK_REGISTER, read, (at){read.group, reader}, true);
}

/* The next load into the register of a load. */
static void link_reload(const linker *l, at load)
{
    const wave *w = &l->waves[load.group];
    if (l->schedule->machine.registers != SWP_REGISTERS_RAW)
        return;
    for (int i = load.position + 1; i < w->count; i++)
        if (flat_same_register(l->schedule, step_at(l, load), &w->steps[i])) {
            add(l, LINK_REGISTER, load, (at){load.group, i}, true);
            return;
        }
}

static void link_group(const linker *l, int group)
{
    const wave *w = &l->waves[group];
    for (int i = 0; i < w->count; i++) {
        const step *s = &w->steps[i];
        const at here = {group, i};
        if (s->kind == STEP_FRAGMENT)
            link_fragment(l, here);
        if (s->kind == STEP_FRAGMENT || s->kind == STEP_LOAD)
            link_reload(l, here);
        if (s->kind == STEP_STORE && s->source >= 0)
            add(l, LINK_REGISTER, (at){group, s->source}, here, true);
    }
}

static int compare_entries(link_entry a, link_entry b)
{
    if (a.phase != b.phase)
        return a.phase < b.phase ? -1 : 1;
    if (a.entry != b.entry)
        return a.entry < b.entry ? -1 : 1;
    return (a.pass > b.pass) - (a.pass < b.pass);
}

int link_compare(const link *a, const link *b)
{
    const int keys[][2] = {{a->tiles, b->tiles},
                           {(int)a->kind, (int)b->kind},
                           {a->from_group, b->from_group},
                           {a->to_group, b->to_group},
                           {a->own, b->own}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    const int by_to = compare_entries(a->to, b->to);
    return by_to ? by_to : compare_entries(a->from, b->from);
}

static int compare_items(const void *a, const void *b)
{
    return link_compare(a, b);
}

bool link_same_cover(const link *a, const link *b)
{
    if (a->cause != b->cause || a->across != b->across)
        return false;
    if (a->cause == CAUSE_NONE || a->cause == CAUSE_LDS_ORDER)
        return true;
    return compare_entries(a->retired, b->retired) == 0 &&
           (!a->across || (compare_entries(a->barriers[0], b->barriers[0]) == 0 &&
                           compare_entries(a->barriers[1], b->barriers[1]) == 0));
}

static bool retires(const wave *w, swp_phase phase, int entry)
{
    for (int i = 0; i < w->count; i++) {
        const int by = w->steps[i].kind >= STEP_LOAD ? w->steps[i].retired : NEVER;
        if (by != NEVER && w->steps[by].kind == STEP_WAIT && w->steps[by].phase == phase &&
            w->steps[by].entry == entry)
            return true;
    }
    return false;
}

bool links_wait_retires(const swp_schedule *schedule, swp_phase phase, int entry)
{
    bool any = false;
    for (int tiles = schedule->loop.min_tiles; tiles <= MOST_TILES && !any; tiles++) {
        if (tiles % schedule->loop.multiple != 0)
            continue;
        wave w = flat_wave(schedule, 0, tiles); /* both groups retire alike */
        any = retires(&w, phase, entry);
        flat_free(&w);
    }
    return any;
}

static void link_tiles(linker *l)
{
    const int groups = l->schedule->machine.groups;
    for (int g = 0; g < groups; g++)
        l->waves[g] = flat_wave(l->schedule, g, l->tiles);
    for (int g = 0; g < groups; g++)
        link_group(l, g);
    for (int g = 0; g < groups; g++)
        flat_free(&l->waves[g]);
}

link_list links_of(const swp_schedule *schedule, int most_tiles, const mutant *m,
                   const swp_schedule *base)
{
    link_list out = {0};
    linker l = {.schedule = schedule, .base = base, .m = m, .out = &out};
    for (l.tiles = schedule->loop.min_tiles; l.tiles <= most_tiles; l.tiles++)
        if (l.tiles % schedule->loop.multiple == 0)
            link_tiles(&l);
    if (out.count > 0)
        qsort(out.items, out.count, sizeof *out.items, compare_items);
    return out;
}

void links_free(link_list *links)
{
    free(links->items);
    *links = (link_list){0};
}
