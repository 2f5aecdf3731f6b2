/* SPDX-License-Identifier: Apache-2.0 */
#include "unrolled.h"

#include <stdlib.h>

#include "flat.h"

/* A wave whose share of a place is looked at, as seen from the wave that reads. */
typedef struct share {
    int group;
    bool own;
} share;

/* A conflict of a fragment read. */
typedef struct conflict {
    swp_hazard_kind kind;
    swp_phase phase;
    int entry;
    int line;  /* where it shows: both operations and a COMPUTE of the fragment are issued */
    int write; /* line of the write that holds the right tile afterwards, or -1 */
    int read;  /* line of the read, or -1 */
} conflict;

typedef struct conflicts {
    conflict *items;
    size_t count;
    size_t capacity;
} conflicts;

/* The flat programs for one number of tiles. All waves of a group run the same. */
typedef struct trial {
    const swp_schedule *schedule;
    int tiles;
    int groups;
    int met;          /* barriers that all waves have */
    wave waves[2];    /* of each group, complete */
    int issued[2];    /* how many of its steps are issued */
    conflicts *found; /* or NULL, to ask only whether there are any */
    judgement *out;
} trial;

static int compare(const judged_hazard *a, swp_phase phase, int entry, swp_hazard_kind kind)
{
    if (a->phase != phase)
        return a->phase < phase ? -1 : 1;
    if (a->entry != entry)
        return a->entry < entry ? -1 : 1;
    return (a->kind > kind) - (a->kind < kind);
}

static void report(const trial *t, swp_hazard_kind kind, swp_phase phase, int entry)
{
    judgement *out = t->out;
    size_t at = 0;
    while (at < out->count && compare(&out->items[at], phase, entry, kind) < 0)
        at++;
    if (at < out->count && compare(&out->items[at], phase, entry, kind) == 0)
        return;
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? 2 * out->capacity : 16;
        out->items = realloc(out->items, out->capacity * sizeof(*out->items));
        if (!out->items)
            abort();
    }
    for (size_t i = out->count++; i > at; i--)
        out->items[i] = out->items[i - 1];
    out->items[at] = (judged_hazard){phase, entry, kind, t->tiles};
}

static void report_at(const trial *t, swp_hazard_kind kind, const step *at)
{
    report(t, kind, at->phase, at->entry);
}

/* X, in wave w, comes before Y of the same wave; LDS operations take effect in issue order. */
static bool before_in_wave(const wave *w, int x, int y)
{
    const step *a = &w->steps[x];
    const step *b = &w->steps[y];
    if (a->counter == COUNTS_LGKM && b->counter == COUNTS_LGKM)
        return x < y;
    return x < y && a->retired <= y;
}

static bool before_across(const step *x, const step *y)
{
    return x->first_barrier != NEVER && x->first_barrier < y->barriers_before;
}

static bool write_before_read(const trial *t, share s, int write, int group, int read)
{
    if (s.own)
        return before_in_wave(&t->waves[group], write, read);
    return before_across(&t->waves[s.group].steps[write], &t->waves[group].steps[read]);
}

static bool read_before_write(const trial *t, share s, int write, int group, int read)
{
    if (s.own)
        return before_in_wave(&t->waves[group], read, write);
    return before_across(&t->waves[group].steps[read], &t->waves[s.group].steps[write]);
}

/* Notes a conflict of a read that `reader` uses. @return 1, how many there are */
static int conflict_at(const trial *t, swp_hazard_kind kind, const step *at, const step *write,
                       const step *read, const step *reader)
{
    conflicts *found = t->found;
    if (!found)
        return 1;
    if (found->count == found->capacity) {
        found->capacity = found->capacity ? 2 * found->capacity : 64;
        found->items = realloc(found->items, found->capacity * sizeof(*found->items));
        if (!found->items)
            abort();
    }
    found->items[found->count++] = (conflict){kind,
                                              at->phase,
                                              at->entry,
                                              at->line > reader->line ? at->line : reader->line,
                                              write ? write->line : -1,
                                              read ? read->line : -1};
    return 1;
}

static bool writes(const trial *t, share s, int write, int group, int read)
{
    return flat_writes_place(t->schedule, &t->waves[s.group].steps[write],
                             &t->waves[group].steps[read]);
}

/* The last write of the tile that the read is ordered after; failing that the first, if any. */
static int find_write(const trial *t, share s, int tile, int group, int read, bool *ordered)
{
    int found = -1;
    *ordered = false;
    for (int i = 0; i < t->issued[s.group]; i++) {
        if (!writes(t, s, i, group, read) || t->waves[s.group].steps[i].tile != tile)
            continue;
        const bool before = write_before_read(t, s, i, group, read);
        if (before || found < 0)
            found = i;
        *ordered |= before;
    }
    return found;
}

