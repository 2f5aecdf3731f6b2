/* SPDX-License-Identifier: Apache-2.0 */
/* Narrows windows by edges, by pairs that exclude each other, and by energetic reasoning. */
#include "solve/makespan_bound.h"

#include "solve/bounds.h"
#include "solve/energy_rows.h"

/*
 * Energetic reasoning costs the cube of a resource's uses, so it ends after MOST_ROUNDS. A bound
 * that STEPS_OF_ONE steps of 1 leave behind is far away, so longer steps follow.
 */
enum {
    MOST_OPS = 160,
    MOST_USES = 1000,
    MOST_USES_OF_ONE = 320,
    MOST_ROUNDS = 8,
    STEPS_OF_ONE = 32,
    STEPS_OF_A_USE = 8,
    STEPS_OF_AN_EDGE = 8
};

/* Two uses that cannot be held at the same time. */
typedef struct conflict {
    int a;
    int b;
    int64_t a_cycles;
    int64_t b_cycles;
} conflict;

typedef struct conflict_list {
    conflict *items;
    size_t count;
    size_t capacity;
} conflict_list;

typedef struct windows {
    const swp_problem *problem;
    int64_t *earliest;
    int64_t *latest;
    bool moved;
    swp_energy_rows rows;
    conflict_list conflicts;
    int64_t *points; /* scratch: begins and ends of intervals */
    swp_budget *budget;
} windows;

static bool raise(windows *w, int op, int64_t earliest)
{
    if (earliest <= w->earliest[op])
        return true;
    w->earliest[op] = earliest;
    w->moved = true;
    return earliest <= w->latest[op];
}

static bool lower(windows *w, int op, int64_t latest)
{
    if (latest >= w->latest[op])
        return true;
    w->latest[op] = latest;
    w->moved = true;
    return latest >= w->earliest[op];
}

static bool narrow_by_edges(windows *w)
{
    for (size_t i = 0; i < w->problem->edge_count; i++) {
        const swp_problem_edge *edge = &w->problem->edges[i];
        if (!raise(w, edge->consumer, w->earliest[edge->producer] + edge->delay) ||
            !lower(w, edge->producer, w->latest[edge->consumer] - edge->delay))
            return false;
    }
    return true;
}

/*
 * One of two uses that exclude each other comes first. If only one order is possible, it narrows
 * both windows.
 */
static bool narrow_by_conflicts(windows *w)
{
    for (size_t i = 0; i < w->conflicts.count; i++) {
        const conflict *c = &w->conflicts.items[i];
        const bool a_first = w->earliest[c->a] + c->a_cycles <= w->latest[c->b];
        const bool b_first = w->earliest[c->b] + c->b_cycles <= w->latest[c->a];
        if (!a_first && !b_first)
            return false;
        if (!b_first && (!raise(w, c->b, w->earliest[c->a] + c->a_cycles) ||
                         !lower(w, c->a, w->latest[c->b] - c->a_cycles)))
            return false;
        if (!a_first && (!raise(w, c->a, w->earliest[c->b] + c->b_cycles) ||
                         !lower(w, c->b, w->latest[c->a] - c->b_cycles)))
            return false;
    }
    return true;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns for how many cycles of the interval a use is held that begins at `start`. */
static int64_t overlap(int64_t start, int64_t cycles, int64_t begin, int64_t end)
{
    const int64_t from = start > begin ? start : begin;
    const int64_t to = least(start + cycles, end);
    return to > from ? to - from : 0;
}

/* Returns for how many cycles of the interval a use is held at least, wherever its window lets it start. */
static int64_t least_overlap(const windows *w, const swp_energy_use *l, int64_t begin, int64_t end)
{
    return least(overlap(w->earliest[l->op], l->cycles, begin, end),
                 overlap(w->latest[l->op], l->cycles, begin, end));
}

/*
 * Applies energetic reasoning (Baptiste, Le Pape and Nuijten 1999) to one interval of one row.
 * Returns false if that refutes the makespan.
 */
static bool narrow_in_interval(windows *w, const swp_energy_row *row, int64_t begin, int64_t end)
{
    const swp_energy_use *first = row->uses;
    const swp_energy_use *last = first + row->count;
    int64_t room = 0;
    int64_t energy = 0;
    if (__builtin_mul_overflow(row->capacity, end - begin, &room))
        return true; /* the room exceeds what all uses take */
    for (const swp_energy_use *l = first; l < last; l++)
        energy += l->amount * least_overlap(w, l, begin, end);
    if (energy > room)
        return false;
    for (const swp_energy_use *l = first; l < last; l++) {
        const int64_t left = room - (energy - l->amount * least_overlap(w, l, begin, end));
        const int64_t allowed = left / l->amount; /* cycles within the interval */
        const int64_t before = least_overlap(w, l, begin, end);
        if (overlap(w->earliest[l->op], l->cycles, begin, end) > allowed &&
            !raise(w, l->op, end - allowed))
            return false;
        if (overlap(w->latest[l->op], l->cycles, begin, end) > allowed &&
            !lower(w, l->op, begin + allowed - l->cycles))
            return false;
        energy += l->amount * (least_overlap(w, l, begin, end) - before);
        if (energy > room)
            return false;
    }
    return true;
}

/*
 * Tries the intervals from a time at which a use can begin to one at which a use can end, until the
 * budget ends.
 */
static bool narrow_by_energy(windows *w, const swp_energy_row *row)
{
    int begins = 0;
    if (row->count > MOST_USES_OF_ONE)
        return true;
    for (int i = 0; i < row->count; i++) {
        w->points[begins++] = w->earliest[row->uses[i].op];
        w->points[begins++] = w->latest[row->uses[i].op];
    }
    for (int p = 0; p < begins && swp_budget_keep(w->budget, STEPS_OF_A_USE * (uint64_t)row->count);
         p++)
        for (int i = 0; i < row->count; i++) {
            const swp_energy_use *l = &row->uses[i];
            const int64_t ends[] = {w->earliest[l->op] + l->cycles, w->latest[l->op] + l->cycles};
            for (int e = 0; e < 2; e++)
                if (ends[e] > w->points[p] && !narrow_in_interval(w, row, w->points[p], ends[e]))
                    return false;
        }
    return true;
}

static bool narrow_cheaply(windows *w)
{
    do {
        w->moved = false;
        if (!narrow_by_edges(w) || !narrow_by_conflicts(w))
            return false;
    } while (w->moved && swp_budget_keep(w->budget, STEPS_OF_AN_EDGE * w->problem->edge_count));
    return true;
}

/* Sets the windows by edges and conflicts. Returns false if the ops cannot end by the makespan. */
static bool begin(windows *w, int64_t makespan)
{
    for (size_t i = 0; i < w->problem->op_count; i++) {
        w->earliest[i] = 0;
        w->latest[i] = makespan - w->problem->ops[i].latency;
        if (w->latest[i] < 0)
            return false;
    }
    return narrow_cheaply(w);
}

/* Narrows the windows by energy, too. A budget that ends refutes nothing. */
static bool may_end_by(windows *w, int64_t makespan)
{
    if (!begin(w, makespan))
        return false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        w->moved = false;
        for (size_t r = 0; r < w->rows.count; r++)
            if (swp_budget_poll(w->budget) && !narrow_by_energy(w, &w->rows.items[r]))
                return false;
        if (!w->moved || w->budget->stopped)
            break;
        if (!narrow_cheaply(w))
            return false;
    }
    return true;
}

