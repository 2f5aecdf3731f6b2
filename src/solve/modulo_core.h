/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a modulo problem can make an interval fail: the ops that hold resources, and how far apart
 * those within one cycle of edges have to be. An edge between two strongly connected components never
 * matters, since the later one can be delayed by a multiple of the interval.
 */
#ifndef SWP_SOLVE_MODULO_CORE_H
#define SWP_SOLVE_MODULO_CORE_H

#include "base/budget.h"
#include "problem/graph.h"

/* Times must differ so much, both in the same component: t(to) >= t(from) + delay. */
typedef struct swp_core_arc {
    int to; /* a node */
    int64_t delay;
} swp_core_arc;

typedef struct swp_modulo_core {
    const swp_problem_graph *graph;
    int64_t interval;
    int *ops;   /* of each node */
    int *nodes; /* of each op; -1: none */
    int count;
    /* Arcs from each node to the others of its component, the longest paths between them. */
    swp_core_arc *arcs;
    size_t *first;
    /* The same the other way round: t(to) <= t(from) - delay. */
    swp_core_arc *back_arcs;
    int64_t *earliest; /* of each op, if there were no resources: a good slot to begin with */
    int64_t *length;   /* scratch, one an op */
    swp_budget budget;
} swp_modulo_core;

/* False in `fits` where components have too many nodes for this. */
swp_status swp_solve_modulo_core_new(swp_context *ctx, const swp_problem_graph *graph,
                                     swp_modulo_core *out, bool *fits);

/* The longest paths at an interval that makes no cycle positive. False if the limits of the context end it. */
bool swp_solve_modulo_core_set(swp_modulo_core *core, int64_t interval);

/*
 * Times of a component's ops from those of its nodes, which obey the arcs (NULL: as early as
 * possible, were there no resources): it is delayed by a multiple of the interval until the edges into it
 * hold. To be called for all components in their order, with `times` 0 before; those of later
 * components then hold what they need.
 */
void swp_solve_modulo_core_settle(swp_modulo_core *core, int component, const int64_t *node_times,
                                  int64_t *times);

#endif
