/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a run of warp roles, or of a loop that is written as one: one execution is followed with a vector clock for each
 * thread, which says of every thread how far it was known to have come (Fidge 1988, Mattern 1989). All executions of a run have
 * this one order (docs/roles-reference.md, "Before and after").
 */
#ifndef SWP_HAPPENS_BEFORE_RUN_H
#define SWP_HAPPENS_BEFORE_RUN_H

#include "happens_before/program.h"
#include "happens_before/table.h"

/* A step of an instance; step -1 is none. */
typedef struct swp_happens_at {
    int instance;
    int step;
} swp_happens_at;

typedef struct swp_happens_places {
    swp_happens_at *items;
    size_t count;
    size_t capacity;
} swp_happens_places;

typedef struct swp_happens_numbers {
    int *items;
    size_t count;
    size_t capacity;
} swp_happens_numbers;

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
    swp_happens_places waits;
    swp_happens_at first; /* of rank 0: the arrival or copy that stands first */
    int operations;       /* arrivals and copies, of the threads that stand for all */
    int pending;          /* of these, those that have not come */
    int coming;           /* those of passes that the run does not have yet */
    bool completed;
    bool in_tail; /* only by what follows the cut */
    bool is_kept; /* as it was at the cut */
    int *clock;
    int *
        handed_on; /* less than that, which is all that who waits for it learns; NULL: they learn all */
} swp_happens_phase;

typedef struct swp_happens_meeting {
    int pending; /* threads, of those that stand for all, that have not come */
    bool opened;
    bool is_kept; /* as it was at the cut */
    int *clock;
} swp_happens_meeting;

typedef struct swp_happens_meetings {
    swp_happens_meeting *items;
    size_t count;
    size_t capacity;
} swp_happens_meetings;

/* A slot of a named barrier of a rank, or the barrier of a work group or of the cluster. */
typedef struct swp_happens_barrier {
    int object; /* -1: a work group's, or the cluster's */
    int slot;
    bool *takes_part;           /* of each instance */
    int participants;           /* instances */
    int threads;                /* of all of these */
    swp_happens_numbers *parts; /* of each instance: its steps here… */
    swp_happens_numbers *waits; /* …and that which waits for meeting 0, 1 …; -1: none does */
    swp_happens_meetings meetings;
} swp_happens_barrier;

/* Where a thread is. */
typedef struct swp_happens_thread {
    int step;
    bool issued; /* it waits at that step */
    int *clocks; /* of each step: the number of its clock at the issue; then that of the end */
} swp_happens_thread;

/*
 * What the waits of an instance have retired of one sort of groups. A wait retires what the commit that is number
 * `commits - n` has put into a group, and all before it.
 */
typedef struct swp_happens_retirer {
    int commits;
    int next;      /* the first step that is not retired */
    int group;     /* commits in front of it */
    int newest;    /* operation that is retired; -1: none */
    int in_flight; /* of a queue: accesses that no wait is known to have left behind */
} swp_happens_retirer;
/* One of each object: that of a queue counts accesses where others count commits. */
enum { SWP_HAPPENS_RETIRERS = SWP_MOST_SYNC_ROWS };

typedef struct swp_happens_clocks {
    int **items;
    size_t count;
    size_t capacity;
} swp_happens_clocks;

/* To how many passes a run that goes on comes in most cases, and in nearly all. */
enum { SWP_HAPPENS_ROOMS = 2 };
typedef struct swp_happens_rooms {
    int passes[SWP_HAPPENS_ROOMS];
} swp_happens_rooms;

/* Arrivals or copies that each pass of the kernel has on an mbarrier, so many iterations from its base. */
typedef struct swp_happens_coming {
    int64_t iteration;
    int count; /* in each rank, of the threads that stand for all */
} swp_happens_coming;

typedef struct swp_happens_comings {
    swp_happens_coming *items;
    size_t count;
    size_t capacity;
} swp_happens_comings;

/* A run as it stood at the cut behind so many passes, so that it can go back there. */
typedef struct swp_happens_tail swp_happens_tail;

