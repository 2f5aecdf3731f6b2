/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file solve.h  Ordering a body: greedy and exact schedulers (docs/scheduling.md).
 */
#ifndef SWP_SOLVE_H
#define SWP_SOLVE_H

#include "swp/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the resource model makes of an order. */
typedef struct swp_evaluation {
    int64_t makespan;  /**< cycles: the latest finish */
    int64_t vgpr_peak; /**< registers */
} swp_evaluation;

/**
 * _evaluate_schedule: runs the ops in `order` through the resource model. An op starts when its
 * distance-0 predecessors have finished and its unit is free; MMA and VALU stay busy to the finish,
 * the LDS port (penalty > 0 only; LDS and global ops) until start + penalty.
 */
SWP_API swp_status swp_evaluate_schedule(swp_context *ctx, const swp_loop_body *body,
                                         const swp_order *order, int lds_contention_penalty,
                                         swp_evaluation *out);

/** Computes a makespan that no order of the body beats, in cycles. */
SWP_API swp_status swp_makespan_lower_bound(swp_context *ctx, const swp_loop_body *body,
                                            int lds_contention_penalty, int64_t *out);

/** What the exact search may assume and must respect. */
typedef struct swp_search {
    int lds_contention_penalty; /**< cycles; 0: port not modelled */
    int max_vgpr;               /**< registers; SWP_NO_VGPR_LIMIT: none */
    bool halves; /**< the first half of the positions takes the first half of the ops */
    int max_globals_per_block; /**< with halves: most global loads before each COMPUTE; 0: no limit */
    int blocks_per_half;       /**< with halves: COMPUTEs of each half, for the greedy seed */
} swp_search;

/**
 * Returns a search without penalty, register limit and halves. (Zero-initialised allows no register
 * at all.)
 */
SWP_API swp_search swp_search_default(void);

typedef enum swp_outcome {
    SWP_OPTIMAL, /**< proven to be the answer */
    SWP_FEASIBLE /**< the best found before a limit */
} swp_outcome;

/** An order and what is known of it. */
typedef struct swp_solution {
    swp_order order;
    swp_evaluation evaluation;
    int64_t lower_bound; /**< proven, in cycles */
    swp_outcome outcome;
    bool is_seed;  /**< the greedy seed stands */
    uint64_t work; /**< search nodes visited; 0 where the seed met the bound */
} swp_solution;

/**
 * greedy_schedule: half by half and block by block, takes the lowest-index ready op until a
 * COMPUTE.
 * @return SWP_INVALID if a half keeps ops after its last COMPUTE or waits for a later half.
 */
SWP_API swp_status swp_greedy_schedule(swp_context *ctx, const swp_loop_body *body, int halves,
                                       int blocks_per_half, swp_order *order);

/** simple_greedy_schedule: takes the lowest-index ready op each time. */
SWP_API swp_status swp_simple_greedy_schedule(swp_context *ctx, const swp_loop_body *body,
                                              swp_order *order);

/**
 * Finds the least (makespan, register peak) over the legal orders within max_vgpr. A legal seed
 * stands if it ties, else the lexicographically first order wins. A seed that meets the lower bound
 * within max_vgpr is the answer as it is.
 * @return SWP_INFEASIBLE if no legal order meets max_vgpr; SWP_STOPPED if a limit of the context
 * ended the search before it found any.
 */
SWP_API swp_status swp_solve(swp_context *ctx, const swp_loop_body *body, const swp_search *search,
                             swp_solution *solution);

/** optimal_schedule: calls swp_solve() without halves; the seed is simple greedy. */
SWP_API swp_status swp_optimal_schedule(swp_context *ctx, const swp_loop_body *body, int max_vgpr,
                                        swp_solution *solution);

/** optimal_schedule_with_halves: calls swp_solve() with halves; the seed is greedy. */
SWP_API swp_status swp_optimal_schedule_with_halves(swp_context *ctx, const swp_loop_body *body,
                                                    int max_globals_per_block,
                                                    int lds_contention_penalty, int max_vgpr,
                                                    int blocks_per_half, swp_solution *solution);

/** What a strategy orders: a body and the configuration around it. */
typedef struct swp_order_problem {
    const swp_loop_body *body;
    const swp_pipeline_config *config;
    const swp_schedule_config *schedule;
} swp_order_problem;

/** One row of the table of strategies. */
typedef struct swp_strategy_row {
    swp_strategy strategy;
    const char *name;
    const char *meaning;
    swp_status (*order)(swp_context *ctx, const swp_order_problem *problem, swp_solution *solution);
} swp_strategy_row;

SWP_API const swp_strategy_row *swp_strategies(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
