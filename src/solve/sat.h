/* SPDX-License-Identifier: Apache-2.0 */
/* Hides a SAT solver behind plain C: CaDiCaL where the library is built with it, else one that gives up. */
#ifndef SWP_SOLVE_SAT_H
#define SWP_SOLVE_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum swp_sat_result {
    SWP_SAT_GAVE_UP, /* stopped, out of memory, or the proof could not be written */
    SWP_SAT_LIMITED, /* after most_conflicts */
    SWP_SAT_SATISFIED,
    SWP_SAT_REFUTED
} swp_sat_result;

/* Watches a search. Both functions return false to stop it; `conflict` is called after each conflict. */
typedef struct swp_sat_watch {
    bool (*conflict)(void *user);
    bool (*poll)(void *user);
    void *user;
    int64_t most_literals; /* of the clauses added */
    long most_kilobytes;   /* by which the process may grow while it searches */
} swp_sat_watch;

typedef struct swp_sat swp_sat;

/* What a search is likely to end with: it decides where the search begins. */
typedef enum swp_sat_hope { SWP_SAT_HOPES_FOR_REFUTATION, SWP_SAT_HOPES_FOR_MODEL } swp_sat_hope;

/*
 * Makes a solver without clauses. `proof`, unless it is NULL, gets a DRAT proof as text while the
 * solver works. Returns NULL if memory ran out, or if there is no SAT solver. No function of this
 * file lets exhausted memory end the process.
 */
swp_sat *swp_solve_sat_new(const swp_sat_watch *watch, swp_sat_hope hope, FILE *proof);

/*
 * Adds a clause of literals ±variable, numbered from 1. Returns false if memory ran out, or if
 * there are more literals than the watch allows: the solver may then only be freed.
 */
bool swp_solve_sat_add(swp_sat *sat, const int *literals, int count);

/*
 * Searches. After SWP_SAT_LIMITED or SWP_SAT_SATISFIED it may be called again, with further clauses
 * or without, and goes on with what it has learned.
 * @param most_conflicts  of this call; 0: no limit
 */
swp_sat_result swp_solve_sat_solve(swp_sat *sat, uint64_t most_conflicts);

/* Returns the value of a variable. Valid only after SWP_SAT_SATISFIED. */
bool swp_solve_sat_value(swp_sat *sat, int variable);

void swp_solve_sat_free(swp_sat *sat);

#ifdef __cplusplus
}
#endif
#endif