static size_t use_count(const swp_problem *problem)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->op_count; i++)
        count += problem->ops[i].use_count;
    return count;
}

static swp_status set_conflicts(swp_context *ctx, windows *w)
{
    for (size_t r = 0; r < w->problem->resource_count; r++) {
        const swp_energy_row *row = &w->rows.items[r];
        for (int i = 0; i < row->count; i++)
            for (int j = i + 1; j < row->count; j++) {
                const swp_energy_use *a = &row->uses[i];
                const swp_energy_use *b = &row->uses[j];
                if (a->op == b->op || a->amount + b->amount <= row->capacity)
                    continue;
                const conflict found = {a->op, b->op, a->cycles, b->cycles};
                SWP_TRY(SWP_PUSH(ctx, &w->conflicts, found));
            }
    }
    return SWP_OK;
}

/*
 * Refuting a makespan refutes all smaller ones, so steps may grow as long as they are refuted. The
 * first ones are of 1, since most bounds are near.
 */
static void climb(windows *w, swp_answer *answer)
{
    int64_t step = 0;
    for (int steps = 0; swp_budget_keep(w->budget, STEPS_OF_AN_EDGE); steps++) {
        const int64_t makespan = answer->bound + step;
        if (!may_end_by(w, makespan)) {
            swp_solve_refute_to(answer, makespan + 1);
            w->budget->bound = answer->bound;
            step = steps < STEPS_OF_ONE ? 0 : 2 * step + 1;
        } else if (step == 0)
            return;
        else
            step = 0;
    }
}

swp_status swp_solve_makespan_bound(swp_context *ctx, const swp_problem *problem,
                                    swp_budget *budget, swp_answer *answer)
{
    windows w = {.problem = problem, .budget = budget};
    if (problem->op_count > MOST_OPS || use_count(problem) > MOST_USES)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &w.earliest));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &w.latest));
    SWP_TRY(SWP_TAKE(ctx, 2 * use_count(problem), &w.points));
    SWP_TRY(swp_solve_energy_rows(ctx, problem, &w.rows));
    SWP_TRY(set_conflicts(ctx, &w));
    /* A problem that has a schedule has one within the reach. */
    if (!begin(&w, swp_problem_reach(problem))) {
        answer->status = SWP_ANSWER_INFEASIBLE;
        return SWP_OK;
    }
    climb(&w, answer);
    return SWP_OK;
}
