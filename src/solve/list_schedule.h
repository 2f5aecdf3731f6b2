/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds schedules of one iteration by lists: serial generation by priority (Kolisch 1996) and
 * justification (Valls, Ballestin and Quintanilla 2005). Edges of distance 0 must not form a cycle.
 */
#ifndef SWP_SOLVE_LIST_SCHEDULE_H
#define SWP_SOLVE_LIST_SCHEDULE_H

#include "base/budget.h"
#include "problem/graph.h"
#include "solve/profile.h"

typedef struct swp_list {
    const swp_problem *problem;
    int count;
    /* The edges of distance 0 between different ops, by producer and by consumer. */
    int *out_edges;
    int *out_first;
    int *in_edges;
    int *in_first;
    int *order;    /* the ops, producers first */
    int64_t *tail; /* of each op: its latency, and the longest path from it to the end */
    int64_t *head; /* of each op: the longest path to it */
    swp_profile profile;
    int *waiting; /* producers that are not placed yet */
    int *heap;    /* ops that are ready */
    int heap_count;
    int64_t *key; /* of each op; the smallest comes first */
    int *by_time; /* scratch */
    swp_budget budget;
} swp_list;

/* Sets `*acyclic` to false if edges of distance 0 form a cycle; `out` is then no list. */
swp_status swp_solve_list_new(swp_context *ctx, const swp_problem *problem, swp_list *out,
                              bool *acyclic);

/*
 * Places each op, in the order of list->key among those that are ready, at the first time with
 * room. Once the limits of the context end, the remaining ops follow one another.
 */
swp_status swp_solve_list_generate(swp_context *ctx, swp_list *list, int64_t *times);

/*
 * Moves all ops as late as possible without a later end, then as early as possible. If the limits
 * end, only some have moved.
 */
swp_status swp_solve_list_justify(swp_context *ctx, swp_list *list, int64_t *times);

/* Returns the latest end of an op. */
int64_t swp_solve_list_makespan(const swp_list *list, const int64_t *times);

#endif
