/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search is made again and again, each time with more work, and what was found best is handed out (docs/scheduling.md,
 * "Limits"): so the first answer is there soon, and a longer search begins with all that a shorter one does.
 */
#ifndef SWP_LOWER_SEARCH_STEPS_H
#define SWP_LOWER_SEARCH_STEPS_H

#include "base/budget.h"

typedef struct swp_search_steps {
    double ends;    /* by swp_search_clock(): of all steps; 0: never */
    double seconds; /* of the next step; 0: any */
    uint64_t work;  /* 0: any */
    bool none_left;
    struct swp_deadline deadline; /* of a step that has an answer to fall back on */
} swp_search_steps;

void swp_lower_begin_steps(const swp_context *ctx, swp_search_steps *steps);

/*
 * The context of the next step; false if the limits leave none. `has_answer`: it may be stopped anywhere, as there is an
 * answer from a step before. swp_lower_end_step() follows.
 */
bool swp_lower_next_step(const swp_context *ctx, swp_search_steps *steps, bool has_answer,
                         swp_context *own);

void swp_lower_end_step(const swp_context *ctx, const swp_context *own);

/* Whether the time of all steps is over. */
bool swp_lower_steps_are_over(const swp_context *own);

#endif
