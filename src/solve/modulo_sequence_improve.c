/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps ops of an order that are too near each other (tabu search, Glover 1989). */
#include "solve/modulo_sequence.h"

/* Returns by how much two ops are too near. */
static int64_t nearness(swp_modulo_sequence *s, const swp_sequenced *a, const swp_sequenced *b)
{
    const int64_t interval = s->core->interval;
    const int64_t distance = swp_sequenced_time(b, interval) - swp_sequenced_time(a, interval);
    const int64_t after = swp_sequenced_apart(s, a->node, b->node) - distance;
    const int64_t before = swp_sequenced_apart(s, b->node, a->node) + distance;
    s->looks++;
    return (after > 0 ? after : 0) + (before > 0 ? before : 0);
}

static int64_t nearness_of(swp_modulo_sequence *s, int i)
{
    int64_t sum = 0;
    for (int j = 0; j < s->count; j++)
        if (j != i)
            sum += nearness(s, &s->ops[i], &s->ops[j]);
    return sum;
}

static int64_t nearness_of_all(swp_modulo_sequence *s)
{
    int64_t sum = 0;
    for (int i = 0; i < s->count; i++)
        for (int j = i + 1; j < s->count; j++)
            sum += nearness(s, &s->ops[i], &s->ops[j]);
    return sum;
}

/* Returns what the ops from `low` to `high` add to the sum of nearness; with `ends` only these two count. */
static int64_t share_of(swp_modulo_sequence *s, int low, int high, bool ends)
{
    const int step = ends && high > low ? high - low : 1;
    int64_t sum = 0;
    for (int i = low; i <= high; i += step) {
        sum += nearness_of(s, i);
        for (int j = i + step; j <= high; j += step)
            sum -= nearness(s, &s->ops[i], &s->ops[j]);
    }
    return sum;
}

static void swap(swp_modulo_sequence *s, int low, int high)
{
    const swp_sequenced first = s->ops[low];
    int64_t slot = first.slot;
    s->ops[low] = s->ops[high];
    s->ops[high] = first;
    s->at[s->ops[low].node] = low;
    s->at[s->ops[high].node] = high;
    for (int i = low; i <= high; i++) {
        s->ops[i].slot = slot;
        slot += s->ops[i].cycles;
    }
}

typedef struct move {
    int other; /* -1: none */
    int64_t turn;
    int64_t gain;
} move;

static void consider_swap(swp_modulo_sequence *s, int i, int j, move *best)
{
    const int low = i < j ? i : j;
    const int high = i < j ? j : i;
    const bool ends = s->ops[i].cycles == s->ops[j].cycles;
    const int64_t before = share_of(s, low, high, ends);
    swap(s, low, high);
    const int64_t gain = before - share_of(s, low, high, ends);
    swap(s, low, high);
    if (gain > best->gain)
        *best = (move){j, 0, gain};
}

static void consider_turn(swp_modulo_sequence *s, int i, int64_t by, move *best)
{
    const int64_t before = nearness_of(s, i);
    s->ops[i].turn += by;
    const int64_t gain = before - nearness_of(s, i);
    s->ops[i].turn -= by;
    if (gain > best->gain)
        *best = (move){i, by, gain};
}

/* Returns some op that is too near another, or -1. */
static int troubled(swp_modulo_sequence *s)
{
    const int from = (int)swp_solve_sequence_draw(s, s->count);
    for (int k = 0; k < s->count; k++) {
        const int i = (from + k) % s->count;
        if (nearness_of(s, i) > 0)
            return i;
    }
    return -1;
}

enum { FROZEN_MOVES = 8, LOOKS_PER_STEP = 1 << 14, STEPS_OF_ALL = 2 * LOOKS_PER_STEP };

/* Counts looks as steps of the budget, so that a step costs about what it costs in other searches. */
static bool spend(swp_modulo_sequence *s)
{
    for (; s->looks - s->spent >= LOOKS_PER_STEP; s->spent += LOOKS_PER_STEP) {
        swp_budget_count(s->budget, STEPS_OF_ALL);
        if (!swp_budget_spend(s->budget))
            return false;
    }
    return true;
}

int64_t swp_solve_sequence_improve(swp_modulo_sequence *s, int64_t most_moves)
{
    int64_t sum = nearness_of_all(s);
    for (int64_t m = 0; m < most_moves && sum > 0 && spend(s); m++) {
        const int i = troubled(s);
        move best = {-1, 0, INT64_MIN};
        s->moves++;
        for (int j = 0; j < s->count; j++)
            if (j != i && s->frozen[s->ops[j].node] <= s->moves)
                consider_swap(s, i, j, &best);
        consider_turn(s, i, 1, &best);
        consider_turn(s, i, -1, &best);
        if (best.other < 0)
            continue;
        if (best.turn != 0)
            s->ops[i].turn += best.turn;
        else
            swap(s, i < best.other ? i : best.other, i < best.other ? best.other : i);
        sum -= best.gain;
        s->frozen[s->ops[i].node] =
            s->moves + FROZEN_MOVES + swp_solve_sequence_draw(s, FROZEN_MOVES);
        s->frozen[s->ops[best.other].node] =
            s->moves + FROZEN_MOVES + swp_solve_sequence_draw(s, FROZEN_MOVES);
    }
    return sum;
}
