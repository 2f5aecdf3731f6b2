/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers of slots and stages a loop can do with (docs/loops.md, "Slots"). */
#ifndef SWP_PIPELINE_SEARCH_H
#define SWP_PIPELINE_SEARCH_H

#include "base/budget.h"
#include "ir/loop_dataflow.h"
#include "solve/solve_problem.h"

/* Numbers of slots, by value; 0: without bound. */
typedef struct swp_slot_list {
    int **items;
    size_t count;
    size_t capacity;
} swp_slot_list;

typedef struct swp_loop_refutations {
    swp_loop_refutation *items;
    size_t count;
    size_t capacity;
} swp_loop_refutations;

/* What is asked of a pipeline. */
typedef struct swp_loop_limits {
    int64_t bytes[2]; /* most, by space; -1: any */
    int stages;       /* most; 0: any */
} swp_loop_limits;

static inline swp_loop_limits swp_pipeline_no_limits(void)
{
    return (swp_loop_limits){.bytes = {-1, -1}};
}

/* The best pipeline so far. */
typedef struct swp_loop_best {
    bool found;
    swp_answer answer;
    int *slots; /* that its times need */
    int64_t bytes[2];
    int stages;
} swp_loop_best;

typedef struct swp_loop_search {
    swp_context *ctx;
    const swp_loop *loop;
    int64_t interval; /* that is asked for */
    int64_t room[2];  /* most bytes of any pipeline, by space; -1: any */
    swp_loop_refutations refuted;
    int *least; /* slots of each value, whatever the others have */
    /* What shows that no interval is less: */
    swp_loop_problem bound_problem;
    swp_answer bound_answer;
    const int *bound_slots;
    swp_loop_problem problem; /* asked last */
    swp_loop_best best;
    uint64_t work;
    int solved;
    /* Of a question about more than the interval: */
    uint64_t question_work; /* it may take; 0: it gets no more than what is found at once */
    bool cut;               /* that limit left one open */
    bool stopped;           /* a limit of the context left a problem open, or unasked */
    swp_limits limits;      /* of the caller; the context has those of the present part */
    swp_budget budget;
} swp_loop_search;

/* How many problems one question may come to. More are not asked, and what is found is not proven. */
enum { SWP_MOST_SOLVED = 4000, SWP_MOST_CHOICES = 200000 };

/* From now on the search may take this share of the limits, counted from its begin. */
void swp_pipeline_allow(swp_loop_search *search, double share);

/*
 * Solves with these slots, and notes what its bound refutes. `*answer` has its status; without an error.
 * Where no bound (0) would let a value have more than SWP_MOST_SLOTS, `slots` has that instead.
 */
swp_status swp_pipeline_solve(swp_loop_search *search, int *slots, int stages,
                              const swp_solve_aim *aim, swp_answer *answer);

/* Whether the limits, which hold for all problems together, leave anything for another one. */
bool swp_pipeline_may_ask(swp_loop_search *search);

/* Whether a pipeline keeps within the room. */
bool swp_pipeline_fits(const swp_loop_search *search, const swp_loop_best *best);

/* The limits, and the room beside them. */
swp_loop_limits swp_pipeline_within_room(const swp_loop_search *search,
                                         const swp_loop_limits *limits);

/* Keeps the pipeline of an answer. */
swp_status swp_pipeline_keep(swp_loop_search *search, const swp_answer *answer);

/* Raises `least`, and tries the pipeline in which each value of a space has no more than that. */
swp_status swp_pipeline_raise_least(swp_loop_search *search, swp_space space,
                                    const swp_loop_limits *limits);

/* A pipeline of the interval within the limits and the room. `*exists` false and `*proven`: there is none. */
swp_status swp_pipeline_better(swp_loop_search *search, const swp_loop_limits *limits, bool *exists,
                               bool *proven);

/* Lets the best pipeline of the interval have the least of each objective, in their order. */
swp_status swp_pipeline_minimise(swp_loop_search *search, swp_pipeline *out);

/*
 * The slots, from `least` on, that keep within the limits such that one more of any value would not.
 * A value is never given more than `swp_ir_loop_most_slots()`. `*complete` is false where they are too
 * many to list.
 */
swp_status swp_pipeline_slot_choices(swp_context *ctx, const swp_loop *loop, const int *least,
                                     const swp_loop_limits *limits, swp_slot_list *out,
                                     bool *complete);

/*
 * The core of the refutation that shows the bound, within a small share of the limits: empty where another
 * bound does.
 */
swp_status swp_pipeline_find_core(swp_loop_search *search, swp_loop_core *out);

int64_t swp_pipeline_bytes(const swp_loop *loop, const int *slots, swp_space space);

#endif
