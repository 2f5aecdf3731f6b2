/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the edges of a problem by op, and finds its components and longest paths. */
#ifndef SWP_CERTIFY_ARCS_H
#define SWP_CERTIFY_ARCS_H

#include "certify/judgement.h"
#include "swp/problem.h"

typedef enum swp_direction { SWP_FORWARDS, SWP_BACKWARDS } swp_direction;

/* Edges from each op on: to their consumers, or backwards to their producers. */
typedef struct swp_arcs {
    const swp_problem *problem;
    swp_direction direction;
    int *edges; /* indices of edges, by op */
    int *first; /* per op, and one more: where its edges begin */
} swp_arcs;

/* Lists the edges, but leaves out those whose distance is above `most_distance`. */
swp_status swp_certify_arcs_new(swp_context *ctx, const swp_problem *problem, int64_t most_distance,
                                swp_direction direction, swp_arcs *out);

/* Numbers the strongly connected component of each op. `arcs` and `back` must have the same edges. */
swp_status swp_certify_components(swp_context *ctx, const swp_arcs *arcs, const swp_arcs *back,
                                  int **component);

#define SWP_NO_PATH INT64_MIN

/*
 * Makes every length the longest that follows from those given, where an edge is delay - interval *
 * distance long. SWP_NO_PATH stands for no length. If `component` is given, edges between different
 * components are left out. `*endless` says that a cycle makes the lengths grow for ever.
 */
swp_status swp_certify_longest_paths(swp_context *ctx, swp_judgement *judgement,
                                     const swp_arcs *arcs, const int *component, int64_t interval,
                                     int64_t *lengths, bool *endless);

#endif
