/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lists of warp roles, for each instance, and the run of so many passes as one sequence of steps
 * (docs/roles-reference.md, "Streams, instances, threads").
 */
#ifndef SWP_HAPPENS_BEFORE_PROGRAM_H
#define SWP_HAPPENS_BEFORE_PROGRAM_H

#include "base/context.h"
#include "happens_before/rules.h"
#include "ir/sync_objects.h"
#include "swp/compile.h"
#include "swp/loop.h"

#include <stdint.h>

/*
 * Threads that stand for all of an instance: the elected one, which is the first, and two others. These do the same in the
 * same order, so that one of them tells for both but where the two meet.
 */
enum { SWP_HAPPENS_THREADS = 3, SWP_HAPPENS_DISTINCT_THREADS = 2 };

/* An instance of a role, and the entries that it executes. */
typedef struct swp_happens_instance {
    int stream;
    int number;  /* of the instance in its role */
    int rank;    /* of its work group in the cluster */
    int threads; /* all of them */
    int *lists[SWP_DRAIN + 1];
    int lengths[SWP_DRAIN + 1];
} swp_happens_instance;

/* An entry of a role's list. */
typedef struct swp_happens_entry {
    int stream;
    swp_phase list;
    int entry;
} swp_happens_entry;

/* A form of a schedule (swp_schedule_form()). */
typedef struct swp_happens_program {
    const swp_schedule *schedule;
    swp_happens_rule without; /* which does not hold: for tests of the proof alone */
    /* A phase whose first operation is one of these is complete with too few arrivals or bytes, too. */
    const swp_happens_entry *excused;
    size_t excused_count;
    swp_happens_instance *instances; /* rank by rank, those of each in the same order */
    int count;
    int ranks;
    int of_a_rank; /* instances */
    bool
        is_flat; /* a loop without warp roles, written as one: each thread is a wave, and waits for its own accesses */
    swp_sync_object *queues; /* of each op of such a loop: which one of a thread counts it */
    bool uses_queue[SWP_SYNC_OBJECTS + 1];
} swp_happens_program;

/* An entry in its place of a run. */
typedef struct swp_happens_step {
    const swp_op *op;
    const swp_loop_op *work; /* NULL: it is none of the loop's */
    swp_phase list;
    int entry;
    int pass; /* of the kernel, in its tile; of the epilogue, how many were before */
    int tile; /* of output tiles; of the drain, how many there were. Else 0, as are the next three */
    int form;                /* of that tile */
    int first_pass;          /* passes of the tiles before */
    int64_t base;            /* iterations of the tiles before */
    swp_sync_object queue;   /* of its thread that counts it; SWP_NO_OBJECT: none does */
    swp_sync_object tracker; /* swp_happens_tracker() */
    int phase;   /* of an operation on an mbarrier: which one of the own rank; else -1 */
    int barrier; /* of a part in a meeting, or a wait for one: at which barrier; else -1 */
    int meeting; /* and its number there */
    int retires; /* of a wait for groups: the newest operation that it retires; else, or none: -1 */
    bool
        is_for_all; /* of such a wait: it retires what all threads of the instance issue together */
    int retired_by; /* of a wgmma, or a bulk store's reads: the step of the wait; none: -1 */
    bool
        is_retired_at_issue; /* of what a thread's own queue counts: before that step, not at its end */
    int in_flight;           /* of what a queue counts: accesses in it behind the issue */
    int earlier;       /* of work: the step before that does it for the same iteration; else -1 */
    int64_t iteration; /* the list's base and the entry's, in its clock; an mbarrier's turn */
} swp_happens_step;

swp_status swp_happens_program_build(swp_context *ctx, const swp_schedule *schedule,
                                     swp_happens_program *out);
/* The same of a loop without warp roles that is written as one. */
swp_status swp_happens_program_build_flat(swp_context *ctx, const swp_schedule *schedule,
                                          swp_happens_program *out);

static inline bool swp_happens_holds(const swp_happens_program *program, swp_happens_rule rule)
{
    return program->without != rule;
}

/* The steps of an instance in a run of so many passes. */
int swp_happens_length(const swp_happens_instance *instance, int passes);
/* How many of them stand before a pass of the kernel, or before the epilogue. */
int swp_happens_steps_before(const swp_happens_instance *instance, int pass);

/* --- Output tiles --- */

