/* SPDX-License-Identifier: Apache-2.0 */
/* Records how much of each resource is taken when, as a list of steps, so that long times cost nothing. */
#ifndef SWP_SOLVE_PROFILE_H
#define SWP_SOLVE_PROFILE_H

#include "base/context.h"
#include "swp/problem.h"

typedef struct swp_profile_step {
    int64_t time;
    int64_t level; /* taken from here to the next step */
} swp_profile_step;

typedef struct swp_steps {
    swp_profile_step *items; /* the first at time 0 */
    size_t count;
    size_t capacity;
} swp_steps;

typedef struct swp_profile {
    const swp_problem *problem;
    int64_t interval; /* the profile repeats after this; 0: never */
    swp_steps *steps; /* a list a resource */
} swp_profile;

swp_status swp_solve_profile_new(swp_context *ctx, const swp_problem *problem, int64_t interval,
                                 swp_profile *out);

/* Empties the profile, and gives it an interval. */
void swp_solve_profile_clear(swp_profile *profile, int64_t interval);

/* Returns whether the op could be issued if there were no others. If so, it can at any longer interval too. */
bool swp_solve_fits_alone(const swp_problem *problem, int op, int64_t interval);
bool swp_solve_each_fits_alone(const swp_problem *problem, int64_t interval);

/*
 * Finds the first time from `from` to `to` at which all uses of the op fit; returns false if there
 * is none. The op must fit alone. Times may be negative only if the profile repeats.
 */
bool swp_solve_profile_first_fit(const swp_profile *profile, int op, int64_t from, int64_t to,
                                 int64_t *time);

/* Finds the last time from `from` down to `to` (from >= to >= 0), for profiles that do not repeat. */
bool swp_solve_profile_last_fit(const swp_profile *profile, int op, int64_t from, int64_t to,
                                int64_t *time);

swp_status swp_solve_profile_add(swp_context *ctx, swp_profile *profile, int op, int64_t time);
swp_status swp_solve_profile_remove(swp_context *ctx, swp_profile *profile, int op, int64_t time);

#endif