/* Whether some write up to the `last` certainly comes between write x and the read. */
static bool is_covered(const trial *t, share s, int x, int last, int group, int read)
{
    for (int i = x + 1; i <= last; i++)
        if (writes(t, s, i, group, read) && before_in_wave(&t->waves[s.group], x, i) &&
            write_before_read(t, s, i, group, read))
            return true;
    return false;
}

/* What a read may find in a share of the place besides the tile it wants. */
typedef struct sight {
    int wanted; /* the write of the wanted tile: the last before the read, else the first; -1 */
    bool stale; /* the read may come before it */
    bool gone;  /* another write is certainly between it and the read */
    bool raced; /* an older write may take effect after it */
    int racing; /* the first younger write before the read that may take effect before it; -1 */
    int overwriting; /* the first younger write that may come before or after the read; -1 */
} sight;

/* Whether the write stands before the read in the list, and is retired before it. */
static bool is_behind(const trial *t, share s, int write, int group, int read)
{
    const step *w = &t->waves[s.group].steps[write];
    const step *r = &t->waves[group].steps[read];
    return w->line < r->line && (s.own ? w->retired <= read : before_across(w, r));
}

/* Sorts in a younger write of another tile. */
static void look_after(const trial *t, share s, int write, int group, int read, sight *out)
{
    if (read_before_write(t, s, write, group, read))
        return;
    const bool behind = is_behind(t, s, write, group, read);
    out->gone |= behind && !out->stale && before_in_wave(&t->waves[s.group], out->wanted, write);
    int *first = behind ? &out->racing : &out->overwriting;
    if (*first < 0)
        *first = write;
}

static sight look(const trial *t, share s, int tile, int group, int read)
{
    sight out = {.overwriting = -1, .racing = -1};
    bool ordered = false;
    out.wanted = find_write(t, s, tile, group, read, &ordered);
    out.stale = !ordered;
    for (int i = 0; i < t->issued[s.group]; i++) {
        if (!writes(t, s, i, group, read) || t->waves[s.group].steps[i].tile == tile)
            continue;
        if (i > out.wanted)
            look_after(t, s, i, group, read, &out);
        else
            out.raced |= !is_covered(t, s, i, out.wanted, group, read);
    }
    return out;
}

/* Of one cause only the first kind counts. */
static int judge_sight(const trial *t, share s, const sight *seen, const step *reader,
                       const step *read)
{
    const step *steps = t->waves[s.group].steps;
    if (seen->wanted < 0 || seen->gone)
        return conflict_at(t, SWP_WRONG_TILE, reader, NULL, read, reader);
    const step *wanted = &steps[seen->wanted];
    int count = 0;
    if (seen->stale)
        count += conflict_at(t, SWP_STALE_READ, read, wanted, read, reader);
    else if (seen->raced)
        count += conflict_at(t, SWP_WRITE_RACE, wanted, wanted, read, reader);
    if (seen->overwriting >= 0)
        count += conflict_at(t, SWP_OVERWRITTEN, &steps[seen->overwriting],
                             &steps[seen->overwriting], read, reader);
    else if (seen->racing >= 0)
        count += conflict_at(t, SWP_WRITE_RACE, &steps[seen->racing], &steps[seen->racing], read,
                             reader);
    return count;
}

/* Why the fragment may not hold the tile of the COMPUTE: 0 conflicts if it always does. */
static int judge_read(const trial *t, const step *reader, int group, int read)
{
    int count = 0;
    for (int i = -1; i < t->groups; i++) {
        const share s = {i < 0 ? group : i, i < 0};
        if (i == group && t->schedule->machine.waves_per_group == 1)
            continue;
        const sight seen = look(t, s, reader->tile, group, read);
        count += judge_sight(t, s, &seen, reader, &t->waves[group].steps[read]);
    }
    return count;
}

/* The next COMPUTE after `from` that reads what `read` writes, before it is replaced; or -1. */
static int next_reader(const trial *t, int group, int read, int from)
{
    const wave *w = &t->waves[group];
    for (int i = from + 1; i < t->issued[group]; i++) {
        if (flat_same_register(t->schedule, &w->steps[read], &w->steps[i]))
            return -1;
        if (flat_reads(t->schedule, &w->steps[i], &w->steps[read]) && !w->steps[i].twice)
            return i;
    }
    return -1;
}

static bool gets_tile(const trial *t, int tile, int group, int read)
{
    bool ordered = false;
    return find_write(t, (share){group, true}, tile, group, read, &ordered) >= 0;
}

