/* SPDX-License-Identifier: Apache-2.0 */
#include "explorer_choice.h"

#include <limits.h>
#include <stdlib.h>

chooser chooser_new(const step_list *list, const focus *f)
{
    const size_t steps = (size_t)list->count;
    chooser c = {.list = list, .focus = f};
    c.next_of_place = explorer_allocate(steps, sizeof(*c.next_of_place));
    c.members = explorer_allocate(steps * MOST_WAVES, sizeof(*c.members));
    c.marks = explorer_allocate(steps * MOST_WAVES, sizeof(*c.marks));
    for (int place = 0; place < MOST_PLACES; place++)
        c.first_of_place[place] = -1;
    for (int i = list->count; i-- > 0;)
        if (list->items[i].place >= 0) {
            c.next_of_place[i] = c.first_of_place[list->items[i].place];
            c.first_of_place[list->items[i].place] = i;
        }
    return c;
}

void chooser_free(chooser *c)
{
    free(c->next_of_place);
    free(c->members);
    free(c->marks);
    *c = (chooser){0};
}

static void add(chooser *c, int wave, int at)
{
    unsigned *mark = &c->marks[(wave * c->list->count) + at];
    if (*mark == c->mark)
        return;
    *mark = c->mark;
    c->members[c->count++] = (move){wave, at};
}

/* The step at which the wave of a move stops for want of it. */
static int stop_of(const chooser *c, move m)
{
    return m.step == c->state->at[m.wave]
               ? m.step
               : c->list->items[m.step].retired[group_of(c->list, m.wave)];
}

/* How many barriers any wave can pass while a move has not happened. */
static int barriers_without(const chooser *c, move m)
{
    const int stop = stop_of(c, m);
    return stop < c->list->count ? c->list->items[stop].barriers[group_of(c->list, m.wave)]
                                 : INT_MAX;
}

static bool is_done(const chooser *c, int wave, int at)
{
    return at < c->state->at[wave] && !is_late(c->list, c->state, wave, at);
}

/* Adds what other accesses of a place conflict with this one. */
static void add_place_conflicts(chooser *c, move m)
{
    const step *one = &c->list->items[m.step];
    const bool reads = one->kind == STEP_FRAGMENT;
    if (one->place < 0 || (reads && !one->observed))
        return;
    const int barriers = barriers_without(c, m);
    for (int i = c->first_of_place[one->place]; i >= 0; i = c->next_of_place[i]) {
        const step *other = &c->list->items[i];
        const bool other_reads = other->kind == STEP_FRAGMENT;
        if (other_reads && (reads || !other->observed))
            continue;
        for (int wave = 0; wave < c->list->waves; wave++) {
            const bool same = wave == m.wave;
            if (!focus_has_share(c->focus, one->place, other_reads ? m.wave : wave))
                continue;
            const bool reached =
                same ? i < stop_of(c, m) : other->barriers[group_of(c->list, wave)] <= barriers;
            /* Each wave writes its own share. */
            if (reached && (same || reads || other_reads) && !is_done(c, wave, i))
                add(c, wave, i);
        }
    }
}

static bool uses_register(const step *s, int target)
{
    return target >= 0 &&
           (s->operands[0] == target || s->operands[1] == target || s->target == target);
}

/* Adds what may use the raw register that a load in flight writes. */
static void add_target_conflicts(chooser *c, move m)
{
    const int target = c->list->items[m.step].target;
    if (!c->list->raw_registers || !focus_has_registers(c->focus, m.wave))
        return;
    for (int i = c->state->at[m.wave]; i < stop_of(c, m); i++)
        if (uses_register(&c->list->items[i], target))
            add(c, m.wave, i);
}

/* Adds the loads in flight of the raw registers that a step uses. */
static void add_use_conflicts(chooser *c, move m)
{
    const step *next = &c->list->items[m.step];
    for (int i = 0; i < m.step && focus_has_registers(c->focus, m.wave); i++)
        if (uses_register(next, c->list->items[i].target) && is_late(c->list, c->state, m.wave, i))
            add(c, m.wave, i);
}

/* What a wave that is not at a barrier waits for; a raw reader waits for itself. */
static void add_cause(chooser *c, int wave)
{
    const int access = blocked_by(c->list, c->state, wave);
    if (c->state->at[wave] < c->list->count)
        add(c, wave, access >= 0 ? access : c->state->at[wave]);
}

/* Adds something that has to happen before a move can; nothing if it never can. */
static void add_enabler(chooser *c, move m)
{
    if (m.step < c->state->at[m.wave]) {
        add(c, m.wave, next_lds(c->list, c->state, m.wave));
        return;
    }
    if (!has_arrived(c->list, c->state, m.wave)) {
        add_cause(c, m.wave);
        return;
    }
    for (int wave = 0; wave < c->list->waves; wave++)
        if (!has_arrived(c->list, c->state, wave)) {
            add_cause(c, wave);
            return;
        }
}

static bool is_enabled(const chooser *c, move m)
{
    if (m.step == c->state->at[m.wave])
        return blocked_by(c->list, c->state, m.wave) < 0 && uses_early(c->list, c->state, m.wave);
    return is_late(c->list, c->state, m.wave, m.step) &&
           (c->list->items[m.step].counter == COUNTER_VM ||
            m.step == next_lds(c->list, c->state, m.wave));
}

/* Makes the set of a move. @return its moves that can happen; `limit` stands for that or more */
static int make_set(chooser *c, move start, int limit)
{
    int enabled = 0;
    c->mark++;
    c->count = 0;
    add(c, start.wave, start.step);
    for (int i = 0; i < c->count && enabled < limit; i++) {
        const move m = c->members[i];
        if (!is_enabled(c, m)) {
            add_enabler(c, m);
            continue;
        }
        enabled++;
        if (m.step == c->state->at[m.wave]) {
            add_use_conflicts(c, m);
        } else {
            add_place_conflicts(c, m);
            add_target_conflicts(c, m);
        }
    }
    return enabled;
}

/* Whether a move reads or writes what is looked at. */
static bool is_visible(const chooser *c, move m)
{
    const step *s = &c->list->items[m.step];
    if (c->list->raw_registers && focus_has_registers(c->focus, m.wave))
        return true;
    if (m.step == c->state->at[m.wave] || s->place < 0)
        return false;
    if (s->kind == STEP_FRAGMENT)
        return s->observed && (c->focus->everything || c->focus->place == s->place);
    return focus_has_share(c->focus, s->place, m.wave);
}

int choose_moves(chooser *c, const state *s, move *moves, int count)
{
    c->state = s;
    for (int i = 0; i < count; i++)
        if (!is_visible(c, moves[i])) {
            moves[0] = moves[i];
            return 1;
        }
    int best = count;
    move start = {0};
    for (int i = 0; i < count && best > 1; i++) {
        /* What a set holds makes a set within it: seldom a smaller one. */
        if (i > 0 && c->marks[(moves[i].wave * c->list->count) + moves[i].step] == c->mark)
            continue;
        const int size = make_set(c, moves[i], best);
        if (size < best) {
            best = size;
            start = moves[i];
        }
    }
    if (best == count)
        return count;
    (void)make_set(c, start, INT_MAX);
    int kept = 0;
    for (int i = 0; i < c->count; i++)
        if (is_enabled(c, c->members[i]))
            moves[kept++] = c->members[i];
    return kept;
}
