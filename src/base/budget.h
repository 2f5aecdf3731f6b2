/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits of a context, in two kinds. A search has a budget of its own: once that is spent it ends
 * with the best that it has. All work under a context has one deadline: what has no best so far polls
 * it, and ends with SWP_STOPPED. Every allocation polls it too, so that only loops which take no
 * memory have to do so themselves.
 */
#ifndef SWP_BASE_BUDGET_H
#define SWP_BASE_BUDGET_H

#include "base/context.h"

/* What all copies of a context share. */
struct swp_deadline {
    double began; /* by swp_clock(): when the limits were set */
    double ends;  /* by swp_search_clock(): when all work ends; 0: never */
    double
        grace; /* by swp_processor_clock(): until then what a search has found may be finished; 0: none was stopped */
    double nominal_grace; /* the same by swp_search_clock(), where that is the nominal one */
    uint64_t work;        /* steps of everything since the limits were set: the nominal clock */
    uint64_t steps;       /* since the last look */
    uint64_t steps_look;  /* between two looks */
    bool over;            /* the last look said no */
    bool interrupted;     /* and that is why */
};

/* Begins to count limits that were set just now. */
void swp_deadline_begin(swp_deadline *deadline, const swp_limits *limits);

/*
 * The clock by which searches end, in seconds and never 0: the system's, or the nominal one, which goes on with
 * the work alone. Whatever decides what is searched asks this one, so that the same work comes to the same.
 */
double swp_search_clock(const swp_context *ctx);

/* By that clock, when the search began that this context is for: now, if it has not. */
double swp_search_began(const swp_context *ctx);

/* SWP_STOPPED, with a diagnostic, if the limits allow no more than so many steps of some nanoseconds. */
swp_status swp_keep_on(const swp_context *ctx, uint64_t steps);

/* For who ends with a best so far: there is a moment left to complete and show it. */
void swp_give_grace(const swp_context *ctx);

/* The limits counted down over one search. */
typedef struct swp_budget {
    const swp_limits *limits;
    const swp_context *ctx;
    double began;    /* by swp_search_clock() */
    double reported; /* by swp_clock() */
    uint64_t work;
    uint64_t steps;         /* since the last look */
    uint64_t first_descent; /* nodes that no limit cuts short */
    int64_t best;           /* -1: none */
    int64_t bound;
    bool stopped; /* for good */
} swp_budget;

/* For a search that orders `ops` ops. The context has to outlive it. */
swp_budget swp_budget_start(const swp_context *ctx, int ops);

/* Counts one search node. Returns false once a limit is reached. */
bool swp_budget_spend(swp_budget *budget);

/* The same for steps that each take far longer than reading a clock: it is read every time. */
bool swp_budget_poll(swp_budget *budget);

/* The same without a step: only the clock and the interruption. */
bool swp_budget_look(swp_budget *budget);

/* The same for so many steps of some nanoseconds each, that no limit of work counts. */
bool swp_budget_keep(swp_budget *budget, uint64_t steps);

/* Counts steps for the nominal clock alone, where a step that is limited otherwise takes so many. */
void swp_budget_count(swp_budget *budget, uint64_t steps);

/* The same as swp_budget_keep() for steps that are the work which is limited. */
bool swp_budget_work(swp_budget *budget, uint64_t work);

#endif
