/* SPDX-License-Identifier: Apache-2.0 */
/* What the executor makes of a judge's words. */
#ifndef TEST_JUDGES_EXECUTE_H
#define TEST_JUDGES_EXECUTE_H

#include "swp/verify.h"

typedef enum showing {
    NOT_SHOWN,    /* no execution for the hazard's smallest N was found, or its replay is another */
    SHOWN_RIGHT,  /* one carries out what the hazard is, but every number in it is right */
    SHOWN,        /* one has the symptom of the hazard */
    SHOWN_PLAINLY /* and what went wrong in it is at an entry that the hazard names */
} showing;

/* Whether what a hazard of this kind does is to break a rule of warp roles. */
bool breaks_a_rule(swp_hazard_kind kind);

/* Finds a counterexample of a hazard and replays it. */
showing execute_hazard(const swp_schedule *schedule, const swp_hazard *hazard);

/*
 * Runs a schedule under adversarial timing, so many times. Numbers of tiles from `least` to `most`
 * take turns.
 * @return how many runs went wrong
 */
int execute_adversarially(const swp_schedule *schedule, int runs, int least, int most);

#endif
