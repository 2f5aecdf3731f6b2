/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a problem of which any value up to some limit will do. */
#ifndef SWP_SOLVE_SOLVE_PROBLEM_H
#define SWP_SOLVE_SOLVE_PROBLEM_H

#include "base/context.h"
#include "swp/problem.h"

typedef struct swp_solve_aim {
    /* Any value up to this is as good as another, and none above is looked for; 0: the least is wanted. */
    int64_t most;
    bool at_once; /* use only heuristics */
} swp_solve_aim;

/*
 * Does what swp_solve_problem() does, with less asked of it. An answer above `most` is merely one
 * that surely exists.
 */
swp_status swp_solve_problem_for(swp_context *ctx, const swp_problem *problem,
                                 const swp_solve_aim *aim, swp_answer *answer);

#endif