typedef struct swp_happens_run {
    swp_context *ctx;
    const swp_happens_program *program;
    int passes;
    bool goes_on; /* further passes may follow… */
    swp_happens_rooms rooms;
    swp_happens_comings *comings;   /* …with these, by object */
    swp_happens_tail *tail;         /* NULL: nothing follows a cut to which it could go back */
    int64_t n;                      /* iterations */
    const swp_happens_tiles *tiles; /* NULL: the run has no output tiles… */
    const swp_happens_sequence *sequence;
    int64_t *bases; /* …iterations before each of them, and of all */
    swp_happens_step **steps;
    int *lengths;
    int *capacities;
    swp_happens_table works;   /* the last step, by instance and op, and iteration */
    swp_happens_phase *phases; /* one after the other those of all ranks of an object and turn */
    int phase_count;
    size_t phase_capacity;
    int first_open;                /* at the last cut: phases before that are complete */
    swp_happens_table turns;       /* the phase of rank 0, by object and turn */
    swp_happens_retirer *retirers; /* of each instance and sort */
    swp_happens_barrier *barriers; /* of each rank the same ones; at last the cluster's */
    int barrier_count;
    int barriers_of_a_rank;
    swp_happens_thread *threads; /* three of each instance */
    int thread_count;
    int rows; /* of a clock, which has in each a number for each thread */
    swp_happens_clocks clocks;
    swp_happens_numbers
        cuts; /* for each pass, each thread: where it is when nobody may begin the pass */
    bool stuck;
} swp_happens_run;

/* Follows the run of so many passes. */
swp_status swp_happens_run_follow(swp_context *ctx, const swp_happens_program *program, int passes,
                                  swp_happens_run *out);

/* Follows a run of output tiles, as far as it comes. */
swp_status swp_happens_run_follow_tiles(swp_context *ctx, const swp_happens_tiles *tiles,
                                        const swp_happens_sequence *sequence, swp_happens_run *out);

/* Follows what a longer sequence has beyond that of the run, which stands at a cut. */
swp_status swp_happens_run_go_on_tiles(swp_happens_run *run, const swp_happens_sequence *sequence);

/*
 * Notes where a run of output tiles stands, before it goes on in memory of its own by no more than that sequence:
 * swp_happens_run_back goes back there.
 */
swp_status swp_happens_run_keep_tiles(swp_context *ctx, swp_happens_run *run,
                                      const swp_happens_sequence *longest);

/* --- Runs that share their passes --- */

/* Follows what stands in front of the kernel, in a run that goes on. */
swp_status swp_happens_run_begin(swp_context *ctx, const swp_happens_program *program,
                                 swp_happens_rooms rooms, swp_happens_run *out);

/* Follows a pass more. */
swp_status swp_happens_run_go_on(swp_happens_run *run);

/*
 * Whether the run of the passes so far, with the epilogue of that program, begins as this one: who takes part is the same,
 * and the epilogue has no operation on a phase of which nothing more was to come.
 */
bool swp_happens_run_may_end(const swp_happens_run *run, const swp_happens_program *program);

/* Follows the epilogue of a form, in memory of its own, behind the passes so far. */
swp_status swp_happens_run_end(swp_context *ctx, swp_happens_run *run,
                               const swp_happens_program *program);
/* Goes back to the cut behind the passes. */
void swp_happens_run_back(swp_happens_run *run);

/* How many steps of a thread were done at that cut. */
int swp_happens_done_at_cut(const swp_happens_run *run, int thread);
/* How many steps an instance has before that cut. */
int swp_happens_length_at_cut(const swp_happens_run *run, int instance);
/* Phases that there were. */
int swp_happens_phases_at_cut(const swp_happens_run *run);

/* Parts of that. */
swp_status swp_happens_find_comings(swp_happens_run *run);
swp_status swp_happens_take_barriers(swp_happens_run *run);
swp_status swp_happens_room(swp_happens_run *run, int instance, int more);
/* Steps of an instance in a run of such output tiles. */
int swp_happens_count_tiles(const swp_happens_run *run, int instance,
                            const swp_happens_sequence *sequence);
