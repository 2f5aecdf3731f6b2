/* SPDX-License-Identifier: Apache-2.0 */
#include "explorer_machine.h"

#include <stdlib.h>

bool focus_has_share(const focus *f, int place, int wave)
{
    return f->everything || (f->place == place && f->wave == wave);
}

bool focus_has_registers(const focus *f, int wave)
{
    return f->everything || (f->place < 0 && f->wave == wave);
}

int group_of(const step_list *list, int wave)
{
    return wave / list->waves_per_group;
}

bool is_late(const step_list *list, const state *s, int wave, int at)
{
    const int ordinal = list->items[at].ordinal;
    if (at >= s->at[wave])
        return false;
    if (list->items[at].counter == COUNTER_LGKM)
        return ordinal >= s->lds_done[wave];
    const int back = s->loads[wave] - 1 - ordinal;
    return back < LOADS_KEPT && s->late_loads[wave] >> back & 1;
}

int next_lds(const step_list *list, const state *s, int wave)
{
    return s->lds_done[wave] < s->lds[wave] ? list->by_ordinal[COUNTER_LGKM][s->lds_done[wave]]
                                            : -1;
}

static int oldest_load(const step_list *list, const state *s, int wave)
{
    int kept = 0;
    while (kept < LOADS_KEPT && s->late_loads[wave] >> kept)
        kept++;
    return kept > 0 ? list->by_ordinal[COUNTER_VM][s->loads[wave] - kept] : -1;
}

int blocked_by(const step_list *list, const state *s, int wave)
{
    if (s->at[wave] >= list->count)
        return -1;
    const int *needs = list->items[s->at[wave]].needs[group_of(list, wave)];
    const int load = oldest_load(list, s, wave);
    const int lds = next_lds(list, s, wave);
    if (load >= 0 && list->items[load].ordinal < needs[COUNTER_VM])
        return load;
    return lds >= 0 && list->items[lds].ordinal < needs[COUNTER_LGKM] ? lds : -1;
}

bool uses_early(const step_list *list, const state *s, int wave)
{
    if (!list->raw_registers || s->at[wave] >= list->count)
        return false;
    const step *next = &list->items[s->at[wave]];
    const int loads[] = {next->producers[0], next->producers[1], next->rewrites};
    for (int i = 0; i < 3; i++)
        if (loads[i] >= 0 && is_late(list, s, wave, loads[i]))
            return true;
    return false;
}

bool has_arrived(const step_list *list, const state *s, int wave)
{
    return s->at[wave] < list->count && list->items[s->at[wave]].kind == STEP_BARRIER &&
           list->items[s->at[wave]].of_group[group_of(list, wave)] && blocked_by(list, s, wave) < 0;
}

static void note_sight(step *read, sight seen)
{
    sight_list *list = &read->seen;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].source == seen.source && list->items[i].view == seen.view &&
            list->items[i].arrived == seen.arrived)
            return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 4;
        list->items = realloc(list->items, list->capacity * sizeof(*list->items));
        if (!list->items)
            abort();
    }
    list->items[list->count++] = seen;
}

/* Notes which loads of the registers that a step uses are in flight. */
static void note_early(step_list *list, const state *s, int wave)
{
    step *user = &list->items[s->at[wave]];
    for (int k = 0; k < 2; k++)
        if (user->producers[k] >= 0 && is_late(list, s, wave, user->producers[k]))
            user->early[k] = true;
    if (user->rewrites >= 0 && is_late(list, s, wave, user->rewrites))
        user->reloads = true;
}

static bool issue(step_list *list, const focus *f, state *s, int wave)
{
    step *next = &list->items[s->at[wave]];
    if (list->raw_registers && focus_has_registers(f, wave))
        note_early(list, s, wave);
    next->issued = true;
    if (next->kind == STEP_LOAD) {
        if (s->late_loads[wave] >> (LOADS_KEPT - 1))
            return false;
        s->late_loads[wave] = s->late_loads[wave] << 1 | 1;
        s->loads[wave]++;
    }
    if (next->kind == STEP_STORE || next->kind == STEP_FRAGMENT)
        s->lds[wave]++;
    s->at[wave]++;
    return true;
}

/* Goes past a barrier of the other group. */
static void skip(const step_list *list, state *s, int wave)
{
    while (s->at[wave] < list->count && !list->items[s->at[wave]].of_group[group_of(list, wave)])
        s->at[wave]++;
}

