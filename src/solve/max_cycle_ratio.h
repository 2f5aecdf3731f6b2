/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds how long a pass of a repeating system takes. An event waits only for other events of this
 * pass or of earlier ones, for so many cycles each. In the steady state a pass takes as long as the
 * worst cyclic chain asks: its cycles over the passes that it spans (the largest cycle ratio).
 */
#ifndef SWP_SOLVE_MAX_CYCLE_RATIO_H
#define SWP_SOLVE_MAX_CYCLE_RATIO_H

#include "base/context.h"

/* Event `to` comes at least `cycles` after that event `from` which is `passes` passes earlier. */
typedef struct swp_timing_constraint {
    int from;
    int to;
    int64_t cycles;
    int passes; /* may be negative; every cyclic chain spans at least one pass */
} swp_timing_constraint;

typedef struct swp_timing_constraint_list {
    swp_timing_constraint *items;
    size_t count;
    size_t capacity;
    int64_t most_cycles; /* the largest that the list has ever held */
    int64_t most_passes; /* the same, forwards or back */
} swp_timing_constraint_list;

swp_status swp_solve_constrain(swp_context *ctx, swp_timing_constraint_list *list,
                               swp_timing_constraint constraint);

/* Cycles a pass, as a fraction. */
typedef struct swp_ratio {
    int64_t cycles;
    int64_t passes;
} swp_ratio;

/* Returns a number below, equal to or above 0, as a is below, equal to or above b. */
int swp_solve_ratio_compare(swp_ratio a, swp_ratio b);

/* Keeps its memory from one question to the next. Zero-initialise. */
typedef struct swp_ratio_solver {
    struct swp_event_time *times;
    int *last_constraint; /* of each event: the constraint that set its time, or -1 */
    int *seen;
    size_t capacity; /* events */
    int on;          /* an event of the chain that was found last */
} swp_ratio_solver;

/*
 * Returns the time of an event in cycles. The last question must have had a ratio of one pass, and
 * have found no chain above it.
 */
int64_t swp_solve_event_time(const swp_ratio_solver *solver, int event);

typedef enum swp_ratio_test { SWP_ABOVE, SWP_NOT_BELOW } swp_ratio_test;

/*
 * Finds out whether a cyclic chain of the events 0 .. events - 1 is above the ratio or, by `test`,
 * not below it. If so, `*chain` is the ratio of one such chain.
 */
swp_status swp_solve_ratio_exceeds(swp_context *ctx, swp_ratio_solver *solver,
                                   const swp_timing_constraint_list *constraints, int events,
                                   swp_ratio ratio, swp_ratio_test test, bool *exceeds,
                                   swp_ratio *chain);

/* Sets `*out` to the largest ratio of a cyclic chain, or to `least` if that is larger. */
swp_status swp_solve_max_cycle_ratio(swp_context *ctx, swp_ratio_solver *solver,
                                     const swp_timing_constraint_list *constraints, int events,
                                     swp_ratio least, swp_ratio *out);

#endif
