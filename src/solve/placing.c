/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts components by whole intervals until the edges between them hold, and fills in the ops left out. */
#include "solve/placing.h"

#include "solve/paths.h"

/* `free` is what one resource has left at each slot; all slots before `next` are full. */
typedef struct room {
    int64_t *free;
    int64_t next;
} room;

static int64_t slot_of(int64_t time, int64_t interval)
{
    const int64_t slot = time % interval;
    return slot < 0 ? slot + interval : slot;
}

static swp_status measure_room(swp_context *ctx, const swp_encoding *e, int resource, room *out)
{
    const int64_t interval = e->period;
    SWP_TRY(SWP_TAKE(ctx, (size_t)interval, &out->free));
    for (int64_t s = 0; s < interval; s++)
        out->free[s] = e->graph->problem->resources[resource].capacity;
    return SWP_OK;
}

static void take_room(const swp_encoding *e, const int64_t *times, const swp_numbered_use *use,
                      room *r)
{
    const int64_t interval = e->period;
    const int64_t whole = use->use->cycles / interval;
    for (int64_t s = 0; whole > 0 && s < interval; s++)
        r->free[s] -= whole * use->use->amount;
    for (int64_t i = 0; i < use->use->cycles % interval; i++)
        r->free[slot_of(times[use->op] + i, interval)] -= use->use->amount;
}

/*
 * Places the single ops that the formula left out: each holds one unit for one cycle, so any free
 * cell will do.
 */
static swp_status place_fillers(swp_context *ctx, const swp_encoding *e, int64_t *times)
{
    room *rooms = NULL;
    SWP_TRY(SWP_TAKE(ctx, e->graph->problem->resource_count + 1, &rooms));
    for (size_t i = 0; i < e->use_count; i++)
        if (!e->encoded[e->uses[i].op] && e->uses[i].use->cycles > 0 &&
            !rooms[e->uses[i].use->resource].free)
            SWP_TRY(
                measure_room(ctx, e, e->uses[i].use->resource, &rooms[e->uses[i].use->resource]));
    for (size_t i = 0; i < e->use_count; i++)
        if (e->encoded[e->uses[i].op] && rooms[e->uses[i].use->resource].free)
            take_room(e, times, &e->uses[i], &rooms[e->uses[i].use->resource]);
    for (size_t i = 0; i < e->use_count; i++) {
        room *r = &rooms[e->uses[i].use->resource];
        if (e->encoded[e->uses[i].op] || e->uses[i].use->cycles == 0)
            continue;
        while (r->next < e->period && r->free[r->next] < 1)
            r->next++;
        times[e->uses[i].op] = r->next;
        if (r->next < e->period)
            r->free[r->next]--;
    }
    return SWP_OK;
}

/* Gives components without uses any times that suit their edges. */
static void relate_rest(const swp_encoding *e, int64_t *times)
{
    const swp_problem_graph *g = e->graph;
    for (int c = 0; c < g->component_count; c++) {
        const int first = g->members[g->member_first[c]];
        if (e->encoded[first] || g->member_first[c + 1] - g->member_first[c] == 1)
            continue;
        for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++)
            times[g->members[m]] = SWP_NO_PATH;
        times[first] = 0;
        (void)swp_solve_paths_from(g, e->period, c, times);
    }
}

static int64_t multiple_above(int64_t least, int64_t interval)
{
    const int64_t turns = least / interval + (least % interval > 0);
    return turns * interval;
}

