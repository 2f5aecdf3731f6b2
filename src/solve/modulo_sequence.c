/* SPDX-License-Identifier: Apache-2.0 */
/* Builds an order op by op, so that as few windows as possible begin to run out. */
#include "solve/modulo_sequence.h"

#include "base/random.h"
#include "solve/paths.h"

/*
 * Matrices over all pairs of nodes are kept, so there must not be more. Fewer ops than LEAST_OPS
 * need no order.
 */
enum { MOST_NODES = 400, LEAST_OPS = 3 };

static int64_t cycles_on(const swp_modulo_core *core, int node, int resource)
{
    const swp_problem *problem = core->graph->problem;
    const swp_problem_op *op = &problem->ops[core->ops[node]];
    int64_t cycles = 0;
    for (size_t u = 0; u < op->use_count; u++)
        if (op->uses[u].resource == resource && op->uses[u].cycles > cycles &&
            2 * op->uses[u].amount > problem->resources[resource].capacity)
            cycles = op->uses[u].cycles;
    return cycles;
}

/* Returns the resource that is held longest by ops of which no two fit beside each other, or -1. */
static int fullest_unit(const swp_modulo_core *core)
{
    const swp_problem *problem = core->graph->problem;
    int64_t most = 0;
    int unit = -1;
    for (int r = 0; r < (int)problem->resource_count; r++) {
        int64_t load = 0;
        int ops = 0;
        for (int n = 0; n < core->count; n++) {
            const int64_t cycles = cycles_on(core, n, r);
            load += cycles;
            ops += cycles > 0;
        }
        if (load > most && ops >= LEAST_OPS) {
            most = load;
            unit = r;
        }
    }
    return unit;
}

swp_status swp_solve_sequence_new(swp_context *ctx, const swp_modulo_core *core, swp_budget *budget,
                                  swp_modulo_sequence *out, bool *fits)
{
    const size_t count = (size_t)core->count;
    *out = (swp_modulo_sequence){.core = core, .budget = budget, .random = SWP_RANDOM_SEED};
    *fits = false;
    if (core->count > MOST_NODES)
        return SWP_OK;
    out->resource = fullest_unit(core);
    if (out->resource < 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, count, &out->at));
    SWP_TRY(SWP_TAKE(ctx, count * count, &out->paths));
    SWP_TRY(SWP_TAKE(ctx, count * count, &out->apart));
    SWP_TRY(SWP_TAKE(ctx, count, &out->room));
    SWP_TRY(SWP_TAKE(ctx, count, &out->low));
    SWP_TRY(SWP_TAKE(ctx, count, &out->high));
    SWP_TRY(SWP_TAKE(ctx, count, &out->frozen));
    for (int n = 0; n < core->count; n++) {
        const int64_t cycles = cycles_on(core, n, out->resource);
        out->at[n] = cycles > 0 ? out->count : -1;
        if (cycles > 0)
            out->ops[out->count++] = (swp_sequenced){.node = n, .cycles = cycles};
    }
    *fits = true;
    return SWP_OK;
}

void swp_solve_sequence_set(swp_modulo_sequence *s)
{
    const size_t count = (size_t)s->core->count;
    for (size_t i = 0; i < count * count; i++)
        s->paths[i] = SWP_NO_PATH;
    for (size_t n = 0; n < count; n++)
        for (size_t a = s->core->first[n]; a < s->core->first[n + 1]; a++)
            s->paths[n * count + (size_t)s->core->arcs[a].to] = s->core->arcs[a].delay;
    swp_solve_sequence_keep_room(s);
}

/*
 * Lengthens the distance of two ops so that a node between them has its path from one, its room,
 * and its path to the other.
 */
void swp_solve_sequence_keep_room(swp_modulo_sequence *s)
{
    const size_t count = (size_t)s->core->count;
    for (size_t i = 0; i < count * count; i++)
        s->apart[i] = s->paths[i];
    for (size_t between = 0; between < count; between++) {
        if (s->at[between] >= 0 || s->room[between] == 0)
            continue;
        for (int a = 0; a < s->count; a++)
            for (int b = 0; b < s->count; b++) {
                const size_t from = (size_t)s->ops[a].node;
                const size_t to = (size_t)s->ops[b].node;
                const int64_t before = s->paths[from * count + between];
                const int64_t behind = s->paths[between * count + to];
                const int64_t least = before + s->room[between] + behind;
                if (from != to && before != SWP_NO_PATH && behind != SWP_NO_PATH &&
                    least > s->apart[from * count + to])
                    s->apart[from * count + to] = least;
            }
    }
}

