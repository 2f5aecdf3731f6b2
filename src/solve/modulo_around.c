/* SPDX-License-Identifier: Apache-2.0 */
/* Places the ops of the fullest unit in an order, and all others around them. */
#include "solve/modulo_around.h"

/* The search gives up after so many placements of a node, moves of an op, or corrections of an order. */
enum { TRIES_PER_NODE = 10, MOVES_PER_OP = 12, MOST_ROUNDS = 12 };

/*
 * The order should let the other nodes move so far, in eighths of their longest use. The first
 * value is tried first.
 */
static const int rooms[] = {8, 4, 2, 1, 0};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static int64_t longest_use(const swp_modulo_core *core, int node)
{
    const swp_problem_op *op = &core->graph->problem->ops[core->ops[node]];
    int64_t longest = 0;
    for (size_t u = 0; u < op->use_count; u++)
        longest = op->uses[u].cycles > longest ? op->uses[u].cycles : longest;
    return longest;
}

swp_status swp_solve_modulo_around_new(swp_context *ctx, swp_modulo_placer *placer,
                                       swp_modulo_around *out, bool *fits)
{
    const swp_modulo_core *core = placer->core;
    *out = (swp_modulo_around){.placer = placer};
    SWP_TRY(swp_solve_sequence_new(ctx, core, placer->budget, &out->sequence, fits));
    SWP_TRY(SWP_TAKE(ctx, (size_t)core->count, &out->longest));
    SWP_TRY(SWP_TAKE(ctx, (size_t)core->count, &out->failures));
    for (int n = 0; n < core->count; n++)
        out->longest[n] = longest_use(core, n);
    return SWP_OK;
}

/* Returns whether the node has room at exactly this time. */
static bool fits_at(const swp_modulo_placer *placer, int node, int64_t time)
{
    int64_t fit = 0;
    return swp_solve_profile_first_fit(&placer->profile, placer->core->ops[node], time, time, &fit);
}

/* Places the ops of the order. `*fits` is false if two of them collide on another resource. */
static swp_status put_sequence(swp_context *ctx, swp_modulo_around *a, bool *fits)
{
    swp_modulo_placer *placer = a->placer;
    *fits = true;
    swp_solve_modulo_clear(placer);
    for (int i = 0; i < a->sequence.count && *fits; i++) {
        const swp_sequenced *op = &a->sequence.ops[i];
        const int64_t time = swp_sequenced_time(op, placer->core->interval);
        *fits = fits_at(placer, op->node, time);
        if (*fits)
            SWP_TRY(swp_solve_modulo_put(ctx, placer, op->node, time));
    }
    return SWP_OK;
}

typedef struct candidate {
    int node;     /* -1: all are placed */
    bool fits;    /* false: it has no time left */
    int64_t time; /* its first time left */
} candidate;

/* Returns the node with the fewest times left. */
static candidate find_tightest(const swp_modulo_around *a)
{
    const swp_modulo_placer *placer = a->placer;
    candidate tightest = {.node = -1};
    int64_t fewest = INT64_MAX;
    for (int node = 0; node < placer->core->count; node++) {
        candidate c = {.node = node};
        int64_t low = 0;
        int64_t high = 0;
        if (placer->placed[node])
            continue;
        (void)swp_solve_modulo_window(placer, node, &low, &high);
        c.fits = swp_solve_profile_first_fit(&placer->profile, placer->core->ops[node], low, high,
                                             &c.time);
        if (!c.fits)
            return c;
        if (high - c.time < fewest) {
            fewest = high - c.time;
            tightest = c;
        }
    }
    return tightest;
}

/*
 * Draws one of the times that the order leaves a node, whatever the other nodes do; returns false
 * if there is none.
 */
static bool draw_time(swp_modulo_around *a, int node, int64_t *time)
{
    const swp_modulo_placer *placer = a->placer;
    const swp_modulo_core *core = placer->core;
    int64_t low = INT64_MIN;
    int64_t high = INT64_MAX;
    for (size_t i = core->first[node]; i < core->first[node + 1]; i++) {
        const int other = core->arcs[i].to;
        if (a->sequence.at[other] < 0)
            continue;
        const int64_t least = placer->times[other] + core->back_arcs[i].delay;
        const int64_t most = placer->times[other] - core->arcs[i].delay;
        low = least > low ? least : low;
        high = most < high ? most : high;
    }
    if (low == INT64_MIN)
        low = core->earliest[core->ops[node]];
    if (low > high)
        return false;
    if (high - low >= core->interval)
        high = low + core->interval - 1;
    *time = low + swp_solve_sequence_draw(&a->sequence, high - low + 1);
    return true;
}

