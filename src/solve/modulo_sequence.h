/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders the ops on the unit that holds the interval (docs/solving.md, "Full units"). The order
 * decides how long each value lives, and with that whether the ops around it find a place.
 */
#ifndef SWP_SOLVE_MODULO_SEQUENCE_H
#define SWP_SOLVE_MODULO_SEQUENCE_H

#include "base/budget.h"
#include "solve/modulo_core.h"

/* An op on the unit. It begins at `slot` of the interval, and `turn` intervals later. */
typedef struct swp_sequenced {
    int node;
    int64_t cycles; /* for which it holds the unit */
    int64_t slot;
    int64_t turn;
} swp_sequenced;

typedef struct swp_modulo_sequence {
    const swp_modulo_core *core;
    swp_budget *budget;
    int resource;
    swp_sequenced *ops; /* in their order */
    int count;
    int *at;        /* of each node: where it is in the order; -1: not on the unit */
    int64_t *paths; /* longest paths from node to node; SWP_NO_PATH: none */
    int64_t *apart; /* the same, lengthened by the room of the other nodes */
    int64_t *room;  /* of each node that is not on the unit: how far it can still be moved */
    int64_t *low;   /* of each node: its window while the order is built */
    int64_t *high;
    int64_t *frozen; /* of each node: the number of the move until which it stays */
    int64_t moves;
    int64_t looks; /* how often two ops have been compared */
    int64_t spent; /* how many of these looks the budget has counted */
    uint64_t random;
} swp_modulo_sequence;

/* Sets `*fits` to false if no unit takes one op at a time, or if there are too many nodes. */
swp_status swp_solve_sequence_new(swp_context *ctx, const swp_modulo_core *core, swp_budget *budget,
                                  swp_modulo_sequence *out, bool *fits);

/* Reads the arcs of the core, once that has its interval. */
void swp_solve_sequence_set(swp_modulo_sequence *s);

/* Computes the distances again after `room` has changed. */
void swp_solve_sequence_keep_room(swp_modulo_sequence *s);

/*
 * Builds the order op by op. It prefers the op that shortens the windows of the remaining ones
 * least: values that live are then used up first. Next counts how soon an op is due; other tries
 * weigh the two differently.
 */
void swp_solve_sequence_build(swp_modulo_sequence *s, int try);

/* Swaps ops until no two are too near, in at most so many moves. Returns the sum by which they still are. */
int64_t swp_solve_sequence_improve(swp_modulo_sequence *s, int64_t most_moves);

int64_t swp_solve_sequence_draw(swp_modulo_sequence *s, int64_t below);

static inline int64_t swp_sequenced_apart(const swp_modulo_sequence *s, int from, int to)
{
    return s->apart[(size_t)from * (size_t)s->core->count + (size_t)to];
}

static inline int64_t swp_sequenced_time(const swp_sequenced *op, int64_t interval)
{
    return op->slot + op->turn * interval;
}

#endif
