/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts edges by producer, and finds strongly connected components (Tarjan 1972). */
#include "problem/graph.h"

static void sort_edges(swp_problem_graph *graph, int64_t most_distance)
{
    const swp_problem *problem = graph->problem;
    for (size_t i = 0; i < problem->edge_count; i++)
        if (problem->edges[i].distance <= most_distance)
            graph->first[problem->edges[i].producer + 1]++;
    for (size_t i = 0; i < problem->op_count; i++)
        graph->first[i + 1] += graph->first[i];
    for (size_t i = problem->edge_count; i-- > 0;)
        if (problem->edges[i].distance <= most_distance)
            graph->edges[--graph->first[problem->edges[i].producer + 1]] = (int)i;
    /* Filling has moved each entry one op too far, so they are moved back. */
    for (size_t i = 0; i < problem->op_count; i++)
        graph->first[i] = graph->first[i + 1];
    size_t total = 0;
    for (size_t i = 0; i < problem->edge_count; i++)
        total += problem->edges[i].distance <= most_distance;
    graph->first[problem->op_count] = (int)total;
}

/* This is Tarjan's search (1972) without recursion, since a graph may be as deep as it is large. */
typedef struct search {
    const swp_problem_graph *graph;
    int *number; /* 0: not seen */
    int *low;
    int *next;    /* the next edge to follow */
    int *path;    /* the ops from the root to the present one */
    int *stack;   /* ops whose component is open */
    int *done_at; /* order in which the search left them */
    int seen;
    int left;
    int depth;
    int open;
} search;

static void enter(search *s, int op)
{
    s->number[op] = s->low[op] = ++s->seen;
    s->next[op] = s->graph->first[op];
    s->path[s->depth++] = op;
    s->stack[s->open++] = op;
}

static void leave(search *s, swp_problem_graph *graph)
{
    const int op = s->path[--s->depth];
    s->done_at[op] = s->left++;
    if (s->depth > 0 && s->low[op] < s->low[s->path[s->depth - 1]])
        s->low[s->path[s->depth - 1]] = s->low[op];
    if (s->low[op] != s->number[op])
        return;
    int member = -1;
    do {
        member = s->stack[--s->open];
        graph->component[member] = graph->component_count;
    } while (member != op);
    graph->component_count++;
}

static void visit(search *s, swp_problem_graph *graph, int root)
{
    enter(s, root);
    while (s->depth > 0) {
        const int op = s->path[s->depth - 1];
        if (s->next[op] == graph->first[op + 1]) {
            leave(s, graph);
            continue;
        }
        const int to = graph->problem->edges[graph->edges[s->next[op]++]].consumer;
        if (s->number[to] == 0)
            enter(s, to);
        else if (graph->component[to] < 0 && s->number[to] < s->low[op])
            s->low[op] = s->number[to];
    }
}

/*
 * Tarjan numbers consumers first, so the numbers are reversed. Within a component the op that the
 * search left last comes first.
 */
static swp_status sort_members(swp_context *ctx, const search *s, swp_problem_graph *graph)
{
    const int count = (int)graph->problem->op_count;
    int *by_leaving = NULL;
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &by_leaving));
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &graph->members));
    SWP_TRY(SWP_TAKE(ctx, (size_t)graph->component_count + 1, &graph->member_first));
    for (int op = 0; op < count; op++) {
        by_leaving[count - 1 - s->done_at[op]] = op;
        graph->component[op] = graph->component_count - 1 - graph->component[op];
        graph->member_first[graph->component[op] + 1]++;
    }
    for (int i = 0; i < graph->component_count; i++)
        graph->member_first[i + 1] += graph->member_first[i];
    int *end = s->next;
    for (int i = 0; i < graph->component_count; i++)
        end[i] = graph->member_first[i];
    for (int i = 0; i < count; i++)
        graph->members[end[graph->component[by_leaving[i]]]++] = by_leaving[i];
    return SWP_OK;
}

static swp_status find_components(swp_context *ctx, swp_problem_graph *graph)
{
    const size_t count = graph->problem->op_count;
    search s = {.graph = graph};
    SWP_TRY(SWP_TAKE(ctx, count, &s.number));
    SWP_TRY(SWP_TAKE(ctx, count, &s.low));
    SWP_TRY(SWP_TAKE(ctx, count, &s.next));
    SWP_TRY(SWP_TAKE(ctx, count, &s.path));
    SWP_TRY(SWP_TAKE(ctx, count, &s.stack));
    SWP_TRY(SWP_TAKE(ctx, count, &s.done_at));
    SWP_TRY(SWP_TAKE(ctx, count, &graph->component));
    for (size_t i = 0; i < count; i++)
        graph->component[i] = -1;
    for (size_t i = 0; i < count; i++)
        if (s.number[i] == 0)
            visit(&s, graph, (int)i);
    return sort_members(ctx, &s, graph);
}

swp_status swp_problem_graph_new(swp_context *ctx, const swp_problem *problem,
                                 int64_t most_distance, swp_problem_graph *out)
{
    *out = (swp_problem_graph){.problem = problem};
    SWP_TRY(SWP_TAKE(ctx, problem->edge_count, &out->edges));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 1, &out->first));
    sort_edges(out, most_distance);
    return find_components(ctx, out);
}
