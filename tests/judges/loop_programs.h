/* SPDX-License-Identifier: Apache-2.0 */
/* Random schedules of general loops: derived, edited, and synchronised at random. */
#ifndef TEST_JUDGES_LOOP_PROGRAMS_H
#define TEST_JUDGES_LOOP_PROGRAMS_H

#include "random.h"

#include "swp/compile.h"
#include "swp/loop.h"

enum { LOOP_MOST_EDITS = 5 };

typedef struct loop_program {
    swp_context *ctx; /* owns all of it but `derived` */
    swp_loop loop;
    swp_machine machine;
    swp_schedule *derived;
    swp_schedule schedule; /* the one to judge */
    int edits;             /* of the derived one; -1: other synchronisation altogether */
    const char *names[LOOP_MOST_EDITS];
} loop_program;

/*
 * A random loop of one role, compiled for a random small machine with derived synchronisation.
 * @return false where the loop has no pipeline, or none that is judged by what its ops read and write
 */
bool loop_program_derive(loop_program *out, test_random *random);

/* Edits the schedule of a derived one at random, or synchronises it in another way. */
void loop_program_vary(loop_program *out, test_random *random);

/* Both. */
bool loop_program_new(loop_program *out, test_random *random);

void loop_program_free(loop_program *p);

/* A copy with lists of its own, in the memory of the context. */
swp_schedule loop_program_copy(swp_context *ctx, const swp_schedule *schedule);

/* Loop, slots, machine and all lists. */
void loop_program_print(const swp_schedule *schedule);

#endif
