/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a context, counted down over one search. */
#ifndef SWP_SOLVE_BUDGET_H
#define SWP_SOLVE_BUDGET_H

#include "base/context.h"

typedef struct swp_budget {
    const swp_limits *limits;
    double began; /* seconds */
    double reported;
    uint64_t work;
    uint64_t first_descent; /* nodes that no limit cuts short */
    int64_t best;           /* -1: none */
    int64_t bound;
    bool stopped;
} swp_budget;

/* For a search that orders `ops` ops. */
swp_budget swp_budget_start(const swp_context *ctx, int ops);

/* Counts one search node. Returns false once a limit is reached. */
bool swp_budget_spend(swp_budget *budget);

/* The same for steps that each take far longer than reading a clock: it is read every time. */
bool swp_budget_poll(swp_budget *budget);

/* The same without a step: only the clock and the interruption. */
bool swp_budget_look(swp_budget *budget);

#endif