/*
 * The COMPUTE that says which tile a fragment is to hold: one whose tile it does hold, else one
 * whose tile the place gets some time, else the first.
 */
static int deciding_reader(const trial *t, int group, int read)
{
    trial ask = *t;
    ask.found = NULL;
    const step *steps = t->waves[group].steps;
    const int first = next_reader(t, group, read, read);
    for (int i = first; i >= 0; i = next_reader(t, group, read, i))
        if (judge_read(&ask, &steps[i], group, read) == 0)
            return i;
    for (int i = first; i >= 0; i = next_reader(t, group, read, i))
        if (gets_tile(t, steps[i].tile, group, read))
            return i;
    return first;
}

/* After a hazard the register counts as holding the tile that the COMPUTE wanted. */
static void judge_fragment(const trial *t, int group, int read)
{
    const step *steps = t->waves[group].steps;
    const int decides = deciding_reader(t, group, read);
    if (decides < 0)
        return;
    judge_read(t, &steps[decides], group, read);
    int held = steps[decides].tile;
    for (int i = next_reader(t, group, read, read); i >= 0; i = next_reader(t, group, read, i)) {
        if (steps[i].tile != held && steps[i].tile != steps[decides].tile)
            conflict_at(t, SWP_WRONG_TILE, &steps[i], NULL, NULL, &steps[i]);
        held = steps[i].tile;
    }
}

/* The COMPUTEs that read a register before any fragment load of it. */
static void judge_empty_register(const trial *t, int group, int channel, int subtile)
{
    const step fragment = {.kind = STEP_FRAGMENT, .channel = channel, .subtile = subtile};
    int held = NO_TILE;
    for (int i = 0; i < t->issued[group]; i++) {
        const step *s = &t->waves[group].steps[i];
        if (flat_same_register(t->schedule, &fragment, s))
            return;
        if (s->twice || s->tile == held || !flat_reads(t->schedule, s, &fragment))
            continue;
        conflict_at(t, SWP_WRONG_TILE, s, NULL, NULL, s);
        held = s->tile;
    }
}

enum { MOST_SLICES = 64 };

static void judge_empty_registers(const trial *t, int group)
{
    const swp_loop_shape *loop = &t->schedule->loop;
    const bool single = loop->placement == SWP_PLACE_NEXT_TILE;
    for (int i = 0; i < (single ? MOST_SLICES : loop->m_mmas); i++)
        judge_empty_register(t, group, 0, i);
    for (int i = 0; i < (single ? 0 : loop->n_mmas); i++)
        judge_empty_register(t, group, 1, i);
}

static int by_line_and_kind(const void *a, const void *b)
{
    const conflict *x = a;
    const conflict *y = b;
    if (x->line != y->line)
        return (x->line > y->line) - (x->line < y->line);
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* What conflicts no longer have: writes that count as done, reads that count as told. */
typedef struct settled {
    bool *writes;
    bool *reads;
} settled;

static bool is_settled(const settled *done, const conflict *c)
{
    if (c->kind == SWP_STALE_READ || c->kind == SWP_WRITE_RACE)
        return done->writes[c->write];
    return c->read >= 0 && done->reads[c->read];
}

/*
 * Reports what was found, in the order in which it shows. After a hazard the place counts as
 * holding the right tile: the write concerned gives rise to no other, and neither does the read.
 */
static void report_conflicts(const trial *t)
{
    const conflicts *found = t->found;
    const size_t lines = (size_t)t->waves[0].lines + 1;
    const settled done = {calloc(lines, sizeof(bool)), calloc(lines, sizeof(bool))};
    if (!done.writes || !done.reads)
        abort();
    if (found->count > 0)
        qsort(found->items, found->count, sizeof(*found->items), by_line_and_kind);
    for (size_t i = 0; i < found->count; i++) {
        const conflict *c = &found->items[i];
        if (is_settled(&done, c))
            continue;
        report(t, c->kind, c->phase, c->entry);
        if (c->write >= 0)
            done.writes[c->write] = true;
        if (c->read >= 0)
            done.reads[c->read] = true;
    }
    free(done.writes);
    free(done.reads);
}

/* Raw registers: the first use of each load while it is in flight. */
static void judge_registers(const trial *t, int group)
{
    const wave *w = &t->waves[group];
    if (t->schedule->machine.registers != SWP_REGISTERS_RAW)
        return;
    for (int i = 0; i < t->issued[group]; i++) {
        if (w->steps[i].kind != STEP_LOAD && w->steps[i].kind != STEP_FRAGMENT)
            continue;
        for (int j = i + 1; j < t->issued[group] && j < w->steps[i].retired; j++) {
            const step *s = &w->steps[j];
            if (!flat_same_register(t->schedule, &w->steps[i], s) &&
                !flat_reads(t->schedule, s, &w->steps[i]))
                continue;
            report_at(t, SWP_REGISTER_NOT_READY, s);
            break;
        }
    }
}

static void judge_work(const trial *t)
{
    const wave *w = &t->waves[0];
    for (int i = 0; i < w->count; i++)
        if (w->steps[i].kind == STEP_COMPUTE && w->steps[i].twice)
            report_at(t, SWP_DOUBLE_WORK, &w->steps[i]);
}

static bool is_done(const trial *t, int tile, int row, int column)
{
    const wave *w = &t->waves[0];
    const bool single = t->schedule->loop.placement == SWP_PLACE_NEXT_TILE;
    for (int i = 0; i < w->count; i++)
        if (w->steps[i].kind == STEP_COMPUTE && w->steps[i].tile == tile &&
            w->steps[i].subtile == column && (single || w->steps[i].stage == row))
            return true;
    return false;
}

/* Whether the schedule has a COMPUTE of this k-slice at all (single buffer). */
static bool has_slice(const trial *t, int slice)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(t->schedule, phase);
        for (size_t i = 0; i < entries->count; i++)
            if (entries->items[i].op.role == SWP_COMPUTE && entries->items[i].op.subtile == slice)
                return true;
    }
    return false;
}

