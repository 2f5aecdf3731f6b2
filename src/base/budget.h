/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the limits of a context, of which there are two kinds. A search has a budget of its own:
 * once that is spent it ends with the best that it has. All work under a context has one deadline.
 * Code without a best so far polls it, and ends with SWP_STOPPED. Every allocation polls it, too,
 * so that only loops which take no memory have to do so themselves.
 */
#ifndef SWP_BASE_BUDGET_H
#define SWP_BASE_BUDGET_H

#include "base/context.h"

/* The part that all copies of a context share. */
struct swp_deadline {
    double began; /* by swp_clock(): when the limits were set */
    double ends;  /* by swp_search_clock(): when all work ends; 0: never */
    double
        grace; /* by swp_processor_clock(): until then what a search has found may be finished; 0: none was stopped */
    double nominal_grace; /* the same by swp_search_clock(), where that is the nominal one */
    uint64_t work;        /* steps of everything since the limits were set: the nominal clock */
    uint64_t steps;       /* since the last look */
    uint64_t steps_look;  /* steps from one look to the next */
    bool over;            /* the last look said no */
    bool interrupted;     /* the reason was an interruption */
};

/* Whether the user wants an end. */
bool swp_is_interrupted(const swp_limits *limits);

/* Begins to count limits that were set just now. */
void swp_deadline_begin(swp_deadline *deadline, const swp_limits *limits);

/*
 * Returns the time by the clock that ends searches, in seconds and never 0. It is the system's
 * clock, or the nominal one, which advances with the work alone. Whatever decides what is searched
 * asks this clock, so that the same work gives the same result.
 */
double swp_search_clock(const swp_context *ctx);

/* Returns when, by that clock, the search of this context began; if it has not, that is now. */
double swp_search_began(const swp_context *ctx);

/*
 * Counts so many steps of some nanoseconds each. Returns SWP_STOPPED, with a diagnostic, if the
 * limits allow no more.
 */
swp_status swp_keep_on(const swp_context *ctx, uint64_t steps);

/* Gives a search that was stopped a moment to complete and show its best so far. */
void swp_give_grace(const swp_context *ctx);

/* Counts the limits down over one search. */
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

/* Starts the budget of a search that orders `ops` ops. The context has to outlive it. */
swp_budget swp_budget_start(const swp_context *ctx, int ops);

/* Counts one search node. Returns false once a limit is reached. */
bool swp_budget_spend(swp_budget *budget);

/* Counts a step that takes far longer than reading a clock, which it therefore reads every time. */
bool swp_budget_poll(swp_budget *budget);

/* Reads the clock and asks for an interruption, without counting a step. */
bool swp_budget_look(swp_budget *budget);

/* Counts so many steps of some nanoseconds each, which the limit on work does not count. */
bool swp_budget_keep(swp_budget *budget, uint64_t steps);

/* Counts steps for the nominal clock alone. A step that is limited otherwise takes so many. */
void swp_budget_count(swp_budget *budget, uint64_t steps);

/* Does what swp_budget_keep() does, for steps that the limit on work counts. */
bool swp_budget_work(swp_budget *budget, uint64_t work);

#endif
