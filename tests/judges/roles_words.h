/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules with warp roles as short text, to write tests by hand. A line each for
 *
 *   value T shared 2                            its space, its slots
 *   op LOAD copy_mbarrier reads V U-1 writes T updates C     U-1: the version of one iteration before
 *   mbarrier full 2 1                           slots, arrivals
 *   named turns 2 256                           slots, threads
 *   passes 1 1                                  least iterations, iterations of a pass; 0 1 without
 *   role consumer 4 2                           warps of an instance, instances
 *   prologue, kernel, epilogue                  the list that follows
 *   LOAD full 0 bytes 64                        an entry: tag, object, iteration (of group waits: groups left)
 *
 * and behind an entry `one`, `all`, `slot 1`, `step -1`, `bytes 64`, `only 2` (a mask of instances). Who executes it
 * is stated only where both may.
 */
#ifndef TEST_JUDGES_ROLES_WORDS_H
#define TEST_JUDGES_ROLES_WORDS_H

#include "swp/compile.h"
#include "swp/loop.h"

enum { ROLE_PROGRAM_MOST = 32 };

/* The context owns what the lists and the loop hold. */
typedef struct role_program {
    swp_schedule schedule;
    swp_loop loop;
    swp_loop_dataflow dataflow;
    int slots[ROLE_PROGRAM_MOST];
    swp_role_object objects[ROLE_PROGRAM_MOST];
    char *text;
} role_program;

/* Stops the test program at a text that is none, and at a schedule that has no meaning. */
role_program *role_program_read(swp_context *ctx, const char *text);
void role_program_free(role_program *p);

/* Objects and lists, to standard output. */
void role_program_print(const role_program *p);

#endif
