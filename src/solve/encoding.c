/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what a formula encodes: windows by longest paths, and for components a reference op. */
#include "solve/encoding.h"

#include "base/budget.h"
#include "solve/groups.h"
#include "solve/paths.h"

static swp_status number_uses(swp_context *ctx, swp_encoding *e)
{
    const swp_problem *p = e->graph->problem;
    for (size_t i = 0; i < p->op_count; i++)
        e->use_count += p->ops[i].use_count;
    SWP_TRY(SWP_TAKE(ctx, e->use_count + 1, &e->uses));
    size_t next = 0;
    for (size_t i = 0; i < p->op_count; i++)
        for (size_t u = 0; u < p->ops[i].use_count; u++)
            e->uses[next++] = (swp_numbered_use){(int)i, &p->ops[i].uses[u]};
    return SWP_OK;
}

static swp_status start(swp_context *ctx, const swp_problem_graph *graph, int64_t value,
                        swp_encoding *e)
{
    const size_t count = graph->problem->op_count;
    *e = (swp_encoding){.graph = graph, .value = value, .fixed = -1};
    SWP_TRY(SWP_TAKE(ctx, count + 1, &e->encoded));
    SWP_TRY(SWP_TAKE(ctx, count + 1, &e->lo));
    SWP_TRY(SWP_TAKE(ctx, count + 1, &e->hi));
    SWP_TRY(SWP_TAKE(ctx, graph->problem->resource_count + 1, &e->groups));
    return number_uses(ctx, e);
}

static swp_status take_edges(swp_context *ctx, swp_encoding *e, int64_t most_distance)
{
    const swp_problem_graph *g = e->graph;
    for (size_t i = 0; i < g->problem->edge_count; i++) {
        const swp_problem_edge *edge = &g->problem->edges[i];
        const bool together = g->component[edge->producer] == g->component[edge->consumer] ||
                              g->problem->kind == SWP_PROBLEM_MAKESPAN;
        if (edge->producer == edge->consumer || edge->distance > most_distance || !together ||
            !e->encoded[edge->producer] || !e->encoded[edge->consumer])
            continue;
        const swp_encoding_edge taken = {edge->producer, edge->consumer,
                                         swp_solve_edge_weight(edge, e->period)};
        SWP_TRY(SWP_PUSH(ctx, &e->edges, taken));
    }
    return SWP_OK;
}

/* Sets the range of slots, and decides whether windows and slots are few enough to be encoded one by one. */
static swp_encoding_state measure(swp_encoding *e)
{
    int64_t size = 0;
    bool any = false;
    for (size_t i = 0; i < e->graph->problem->op_count; i++)
        if (e->encoded[i] && e->lo[i] > e->hi[i])
            return SWP_ENCODING_EMPTY;
    for (size_t i = 0; i < e->graph->problem->op_count; i++) {
        size += e->encoded[i] ? e->hi[i] - e->lo[i] : 0;
        if (size > SWP_MOST_TIME_VARIABLES)
            return SWP_ENCODING_LARGE;
    }
    e->first = 0;
    e->last = e->period - 1;
    for (size_t i = 0; i < e->use_count; i++) {
        const int op = e->uses[i].op;
        const int64_t cycles = e->uses[i].use->cycles;
        if (!e->encoded[op] || cycles == 0)
            continue;
        size += e->hi[op] - e->lo[op] + (e->period && cycles > e->period ? e->period : cycles);
        if (size > SWP_MOST_TIME_VARIABLES)
            return SWP_ENCODING_LARGE;
        if (e->period)
            continue;
        const int64_t end = e->hi[op] + cycles - 1;
        e->first = any && e->first < e->lo[op] ? e->first : e->lo[op];
        e->last = any && e->last > end ? e->last : end;
        any = true;
    }
    return e->last - e->first >= SWP_MOST_TIME_VARIABLES ? SWP_ENCODING_LARGE : SWP_ENCODING_READY;
}

static swp_status finish(swp_context *ctx, swp_encoding *e, int64_t most_distance,
                         swp_encoding_state *state)
{
    bool grouped = false;
    *state = measure(e);
    if (*state != SWP_ENCODING_READY)
        return SWP_OK;
    SWP_TRY(take_edges(ctx, e, most_distance));
    for (size_t i = 0; i < e->alike.count; i++)
        for (size_t k = 0; k + 1 < e->alike.items[i].count; k++) {
            const swp_encoding_edge edge = {e->alike.items[i].items[k],
                                            e->alike.items[i].items[k + 1], 0};
            SWP_TRY(SWP_PUSH(ctx, &e->edges, edge));
        }
    SWP_TRY(swp_solve_group_uses(ctx, e, &grouped));
    if (!grouped)
        *state = SWP_ENCODING_STOPPED;
    return SWP_OK;
}

static swp_status encode_makespan(swp_context *ctx, const swp_problem_graph *graph, int64_t value,
                                  swp_encoding *out, swp_encoding_state *state)
{
    const swp_problem *p = graph->problem;
    SWP_TRY(start(ctx, graph, value, out));
    for (size_t i = 0; i < p->op_count; i++) {
        out->encoded[i] = true;
        out->hi[i] = p->ops[i].latency;
    }
    (void)swp_solve_paths_from(graph, 0, -1, out->lo);
    (void)swp_solve_paths_to(graph, 0, -1, out->hi);
    for (size_t i = 0; i < p->op_count; i++)
        out->hi[i] = value - out->hi[i];
    return finish(ctx, out, 0, state);
}

