/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds what can make an interval fail: the ops that hold resources, and how far apart those of one
 * component have to be. An edge between two strongly connected components never matters, since the
 * later one can be delayed by a multiple of the interval.
 */
#ifndef SWP_SOLVE_MODULO_CORE_H
#define SWP_SOLVE_MODULO_CORE_H

#include "base/budget.h"
#include "problem/graph.h"

/* Two nodes of one component must be so far apart: t(to) >= t(from) + delay. */
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
    /* The same arcs the other way round: t(to) <= t(from) - delay. */
    swp_core_arc *back_arcs;
    int64_t *earliest; /* of each op, if there were no resources: a good slot to begin with */
    int64_t *length;   /* scratch, one an op */
    swp_budget budget;
} swp_modulo_core;

/* Sets `*fits` to false if the components have too many nodes. */
swp_status swp_solve_modulo_core_new(swp_context *ctx, const swp_problem_graph *graph,
                                     swp_modulo_core *out, bool *fits);

/*
 * Finds the longest paths at an interval, which must make no cycle positive. Returns false if the
 * limits of the context end that.
 */
bool swp_solve_modulo_core_set(swp_modulo_core *core, int64_t interval);

/*
 * Derives the times of a component's ops from those of its nodes, which must obey the arcs. With
 * NULL all ops go as early as possible, as if there were no resources. The component is delayed by
 * a multiple of the interval until the edges into it hold. Call this for all components in their
 * order, with `times` 0 at first. The times of later components then hold what those need.
 */
void swp_solve_modulo_core_settle(swp_modulo_core *core, int component, const int64_t *node_times,
                                  int64_t *times);

#endif
