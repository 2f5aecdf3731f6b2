/* SPDX-License-Identifier: Apache-2.0 */
#include "unrolled.h"

#include <stdlib.h>

#include "trial.h"

void trial_report(const trial *t, swp_hazard_kind kind, swp_phase phase, int entry)
{
    judgement_add(
        t->out,
        (judged_hazard){.kind = kind, .phase = phase, .entry = entry, .smallest_n = t->tiles});
}

static void report_at(const trial *t, swp_hazard_kind kind, const step *at)
{
    trial_report(t, kind, at->phase, at->entry);
}

bool before_in_wave(const wave *w, int x, int y)
{
    const step *a = &w->steps[x];
    const step *b = &w->steps[y];
    if (a->counter == COUNTS_LGKM && b->counter == COUNTS_LGKM)
        return x < y;
    return x < y && a->retired <= y;
}

bool before_across(const step *x, const step *y)
{
    return x->first_barrier != NEVER && x->first_barrier < y->barriers_before;
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
                    trial_report(t, SWP_MISSING_WORK, SWP_EPILOGUE,
                                 (int)t->schedule->streams[0].epilogue.count);
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
    }
}

/*
 * A wave stops at its first barrier that not all waves have, and what the others do from that line
 * on is not looked at.
 */
static void meet(trial *t)
{
    int met = t->waves[0].barriers;
    int last_line = INT_MAX;
    for (int g = 1; g < t->groups; g++)
        if (t->waves[g].barriers < met)
            met = t->waves[g].barriers;
    for (int g = 0; g < t->groups; g++)
        for (int i = 0; i < t->waves[g].count; i++) {
            const step *s = &t->waves[g].steps[i];
            if (s->kind != STEP_BARRIER || s->barriers_before != met)
                continue;
            report_at(t, SWP_DEADLOCK, s);
            last_line = s->line;
        }
    for (int g = 0; g < t->groups; g++)
        while (t->issued[g] < t->waves[g].count && t->waves[g].steps[t->issued[g]].line < last_line)
            t->issued[g]++;
}

static void find_lines(trial *t, int group)
{
    const wave *w = &t->waves[group];
    int *at_line = calloc((size_t)w->lines + 1, sizeof(*at_line));
    if (!at_line)
        abort();
    for (int i = 0; i < t->issued[group]; i++)
        at_line[w->steps[i].line] = i;
    t->at_line[group] = at_line;
}

static void judge_tiles(const swp_schedule *schedule, int tiles, judgement *out)
{
    trial t = {
        .schedule = schedule, .tiles = tiles, .groups = schedule->machine.groups, .out = out};
    for (int g = 0; g < t.groups; g++)
        t.waves[g] = flat_wave(schedule, g, tiles);
    meet(&t);
    for (int g = 0; g < t.groups; g++) {
        find_lines(&t, g);
        judge_steps(&t, g);
        judge_registers(&t, g);
    }
    judge_fragments(&t);
    judge_work(&t);
    judge_missing(&t);
    for (int g = 0; g < t.groups; g++) {
        free(t.at_line[g]);
        flat_free(&t.waves[g]);
    }
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
