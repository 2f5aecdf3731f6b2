/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a loop for numbers of slots and stages, and keeps what is known so far (docs/loops.md, "Slots"). */
#ifndef SWP_PIPELINE_SEARCH_H
#define SWP_PIPELINE_SEARCH_H

#include "base/budget.h"
#include "pipeline/shares.h"
#include "pipeline/slot_choices.h"
#include "solve/solve_problem.h"

typedef struct swp_loop_refutations {
    swp_loop_refutation *items;
    size_t count;
    size_t capacity;
} swp_loop_refutations;

/* The best pipeline so far. */
typedef struct swp_loop_best {
    bool found;
    swp_answer answer;
    int *slots; /* that its times need */
    int64_t bytes[SWP_SPACE_COUNT];
    int stages;
} swp_loop_best;

typedef struct swp_loop_bests {
    swp_loop_best *items;
    size_t count;
    size_t capacity;
} swp_loop_bests;

typedef struct swp_loop_search {
    swp_context *ctx;
    const swp_loop *loop;
    int64_t interval;              /* the interval that is asked for */
    int64_t room[SWP_SPACE_COUNT]; /* most bytes of any pipeline, by space; -1: any */
    swp_loop_refutations refuted;
    int *least; /* slots of each value, whatever the others have */
    /* What shows that no interval is less: */
    swp_loop_problem bound_problem;
    swp_answer bound_answer;
    const int *bound_slots;
    swp_loop_problem problem; /* asked last */
    swp_loop_best best;
    swp_loop_bests longer; /* what was the best before, of longer intervals */
    bool is_constructed;   /* these have the one that depends on no limit */
    uint64_t work;
    int solved;
    /* Of a question about more than the interval: */
    uint64_t question_work; /* it may take; 0: it gets no more than what is found at once */
    bool cut;               /* that limit left one open */
    bool stopped;           /* a limit of the context left a problem open, or unasked */
    swp_limits limits;      /* of the caller; the context has those of the present part */
    swp_budget budget;
} swp_loop_search;

/* How many problems one search may come to. More are not asked, and what is found is not proven. */
enum { SWP_MOST_SOLVED = 4000 };

/* From now on the search may take as much of the limits, counted from its begin, as this part has. */
void swp_pipeline_allow(swp_loop_search *search, swp_loop_part part);

/*
 * Solves with these slots, and notes what its bound refutes. `*answer` has its status; without an error.
 * Where no bound (0) would let a value have more than SWP_MOST_SLOTS, `slots` has that instead.
 */
swp_status swp_pipeline_solve(swp_loop_search *search, int *slots, int stages,
                              const swp_solve_aim *aim, swp_answer *answer);

/* Returns whether the limits, which all problems share, leave anything for another one. */
bool swp_pipeline_may_ask(swp_loop_search *search);

/* Returns whether a pipeline keeps within the room. */
bool swp_pipeline_fits(const swp_loop_search *search, const swp_loop_best *best);

/* Returns the limits, tightened to the room. */
swp_loop_limits swp_pipeline_within_room(const swp_loop_search *search,
                                         const swp_loop_limits *limits);

/* Describes the pipeline of an answer that has times. */
swp_status swp_pipeline_describe_best(swp_loop_search *search, const swp_answer *answer,
                                      swp_loop_best *out);

/* Makes it the best pipeline. */
swp_status swp_pipeline_keep(swp_loop_search *search, const swp_answer *answer);

#endif
