/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places the tightest nodes first, and evicts others where there is no room: iterative modulo
 * scheduling (Rau 1994).
 */
#include "solve/modulo_place.h"

#include "solve/paths.h"

/* The limit on tries counts so many nodes more than there are. */
enum { SPARE_NODES = 5 };

swp_status swp_solve_modulo_placer_new(swp_context *ctx, const swp_modulo_core *core,
                                       swp_budget *budget, swp_modulo_placer *out)
{
    const size_t count = (size_t)core->count;
    *out = (swp_modulo_placer){.core = core, .budget = budget};
    SWP_TRY(swp_solve_profile_new(ctx, core->graph->problem, 1, &out->profile));
    SWP_TRY(SWP_TAKE(ctx, count, &out->times));
    SWP_TRY(SWP_TAKE(ctx, count, &out->placed));
    SWP_TRY(SWP_TAKE(ctx, count, &out->ranking));
    SWP_TRY(SWP_TAKE(ctx, count, &out->rank));
    SWP_TRY(SWP_TAKE(ctx, count, &out->last));
    SWP_TRY(SWP_TAKE(ctx, count, &out->key));
    SWP_TRY(SWP_TAKE(ctx, core->graph->problem->op_count, &out->rest));
    return SWP_TAKE(ctx, count + 1, &out->levels);
}

static const swp_problem_op *op_of(const swp_modulo_placer *placer, int node)
{
    return &placer->core->graph->problem->ops[placer->core->ops[node]];
}

/*
 * Returns whether the node takes one cycle of one unit and is bound to nothing. Then the load of
 * the resource says whether there is room.
 */
static bool is_filler(const swp_modulo_placer *placer, int node)
{
    const swp_problem_op *op = op_of(placer, node);
    if (placer->core->first[node] != placer->core->first[node + 1])
        return false;
    int64_t cells = 0;
    for (size_t u = 0; u < op->use_count; u++)
        if (op->uses[u].cycles > 0)
            cells += op->uses[u].cycles * op->uses[u].amount;
    return cells == 1;
}

/* An op comes the sooner, the less it can move against another of its component, and the more it takes. */
static int64_t tightness_of(const swp_modulo_placer *placer, int node)
{
    const swp_modulo_core *core = placer->core;
    if (is_filler(placer, node))
        return INT64_MAX;
    int64_t slack = core->interval * 2;
    for (size_t a = core->first[node]; a < core->first[node + 1]; a++) {
        const int64_t freedom = -core->arcs[a].delay - core->back_arcs[a].delay;
        if (freedom < slack)
            slack = freedom;
    }
    const swp_problem_op *op = op_of(placer, node);
    int64_t share = 0; /* of the interval, in thousandths */
    for (size_t u = 0; u < op->use_count; u++) {
        const double part =
            (double)op->uses[u].cycles * (double)op->uses[u].amount /
            ((double)core->interval *
             (double)core->graph->problem->resources[op->uses[u].resource].capacity);
        share += (int64_t)(part * 1000);
    }
    const double relative = (double)slack / (double)core->interval * 1000;
    return (int64_t)relative - share;
}

/* This is Shell's sort, since qsort() cannot see keys that lie elsewhere. */
static void sort_ranking(swp_modulo_placer *placer)
{
    const int64_t *key = placer->key;
    const int count = placer->core->count;
    int gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            const int node = placer->ranking[i];
            const int64_t own = key[node];
            int j = i;
            for (; j >= gap; j -= gap) {
                const int before = placer->ranking[j - gap];
                const int64_t key_before = key[before];
                if (key_before < own || (key_before == own && before < node))
                    break;
                placer->ranking[j] = before;
            }
            placer->ranking[j] = node;
        }
}

void swp_solve_modulo_clear(swp_modulo_placer *placer)
{
    swp_solve_profile_clear(&placer->profile, placer->core->interval);
    for (int n = 0; n < placer->core->count; n++)
        placer->placed[n] = false;
}

static void set_keys(swp_modulo_placer *placer, swp_modulo_order order)
{
    const swp_modulo_core *core = placer->core;
    if (order == SWP_LONGEST_FIRST) {
        for (size_t i = 0; i < core->graph->problem->op_count; i++)
            placer->rest[i] = 0;
        (void)swp_solve_paths_to(core->graph, core->interval, -1, placer->rest);
    }
    for (int n = 0; n < core->count; n++)
        placer->key[n] = order == SWP_TIGHTEST_FIRST   ? tightness_of(placer, n)
                         : order == SWP_EARLIEST_FIRST ? core->earliest[core->ops[n]]
                                                       : -placer->rest[core->ops[n]];
}

void swp_solve_modulo_placer_rank(swp_modulo_placer *placer, swp_modulo_order order)
{
    const int count = placer->core->count;
    set_keys(placer, order);
    for (int n = 0; n < count; n++)
        placer->ranking[n] = n;
    sort_ranking(placer);
    for (int i = 0; i < count; i++)
        placer->rank[placer->ranking[i]] = i;
    placer->decisive = count;
    while (placer->decisive > 0 && placer->key[placer->ranking[placer->decisive - 1]] == INT64_MAX)
        placer->decisive--;
}

