/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_unrolled.h"

#include <stdlib.h>

#include "loop_flat.h"

typedef struct trial {
    const swp_schedule *form;
    int n;
    int groups;
    loop_wave waves[2]; /* of each group: its waves do the same */
    int issued[2];      /* steps that a wave comes to */
    judgement *out;
} trial;

/* A read of a place in a wave of one group, and the share of a wave of another, or its own. */
typedef struct view {
    const trial *t;
    const loop_wave *reader;
    const loop_wave *writer;
    int read; /* position in the reader */
    int last; /* steps of the writer that are looked at */
    bool own;
    const loop_touch *touch;
} view;

enum { BEFORE_THE_LOOP = -1, NO_WRITE = -2, WARP_GROUP = 4 };

static void report(const trial *t, swp_hazard_kind kind, swp_phase phase, int entry)
{
    judgement_add(
        t->out, (judged_hazard){.kind = kind, .phase = phase, .entry = entry, .smallest_n = t->n});
}

static void report_at(const trial *t, swp_hazard_kind kind, const loop_line *s)
{
    report(t, kind, s->phase, s->entry);
}

/* --- Which of two ops comes first --- */

static bool before_in_wave(const loop_wave *w, int x, int y)
{
    const bool in_order = w->steps[x].counter == LOOP_LGKM && w->steps[y].counter == LOOP_LGKM;
    return x < y && (in_order || w->steps[x].retired <= y);
}

static bool is_wgmma(const loop_line *s)
{
    return s->kind == LOOP_OP && s->counter == LOOP_LGKM_GROUP;
}

/*
 * A warp group is four waves that issue a wgmma together. Behind the wait of any of them it is over for all, and so is
 * what each of them did before it.
 */
static bool before_in_group(const view *v, const loop_line *x, const loop_line *y)
{
    if (v->reader != v->writer || v->t->form->machine.waves_per_group != WARP_GROUP)
        return false;
    if (is_wgmma(x))
        return x - v->reader->steps <= y->known;
    /* What it reads by the async proxy a barrier has to hand on, which has the fence. */
    return x->retired <= y->known && !is_wgmma(y);
}

static bool before_across(const view *v, const loop_line *x, const loop_line *y)
{
    return before_in_group(v, x, y) ||
           (x->first_barrier != LOOP_NEVER && x->first_barrier < y->barriers_before);
}

static bool is_register(const view *v)
{
    return v->t->form->dataflow->loop->values[v->touch->value].space == SWP_SPACE_REGISTERS;
}

/* A register has what was made last: what is in flight there is told of by itself. */
static bool write_before_write(const view *v, int x, int y)
{
    return is_register(v) ? x < y : before_in_wave(v->writer, x, y);
}

static bool write_before_read(const view *v, int write)
{
    if (is_register(v))
        return write < v->read;
    return v->own ? before_in_wave(v->writer, write, v->read)
                  : before_across(v, &v->writer->steps[write], &v->reader->steps[v->read]);
}

/* An op reads before it writes. */
static bool read_before_write(const view *v, int write)
{
    if (is_register(v))
        return write >= v->read;
    return v->own ? write == v->read || before_in_wave(v->reader, v->read, write)
                  : before_across(v, &v->reader->steps[v->read], &v->writer->steps[write]);
}

/* --- What a read may find --- */

/* The tile that a step makes in the place. */
static const loop_touch *made(const view *v, int step)
{
    const loop_line *s = &v->writer->steps[step];
    for (int i = 0; i < s->touch_count; i++)
        if (s->touches[i].kind == TOUCH_MAKE && s->touches[i].value == v->touch->value &&
            s->touches[i].slot == v->touch->slot)
            return &s->touches[i];
    return NULL;
}

static bool is_later(const view *v, int write)
{
    return write != BEFORE_THE_LOOP &&
           v->writer->steps[write].line >= v->reader->steps[v->read].line;
}

