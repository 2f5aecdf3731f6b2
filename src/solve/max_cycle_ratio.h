/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a pass of a repeating system takes: events are held by other events of this pass or of
 * earlier ones, each for so many cycles, and nothing else. The steady state then takes, for each
 * pass, as many cycles as the worst of its cyclic chains: its cycles over the passes that it spans
 * (the largest cycle ratio).
 */
#ifndef SWP_SOLVE_MAX_CYCLE_RATIO_H
#define SWP_SOLVE_MAX_CYCLE_RATIO_H

#include "base/context.h"

/* Event `to` of a pass is at least `cycles` after event `from` of `passes` passes before. */
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
    int64_t most_cycles; /* of all that were ever in it */
    int64_t most_passes; /* forwards or back */
} swp_timing_constraint_list;

swp_status swp_solve_constrain(swp_context *ctx, swp_timing_constraint_list *list,
                               swp_timing_constraint constraint);

/* Cycles a pass, as a fraction. */
typedef struct swp_ratio {
    int64_t cycles;
    int64_t passes;
} swp_ratio;

/* Less than, equal to or greater than 0, as a is to b. */
int swp_solve_ratio_compare(swp_ratio a, swp_ratio b);

/* Memory for the questions below. Zero-initialise. */
typedef struct swp_ratio_solver {
    struct swp_event_time *times;
    int *last_constraint; /* of each event: the constraint that set its time, or -1 */
    int *seen;
    size_t capacity; /* events */
    int on;          /* an event of the chain that was found last */
} swp_ratio_solver;

/* Of an event, in cycles, where no chain is above the ratio that was asked for last, of one pass. */
int64_t swp_solve_event_time(const swp_ratio_solver *solver, int event);

typedef enum swp_ratio_test { SWP_ABOVE, SWP_NOT_BELOW } swp_ratio_test;

/*
 * Whether some cyclic chain of events 0 .. events - 1 is above the ratio, or not below it; `*chain`
 * is then the ratio of one.
 */
swp_status swp_solve_ratio_exceeds(swp_context *ctx, swp_ratio_solver *solver,
                                   const swp_timing_constraint_list *constraints, int events,
                                   swp_ratio ratio, swp_ratio_test test, bool *exceeds,
                                   swp_ratio *chain);

/* The largest ratio of a cyclic chain, or `least` if that is larger. */
swp_status swp_solve_max_cycle_ratio(swp_context *ctx, swp_ratio_solver *solver,
                                     const swp_timing_constraint_list *constraints, int events,
                                     swp_ratio least, swp_ratio *out);

#endif