int64_t swp_solve_sequence_draw(swp_modulo_sequence *s, int64_t below)
{
    return (int64_t)swp_random_below(&s->random, (uint64_t)below);
}

/* Returns by how many intervals the slot has to move to lie in the window, or to just pass its nearer end. */
static int64_t turn_at(const swp_modulo_sequence *s, int node, int64_t slot)
{
    const int64_t interval = s->core->interval;
    int64_t turn = 0;
    if (s->low[node] > slot)
        turn = (s->low[node] - slot + interval - 1) / interval;
    else if (s->high[node] < slot)
        turn = -((slot - s->high[node] + interval - 1) / interval);
    return turn;
}

/* Returns by how much the windows of the remaining ops get shorter if the op is at `time`. */
static int64_t shortening(const swp_modulo_sequence *s, int first, int node, int64_t time)
{
    const int64_t horizon = time + 2 * s->core->interval;
    int64_t sum = 0;
    for (int i = first; i < s->count; i++) {
        const int other = s->ops[i].node;
        const int64_t to = swp_sequenced_apart(s, other, node);
        if (other == node || to == SWP_NO_PATH)
            continue;
        const int64_t high = s->high[other] < horizon ? s->high[other] : horizon;
        if (time - to < high)
            sum += high - (time - to);
    }
    return sum;
}

static void narrow(swp_modulo_sequence *s, int first, int node, int64_t time)
{
    for (int i = first; i < s->count; i++) {
        const int other = s->ops[i].node;
        const int64_t from = swp_sequenced_apart(s, node, other);
        const int64_t to = swp_sequenced_apart(s, other, node);
        if (from != SWP_NO_PATH && time + from > s->low[other])
            s->low[other] = time + from;
        if (to != SWP_NO_PATH && time - to < s->high[other])
            s->high[other] = time - to;
    }
}

/* A try weighs how soon an op is due, by one of these, against how much it shortens the others. */
static const int due_weights[] = {1, 0, 4, 16, 64};
enum { DUE_WEIGHTS = sizeof due_weights / sizeof *due_weights };

static int choose(swp_modulo_sequence *s, int first, int64_t slot, int try)
{
    const int64_t interval = s->core->interval;
    const int64_t weight = due_weights[try % DUE_WEIGHTS];
    int best = first;
    int64_t least = INT64_MAX;
    for (int i = first; i < s->count; i++) {
        const int node = s->ops[i].node;
        const int64_t turn = turn_at(s, node, slot);
        const int64_t time = slot + turn * interval;
        int64_t due = s->high[node] < time + 2 * interval ? s->high[node] - time : 2 * interval;
        if (time < s->low[node] || due < 0)
            due = 4 * interval;
        const int64_t chance = try < DUE_WEIGHTS ? 0 : swp_solve_sequence_draw(s, interval);
        const int64_t price = shortening(s, first, node, time) + weight * due + chance;
        if (price < least) {
            least = price;
            best = i;
        }
    }
    return best;
}

void swp_solve_sequence_build(swp_modulo_sequence *s, int try)
{
    int64_t slot = 0;
    for (int n = 0; n < s->core->count; n++) {
        s->low[n] = INT64_MIN / 4;
        s->high[n] = INT64_MAX / 4;
    }
    for (int i = 0; i < s->count; i++) {
        const int chosen = choose(s, i, slot, try);
        const swp_sequenced op = s->ops[chosen];
        s->ops[chosen] = s->ops[i];
        const int64_t turn = s->low[op.node] > INT64_MIN / 4 ? turn_at(s, op.node, slot) : 0;
        s->ops[i] = (swp_sequenced){op.node, op.cycles, slot, turn};
        s->at[op.node] = i;
        narrow(s, i + 1, op.node, swp_sequenced_time(&s->ops[i], s->core->interval));
        slot += op.cycles;
    }
}
