/* SPDX-License-Identifier: Apache-2.0 */
/* What the fragment reads of a flat program may find in LDS, and what the COMPUTEs make of it. */
#include <stdlib.h>

#include "trial.h"

/* A read in a wave, and a wave whose share of the place it reads. */
typedef struct view {
    const wave *writer;
    const int *written_at; /* line to step of the writer */
    const step *read;
    int at;   /* of the read, in its wave */
    bool own; /* that is the writer */
} view;

enum { MOST_VIEWS = 6 };

/* A write of the place that is read, in the list that all waves share. */
typedef struct place_write {
    int line;
    int tile;
} place_write;

/* A fragment read that a COMPUTE says is to deliver a tile. */
typedef struct fragment {
    const step *read;
    view views[MOST_VIEWS];
    int view_count;
    place_write *writes;
    int write_count; /* up to where the run is looked at */
    int all_writes;
    int tile;
    const step *compute;
    int wanted; /* the write that brings it: the last that can be seen, else the next; -1 */
} fragment;

/* A fault of a fragment read. */
typedef struct conflict {
    swp_hazard_kind kind;
    swp_phase phase;
    int entry;
    int at;         /* line of that entry */
    int line;       /* where it shows: that one, or the one of the COMPUTE */
    int write;      /* line of the write that counts as done afterwards */
    bool is_wanted; /* that write has the tile */
    int read;       /* line of the read, which counts as right */
} conflict;

typedef struct conflicts {
    conflict *items;
    size_t count;
    size_t capacity;
} conflicts;

static int position(const fragment *f, const view *v, int write)
{
    return v->written_at[f->writes[write].line];
}

static bool write_before_read(const fragment *f, const view *v, int write)
{
    const int at = position(f, v, write);
    return v->own ? before_in_wave(v->writer, at, v->at)
                  : before_across(&v->writer->steps[at], v->read);
}

static bool read_before_write(const fragment *f, const view *v, int write)
{
    const int at = position(f, v, write);
    return v->own ? before_in_wave(v->writer, v->at, at)
                  : before_across(v->read, &v->writer->steps[at]);
}

static bool is_later(const fragment *f, int write)
{
    return f->writes[write].line > f->read->line;
}

/* Stands before the read in the list, and no later write certainly comes between them. */
static bool is_visible(const fragment *f, const view *v, int write)
{
    for (int i = write + 1; i < f->write_count && !is_later(f, i); i++)
        if (before_in_wave(v->writer, position(f, v, write), position(f, v, i)) &&
            write_before_read(f, v, i))
            return false;
    return !is_later(f, write);
}

/* All pairs of a wave that reads and one whose share it reads. */
static void find_views(const trial *t, fragment *f)
{
    f->view_count = 0;
    for (int group = 0; group < t->groups; group++) {
        const int at = t->at_line[group][f->read->line];
        for (int from = -1; from < t->groups; from++) {
            const int writer = from < 0 ? group : from;
            if (from == group && t->schedule->machine.waves_per_group == 1)
                continue;
            f->views[f->view_count++] = (view){.writer = &t->waves[writer],
                                               .written_at = t->at_line[writer],
                                               .read = &t->waves[group].steps[at],
                                               .at = at,
                                               .own = from < 0};
        }
    }
}

static void find_writes(const trial *t, fragment *f)
{
    const wave *w = &t->waves[0];
    f->write_count = f->all_writes = 0;
    for (int i = 0; i < w->count; i++) {
        if (!flat_writes_place(t->schedule, &w->steps[i], f->read))
            continue;
        f->writes[f->all_writes++] = (place_write){w->steps[i].line, w->steps[i].tile};
        f->write_count += i < t->issued[0];
    }
}

/* The last write of the tile that the read may see, or -1. */
static int last_visible(const fragment *f)
{
    for (int w = f->write_count - 1; w >= 0; w--)
        for (int i = 0; i < f->view_count && f->writes[w].tile == f->tile; i++)
            if (is_visible(f, &f->views[i], w))
                return w;
    return -1;
}

/* The first write of the tile after the read, or -1. */
static int next_write(const fragment *f)
{
    for (int w = 0; w < f->all_writes; w++)
        if (is_later(f, w) && f->writes[w].tile == f->tile)
            return w;
    return -1;
}

static void conflict_at(conflicts *found, const fragment *f, swp_hazard_kind kind, const step *at,
                        int write)
{
    if (found->count == found->capacity) {
        found->capacity = found->capacity ? 2 * found->capacity : 64;
        found->items = realloc(found->items, found->capacity * sizeof(*found->items));
        if (!found->items)
            abort();
    }
    const int line = at->line > f->compute->line ? at->line : f->compute->line;
    found->items[found->count++] = (conflict){.kind = kind,
                                              .phase = at->phase,
                                              .entry = at->entry,
                                              .at = at->line,
                                              .line = line,
                                              .write = f->writes[write].line,
                                              .is_wanted = write == f->wanted,
                                              .read = f->read->line};
}

/* A conflict that shows at a write. */
static void conflict_of_write(conflicts *found, const fragment *f, const view *v,
                              swp_hazard_kind kind, int write)
{
    conflict_at(found, f, kind, &v->writer->steps[position(f, v, write)], write);
}

/* Whether the read may find what was there before the wanted write. */
static bool may_find_older(const fragment *f, const view *v)
{
    bool empty = true;
    for (int w = 0; w < f->write_count && !is_later(f, w); w++) {
        if (w < f->wanted && f->writes[w].tile != f->tile && is_visible(f, v, w))
            return true;
        empty &= !write_before_read(f, v, w);
    }
    return empty;
}