bool swp_solve_modulo_placer_set(swp_modulo_placer *placer)
{
    swp_solve_modulo_clear(placer);
    placer->decisive = placer->core->count;
    if (!swp_solve_each_fits_alone(placer->core->graph->problem, placer->core->interval))
        return false;
    swp_solve_modulo_placer_rank(placer, SWP_TIGHTEST_FIRST);
    return true;
}

bool swp_solve_modulo_window(const swp_modulo_placer *placer, int node, int64_t *low, int64_t *high)
{
    const swp_modulo_core *core = placer->core;
    bool bound = false;
    *low = INT64_MIN;
    *high = INT64_MAX;
    for (size_t a = core->first[node]; a < core->first[node + 1]; a++) {
        const int other = core->arcs[a].to;
        if (!placer->placed[other])
            continue;
        const int64_t least = placer->times[other] + core->back_arcs[a].delay;
        const int64_t most = placer->times[other] - core->arcs[a].delay;
        bound = true;
        *low = least > *low ? least : *low;
        *high = most < *high ? most : *high;
    }
    if (bound)
        return true;
    *low = core->earliest[core->ops[node]];
    *high = *low + core->interval - 1;
    return false;
}

swp_status swp_solve_modulo_take_out(swp_context *ctx, swp_modulo_placer *placer, int node)
{
    placer->placed[node] = false;
    return swp_solve_profile_remove(ctx, &placer->profile, placer->core->ops[node],
                                    placer->times[node]);
}

static swp_status take_out(swp_context *ctx, swp_modulo_placer *placer, int node, int *next)
{
    if (placer->rank[node] < *next)
        *next = placer->rank[node];
    return swp_solve_modulo_take_out(ctx, placer, node);
}

static int64_t apart(int64_t from, int64_t to, int64_t interval)
{
    const int64_t difference = (to - from) % interval;
    return difference < 0 ? difference + interval : difference;
}

bool swp_solve_modulo_meet(const swp_modulo_placer *placer, int node, int64_t time, int other)
{
    const swp_problem_op *a = op_of(placer, node);
    const swp_problem_op *b = op_of(placer, other);
    const int64_t a_time = time;
    const int64_t b_time = placer->times[other];
    const int64_t interval = placer->core->interval;
    for (size_t i = 0; i < a->use_count; i++)
        for (size_t j = 0; j < b->use_count; j++)
            if (a->uses[i].resource == b->uses[j].resource && a->uses[i].cycles > 0 &&
                b->uses[j].cycles > 0 &&
                (apart(a_time, b_time, interval) < a->uses[i].cycles ||
                 apart(b_time, a_time, interval) < b->uses[j].cycles))
                return true;
    return false;
}

/* Makes room for a node at `time`; of the nodes in its way, the easiest to place are evicted first. */
static swp_status make_room(swp_context *ctx, swp_modulo_placer *placer, int node, int64_t time,
                            int *next)
{
    const swp_modulo_core *core = placer->core;
    const int op = core->ops[node];
    for (size_t a = core->first[node]; a < core->first[node + 1]; a++) {
        const int other = core->arcs[a].to;
        if (placer->placed[other] && (time < placer->times[other] + core->back_arcs[a].delay ||
                                      time > placer->times[other] - core->arcs[a].delay))
            SWP_TRY(take_out(ctx, placer, other, next));
    }
    for (int i = core->count - 1; i >= 0; i--) {
        int64_t fit = 0;
        if (swp_solve_profile_first_fit(&placer->profile, op, time, time, &fit))
            return SWP_OK;
        const int other = placer->ranking[i];
        if (placer->placed[other] && swp_solve_modulo_meet(placer, node, time, other))
            SWP_TRY(take_out(ctx, placer, other, next));
    }
    return SWP_OK;
}

swp_status swp_solve_modulo_put(swp_context *ctx, swp_modulo_placer *placer, int node, int64_t time)
{
    placer->times[node] = time;
    placer->placed[node] = true;
    return swp_solve_profile_add(ctx, &placer->profile, placer->core->ops[node], time);
}

static swp_status place_node(swp_context *ctx, swp_modulo_placer *placer, int node, int *next)
{
    int64_t low = 0;
    int64_t high = 0;
    int64_t time = 0;
    (void)swp_solve_modulo_window(placer, node, &low, &high);
    if (!swp_solve_profile_first_fit(&placer->profile, placer->core->ops[node], low, high, &time)) {
        time = placer->last[node] >= low && placer->last[node] < low + placer->core->interval - 1
                   ? placer->last[node] + 1
                   : low;
        placer->last[node] = time;
        SWP_TRY(make_room(ctx, placer, node, time, next));
    }
    return swp_solve_modulo_put(ctx, placer, node, time);
}

swp_status swp_solve_modulo_place(swp_context *ctx, swp_modulo_placer *placer, int tries_per_node,
                                  bool *found)
{
    const int count = placer->core->count;
    int64_t tries = ((int64_t)count + SPARE_NODES) * tries_per_node;
    swp_solve_modulo_clear(placer);
    for (int n = 0; n < count; n++)
        placer->last[n] = INT64_MIN;
    *found = false;
    for (int next = 0; next < count;) {
        const int node = placer->ranking[next];
        if (placer->placed[node]) {
            next++;
            continue;
        }
        if (tries-- == 0 || !swp_budget_spend(placer->budget))
            return SWP_OK;
        SWP_TRY(place_node(ctx, placer, node, &next));
    }
    *found = true;
    return SWP_OK;
}
