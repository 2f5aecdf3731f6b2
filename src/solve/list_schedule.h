/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules of one iteration by lists: serial generation by priority (Kolisch 1996) and justification
 * (Valls, Ballestin and Quintanilla 2005), for problems without cycles of distance 0.
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

/* False in `acyclic` where ops form a cycle of distance 0: then there is no list. */
swp_status swp_solve_list_new(swp_context *ctx, const swp_problem *problem, swp_list *out,
                              bool *acyclic);

/*
 * Each op, in the order of list->key among those that are ready, at the first time with room; where the
 * limits of the context end that, the ops that are left follow one another.
 */
swp_status swp_solve_list_generate(swp_context *ctx, swp_list *list, int64_t *times);

/* All ops as late as possible without a later end, then as early as possible; some of them, if the limits end. */
swp_status swp_solve_list_justify(swp_context *ctx, swp_list *list, int64_t *times);

/* The latest end of an op. */
int64_t swp_solve_list_makespan(const swp_list *list, const int64_t *times);

#endif