/* Shifts each component by as many intervals as the edges from earlier ones ask for. */
static swp_status shift_components(swp_context *ctx, const swp_encoding *e, int64_t *times)
{
    const swp_problem_graph *g = e->graph;
    int64_t *least = NULL;
    SWP_TRY(SWP_TAKE(ctx, (size_t)g->component_count + 1, &least));
    for (int c = 0; c < g->component_count; c++)
        least[c] = SWP_NO_PATH;
    for (int c = 0; c < g->component_count; c++) {
        for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++)
            if (least[c] < -times[g->members[m]])
                least[c] = -times[g->members[m]];
        const int64_t shift = multiple_above(least[c], e->period);
        for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++) {
            const int op = g->members[m];
            times[op] += shift;
            for (int i = g->first[op]; i < g->first[op + 1]; i++) {
                const swp_problem_edge *edge = &g->problem->edges[g->edges[i]];
                const int to = g->component[edge->consumer];
                const int64_t weight = swp_solve_edge_weight(edge, e->period);
                if (to != c && times[op] + weight - times[edge->consumer] > least[to])
                    least[to] = times[op] + weight - times[edge->consumer];
            }
        }
    }
    return SWP_OK;
}

swp_status swp_solve_place_modulo(swp_context *ctx, const swp_encoding *encoding, int64_t *times)
{
    for (size_t i = 0; i < encoding->graph->problem->op_count; i++)
        if (!encoding->encoded[i])
            times[i] = 0;
    SWP_TRY(place_fillers(ctx, encoding, times));
    relate_rest(encoding, times);
    return shift_components(ctx, encoding, times);
}

static int64_t end_of(const swp_problem_op *op, int64_t time)
{
    int64_t cycles = op->latency;
    for (size_t u = 0; u < op->use_count; u++)
        if (op->uses[u].cycles > cycles)
            cycles = op->uses[u].cycles;
    return time + cycles;
}

/* Returns the least shift after which a component starts behind `end` and obeys the edges into it. */
static int64_t start_after(const swp_problem_graph *g, int c, int64_t end, const int64_t *least,
                           const int64_t *times)
{
    int64_t shift = INT64_MIN;
    for (int m = g->member_first[c]; m < g->member_first[c + 1]; m++) {
        const int op = g->members[m];
        const int64_t wanted = (least[op] > end ? least[op] : end) - times[op];
        if (wanted > shift)
            shift = wanted;
    }
    return shift;
}

static int64_t value_of(const swp_problem *p, const int64_t *times, int64_t end)
{
    int64_t value = 0;
    if (p->kind == SWP_PROBLEM_MAKESPAN) {
        for (size_t i = 0; i < p->op_count; i++)
            if (times[i] + p->ops[i].latency > value)
                value = times[i] + p->ops[i].latency;
        return value;
    }
    value = end > 1 ? end : 1;
    for (size_t i = 0; i < p->edge_count; i++) {
        const swp_problem_edge *edge = &p->edges[i];
        const int64_t missing = times[edge->producer] + edge->delay - times[edge->consumer];
        if (edge->distance > 0 && missing > 0 && (missing - 1) / edge->distance >= value)
            value = (missing - 1) / edge->distance + 1;
    }
    return value;
}

swp_status swp_solve_place_in_sequence(swp_context *ctx, const swp_problem_graph *graph,
                                       int64_t *times, int64_t *value)
{
    const swp_problem *p = graph->problem;
    int64_t *least = NULL;
    int64_t end = 0;
    SWP_TRY(SWP_TAKE(ctx, p->op_count + 1, &least));
    for (int c = 0; c < graph->component_count; c++) {
        const int64_t shift = start_after(graph, c, end, least, times);
        for (int m = graph->member_first[c]; m < graph->member_first[c + 1]; m++) {
            const int op = graph->members[m];
            times[op] += shift;
            if (end_of(&p->ops[op], times[op]) > end)
                end = end_of(&p->ops[op], times[op]);
            for (int i = graph->first[op]; i < graph->first[op + 1]; i++) {
                const swp_problem_edge *edge = &p->edges[graph->edges[i]];
                if (times[op] + edge->delay > least[edge->consumer])
                    least[edge->consumer] = times[op] + edge->delay;
            }
        }
    }
    *value = value_of(p, times, end);
    return SWP_OK;
}