/* Whether one of the first `count` steps is a write that certainly comes between that one and the read. */
static bool is_covered(const view *v, int write, int count)
{
    for (int i = 0; i < count; i++)
        if (i != write && made(v, i) && write_before_read(v, i) &&
            (write == BEFORE_THE_LOOP || write_before_write(v, write, i)))
            return true;
    return false;
}

static bool is_visible(const view *v, int write)
{
    return !is_covered(v, write, v->last) &&
           (write == BEFORE_THE_LOOP || !read_before_write(v, write));
}

static int tile_of(const view *v, int write)
{
    if (write == BEFORE_THE_LOOP)
        return loop_first_tile(v->t->form->dataflow, v->touch->value, v->touch->slot);
    return made(v, write)->tile;
}

static bool is_write(const view *v, int step)
{
    return step == BEFORE_THE_LOOP || made(v, step);
}

/* The last write of the tile, by the list alone: of two groups one may come to it after the read. */
static int find_wanted(const view *v)
{
    int listed = 0;
    while (listed < v->last && !is_later(v, listed))
        listed++;
    for (int w = listed - 1; w >= BEFORE_THE_LOOP; w--)
        if (is_write(v, w) && tile_of(v, w) == v->touch->tile && !is_covered(v, w, listed))
            return w;
    return NO_WRITE;
}

static bool comes_later(const view *v)
{
    for (int w = 0; w < v->writer->count; w++)
        if (made(v, w) && is_later(v, w) && made(v, w)->tile == v->touch->tile)
            return true;
    return false;
}

static void report_visible(const view *v, int wanted, int write)
{
    const loop_line *read = &v->reader->steps[v->read];
    if (write < wanted && wanted >= 0 && write_before_read(v, wanted))
        report_at(v->t, SWP_WRITE_RACE, &v->writer->steps[wanted]);
    else if (write < wanted)
        report_at(v->t, SWP_STALE_READ, read);
    else if (!is_later(v, write) && write_before_read(v, write))
        report_at(v->t, SWP_WRITE_RACE, &v->writer->steps[write]);
    else
        report_at(v->t, SWP_OVERWRITTEN, &v->writer->steps[write]);
}

/* Nothing brings the tile; a write that took its place is told of too. */
static void report_replacing(const view *v, int write)
{
    for (int w = BEFORE_THE_LOOP; w < write; w++)
        if (is_write(v, w) && tile_of(v, w) == v->touch->tile) {
            report_at(v->t, SWP_OVERWRITTEN, &v->writer->steps[write]);
            return;
        }
}

/*
 * The first write after the read that brings another tile replaces what was to be read, though one after it
 * may certainly hide it: a group that lags comes to its read when both are done.
 */
static void report_first_replacing(const view *v)
{
    for (int w = 0; w < v->last; w++) {
        if (!made(v, w) || !is_later(v, w) || tile_of(v, w) == v->touch->tile)
            continue;
        if (!read_before_write(v, w))
            report_at(v->t, SWP_OVERWRITTEN, &v->writer->steps[w]);
        return;
    }
}

static void judge_view(const view *v)
{
    const int wanted = find_wanted(v);
    if (wanted != NO_WRITE && !is_register(v))
        report_first_replacing(v);
    for (int w = BEFORE_THE_LOOP; w < v->last; w++) {
        if (!is_write(v, w) || tile_of(v, w) == v->touch->tile || !is_visible(v, w))
            continue;
        if (is_register(v))
            report_at(v->t, SWP_WRONG_TILE, &v->reader->steps[v->read]);
        if (wanted != NO_WRITE)
            report_visible(v, wanted, w);
        else if (comes_later(v))
            report_at(v->t, SWP_STALE_READ, &v->reader->steps[v->read]);
        else
            report_at(v->t, SWP_WRONG_TILE, &v->reader->steps[v->read]);
        if (wanted == NO_WRITE)
            report_replacing(v, w);
    }
}