/* Takes out the other nodes that are in the way of a node at a time; they are placed again later. */
static swp_status make_room(swp_context *ctx, swp_modulo_around *a, int node, int64_t time)
{
    swp_modulo_placer *placer = a->placer;
    const swp_modulo_core *core = placer->core;
    for (size_t i = core->first[node]; i < core->first[node + 1]; i++) {
        const int other = core->arcs[i].to;
        if (placer->placed[other] && (time < placer->times[other] + core->back_arcs[i].delay ||
                                      time > placer->times[other] - core->arcs[i].delay))
            SWP_TRY(swp_solve_modulo_take_out(ctx, placer, other));
    }
    for (int other = 0; other < core->count && !fits_at(placer, node, time); other++)
        if (placer->placed[other] && a->sequence.at[other] < 0 &&
            swp_solve_modulo_meet(placer, node, time, other))
            SWP_TRY(swp_solve_modulo_take_out(ctx, placer, other));
    return SWP_OK;
}

/* Works as Rau's method, but never moves an op of the order. `*stuck` is the node that failed most often. */
static swp_status place_others(swp_context *ctx, swp_modulo_around *a, bool *found, int *stuck)
{
    swp_modulo_placer *placer = a->placer;
    const int others = placer->core->count - a->sequence.count;
    *stuck = -1;
    for (int n = 0; n < placer->core->count; n++)
        a->failures[n] = 0;
    for (int tries = others * TRIES_PER_NODE; tries >= 0 && swp_budget_spend(placer->budget);
         tries--) {
        candidate next = find_tightest(a);
        *found = next.node < 0;
        if (*found)
            return SWP_OK;
        if (!next.fits) {
            a->failures[next.node]++;
            if (*stuck < 0 || a->failures[next.node] > a->failures[*stuck])
                *stuck = next.node;
            if (!draw_time(a, next.node, &next.time))
                return SWP_OK;
            SWP_TRY(make_room(ctx, a, next.node, next.time));
            if (!fits_at(placer, next.node, next.time))
                return SWP_OK;
        }
        SWP_TRY(swp_solve_modulo_put(ctx, placer, next.node, next.time));
    }
    return SWP_OK;
}

static int64_t improve(swp_modulo_around *a)
{
    swp_solve_sequence_keep_room(&a->sequence);
    return swp_solve_sequence_improve(&a->sequence, (int64_t)MOVES_PER_OP * a->sequence.count);
}

/*
 * Looks for an order that leaves the others as much room as possible. Returns the sum by which ops
 * are too near.
 */
static int64_t find_order(swp_modulo_around *a, int try)
{
    int64_t near = 1;
    for (int r = 0; r < ROOMS && near > 0; r++) {
        for (int n = 0; n < a->placer->core->count; n++)
            a->sequence.room[n] = a->sequence.at[n] >= 0 ? 0 : a->longest[n] * rooms[r] / 8;
        if (r == 0) {
            swp_solve_sequence_keep_room(&a->sequence);
            swp_solve_sequence_build(&a->sequence, try);
        }
        near = improve(a);
    }
    return near;
}

/* Tries an order. A node that finds no place gets more room, and the order is corrected. */
static swp_status try_order(swp_context *ctx, swp_modulo_around *a, int try, bool *found)
{
    int64_t near = find_order(a, try);
    for (int round = 0; round < MOST_ROUNDS && near == 0 && !a->placer->budget->stopped; round++) {
        bool fits = false;
        int stuck = -1;
        SWP_TRY(put_sequence(ctx, a, &fits));
        if (fits)
            SWP_TRY(place_others(ctx, a, found, &stuck));
        if (*found || stuck < 0)
            return SWP_OK;
        a->sequence.room[stuck] += a->longest[stuck] / 2 + 1;
        near = improve(a);
    }
    return SWP_OK;
}

swp_status swp_solve_modulo_around_try(swp_context *ctx, swp_modulo_around *a,
                                       swp_around_effort effort, bool *found)
{
    const int64_t until = a->sequence.looks + effort.looks;
    *found = false;
    swp_solve_sequence_set(&a->sequence);
    for (int i = 0;
         i < effort.orders && !*found && a->sequence.looks <= until && !a->placer->budget->stopped;
         i++)
        SWP_TRY(try_order(ctx, a, effort.first + i, found));
    return SWP_OK;
}