/* All steps of an instance in a run of output tiles that it does not have yet. */
swp_status swp_happens_lay_tiles(swp_happens_run *run, int instance);
swp_status swp_happens_lay(swp_happens_run *run, int instance, const swp_happens_step *step);
swp_status swp_happens_lay_phase(swp_happens_run *run, int instance, int step);
swp_status swp_happens_lay_part(swp_happens_run *run, int instance, int step);
void swp_happens_lay_group(swp_happens_run *run, int instance, int step);
/* The last step of an instance that does work is none any more. */
void swp_happens_take_back_work(swp_happens_run *run, int instance, const swp_happens_step *step);
/* Notes how the run stands, so that it can go back there; from here on it takes memory of that context. */
swp_status swp_happens_keep(swp_context *ctx, swp_happens_run *run);
/* Before anything of a phase, or of a meeting, changes behind a cut. */
swp_status swp_happens_keep_phase(swp_happens_run *run, int phase);
swp_status swp_happens_keep_meeting(swp_happens_run *run, int barrier, int meeting);
swp_status swp_happens_walk_begin(swp_happens_run *run);
/* Until nobody comes further without beginning that pass; -1: at all. */
swp_status swp_happens_walk_to(swp_happens_run *run, int pass);
swp_status swp_happens_note_cut(swp_happens_run *run);
/* Completes what has all that it waits for, now that no pass follows. */
swp_status swp_happens_complete_open(swp_happens_run *run);
/* Whether an instance has a part at a barrier in a list of a program. */
bool swp_happens_has_part(const swp_happens_run *run, const swp_happens_program *program,
                          int instance, swp_phase list, int barrier);
/* -1: no operation is on it. */
int swp_happens_find_phase(const swp_happens_run *run, int rank, int object, int64_t turn);
/* The step of an instance that does an op for an iteration, the last one; -1: none does. */
int swp_happens_find_work(const swp_happens_run *run, int instance, int op, int64_t iteration);

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
    return phase - phase % run->program->ranks + rank;
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

/* Whether a thread is behind the return of a step; -1: never. */
static inline bool swp_happens_has_come(const swp_happens_run *run, int thread, int moment)
{
    return moment >= 0 && 2 * run->threads[thread].step >= moment;
}

/*
 * The kind of a moment is what it is asked for: accesses of a value, or an object's phases and meetings. Where a run
 * tells kinds apart, who knows of a moment of one kind need not know of earlier ones of another kind.
 */
static inline int swp_happens_kind_of_object(const swp_happens_run *run, int object)
{
    const swp_schedule *schedule = run->program->schedule;
    return (int)schedule->dataflow->loop->value_count +
           (object < 0 ? (int)schedule->object_count : object);
}

/* That of the retirement of groups whose registers are asked for, and of meetings that have no object. */
static inline int swp_happens_kind_of_groups(const swp_happens_run *run)
{
    return swp_happens_kind_of_object(run, -1);
}

/* What who waits for a phase learns. */
static inline int *swp_happens_handed_on(const swp_happens_phase *phase)
{
    return phase->handed_on ? phase->handed_on : phase->clock;
}

/* Numbers of a clock. */
static inline size_t swp_happens_width(const swp_happens_run *run)
{
    return (size_t)run->rows * (size_t)run->thread_count;
}

/* Where a clock says of a thread how far its moments of a kind are known. */
static inline int swp_happens_place_in_clock(const swp_happens_run *run, int kind, int thread)
{
    return run->rows == 1 ? thread : run->tiles->rows[kind] * run->thread_count + thread;
}

/* Whether a moment of a thread, of that kind, comes before the issue of a step of a thread. */
bool swp_happens_before(const swp_happens_run *run, int kind, int thread, int moment, int later,
                        int step);

/* The same of the completion of a phase. */
bool swp_happens_completed_before(const swp_happens_run *run, int phase, int later, int step);
/* Whether the return of a wait for that very phase comes before it. */
bool swp_happens_observed_before(const swp_happens_run *run, int phase, int later, int step);
/* The same of the opening of a meeting. */
bool swp_happens_opened_before(const swp_happens_run *run, int barrier, int meeting, int later,
                               int step);
/* The first proxy fence of a thread behind the end of a step, without roles a barrier; -1: none. */
int swp_happens_fence_behind(const swp_happens_run *run, int instance, int which, int step);

/*
 * The same of the moment when a thread's op is over: its issue, or what it is retired by. A multicast copy is so in each
 * rank; all else is of its own, whichever is asked for. The kind is that of the value that it accesses.
 */
bool swp_happens_over_before(const swp_happens_run *run, int kind, int instance, int which,
                             int step, int rank, int later, int later_step);

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
