/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file problem.h  Scheduling problems as data, their answers and what proves them (page 3).
 *
 * An op started at t holds the amount of each use during t … t + cycles - 1 (modulo the initiation
 * interval in a modulo problem), and every edge asks
 *
 *     t(consumer) >= t(producer) + delay - interval * distance
 *
 * A makespan problem has the interval 0 and minimises the latest t + latency over the ops; a modulo
 * problem minimises the interval (II). Times are cycles, from 0.
 */
#ifndef SWP_PROBLEM_H
#define SWP_PROBLEM_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest time, delay, latency, amount and capacity, and largest sum of delays of a problem. */
#define SWP_PROBLEM_MOST ((int64_t)1 << 40)

typedef enum swp_problem_kind { SWP_PROBLEM_MAKESPAN, SWP_PROBLEM_MODULO } swp_problem_kind;

typedef struct swp_problem_resource {
    const char *name;
    int64_t capacity; /**< 1 or more */
} swp_problem_resource;

/** What an op holds of one resource; an op may have several uses, also of the same resource. */
typedef struct swp_problem_use {
    int resource;   /**< index into the resources */
    int64_t amount; /**< 1 … capacity */
    int64_t cycles; /**< 0 or more; 0: nothing */
} swp_problem_use;

typedef struct swp_problem_op {
    const char *name;
    int64_t latency; /**< cycles, 0 or more */
    const swp_problem_use *uses;
    size_t use_count;
} swp_problem_op;

typedef struct swp_problem_edge {
    int producer;     /**< index into the ops */
    int consumer;     /**< index into the ops; may be the producer */
    int64_t distance; /**< iterations, 0 or more; 0 in a makespan problem */
    int64_t delay;    /**< cycles, may be negative */
} swp_problem_edge;

typedef struct swp_problem {
    const char *name;
    swp_problem_kind kind;
    const swp_problem_resource *resources;
    size_t resource_count;
    const swp_problem_op *ops;
    size_t op_count;
    const swp_problem_edge *edges;
    size_t edge_count;
} swp_problem;

typedef enum swp_answer_status {
    SWP_ANSWER_OPTIMAL,    /**< value = bound, proven */
    SWP_ANSWER_FEASIBLE,   /**< a limit ended the search: bound <= optimum <= value */
    SWP_ANSWER_INFEASIBLE, /**< proven: no value has a schedule */
    SWP_ANSWER_UNKNOWN     /**< a limit ended the search before any schedule was found */
} swp_answer_status;

/** What shows that no schedule is better than the bound. */
typedef enum swp_bound_kind {
    SWP_BOUND_NONE,
    SWP_BOUND_RESOURCE,  /**< the amount × cycles that one resource has to carry */
    SWP_BOUND_PATH,      /**< makespan: the edges of a longest path */
    SWP_BOUND_CYCLE,     /**< modulo: the edges of a critical cycle (the recurrence bound) */
    SWP_BOUND_REFUTATION /**< a search or a SAT solver refuted value - 1 */
} swp_bound_kind;

/** An answer to a problem. What it points to lives as long as the context. */
typedef struct swp_answer {
    swp_answer_status status;
    int64_t value;        /**< makespan or II in cycles; meaningless where there is no schedule */
    int64_t bound;        /**< proven: no schedule has a smaller value */
    const int64_t *times; /**< issue of each op, 0 or more; NULL where there is no schedule */
    swp_bound_kind bound_kind;
    int bound_resource; /**< of SWP_BOUND_RESOURCE */
    const int
        *bound_edges; /**< of SWP_BOUND_PATH and SWP_BOUND_CYCLE, in order; indices of edges */
    size_t bound_edge_count;
    double seconds;
    uint64_t work; /**< search nodes and conflicts; the unit of the work limit */
} swp_answer;

/**
 * Refuses what is no problem: unknown resources and ops, amounts over the capacity, numbers out of
 * range, cycles of distance 0 and positive delay (named op by op).
 */
SWP_API swp_status swp_problem_check(swp_context *ctx, const swp_problem *problem);

/**
 * Checks an answer's times and value against the definition alone: every edge, every resource at
 * every time, the value. Trusts nothing of the solver.
 * @return SWP_INVALID, with a diagnostic that names the first violation, where it is wrong.
 */
SWP_API swp_status swp_answer_check(swp_context *ctx, const swp_problem *problem,
                                    const swp_answer *answer);

/**
 * Solves a problem within the limits of the context, and checks what it answers. Deterministic: a
 * run that no limit ends gives the same answer everywhere.
 * @return SWP_OK with any status of the answer, also SWP_ANSWER_INFEASIBLE and SWP_ANSWER_UNKNOWN.
 */
SWP_API swp_status swp_solve_problem(swp_context *ctx, const swp_problem *problem,
                                     swp_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