/* A schedule with output tiles: a program of each of its forms. */
typedef struct swp_happens_tiles {
    const swp_schedule *schedule;
    swp_schedule *forms;
    swp_happens_program *programs;
    int form_count;
    bool *
        alone; /* of each kind of moments: one thread asks for them, which has them all in its own list; NULL: nobody knows */
    const int *
        arrivers; /* of each object, as long as `alone` is there: the one thread that has arrivals or copies on it; -1: none is the only one */
    const int *
        rows; /* of each kind where in a clock it stands; NULL: all stand in the one row that there is */
    int row_count;
} swp_happens_tiles;

/* A run of output tiles, or what stands in front of a cut in runs that go on. */
typedef struct swp_happens_sequence {
    const int *n; /* iterations of each tile */
    int count;
    bool is_cut; /* nothing follows these tiles, no drain either */
    int passes;  /* of one more tile, that has begun; -1: none has */
} swp_happens_sequence;

swp_status swp_happens_tiles_build(swp_context *ctx, const swp_schedule *schedule,
                                   swp_happens_tiles *out);

/* Passes of a tile of so many iterations. */
int swp_happens_tile_passes(const swp_happens_tiles *tiles, int n);

/* The place of a list in the order in which they run. */
int swp_happens_list_rank(swp_phase list);

/* An entry of a list of an instance, in a pass of a run of one tile. */
swp_happens_step swp_happens_step_in(const swp_happens_program *p, const swp_happens_instance *in,
                                     swp_phase list, int index, int pass);

/* What an entry of the framework does; nothing of all else. */
static inline const swp_sync_operation *swp_happens_operation(const swp_happens_step *step)
{
    return swp_ir_sync_operation(step->op->tag);
}

/* What tells of the end of an op of a warp role; SWP_NO_OBJECT: it is over when it issues. */
static inline swp_sync_object swp_happens_tracker(const swp_happens_step *step)
{
    return step->tracker;
}

static inline const swp_sync_object_row *swp_happens_tracked_by(const swp_happens_step *step)
{
    return swp_ir_sync_object_row(swp_happens_tracker(step));
}

static inline bool swp_happens_is_of_group(const swp_happens_step *step)
{
    return swp_happens_tracked_by(step)->completes == SWP_COMPLETES_BY_GROUP;
}

/* Whether an entry waits for a phase, or comes to one. */
static inline bool swp_happens_waits_for_phase(const swp_op *op)
{
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    return operation->waits && swp_ir_sync_completes(operation) == SWP_COMPLETES_BY_PHASE;
}

static inline bool swp_happens_is_arrival(const swp_happens_step *step)
{
    const swp_sync_operation *operation = swp_happens_operation(step);
    return operation->arrives && swp_ir_sync_completes(operation) == SWP_COMPLETES_BY_PHASE;
}

static inline bool swp_happens_is_copy(const swp_happens_step *step)
{
    return swp_happens_tracked_by(step)->completes == SWP_COMPLETES_BY_PHASE;
}

/* Whether it comes to a meeting of all work groups of the cluster. */
static inline bool swp_happens_meets_cluster(const swp_happens_step *step)
{
    const swp_sync_operation *operation = swp_happens_operation(step);
    return operation->arrives && swp_ir_sync_object_row(operation->object)->across_ranks;
}

/* One that all threads of an instance issue together. */
static inline bool swp_happens_is_wgmma(const swp_happens_step *step)
{
    return swp_happens_tracked_by(step)->collective;
}

/* In a cluster: an arrival at all ranks, or a multicast copy. */
static inline bool swp_happens_goes_to_all(const swp_happens_step *step)
{
    return step->op->to == SWP_TO_ALL || (step->work && step->work->multicast);
}

/* How many of the three threads execute it: the first ones. */
static inline int swp_happens_threads_of(const swp_happens_step *step)
{
    return step->op->by == SWP_ONE_THREAD ? 1 : SWP_HAPPENS_THREADS;
}

/* Of these, those that differ in what they do. */
static inline int swp_happens_distinct_threads_of(const swp_happens_step *step)
{
    return step->op->by == SWP_ONE_THREAD ? 1 : SWP_HAPPENS_DISTINCT_THREADS;
}

/* a / b and its rest, rounded down, for b above 0. */
static inline int64_t swp_happens_quotient(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static inline int64_t swp_happens_rest(int64_t a, int64_t b)
{
    return a - swp_happens_quotient(a, b) * b;
}

#endif