static void judge_touch(const trial *t, int group, int read, const loop_touch *touch)
{
    view v = {.t = t, .reader = &t->waves[group], .read = read, .own = true, .touch = touch};
    v.writer = v.reader;
    v.last = t->issued[group];
    judge_view(&v);
    if (is_register(&v))
        return;
    v.own = false;
    for (int g = 0; g < t->groups; g++) {
        v.writer = &t->waves[g];
        v.last = t->issued[g];
        if (g != group || t->form->machine.waves_per_group > 1)
            judge_view(&v);
    }
}

/* --- The list by itself --- */

static void judge_step(const trial *t, int group, int position)
{
    const loop_line *s = &t->waves[group].steps[position];
    if (s->kind != LOOP_OP)
        return;
    if (s->unready)
        report_at(t, SWP_REGISTER_NOT_READY, s);
    if (s->overflow && t->form->machine.counter_full == SWP_COUNTER_WRAPS)
        report_at(t, SWP_COUNTER, s);
    if (s->iteration < 0 || s->iteration >= t->n)
        report_at(t, SWP_OUT_OF_RANGE, s);
    for (int i = 0; i < s->touch_count; i++)
        if (s->touches[i].kind != TOUCH_MAKE)
            judge_touch(t, group, position, &s->touches[i]);
}

static void judge_work(const trial *t)
{
    const loop_wave *w = &t->waves[0];
    const int ops = (int)t->form->dataflow->loop->op_count;
    for (int op = 0; op < ops; op++)
        for (int iteration = 0; iteration < t->n; iteration++) {
            int done = 0;
            for (int i = 0; i < w->count; i++)
                if (w->steps[i].kind == LOOP_OP && w->steps[i].op == op &&
                    w->steps[i].iteration == iteration && done++ > 0)
                    report_at(t, SWP_DOUBLE_WORK, &w->steps[i]);
            if (done == 0)
                report(t, SWP_MISSING_WORK, SWP_EPILOGUE, (int)t->form->streams[0].epilogue.count);
        }
}

/* A wave stops at its first barrier that not all have; the others are looked at up to that line. */
static void meet(trial *t)
{
    int met = t->waves[0].barriers;
    int last_line = INT_MAX;
    for (int g = 1; g < t->groups; g++)
        if (t->waves[g].barriers < met)
            met = t->waves[g].barriers;
    for (int g = 0; g < t->groups; g++)
        for (int i = 0; i < t->waves[g].count; i++) {
            const loop_line *s = &t->waves[g].steps[i];
            if (s->kind != LOOP_BARRIER || s->barriers_before != met)
                continue;
            report_at(t, SWP_DEADLOCK, s);
            last_line = s->line;
        }
    for (int g = 0; g < t->groups; g++)
        while (t->issued[g] < t->waves[g].count && t->waves[g].steps[t->issued[g]].line < last_line)
            t->issued[g]++;
}

static void judge_n(const swp_schedule *form, int n, judgement *out)
{
    trial t = {.form = form, .n = n, .groups = form->machine.groups, .out = out};
    for (int g = 0; g < t.groups; g++)
        t.waves[g] = loop_flat(form, g, n);
    meet(&t);
    judge_work(&t);
    for (int g = 0; g < t.groups; g++)
        for (int i = 0; i < t.issued[g]; i++)
            judge_step(&t, g, i);
    for (int g = 0; g < t.groups; g++)
        loop_flat_free(&t.waves[g]);
}

judgement loop_judge(const swp_schedule *form, int passes)
{
    judgement out = {0};
    for (int p = 0; p <= (form->loop.tiles_per_pass > 0 ? passes : 0); p++)
        judge_n(form, form->loop.min_tiles + p * form->loop.tiles_per_pass, &out);
    return out;
}

int loop_least_wrong(const judgement *judged)
{
    int least = -1;
    for (size_t i = 0; i < judged->count; i++)
        if (least < 0 || judged->items[i].smallest_n < least)
            least = judged->items[i].smallest_n;
    return least;
}
