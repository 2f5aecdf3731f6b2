/* SPDX-License-Identifier: Apache-2.0 */
/* What the fragment reads of a flat program may find in LDS, and what the COMPUTEs make of it. */
#include <stdlib.h>

#include "trial.h"

/* A read in a wave, and a wave whose share of the place it reads. */
typedef struct view {
    const wave *reader;
    const wave *writer;
    const step *read;
    int at;                /* of the read, in the reader */
    int issued;            /* steps of the writer */
    const int *written_at; /* line to step of the writer */
    bool own;              /* they are one wave */
} view;

enum { MOST_VIEWS = 6 };

/* A fragment read that a COMPUTE says is to deliver a tile. */
typedef struct fragment {
    view views[MOST_VIEWS];
    int count;
    const step *read;
    int tile;
    const step *compute;
    int wanted; /* line of the write that brings it: the last that can be seen, else the next; -1 */
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

static bool write_before_read(const view *v, int write)
{
    return v->own ? before_in_wave(v->writer, write, v->at)
                  : before_across(&v->writer->steps[write], v->read);
}

static bool read_before_write(const view *v, int write)
{
    return v->own ? before_in_wave(v->writer, v->at, write)
                  : before_across(v->read, &v->writer->steps[write]);
}

static bool writes(const trial *t, const view *v, int write)
{
    return flat_writes_place(t->schedule, &v->writer->steps[write], v->read);
}

/* Stands before the read in the list, and no later write certainly comes between them. */
static bool is_visible(const trial *t, const view *v, int write)
{
    if (!writes(t, v, write) || v->writer->steps[write].line > v->read->line)
        return false;
    for (int i = write + 1; i < v->issued && v->writer->steps[i].line < v->read->line; i++)
        if (writes(t, v, i) && before_in_wave(v->writer, write, i) && write_before_read(v, i))
            return false;
    return true;
}

/* All pairs of a wave that reads at the line and one whose share it reads. */
static int find_views(const trial *t, int line, view views[MOST_VIEWS])
{
    int count = 0;
    for (int group = 0; group < t->groups; group++) {
        const int at = t->at_line[group][line];
        for (int from = -1; from < t->groups; from++) {
            const int writer = from < 0 ? group : from;
            if (from == group && t->schedule->machine.waves_per_group == 1)
                continue;
            views[count++] = (view){.reader = &t->waves[group],
                                    .writer = &t->waves[writer],
                                    .read = &t->waves[group].steps[at],
                                    .at = at,
                                    .issued = t->issued[writer],
                                    .written_at = t->at_line[writer],
                                    .own = from < 0};
        }
    }
    return count;
}

/* Line of the last write of the tile that the read may see, or -1. */
static int last_visible(const trial *t, const fragment *f)
{
    int line = -1;
    for (int i = 0; i < f->count; i++)
        for (int w = 0; w < f->views[i].issued; w++) {
            const step *s = &f->views[i].writer->steps[w];
            if (s->tile == f->tile && s->line > line && is_visible(t, &f->views[i], w))
                line = s->line;
        }
    return line;
}

/* Line of the first write of the tile after the read, or -1. */
static int next_write(const trial *t, const fragment *f)
{
    const wave *w = &t->waves[0];
    for (int i = 0; i < w->count; i++)
        if (w->steps[i].line > f->read->line && w->steps[i].tile == f->tile &&
            flat_writes_place(t->schedule, &w->steps[i], f->read))
            return w->steps[i].line;
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
                                              .write = write,
                                              .is_wanted = write == f->wanted,
                                              .read = f->read->line};
}

static bool has_other_tile(const trial *t, const fragment *f, const view *v, int write)
{
    return writes(t, v, write) && v->writer->steps[write].tile != f->tile;
}

/* Whether the read may find what was there before the wanted write. */
static bool may_find_older(const trial *t, const fragment *f, const view *v)
{
    bool empty = true;
    for (int w = 0; w < v->issued && v->writer->steps[w].line < f->read->line; w++) {
        if (v->writer->steps[w].line < f->wanted && has_other_tile(t, f, v, w) &&
            is_visible(t, v, w))
            return true;
        empty &= !(writes(t, v, w) && write_before_read(v, w));
    }
    return empty;
}

/* Conflicts with the wanted write and, where that may be seen, with what was there before it. */
static void judge_wanted(const trial *t, const fragment *f, const view *v, conflicts *found)
{
    const int wanted = v->written_at[f->wanted];
    if (!is_visible(t, v, wanted) || !may_find_older(t, f, v))
        return;
    if (write_before_read(v, wanted))
        conflict_at(found, f, SWP_WRITE_RACE, &v->writer->steps[wanted], f->wanted);
    else
        conflict_at(found, f, SWP_STALE_READ, v->read, f->wanted);
}

/* Conflicts with the writes of other tiles after the wanted one. */
static void judge_newer(const trial *t, const fragment *f, const view *v, conflicts *found)
{
    const bool sees_wanted = is_visible(t, v, v->written_at[f->wanted]);
    for (int w = v->written_at[f->wanted] + 1; w < v->issued; w++) {
        const step *s = &v->writer->steps[w];
        const bool is_later = s->line > f->read->line;
        if (!has_other_tile(t, f, v, w))
            continue;
        if (is_later ? !read_before_write(v, w) : !write_before_read(v, w))
            conflict_at(found, f, SWP_OVERWRITTEN, s, s->line);
        else if (!is_later && sees_wanted)
            conflict_at(found, f, SWP_WRITE_RACE, s, s->line);
    }
}

/* Whether the COMPUTE may say which tile is to be delivered: one that the place has or gets. */
static bool decide(const trial *t, fragment *f, const step *compute, conflicts *found)
{
    f->tile = compute->tile;
    f->compute = compute;
    f->count = find_views(t, f->read->line, f->views);
    f->wanted = last_visible(t, f);
    if (f->wanted >= 0) {
        for (int v = 0; v < f->count; v++) {
            judge_wanted(t, f, &f->views[v], found);
            judge_newer(t, f, &f->views[v], found);
        }
        return true;
    }
    f->wanted = next_write(t, f);
    if (f->wanted >= 0)
        conflict_at(found, f, SWP_STALE_READ, f->read, f->wanted);
    return f->wanted >= 0;
}

/*
 * The COMPUTEs that use a fragment, until its register is loaded again. The first that may says what
 * it is to deliver; all others have the wrong tile.
 */
static void judge_fragment(const trial *t, int read_at, conflicts *found)
{
    const wave *w = &t->waves[0];
    fragment f = {.read = &w->steps[read_at]};
    bool decided = false;
    int held = NO_TILE;
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
        if (decided || !decide(t, &f, s, found))
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
    for (int i = 0; i < t->issued[0]; i++)
        if (t->waves[0].steps[i].kind == STEP_FRAGMENT)
            judge_fragment(t, i, &found);
    report_conflicts(t, &found);
    judge_empty_registers(t);
    free(found.items);
}
