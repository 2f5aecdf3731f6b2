/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file problem.h  Scheduling problems as data, their answers and what proves them (docs/solving.md).
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

/** Largest time, delay, latency, cycles, amount, capacity and reach (swp_problem_reach()). */
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

/** A problem. All names are UTF-8 and none is NULL. Names may repeat, except in files. */
typedef struct swp_problem {
    const char *name;
    swp_problem_kind kind;
    const swp_problem_resource *resources;
    size_t resource_count;
    const swp_problem_op *ops;
    size_t op_count;
    const swp_problem_edge *edges;
    size_t edge_count;
    swp_place place; /**< where it was read, for diagnostics; zero: nowhere */
} swp_problem;

/** The text of a problem, an answer or another file in JSON, and the place of its first character. */
typedef struct swp_problem_text {
    const char *text;
    size_t length;
    swp_place place;
} swp_problem_text;

typedef struct swp_problem_texts {
    swp_problem_text *items;
    size_t count;
    size_t capacity;
} swp_problem_texts;

typedef enum swp_answer_status {
    SWP_ANSWER_OPTIMAL,    /**< value = bound, proven */
    SWP_ANSWER_FEASIBLE,   /**< a limit ended the search: bound <= optimum <= value */
    SWP_ANSWER_INFEASIBLE, /**< proven: no value has a schedule */
    SWP_ANSWER_UNKNOWN     /**< a limit ended the search before any schedule was found */
} swp_answer_status;

/** What shows that no schedule is better than the bound. */
typedef enum swp_bound_kind {
    SWP_BOUND_NONE,
    /**
     * The amount × cycles of all uses of one resource, divided by its capacity and rounded up; of a
     * use in a makespan problem only the cycles up to its op's latency count. Where amounts do not
     * divide the capacity, weights of them instead (swp_amount_weights).
     */
    SWP_BOUND_RESOURCE,
    /** Makespan: the delays of a path's edges, and the latency of its last op. No edge: of one op. */
    SWP_BOUND_PATH,
    /** Modulo: the delays of a cycle's edges, divided by their distances and rounded up. */
    SWP_BOUND_CYCLE,
    SWP_BOUND_REFUTATION, /**< a search or a SAT solver refuted bound - 1 */
    SWP_BOUND_SHIFTS /**< of a loop: so they did for all shifts of its roles' instances one by one */
} swp_bound_kind;

/** What an amount of a resource weighs in a bound. */
typedef struct swp_amount_weight {
    int64_t amount;
    int64_t weight;
} swp_amount_weight;

/**
 * Weights of a resource's amounts such that amounts which fit its capacity together weigh no more than `most`
 * (a dual feasible function). Of a capacity of 15 an amount of 8 weighs 1 of 1, since no two fit.
 */
typedef struct swp_amount_weights {
    const swp_amount_weight *items; /**< by amount, ascending; others weigh nothing */
    size_t count;                   /**< 0: each amount weighs itself, of the capacity */
    int64_t most;
} swp_amount_weights;

/** An answer to a problem. What it points to lives as long as the context. */
typedef struct swp_answer {
    swp_answer_status status;
    int64_t value;        /**< makespan or II in cycles; meaningless where there is no schedule */
    int64_t bound;        /**< proven: no schedule has a smaller value */
    const int64_t *times; /**< issue of each op, 0 or more; NULL where there is no schedule */
    size_t time_count;    /**< the number of ops, or 0 where there are no times */
    swp_bound_kind bound_kind;
    int bound_resource;               /**< of SWP_BOUND_RESOURCE */
    swp_amount_weights bound_weights; /**< of its amounts */
    const int *bound_edges;           /**< of SWP_BOUND_PATH and SWP_BOUND_CYCLE, in order */
    size_t bound_edge_count;
    double seconds;
    uint64_t work; /**< search nodes and conflicts; the unit of the work limit */
} swp_answer;

/** Returns the word of an answer's status in files: "optimal", "feasible", "infeasible", "unknown". */
SWP_API const char *swp_answer_status_name(swp_answer_status status);

/** Returns the word of a bound's kind in files: "none", "resource", "path", "cycle", "refutation". */
SWP_API const char *swp_bound_kind_name(swp_bound_kind kind);

/**
 * Refuses what is no problem: missing names, unknown resources and ops, amounts over the capacity
 * (also those of one op together), numbers out of range, times that could overflow, and cycles of
 * distance 0 and positive delay (named op by op).
 * @return SWP_INVALID, with a diagnostic for each; SWP_STOPPED, with one, if the limits of the
 * context end the search for a cycle
 */
SWP_API swp_status swp_problem_check(swp_context *ctx, const swp_problem *problem);

/*
 * What follows takes a problem that swp_problem_check() accepts: no index is looked at twice. Solving,
 * reading, and what writes or checks a certificate call it themselves.
 */

/**
 * Sums the cycles of all ops (the longer of latency and longest use) and of all delays (without
 * sign). No makespan need be longer. If any interval has a schedule, so has this sum + 1. The
 * result is SWP_PROBLEM_MOST + 1 if the sum is larger.
 */
SWP_API int64_t swp_problem_reach(const swp_problem *problem);

/**
 * Checks an answer's times and value against the definition alone: every edge, every resource at
 * every time, the value. It trusts nothing of the solver.
 * @return SWP_INVALID, with a diagnostic that names the first violation, if the answer is wrong.
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

/**
 * Cuts a text into its problems (or answers): one JSON value, or one a line. It is taken for lines if
 * it is not one value and any of its lines is.
 * @param file  what places carry as `file`
 * @param out   zero-initialised; points into `text`
 * Absent in core-only builds, as are the functions below.
 */
SWP_API swp_status swp_problem_split(swp_context *ctx, const char *text, size_t length,
                                     const char *file, swp_problem_texts *out);

/** Reads a problem from JSON and checks it. Its `known_optimum` is skipped. */
SWP_API swp_status swp_problem_read_json(swp_context *ctx, const swp_problem_text *text,
                                         swp_problem *out);

/** Writes a problem as JSON, in one line without its end. */
SWP_API swp_status swp_problem_json(swp_context *ctx, const swp_problem *problem, char **text,
                                    size_t *length);

/**
 * Reads an answer from JSON, without judging it. The edges or the resource of its bound are not in
 * the format.
 * @param name  the name of its problem; may be NULL
 */
SWP_API swp_status swp_answer_read_json(swp_context *ctx, const swp_problem_text *text,
                                        const char **name, swp_answer *out);

/** Writes an answer as JSON, the format of `swp solve --format json`: one line without its end. */
SWP_API swp_status swp_answer_json(swp_context *ctx, const swp_problem *problem,
                                   const swp_answer *answer, char **text, size_t *length);

/** Writes an answer for people. */
SWP_API swp_status swp_answer_text(swp_context *ctx, const swp_problem *problem,
                                   const swp_answer *answer, char **text, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
