/* SPDX-License-Identifier: Apache-2.0 */
/*
 * docs/scheduling.md once more, as plainly as can be: the resource model, the bound, what is legal,
 * the seeds, and the answer by enumeration of all legal orders.
 */
#ifndef TEST_SUPPORT_MODEL_H
#define TEST_SUPPORT_MODEL_H

#include "swp/solve.h"

enum { MODEL_MOST_OPS = 32 };

typedef struct model_problem {
    const swp_loop_body *body;
    swp_search search;
    int count;
} model_problem;

typedef struct model_order {
    bool found;
    int items[MODEL_MOST_OPS];
    int64_t makespan;
    int64_t peak;
} model_order;

model_problem model_of(const swp_loop_body *body, const swp_search *search);

/* Runs an order through the resource model. */
void model_evaluate(const model_problem *problem, model_order *order);

int64_t model_lower_bound(const model_problem *problem);

/* Edges, halves and the COMPUTE that ends each half. */
bool model_is_structured(const model_problem *problem, const int *order);

/* The above, max_globals_per_block and, from the evaluation, max_vgpr. */
bool model_is_legal(const model_problem *problem, const model_order *order);

/* simple_greedy_schedule, or greedy_schedule where the search has halves. */
model_order model_seed(const model_problem *problem);

/*
 * The answer of the search by enumeration; `found` is false where there is none. `nodes` is counted
 * down; the answer is not to be trusted once it is 0.
 */
model_order model_answer(const model_problem *problem, long *nodes);

#endif