static bool can_issue(const step_list *list, const state *s, int wave)
{
    return s->at[wave] < list->count && blocked_by(list, s, wave) < 0 &&
           !has_arrived(list, s, wave);
}

/* Issues what a wave can issue alone. @return false if it holds too much */
static bool advance_wave(step_list *list, const focus *f, state *s, int wave, bool *moved)
{
    for (skip(list, s, wave); can_issue(list, s, wave) && !uses_early(list, s, wave);
         skip(list, s, wave)) {
        if (!issue(list, f, s, wave))
            return false;
        *moved = true;
    }
    return true;
}

static bool cross_barrier(const step_list *list, state *s)
{
    for (int wave = 0; wave < list->waves; wave++)
        if (!has_arrived(list, s, wave))
            return false;
    for (int wave = 0; wave < list->waves; wave++)
        s->at[wave]++;
    return true;
}

bool advance(step_list *list, const focus *f, state *s, bool eager)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (int wave = 0; wave < list->waves; wave++) {
            skip(list, s, wave);
            if (s->late_loads[wave] >> (LOADS_KEPT - 1) ||
                (eager && !advance_wave(list, f, s, wave, &moved)))
                return false;
        }
        moved |= cross_barrier(list, s);
    }
    return true;
}

int list_moves(const step_list *list, const state *s, bool eager, move *moves)
{
    int count = 0;
    for (int wave = 0; wave < list->waves; wave++) {
        for (int back = 0; back < LOADS_KEPT && s->late_loads[wave] >> back; back++)
            if (s->late_loads[wave] >> back & 1)
                moves[count++] =
                    (move){wave, list->by_ordinal[COUNTER_VM][s->loads[wave] - 1 - back]};
        if (next_lds(list, s, wave) >= 0)
            moves[count++] = (move){wave, next_lds(list, s, wave)};
        if (can_issue(list, s, wave) && (!eager || uses_early(list, s, wave)))
            moves[count++] = (move){wave, s->at[wave]};
    }
    return count;
}

static bool has_taken_effect(const step_list *list, const state *s, int wave, int at)
{
    return at < s->at[wave] && !is_late(list, s, wave, at);
}

/* One number for reader and writer in the same roles: the two are one wave, or of which groups. */
static int view_of(const step_list *list, int reader, int writer)
{
    const int own = reader == writer;
    return (group_of(list, reader) * GROUPS + group_of(list, writer)) * 2 + own;
}

static void read_share(const step_list *list, const state *s, step *read, int reader, int wave)
{
    sight seen = {.source = s->shares[read->place][wave] - 1, .view = view_of(list, reader, wave)};
    for (int i = 0; i < s->at[wave]; i++)
        if (list->items[i].place == read->place && list->items[i].write >= 0 &&
            has_taken_effect(list, s, wave, i))
            seen.arrived |= UINT64_C(1) << list->items[i].write;
    note_sight(read, seen);
}

/* A fragment load reads the shares of all waves; a load or store writes that of its own. */
static void take_effect(step_list *list, const focus *f, state *s, move taken)
{
    step *access = &list->items[taken.step];
    if (access->kind == STEP_FRAGMENT) {
        for (int wave = 0; wave < list->waves && access->observed; wave++)
            if (focus_has_share(f, access->place, wave))
                read_share(list, s, access, taken.wave, wave);
    } else if (access->place >= 0 && focus_has_share(f, access->place, taken.wave)) {
        s->shares[access->place][taken.wave] = (uint16_t)(taken.step + 1);
    }
}

void take_move(step_list *list, const focus *f, state *s, move taken)
{
    const step *access = &list->items[taken.step];
    if (taken.step == s->at[taken.wave]) {
        (void)issue(list, f, s, taken.wave);
        return;
    }
    if (access->kind == STEP_LOAD)
        s->late_loads[taken.wave] &= ~(UINT64_C(1) << (s->loads[taken.wave] - 1 - access->ordinal));
    else
        s->lds_done[taken.wave]++;
    take_effect(list, f, s, taken);
}

void note_stuck(step_list *list, const state *s)
{
    for (int wave = 0; wave < list->waves; wave++)
        if (s->at[wave] < list->count)
            list->items[s->at[wave]].stuck = true;
}