static void judge_missing(const trial *t)
{
    const swp_loop_shape *loop = &t->schedule->loop;
    const bool single = loop->placement == SWP_PLACE_NEXT_TILE;
    const int rows = single ? 1 : loop->m_mmas;
    const int columns = single ? MOST_SLICES : loop->n_mmas;
    for (int tile = 0; tile < t->tiles; tile++)
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++)
                if ((!single || has_slice(t, column)) && !is_done(t, tile, row, column))
                    report(t, SWP_MISSING_WORK, SWP_EPILOGUE, (int)t->schedule->epilogue.count);
}

static void judge_steps(const trial *t, int group)
{
    const bool wraps = t->schedule->machine.counter_full == SWP_COUNTER_WRAPS;
    for (int i = 0; i < t->issued[group]; i++) {
        const step *s = &t->waves[group].steps[i];
        if (s->kind == STEP_LOAD && (s->tile < 0 || s->tile >= t->tiles))
            report_at(t, SWP_OUT_OF_RANGE, s);
        if (wraps && s->overflow)
            report_at(t, SWP_COUNTER, s);
        if (s->kind == STEP_FRAGMENT)
            judge_fragment(t, group, i);
    }
    judge_empty_registers(t, group);
}

/* A wave stops at its first barrier that not all waves have. */
static void meet(trial *t)
{
    t->met = t->waves[0].barriers;
    for (int g = 1; g < t->groups; g++)
        if (t->waves[g].barriers < t->met)
            t->met = t->waves[g].barriers;
    for (int g = 0; g < t->groups; g++) {
        const wave *w = &t->waves[g];
        t->issued[g] = w->count;
        for (int i = w->count; i-- > 0;)
            if (w->steps[i].kind == STEP_BARRIER && w->steps[i].barriers_before == t->met) {
                report_at(t, SWP_DEADLOCK, &w->steps[i]);
                t->issued[g] = i;
            }
    }
}

static void judge_tiles(const swp_schedule *schedule, int tiles, judgement *out)
{
    conflicts found = {0};
    trial t = {.schedule = schedule, .tiles = tiles, .groups = schedule->machine.groups};
    t.found = &found;
    t.out = out;
    /* A group alone has nobody to lag behind, and no barrier at the end to make up for it. */
    for (int g = 0; g < t.groups; g++)
        t.waves[g] = flat_wave(schedule, g, tiles);
    if (t.groups > 1)
        meet(&t);
    else
        t.met = t.waves[0].barriers, t.issued[0] = t.waves[0].count;
    for (int g = 0; g < t.groups; g++)
        judge_steps(&t, g);
    report_conflicts(&t);
    for (int g = 0; g < t.groups; g++)
        judge_registers(&t, g);
    judge_work(&t);
    judge_missing(&t);
    for (int g = 0; g < t.groups; g++)
        flat_free(&t.waves[g]);
    free(found.items);
}

judgement unrolled_judge(const swp_schedule *schedule, int most_tiles)
{
    judgement out = {0};
    const swp_loop_shape *loop = &schedule->loop;
    for (int n = loop->min_tiles; n <= most_tiles; n++)
        if (n % loop->multiple == 0)
            judge_tiles(schedule, n, &out);
    return out;
}
