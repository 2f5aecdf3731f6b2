/* SPDX-License-Identifier: Apache-2.0 */
/* Finds times for the nodes of a core at its interval, by heuristics or by a complete search. */
#ifndef SWP_SOLVE_MODULO_PLACE_H
#define SWP_SOLVE_MODULO_PLACE_H

#include "base/budget.h"
#include "base/decision.h"
#include "solve/modulo_core.h"
#include "solve/profile.h"

/* A node that the search has placed, and the times that it has not tried. */
typedef struct swp_modulo_level {
    int node;
    int64_t next;
    int64_t high;
} swp_modulo_level;

/* Says which node is placed first: the hardest one, or, in two ways, one that others wait for. */
typedef enum swp_modulo_order {
    SWP_TIGHTEST_FIRST,
    SWP_EARLIEST_FIRST, /* by the longest path to an op */
    SWP_LONGEST_FIRST,  /* by the longest path from an op on */
    SWP_MODULO_ORDERS
} swp_modulo_order;

typedef struct swp_modulo_placer {
    const swp_modulo_core *core;
    swp_profile profile;
    swp_budget *budget;
    int64_t *times; /* of each node */
    bool *placed;
    int *ranking; /* nodes, the hardest to place first */
    int *rank;
    int decisive;  /* the first so many of the ranking; the others fit wherever these leave room */
    int64_t *last; /* of each node: where it was put by force */
    int64_t *key;  /* of each node, and of each op: scratch of the ranking */
    int64_t *rest;
    swp_modulo_level *levels; /* of the search */
} swp_modulo_placer;

swp_status swp_solve_modulo_placer_new(swp_context *ctx, const swp_modulo_core *core,
                                       swp_budget *budget, swp_modulo_placer *out);

/*
 * Prepares the placer once the core has its interval, and ranks the tightest nodes first. Returns
 * false if an op does not even fit alone.
 */
bool swp_solve_modulo_placer_set(swp_modulo_placer *placer);

/* Ranks the nodes anew. The searches that try all times want the tightest first. */
void swp_solve_modulo_placer_rank(swp_modulo_placer *placer, swp_modulo_order order);

/*
 * Puts each op at the first slot with room, else there by force, and places what was in its way
 * again later (iterative modulo scheduling, Rau 1994). It gives up after so many tries for each
 * node.
 */
swp_status swp_solve_modulo_place(swp_context *ctx, swp_modulo_placer *placer, int tries_per_node,
                                  bool *found);

/*
 * Fills slot after slot with whatever can start soonest, in several orders: this suits units
 * without a cycle to spare. It tries nothing if there are very many nodes.
 */
swp_status swp_solve_modulo_pack(swp_context *ctx, swp_modulo_placer *placer, bool *found);

/*
 * Sets the times that the placed nodes of its component leave a node. Returns false if none is
 * placed: then any interval of times is as good as another.
 */
bool swp_solve_modulo_window(const swp_modulo_placer *placer, int node, int64_t *low,
                             int64_t *high);

swp_status swp_solve_modulo_put(swp_context *ctx, swp_modulo_placer *placer, int node,
                                int64_t time);
swp_status swp_solve_modulo_take_out(swp_context *ctx, swp_modulo_placer *placer, int node);

/* Returns whether a node at `time` would hold a resource at the same slot as `other`, which is placed. */
bool swp_solve_modulo_meet(const swp_modulo_placer *placer, int node, int64_t time, int other);

void swp_solve_modulo_clear(swp_modulo_placer *placer);

/* Searches all times within the windows depth first, in at most so many nodes. */
swp_status swp_solve_modulo_branch(swp_context *ctx, swp_modulo_placer *placer, uint64_t most_nodes,
                                   swp_decision *decision);

#endif
