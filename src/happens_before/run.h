/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a run of warp roles: one execution is followed with a vector clock for each thread, which says
 * of every thread how far it was known to have come (Fidge 1988, Mattern 1989). All executions of a run have
 * this one order (docs/roles-reference.md, "Before and after").
 */
#ifndef SWP_HAPPENS_BEFORE_RUN_H
#define SWP_HAPPENS_BEFORE_RUN_H

#include "happens_before/program.h"

/* A step of an instance; step -1 is none. */
typedef struct swp_happens_at {
    int instance;
    int step;
} swp_happens_at;

/* A phase of a slot of an mbarrier of a rank on which the run has an operation. */
typedef struct swp_happens_phase {
    int rank;
    int object;
    int64_t turn;
    int64_t arrivals; /* threads */
    int64_t expected; /* bytes */
    int64_t brought;
    int before; /* the phase before of the slot, and the one after; -1: the run has no operation there */
    int after;
    swp_happens_at *waits;
    int wait_count;
    swp_happens_at first; /* of rank 0: the arrival or copy that stands first */
    bool is_excused;      /* with too few of them it is complete, too */
    int operations;       /* arrivals and copies, of the threads that stand for all */
    int pending;          /* of these, those that have not come */
    bool completed;
    int *clock;
} swp_happens_phase;

typedef struct swp_happens_meeting {
    int pending; /* threads, of those that stand for all, that have not come */
    bool opened;
    int *clock;
} swp_happens_meeting;

/* A slot of a named barrier of a rank, or the barrier of a work group or of the cluster. */
typedef struct swp_happens_barrier {
    int object; /* -1: a work group's, or the cluster's */
    int slot;
    bool *takes_part; /* of each instance */
    int participants; /* instances */
    int threads;      /* of all of these */
    int **parts;      /* of each instance: its steps here… */
    int *part_counts;
    int **waits; /* …and that which waits for meeting 0, 1 …; -1: none does */
    swp_happens_meeting *meetings;
    int meeting_count;
} swp_happens_barrier;

/* Where a thread is. */
typedef struct swp_happens_thread {
    int step;
    bool issued; /* it waits at that step */
    int *clocks; /* of each step: the number of its clock at the issue; then that of the end */
} swp_happens_thread;

typedef struct swp_happens_clocks {
    int **items;
    size_t count;
    size_t capacity;
} swp_happens_clocks;

typedef struct swp_happens_run {
    swp_context *ctx;
    const swp_happens_program *program;
    int passes;
    int64_t n;                      /* iterations */
    const swp_happens_tiles *tiles; /* NULL: the run has no output tiles… */
    const swp_happens_sequence *sequence;
    int64_t *bases; /* …iterations before each of them, and of all */
    swp_happens_step **steps;
    int *lengths;
    swp_happens_phase *phases; /* by rank, object and turn: of each rank the same ones */
    int phase_count;
    int phases_of_a_rank;
    swp_happens_barrier *barriers; /* of each rank the same ones; at last the cluster's */
    int barrier_count;
    int barriers_of_a_rank;
    swp_happens_thread *threads; /* three of each instance */
    int thread_count;
    swp_happens_clocks clocks;
    int *cuts; /* for each pass, each thread: where it is when nobody may begin the pass */
    bool stuck;
} swp_happens_run;

/* Follows the run of so many passes. */
swp_status swp_happens_run_follow(swp_context *ctx, const swp_happens_program *program, int passes,
                                  swp_happens_run *out);

/* Follows a run of output tiles, as far as it comes. */
swp_status swp_happens_run_follow_tiles(swp_context *ctx, const swp_happens_tiles *tiles,
                                        const swp_happens_sequence *sequence, swp_happens_run *out);

/* Parts of that. */
swp_status swp_happens_find_phases(swp_happens_run *run);
swp_status swp_happens_find_barriers(swp_happens_run *run);
void swp_happens_find_retirements(swp_happens_run *run);
swp_status swp_happens_walk(swp_happens_run *run);

/* --- What comes before what, of moments that happen --- */

static inline int swp_happens_issue(int step)
{
    return 2 * step + 1;
}

static inline int swp_happens_return(int step)
{
    return 2 * step + 2;
}

static inline const swp_happens_step *swp_happens_step_of(const swp_happens_run *run, int instance,
                                                          int step)
{
    return &run->steps[instance][step];
}

static inline int swp_happens_thread_of(int instance, int which)
{
    return instance * SWP_HAPPENS_THREADS + which;
}

static inline int swp_happens_rank_of(const swp_happens_run *run, int instance)
{
    return run->program->instances[instance].rank;
}

/* The same phase of another rank's mbarrier. */
static inline int swp_happens_phase_in(const swp_happens_run *run, int phase, int rank)
{
    return phase % run->phases_of_a_rank + rank * run->phases_of_a_rank;
}

/* Whether an operation on the phase of its own rank is one on that of a rank, too. */
static inline bool swp_happens_reaches(const swp_happens_run *run, const swp_happens_step *step,
                                       int rank)
{
    return swp_happens_goes_to_all(step) || run->phases[step->phase].rank == rank;
}

/* Whether the thread issues the step at all. */
bool swp_happens_issued(const swp_happens_run *run, int thread, int step);
/* Whether it gets beyond it. */
bool swp_happens_returned(const swp_happens_run *run, int thread, int step);

/* Whether a moment of a thread comes before the issue of a step of a thread. */
bool swp_happens_before(const swp_happens_run *run, int thread, int moment, int later, int step);

/* The same of the completion of a phase. */
bool swp_happens_completed_before(const swp_happens_run *run, int phase, int later, int step);
/* Whether the return of a wait for that very phase comes before it. */
bool swp_happens_observed_before(const swp_happens_run *run, int phase, int later, int step);
/* The same of the opening of a meeting. */
bool swp_happens_opened_before(const swp_happens_run *run, int barrier, int meeting, int later,
                               int step);
/*
 * The same of the moment when a thread's op is over: its issue, or what it is retired by. A multicast copy is so in each
 * rank; all else is of its own, whichever is asked for.
 */
bool swp_happens_over_before(const swp_happens_run *run, int instance, int which, int step,
                             int rank, int later, int later_step);

/* The number of the slot's phase that a turn is. */
int64_t swp_happens_phase_number(const swp_happens_run *run, int object, int64_t turn);

/* --- All numbers of passes --- */

/* Passes that lie between what can have to do with one another. */
typedef struct swp_happens_span {
    int reach;   /* back, from any entry */
    int horizon; /* that have to follow, so that nobody feels the end */
} swp_happens_span;

swp_happens_span swp_happens_span_of(const swp_happens_program *program);

/*
 * Whether what follows after `later` passes of this run is what followed after `earlier` ones, so many
 * passes on.
 */
bool swp_happens_repeats(const swp_happens_run *run, swp_happens_span span, int earlier, int later);

#endif
