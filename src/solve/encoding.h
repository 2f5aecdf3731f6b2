/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes what a formula of docs/certificates.md encodes: which ops, their windows, edges and
 * slots, and which uses are counted together. clauses.h turns it into clauses.
 */
#ifndef SWP_SOLVE_ENCODING_H
#define SWP_SOLVE_ENCODING_H

#include "problem/graph.h"

typedef struct swp_encoding_edge {
    int producer;
    int consumer;
    int64_t weight; /* t(consumer) >= t(producer) + weight */
} swp_encoding_edge;

typedef struct swp_encoding_edge_list {
    swp_encoding_edge *items;
    size_t count;
    size_t capacity;
} swp_encoding_edge_list;

/* Indices that belong together: of uses, or of ops. */
typedef struct swp_indices {
    int *items;
    size_t count;
    size_t capacity;
} swp_indices;

typedef struct swp_group_list {
    swp_indices *items;
    size_t count;
    size_t capacity;
} swp_group_list;

/* A use by its number over all ops. */
typedef struct swp_numbered_use {
    int op;
    const swp_problem_use *use;
} swp_numbered_use;

typedef struct swp_encoding {
    const swp_problem_graph *graph; /* all edges; in a component's formula those of distance 0 */
    bool of_component;              /* true: the formula of one component; false: of `value` */
    int64_t value;
    swp_indices references;
    int fixed; /* -1: none */
    swp_group_list alike;
    swp_group_list *groups; /* groups of uses, one list for each resource */

    bool *encoded; /* per op */
    int64_t *lo;
    int64_t *hi;
    swp_encoding_edge_list edges;
    int64_t period; /* 0: none */
    int64_t first;  /* slot */
    int64_t last;
    swp_numbered_use *uses;
    size_t use_count;
} swp_encoding;

typedef enum swp_encoding_state {
    SWP_ENCODING_READY,
    SWP_ENCODING_EMPTY,  /* a window is empty: a path or a cycle already refutes the value */
    SWP_ENCODING_LARGE,  /* more than a SAT solver should be given */
    SWP_ENCODING_STOPPED /* the limits of the context ended it */
} swp_encoding_state;

/*
 * Encodes the question whether the makespan is at most `value`, or whether the interval `value` has
 * a schedule. `graph` must have all edges.
 */
swp_status swp_solve_encode_value(swp_context *ctx, const swp_problem_graph *graph, int64_t value,
                                  swp_encoding *out, swp_encoding_state *state);

/*
 * Encodes the question whether the ops of this component can be scheduled at all. `graph` must have
 * the edges of distance 0.
 */
swp_status swp_solve_encode_component(swp_context *ctx, const swp_problem_graph *graph,
                                      int component, swp_encoding *out, swp_encoding_state *state);

/*
 * A formula is too large if it has more slots than this. It is also too large if the times of
 * starts and those of uses exceed it together.
 */
enum { SWP_MOST_TIME_VARIABLES = 4000000 };

#endif
