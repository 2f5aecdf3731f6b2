/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds strongly connected components (Kosaraju and Sharir), and longest paths (Bellman and Ford,
 * with a queue).
 */
#include "certify/arcs.h"

static int arc_start(const swp_arcs *arcs, const swp_problem_edge *edge)
{
    return arcs->direction == SWP_FORWARDS ? edge->producer : edge->consumer;
}

/* Returns the op on the other side of an edge. */
static int arc_end(const swp_arcs *arcs, int edge)
{
    const swp_problem_edge *e = &arcs->problem->edges[edge];
    return arcs->direction == SWP_FORWARDS ? e->consumer : e->producer;
}

swp_status swp_certify_arcs_new(swp_context *ctx, const swp_problem *problem, int64_t most_distance,
                                swp_direction direction, swp_arcs *out)
{
    *out = (swp_arcs){.problem = problem, .direction = direction};
    SWP_TRY(SWP_TAKE(ctx, problem->edge_count, &out->edges));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 2, &out->first));
    /* The counts stand two places further on, so that filling leaves each op's beginning behind. */
    for (size_t i = 0; i < problem->edge_count; i++)
        if (problem->edges[i].distance <= most_distance)
            out->first[arc_start(out, &problem->edges[i]) + 2]++;
    for (size_t o = 0; o < problem->op_count; o++)
        out->first[o + 2] += out->first[o + 1];
    for (size_t i = 0; i < problem->edge_count; i++)
        if (problem->edges[i].distance <= most_distance)
            out->edges[out->first[arc_start(out, &problem->edges[i]) + 1]++] = (int)i;
    return SWP_OK;
}

/* A walk in depth. Of each op on the way, the edges from `next` on are still to be followed. */
typedef struct walk {
    const swp_arcs *arcs;
    int *next;
    int *way;
    int *component; /* -1: not seen yet */
    int *finished;  /* ops in the order in which the walk left them */
    int finished_count;
} walk;

/* Walks from an op over all that have not been seen, and gives them the number. */
static void walk_from(walk *w, int op, int number)
{
    int depth = 0;
    w->way[depth++] = op;
    w->component[op] = number;
    while (depth > 0) {
        const int here = w->way[depth - 1];
        if (w->next[here] == w->arcs->first[here + 1]) {
            w->finished[w->finished_count++] = here;
            depth--;
            continue;
        }
        const int end = arc_end(w->arcs, w->arcs->edges[w->next[here]++]);
        if (w->component[end] < 0) {
            w->component[end] = number;
            w->way[depth++] = end;
        }
    }
}

static swp_status begin_walk(swp_context *ctx, const swp_arcs *arcs, walk *w)
{
    const size_t count = arcs->problem->op_count;
    *w = (walk){.arcs = arcs};
    SWP_TRY(SWP_TAKE(ctx, count, &w->next));
    SWP_TRY(SWP_TAKE(ctx, count, &w->way));
    SWP_TRY(SWP_TAKE(ctx, count, &w->component));
    SWP_TRY(SWP_TAKE(ctx, count, &w->finished));
    for (size_t o = 0; o < count; o++) {
        w->next[o] = arcs->first[o];
        w->component[o] = -1;
    }
    return SWP_OK;
}

/* By Kosaraju and Sharir, a component is what can be reached backwards from the op that the walk left last. */
swp_status swp_certify_components(swp_context *ctx, const swp_arcs *arcs, const swp_arcs *back,
                                  int **component)
{
    const int count = (int)arcs->problem->op_count;
    walk forwards;
    walk backwards;
    SWP_TRY(begin_walk(ctx, arcs, &forwards));
    SWP_TRY(begin_walk(ctx, back, &backwards));
    for (int o = 0; o < count; o++)
        if (forwards.component[o] < 0)
            walk_from(&forwards, o, 0);
    for (int i = count - 1, number = 0; i >= 0; i--)
        if (backwards.component[forwards.finished[i]] < 0)
            walk_from(&backwards, forwards.finished[i], number++);
    *component = backwards.component;
    return SWP_OK;
}

/* Holds the ops whose lengths have grown since their edges were followed, first in, first out. */
typedef struct queue {
    int *ops;
    size_t size;
    size_t head;
    size_t count;
    bool *waiting;
    size_t *entered; /* how often each op has waited */
} queue;

/* Returns false if the op has waited more often than any longest path can change. */
static bool enter(queue *q, int op)
{
    if (q->waiting[op])
        return true;
    q->waiting[op] = true;
    q->ops[(q->head + q->count++) % q->size] = op;
    return ++q->entered[op] <= q->size;
}

static int leave(queue *q)
{
    const int op = q->ops[q->head];
    q->head = (q->head + 1) % q->size;
    q->count--;
    q->waiting[op] = false;
    return op;
}

static swp_status fill_queue(swp_context *ctx, const int64_t *lengths, size_t ops, queue *q)
{
    *q = (queue){.size = ops};
    SWP_TRY(SWP_TAKE(ctx, ops, &q->ops));
    SWP_TRY(SWP_TAKE(ctx, ops, &q->waiting));
    SWP_TRY(SWP_TAKE(ctx, ops, &q->entered));
    for (size_t o = 0; o < ops; o++)
        if (lengths[o] != SWP_NO_PATH)
            (void)enter(q, (int)o);
    return SWP_OK;
}

swp_status swp_certify_longest_paths(swp_context *ctx, swp_judgement *judgement,
                                     const swp_arcs *arcs, const int *component, int64_t interval,
                                     int64_t *lengths, bool *endless)
{
    queue q;
    *endless = false;
    SWP_TRY(fill_queue(ctx, lengths, arcs->problem->op_count, &q));
    while (q.count > 0) {
        const int op = leave(&q);
        SWP_TRY(
            swp_certify_spend(judgement, 1 + (uint64_t)(arcs->first[op + 1] - arcs->first[op])));
        for (int i = arcs->first[op]; i < arcs->first[op + 1]; i++) {
            const swp_problem_edge *edge = &arcs->problem->edges[arcs->edges[i]];
            const int end = arc_end(arcs, arcs->edges[i]);
            const int64_t length = lengths[op] + edge->delay - interval * edge->distance;
            if ((component && component[end] != component[op]) || length <= lengths[end])
                continue;
            lengths[end] = length;
            /* All delays and one latency come to no more, unless a cycle repeats some of them. */
            *endless = !enter(&q, end) || length > 2 * SWP_PROBLEM_MOST;
            if (*endless)
                return SWP_OK;
        }
    }
    return SWP_OK;
}