/* Conflicts with the wanted write and, where that may be seen, with what was there before it. */
static void judge_wanted(const fragment *f, const view *v, conflicts *found)
{
    if (!is_visible(f, v, f->wanted) || !may_find_older(f, v))
        return;
    if (write_before_read(f, v, f->wanted))
        conflict_of_write(found, f, v, SWP_WRITE_RACE, f->wanted);
    else
        conflict_at(found, f, SWP_STALE_READ, f->read, f->wanted);
}

/* Conflicts with the writes of other tiles after the wanted one. */
static void judge_newer(const fragment *f, const view *v, conflicts *found)
{
    const bool sees_wanted = is_visible(f, v, f->wanted);
    for (int w = f->wanted + 1; w < f->write_count; w++) {
        if (f->writes[w].tile == f->tile)
            continue;
        if (is_later(f, w) ? !read_before_write(f, v, w) : !write_before_read(f, v, w))
            conflict_of_write(found, f, v, SWP_OVERWRITTEN, w);
        else if (!is_later(f, w) && sees_wanted)
            conflict_of_write(found, f, v, SWP_WRITE_RACE, w);
    }
}

/* Whether the COMPUTE may say which tile is to be delivered: one that the place has or gets. */
static bool decide(fragment *f, const step *compute, conflicts *found)
{
    f->tile = compute->tile;
    f->compute = compute;
    f->wanted = last_visible(f);
    if (f->wanted >= 0) {
        for (int v = 0; v < f->view_count; v++) {
            judge_wanted(f, &f->views[v], found);
            judge_newer(f, &f->views[v], found);
        }
        return true;
    }
    f->wanted = next_write(f);
    if (f->wanted >= 0)
        conflict_at(found, f, SWP_STALE_READ, f->read, f->wanted);
    return f->wanted >= 0;
}

/*
 * The COMPUTEs that use a fragment, until its register is loaded again. The first that may says what
 * it is to deliver; all others have the wrong tile.
 */
static void judge_fragment(const trial *t, int read_at, place_write *writes, conflicts *found)
{
    const wave *w = &t->waves[0];
    fragment f = {.read = &w->steps[read_at], .writes = writes};
    bool decided = false;
    int held = NO_TILE;
    find_views(t, &f);
    find_writes(t, &f);
    for (int i = read_at + 1; i < t->issued[0]; i++) {
        const step *s = &w->steps[i];
        if (flat_same_register(t->schedule, f.read, s))
            return;
        if (s->twice || !flat_reads(t->schedule, s, f.read))
            continue;
        const bool told = s->tile == held || (decided && s->tile == f.tile);
        held = s->tile;
        if (told)
            continue;
        if (decided || !decide(&f, s, found))
            trial_report(t, SWP_WRONG_TILE, s->phase, s->entry);
        else
            decided = true;
    }
}

/* The COMPUTEs that read a register before any fragment load of it. */
static void judge_empty_register(const trial *t, int channel, int subtile)
{
    const step load = {.kind = STEP_FRAGMENT, .channel = channel, .subtile = subtile};
    int held = NO_TILE;
    for (int i = 0; i < t->issued[0]; i++) {
        const step *s = &t->waves[0].steps[i];
        if (flat_same_register(t->schedule, &load, s))
            return;
        if (s->twice || s->tile == held || !flat_reads(t->schedule, s, &load))
            continue;
        trial_report(t, SWP_WRONG_TILE, s->phase, s->entry);
        held = s->tile;
    }
}

static void judge_empty_registers(const trial *t)
{
    const swp_loop_shape *loop = &t->schedule->loop;
    const bool single = loop->placement == SWP_PLACE_NEXT_TILE;
    for (int i = 0; i < (single ? MOST_SLICES : loop->m_mmas); i++)
        judge_empty_register(t, 0, i);
    for (int i = 0; i < (single ? 0 : loop->n_mmas); i++)
        judge_empty_register(t, 1, i);
}

/* In the order in which they show; of one line the first kind, and then the first entry. */
static int in_order(const void *a, const void *b)
{
    const conflict *x = a;
    const conflict *y = b;
    if (x->line != y->line)
        return (x->line > y->line) - (x->line < y->line);
    if (x->kind != y->kind)
        return (x->kind > y->kind) - (x->kind < y->kind);
    return (x->at > y->at) - (x->at < y->at);
}

/*
 * After a hazard the place counts as holding the right tile: the write concerned gives rise to no
 * other read that is too early or race, and the read to none at all.
 */
static void report_conflicts(const trial *t, const conflicts *found)
{
    const size_t lines = (size_t)t->waves[0].lines + 1;
    bool *done = calloc(lines, sizeof(bool));
    bool *right = calloc(lines, sizeof(bool));
    if (!done || !right)
        abort();
    if (found->count > 0)
        qsort(found->items, found->count, sizeof(*found->items), in_order);
    for (size_t i = 0; i < found->count; i++) {
        const conflict *c = &found->items[i];
        if (right[c->read])
            continue;
        if (c->is_wanted && done[c->write]) {
            right[c->read] |= c->write > c->read; /* it counts as having the tile to come */
            continue;
        }
        trial_report(t, c->kind, c->phase, c->entry);
        done[c->write] = true;
        right[c->read] = true;
    }
    free(done);
    free(right);
}

void judge_fragments(const trial *t)
{
    conflicts found = {0};
    place_write *writes = malloc(((size_t)t->waves[0].lines + 1) * sizeof(*writes));
    if (!writes)
        abort();
    for (int i = 0; i < t->issued[0]; i++)
        if (t->waves[0].steps[i].kind == STEP_FRAGMENT)
            judge_fragment(t, i, writes, &found);
    free(writes);
    report_conflicts(t, &found);
    judge_empty_registers(t);
    free(found.items);
}
