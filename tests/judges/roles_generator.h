/* SPDX-License-Identifier: Apache-2.0 */
/* Random schedules with warp roles for the judges: safe ones of many shapes, and those a few edits away. */
#ifndef TEST_JUDGES_ROLES_GENERATOR_H
#define TEST_JUDGES_ROLES_GENERATOR_H

#include "random.h"

#include "swp/compile.h"

enum { RANDOM_ROLES_MOST_EDITS = 3 };

typedef struct random_roles {
    swp_context *ctx; /* owns all of it */
    swp_schedule schedule;
    int edits; /* of a safe one */
    const char *names[RANDOM_ROLES_MOST_EDITS];
} random_roles;

/* One without edits. */
random_roles random_roles_safe(test_random *random);

/*
 * One with as many edits as the dice say, which swp_schedule_check_loop() takes, on a machine where ordinary reads need
 * fences or do not.
 */
random_roles random_roles_new(test_random *random);

/* The same with ops that do not always run. */
random_roles random_roles_with_conditions(test_random *random);

/* Applies one edit. @return its name; NULL: the edit that was drawn fits nothing there */
const char *random_roles_edit(swp_context *ctx, swp_schedule *schedule, test_random *random);

/* Whether the schedule has a meaning, and each form an entry of each op that any form has. */
bool random_roles_is_legal(const swp_schedule *schedule);

/* Takes entries away, one at a time, as long as the schedule is legal and `keeps` holds. */
void random_roles_shrink(random_roles *p, bool (*keeps)(const swp_schedule *schedule, void *user),
                         void *user);

/* The schedule as JSON, on the standard output. */
void random_roles_print(const random_roles *p);

void random_roles_free(random_roles *p);

#endif