/*
 * Sets the window of each op of a component relative to `reference`. The caller adds to `hi` the
 * slack of the reference itself. Returns false if a cycle is positive.
 */
static bool relate(const swp_problem_graph *g, int64_t interval, int reference, int64_t *lo,
                   int64_t *hi)
{
    const int c = g->component[reference];
    for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++)
        lo[g->members[m]] = hi[g->members[m]] = SWP_NO_PATH;
    lo[reference] = hi[reference] = 0;
    if (!swp_solve_paths_from(g, interval, c, lo) || !swp_solve_paths_to(g, interval, c, hi))
        return false;
    for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++)
        hi[g->members[m]] = -hi[g->members[m]];
    return true;
}

/*
 * Any op may be the reference, so that trying some is enough. The one that makes the windows
 * narrowest is taken.
 */
enum { REFERENCES_TRIED = 64, STEPS_OF_AN_OP = 16 };

static int choose_reference(const swp_problem_graph *g, int64_t interval, int c, swp_budget *budget,
                            int64_t *lo, int64_t *hi)
{
    const int count = g->member_first[c + 1] - g->member_first[c];
    const int step = (count + REFERENCES_TRIED - 1) / REFERENCES_TRIED;
    int best = g->members[g->member_first[c]];
    double least = 0;
    for (int i = 0; count > 1 && i < count; i += step) {
        const int reference = g->members[g->member_first[c] + i];
        if (!swp_budget_keep(budget, STEPS_OF_AN_OP * (uint64_t)count) ||
            !relate(g, interval, reference, lo, hi))
            return best;
        double width = 0;
        for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++)
            width += (double)(hi[g->members[m]] - lo[g->members[m]]);
        if (i == 0 || width < least) {
            least = width;
            best = reference;
        }
    }
    return best;
}

static int member_count(const swp_problem_graph *g, int op)
{
    const int c = g->component[op];
    return g->member_first[c + 1] - g->member_first[c];
}

/*
 * Returns whether a modulo formula leaves out a component because it always finds room: its ops
 * have no uses, or it is one op that holds one unit for one cycle.
 */
static bool leaves_out(const swp_problem_graph *g, int component)
{
    const int first = g->member_first[component];
    const int end = g->member_first[component + 1];
    const swp_problem_use *only = NULL;
    int uses = 0;
    for (int m = first; m < end; m++) {
        const swp_problem_op *op = &g->problem->ops[g->members[m]];
        for (size_t u = 0; u < op->use_count; u++)
            if (op->uses[u].cycles > 0) {
                only = &op->uses[u];
                uses++;
            }
    }
    return uses == 0 || (end - first == 1 && uses == 1 && only->amount == 1 && only->cycles == 1);
}

static swp_status choose_references(swp_context *ctx, swp_encoding *e, swp_budget *budget)
{
    const swp_problem_graph *g = e->graph;
    for (int c = 0; c < g->component_count; c++) {
        if (leaves_out(g, c))
            continue;
        const int reference = choose_reference(g, e->value, c, budget, e->lo, e->hi);
        SWP_TRY(SWP_PUSH(ctx, &e->references, reference));
        if (e->fixed < 0 || member_count(g, reference) > member_count(g, e->fixed))
            e->fixed = reference;
    }
    return SWP_OK;
}

static bool encode_around(swp_encoding *e, int reference, int64_t slack)
{
    const swp_problem_graph *g = e->graph;
    const int c = g->component[reference];
    if (!relate(g, e->period, reference, e->lo, e->hi))
        return false;
    for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++) {
        e->encoded[g->members[m]] = true;
        e->hi[g->members[m]] += slack;
    }
    return true;
}

static swp_status encode_modulo(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                                swp_encoding *out, swp_encoding_state *state)
{
    SWP_TRY(start(ctx, graph, interval, out));
    out->period = interval;
    swp_budget budget = swp_budget_start(ctx, 0);
    SWP_TRY(choose_references(ctx, out, &budget));
    for (size_t i = 0; i < out->references.count; i++) {
        const int reference = out->references.items[i];
        if (!swp_budget_keep(&budget, STEPS_OF_AN_OP * (uint64_t)member_count(graph, reference))) {
            *state = SWP_ENCODING_STOPPED;
            return SWP_OK;
        }
        if (!encode_around(out, reference, reference == out->fixed ? 0 : interval - 1)) {
            *state = SWP_ENCODING_EMPTY;
            return SWP_OK;
        }
    }
    SWP_TRY(swp_solve_find_alike(ctx, out));
    return finish(ctx, out, INT64_MAX, state);
}

swp_status swp_solve_encode_value(swp_context *ctx, const swp_problem_graph *graph, int64_t value,
                                  swp_encoding *out, swp_encoding_state *state)
{
    return graph->problem->kind == SWP_PROBLEM_MODULO
               ? encode_modulo(ctx, graph, value, out, state)
               : encode_makespan(ctx, graph, value, out, state);
}

swp_status swp_solve_encode_component(swp_context *ctx, const swp_problem_graph *graph,
                                      int component, swp_encoding *out, swp_encoding_state *state)
{
    SWP_TRY(start(ctx, graph, 0, out));
    out->of_component = true;
    swp_budget budget = swp_budget_start(ctx, 0);
    out->fixed = choose_reference(graph, 0, component, &budget, out->lo, out->hi);
    SWP_TRY(SWP_PUSH(ctx, &out->references, out->fixed));
    (void)encode_around(out, out->fixed, 0);
    if (budget.stopped) {
        *state = SWP_ENCODING_STOPPED;
        return SWP_OK;
    }
    return finish(ctx, out, 0, state);
}
